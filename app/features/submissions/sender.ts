import { isLost, messageOf } from '#lib/data/api-error.ts';
import type { DraftSync } from './draft-sync.ts';
import { isComplete, type Outcome, SignedOutError } from './model/outcome.ts';
import { firstProblem } from './model/submission.ts';
import type { SubmissionEvent, SubmissionStore } from './model/submission-reducer.ts';
import { MAX_INTERRUPTIONS, networkState, type SubmissionFailure } from './model/submission-state.ts';
import { deviceWords } from './words/device.ts';

type Deliver = (signal: AbortSignal, skipLost: boolean) => Promise<Outcome>;

/** @param deliver sends the draft; `skipLost` skips files whose connection failed */
export function createSender(form: SubmissionStore, drafts: DraftSync, deliver: Deliver) {
  const { dispatch } = form;
  let controller = new AbortController();
  const stop = (): void => controller.abort();

  async function dispatchAndSave(event: SubmissionEvent): Promise<void> {
    dispatch(event);
    await drafts.save();
  }
  const fail = (failure: Omit<SubmissionFailure, 'attempt'>) => dispatchAndSave({ type: 'sendFailed', failure });
  const noteAttempt = () => dispatch({ type: 'set', part: { mayBeOnServer: true } });
  const waitForNetwork = () => dispatchAndSave({ type: 'networkLost', network: networkState() });

  return {
    stop,
    async send(isReached = false): Promise<void> {
      const problem = firstProblem(form.state.submission);
      if (problem) return fail(problem);
      controller = new AbortController();
      const { signal } = controller;
      dispatch({ type: 'sendStarted' });
      const hasGivenUp = form.state.interruptions >= MAX_INTERRUPTIONS;
      try {
        await drafts.save();
        if (!isReached && !navigator.onLine) return await waitForNetwork();
        const outcome = await deliver(signal, hasGivenUp).finally(noteAttempt);
        signal.throwIfAborted();
        if (outcome.lost && !hasGivenUp) return await waitForNetwork();
        // Missing parts of a new submission exist only on this device.
        if (isComplete(outcome) || outcome.isResubmission) await drafts.clear();
        dispatch({ type: 'sent', outcome });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof SignedOutError) dispatch({ type: 'userChanged', user: null });
        else if (isLost(error) && !hasGivenUp) return waitForNetwork();
        const message = isLost(error) ? deviceWords.keepsBreaking : messageOf(error, 'Failed to submit experiment');
        await fail({ message, field: null });
      }
    },
    postpone(): Promise<void> {
      stop();
      return dispatchAndSave({ type: 'sendPostponed' });
    },
  };
}
