import { deviceWords } from '../../../copy/device.ts';
import { submissionWords as words } from '../../../copy/submission.ts';
import { isLost, messageOf } from '../../../models/data/api-error.ts';
import { type Outcome, SignedOutError } from '../../../models/submission/outcome.ts';
import { firstProblem } from '../../../models/submission/submission.ts';
import type { FormServices } from './form-services.ts';
import type { FormFailure } from './form-state.ts';
import type { FormStore } from './form-store.ts';
import { Line } from './line.ts';

/** So often a line may break that seemed to be whole, before we say that it cannot be done. */
const MOST_BREAKS = 3;

/** What belongs to sending and is done elsewhere. */
interface Steps {
  /** Keeps the form on the device as it is now. */
  write: () => Promise<void>;
  /** Tries once. @param without also without files that the broken line kept back */
  attempt: (signal: AbortSignal, without: boolean) => Promise<Outcome>;
  done: (outcome: Outcome) => Promise<void>;
  /** The line is back, whether anything waits to be sent or not. */
  lineBack: () => void;
  /** It was looked for, and is still away. */
  lineAway: () => void;
}

/** Sends the form, once it is complete; waits for the line where it has to, and goes on by itself. */
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

  /** Checks, then sends. What fails leaves the form as it is. */
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

  /** Goes on with what was to be sent when the page was left. */
  async resume(): Promise<void> {
    this.#form.show({ phase: 'waiting', line: whyAway() });
    this.#line.lost();
    await this.#line.look();
  }

  /** @param reached the services have just answered, whatever the browser says about being online */
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
      // Whoever stopped it has said what holds now.
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

  /** Sends nothing by itself from now on, until the button is pressed again. */
  async later(): Promise<void> {
    this.stop();
    this.#form.show({ phase: 'editing', step: null, line: null, later: true });
    await this.#steps.write();
  }

  lineLost() {
    this.#line.lost();
  }

  /** Ends what is under way. */
  stop() {
    this.#stop.abort();
    this.#line.stop();
  }
}

const whyAway = () => (navigator.onLine ? 'unreachable' : 'offline');

/** Does not wait for an answer that nobody wants any more. */
function stopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}
