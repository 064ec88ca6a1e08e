import { reduce, type SubmissionEvent } from './submission-reducer.ts';
import type { SubmissionState } from './submission-state.ts';

export class SubmissionStore {
  state: SubmissionState;
  readonly #listeners = new Set<() => void>();

  constructor(state: SubmissionState) {
    this.state = state;
  }

  dispatch = (event: SubmissionEvent): void => {
    const state = reduce(this.state, event);
    if (state === this.state) return;
    this.state = state;
    for (const listener of this.#listeners) listener();
  };
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  snapshot = () => this.state;
}
