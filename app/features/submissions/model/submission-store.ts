import { reduce, type SubmissionEvent } from './submission-reducer.ts';
import type { SubmissionState } from './submission-state.ts';

export class SubmissionStore {
  state: SubmissionState;
  onChange = (): void => {};

  constructor(state: SubmissionState) {
    this.state = state;
  }

  dispatch = (event: SubmissionEvent): void => {
    const state = reduce(this.state, event);
    if (state === this.state) return;
    this.state = state;
    this.onChange();
  };
}
