import { isLost, messageOf } from '#lib/data/api-error.ts';
import { newId, newSecret } from '#lib/data/ids.ts';
import type { DraftSync } from './draft-sync.ts';
import { isComplete, type Outcome, SignedOutError } from './model/outcome.ts';
import { firstProblem } from './model/submission.ts';
import { MAX_INTERRUPTIONS, networkState, type SubmissionFailure } from './model/submission-state.ts';
import type { SubmissionStore } from './model/submission-store.ts';
import { deviceWords } from './words/device.ts';

export class Sender {
  readonly #form: SubmissionStore;
  readonly #drafts: DraftSync;
  readonly #deliver: (signal: AbortSignal, skipLost: boolean) => Promise<Outcome>;
  #abort = new AbortController();

  /** @param deliver sends the draft; `skipLost` skips files whose connection failed */
  constructor(
    form: SubmissionStore,
    drafts: DraftSync,
    deliver: (signal: AbortSignal, skipLost: boolean) => Promise<Outcome>,
  ) {
    this.#form = form;
    this.#drafts = drafts;
    this.#deliver = deliver;
  }

  async send(isReached = false): Promise<void> {
    const { dispatch, state } = this.#form;
    const problem = firstProblem(state.submission);
    if (problem) return this.#fail(problem);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    dispatch({ type: 'sendStarted' });
    const hasGivenUp = this.#form.state.interruptions >= MAX_INTERRUPTIONS;
    try {
      await this.#drafts.save();
      if (!isReached && !navigator.onLine) return await this.#wait();
      const outcome = await withAbort(this.#attempt(signal, hasGivenUp), signal);
      if (outcome.lost && !hasGivenUp) return await this.#wait();
      // Missing parts of a new submission exist only on this device.
      if (isComplete(outcome) || outcome.isResubmission) await this.#drafts.clear();
      dispatch({ type: 'sent', outcome });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SignedOutError) dispatch({ type: 'userChanged', user: null });
      else if (isLost(error) && !hasGivenUp) return this.#wait();
      const message = isLost(error) ? deviceWords.keepsBreaking : messageOf(error, 'Failed to submit experiment');
      await this.#fail({ message, field: null });
    }
  }

  async #attempt(signal: AbortSignal, skipLost: boolean): Promise<Outcome> {
    const { dispatch, state } = this.#form;
    try {
      const outcome = await this.#deliver(signal, skipLost);
      if (!outcome.closed || !state.mayBeOnServer) return outcome;
      // The earlier draft accepts no more changes: a second draft is better than lost text.
      const ids = new Map(this.#form.state.submission.media.map(({ id }) => [id, newId()]));
      dispatch({ type: 'renewed', secret: newSecret(), ids });
      await this.#drafts.save();
      return await this.#deliver(signal, skipLost);
    } finally {
      dispatch({ type: 'set', part: { mayBeOnServer: true } });
    }
  }

  async #wait(): Promise<void> {
    this.#form.dispatch({ type: 'networkLost', network: networkState() });
    await this.#drafts.save();
  }

  async #fail(failure: Omit<SubmissionFailure, 'attempt'>): Promise<void> {
    this.#form.dispatch({ type: 'sendFailed', failure });
    await this.#drafts.save();
  }

  async postpone(): Promise<void> {
    this.stop();
    this.#form.dispatch({ type: 'sendPostponed' });
    await this.#drafts.save();
  }

  stop = (): void => this.#abort.abort();
}

function withAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}
