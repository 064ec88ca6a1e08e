import { problemWith, type Submission } from '../../../models/submission/submission.ts';
import { type FormFailure, type FormState, heldOf } from './form-state.ts';

/** One state that is replaced part by part; whoever draws it is told. */
export class FormStore {
  state: FormState;
  /** What it begins with. */
  readonly first: FormState;
  readonly #listeners = new Set<() => void>();
  #attempts = 0;

  constructor(first: FormState) {
    this.first = first;
    this.state = first;
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  snapshot = () => this.state;
  /** What is to be kept on the device, as it is at this moment. */
  held = () => heldOf(this.state);

  show(part: Partial<FormState>) {
    this.state = { ...this.state, ...part };
    for (const listener of this.#listeners) listener();
  }

  /** Shows why a try failed, also when it failed for the same reason as before. */
  fail(failure: Omit<FormFailure, 'attempt'>, also: Partial<FormState> = {}) {
    this.#attempts++;
    this.show({ ...also, failure: { ...failure, attempt: this.#attempts } });
  }

  change(part: Partial<Submission>) {
    const before = this.state.submission;
    const submission = { ...before, ...part };
    this.show({ submission, failure: failureAfter(this.state.failure, before, submission) });
  }
}

/** What is left of a failure after a change: its field may be valid now, or wrong in another way. */
function failureAfter(failure: FormFailure | null, before: Submission, after: Submission): FormFailure | null {
  if (!failure?.field) return failure;
  const was = problemWith(before, failure.field);
  const problem = problemWith(after, failure.field);
  if (problem?.message === was?.message) return failure;
  return problem && { ...problem, attempt: failure.attempt };
}
