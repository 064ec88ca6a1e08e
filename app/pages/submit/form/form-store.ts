import type { Submission } from '../../../models/submission/submission.ts';
import { type FormState, heldOf } from './form-state.ts';

/** One state that is replaced part by part; whoever draws it is told. */
export class FormStore {
  state: FormState;
  /** What it begins with. */
  readonly first: FormState;
  readonly #listeners = new Set<() => void>();

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

  change(part: Partial<Submission>) {
    this.show({ submission: { ...this.state.submission, ...part } });
  }
}
