import { isLost, messageOf } from '#lib/data/api-error.ts';
import { newId, newSecret } from '#lib/data/ids.ts';
import { type Outcome, SignedOutError } from './model/outcome.ts';
import { firstProblem } from './model/submission.ts';
import { MAX_INTERRUPTIONS, networkState, type SubmissionFailure } from './model/submission-state.ts';
import type { SubmissionStore } from './model/submission-store.ts';
import { deviceWords } from './words/device.ts';
import { submissionWords as words } from './words/submission.ts';

interface SenderServices {
  save: () => Promise<void>;
  /** @param skipLost also without files that the connection failed for */
  send: (signal: AbortSignal, skipLost: boolean) => Promise<Outcome>;
  renewFiles: (ids: ReadonlyMap<string, string>) => void;
  onSent: (outcome: Outcome) => Promise<void>;
}

/** Sends a complete form; waits for the network where necessary. */
export class Sender {
  readonly #form: SubmissionStore;
  readonly #services: SenderServices;
  #abort = new AbortController();

  constructor(form: SubmissionStore, services: SenderServices) {
    this.#form = form;
    this.#services = services;
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
      await this.#services.save();
      if (!isReached && !navigator.onLine) return await this.#wait();
      const outcome = await withAbort(this.#attempt(signal, hasGivenUp), signal);
      if (outcome.lost && !hasGivenUp) return await this.#wait();
      await this.#services.onSent(outcome);
      dispatch({ type: 'sent', outcome });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SignedOutError) dispatch({ type: 'userChanged', user: null });
      else if (isLost(error) && !hasGivenUp) return this.#wait();
      const message = isLost(error) ? deviceWords.keepsBreaking : messageOf(error, words.submitFailed);
      await this.#fail({ message, field: null });
    }
  }

  async #attempt(signal: AbortSignal, skipLost: boolean): Promise<Outcome> {
    const { dispatch, state } = this.#form;
    try {
      const outcome = await this.#services.send(signal, skipLost);
      if (!outcome.closed || !state.mayBeOnServer) return outcome;
      // The earlier draft accepts no more changes: a second draft is better than lost text.
      const ids = new Map(this.#form.state.submission.media.map(({ id }) => [id, newId()]));
      this.#services.renewFiles(ids);
      dispatch({ type: 'renewed', secret: newSecret(), ids });
      await this.#services.save();
      return await this.#services.send(signal, skipLost);
    } finally {
      dispatch({ type: 'sendAttempted' });
    }
  }

  async #wait(): Promise<void> {
    this.#form.dispatch({ type: 'networkLost', network: networkState() });
    await this.#services.save();
  }

  async #fail(failure: Omit<SubmissionFailure, 'attempt'>): Promise<void> {
    this.#form.dispatch({ type: 'sendFailed', failure });
    await this.#services.save();
  }

  async postpone(): Promise<void> {
    this.stop();
    this.#form.dispatch({ type: 'sendPostponed' });
    await this.#services.save();
  }

  stop = (): void => this.#abort.abort();
}

function withAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}
