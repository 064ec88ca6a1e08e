import { problemWith, type Submission } from '../model/submission.ts';
import { type FormFailure, type FormState, heldOf } from './form-state.ts';

export class FormStore {
  state: FormState;
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
  held = () => heldOf(this.state);

  show(part: Partial<FormState>) {
    this.state = { ...this.state, ...part };
    for (const listener of this.#listeners) listener();
  }

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

function failureAfter(failure: FormFailure | null, before: Submission, after: Submission): FormFailure | null {
  if (!failure?.field) return failure;
  const was = problemWith(before, failure.field);
  const problem = problemWith(after, failure.field);
  if (problem?.message === was?.message) return failure;
  return problem && { ...problem, attempt: failure.attempt };
}
