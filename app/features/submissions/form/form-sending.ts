import { isLost, messageOf } from '#lib/data/api-error.ts';
import { type Outcome, SignedOutError } from '../model/outcome.ts';
import { firstProblem } from '../model/submission.ts';
import { deviceWords } from '../words/device.ts';
import { submissionWords as words } from '../words/submission.ts';
import type { FormServices } from './form-services.ts';
import type { FormFailure } from './form-state.ts';
import type { FormStore } from './form-store.ts';
import { Line } from './line.ts';

const MOST_BREAKS = 3;

interface Steps {
  write: () => Promise<void>;
  /** @param without also without files held back by the connection */
  attempt: (signal: AbortSignal, without: boolean) => Promise<Outcome>;
  done: (outcome: Outcome) => Promise<void>;
  lineBack: () => void;
  lineAway: () => void;
}

/** Sends a complete form; waits for the network where necessary, and continues automatically. */
export class FormSending {
  readonly #form: FormStore;
  readonly #steps: Steps;
  readonly #line: Line;
  #breaks = 0;
  #stop = new AbortController();

  constructor(form: FormStore, { reached }: Pick<FormServices, 'reached'>, steps: Steps) {
    this.#form = form;
    this.#steps = steps;
    this.#line = new Line(reached, {
      onBack: () => {
        steps.lineBack();
        if (form.state.phase === 'waiting') void this.#run(true);
      },
      onAway: () => {
        this.#breaks = 0;
        steps.lineAway();
        if (form.state.phase === 'waiting') form.show({ line: whyAway() });
      },
    });
  }

  async submit(): Promise<void> {
    const { phase, submission } = this.#form.state;
    if (phase === 'waiting') return this.#line.look();
    if (phase !== 'editing') return;
    const problem = firstProblem(submission);
    if (problem) return this.#form.fail(problem, { returned: null });
    this.#breaks = 0;
    this.#form.show({ line: null });
    await this.#run();
  }

  async resume(): Promise<void> {
    this.#form.show({ phase: 'waiting', line: whyAway() });
    this.#line.lost();
    await this.#line.look();
  }

  async #run(reached = false): Promise<void> {
    const problem = firstProblem(this.#form.state.submission);
    if (problem) return this.#fail(problem);
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#form.show({ phase: 'submitting', failure: null, returned: null, arrival: null, later: false });
    try {
      await this.#steps.write();
      if (!reached && !navigator.onLine) return await this.#wait();
      const without = this.#breaks >= MOST_BREAKS;
      const outcome = await stopped(this.#steps.attempt(signal, without), signal);
      if (outcome.lost && !without) return await this.#wait();
      this.#form.show({ line: null });
      await this.#steps.done(outcome);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SignedOutError) {
        this.#form.show({ signedOut: true });
        return await this.#fail({ message: error.message, field: null });
      }
      if (isLost(error) && this.#breaks < MOST_BREAKS) return this.#wait();
      const message = isLost(error) ? deviceWords.keepsBreaking : messageOf(error, words.submitFailed);
      await this.#fail({ message, field: null });
    }
  }

  async #wait(): Promise<void> {
    this.#breaks++;
    this.#form.show({ phase: 'waiting', step: null, line: whyAway() });
    this.lineLost();
    await this.#steps.write();
  }

  async #fail(failure: Omit<FormFailure, 'attempt'>): Promise<void> {
    this.#form.fail(failure, { phase: 'editing', step: null, line: null });
    await this.#steps.write();
  }

  async later(): Promise<void> {
    this.stop();
    this.#form.show({ phase: 'editing', step: null, line: null, later: true });
    await this.#steps.write();
  }

  lineLost() {
    this.#line.lost();
  }

  stop() {
    this.#stop.abort();
    this.#line.stop();
  }
}

const whyAway = () => (navigator.onLine ? 'unreachable' : 'offline');

function stopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}
