import { Button } from '#ui/form/button.tsx';
import type { FormState } from './form/form-state.ts';
import type { Step } from './model/send.ts';
import { savedLine } from './save-line.tsx';
import { submissionWords as words } from './words/submission.ts';

const DOING: Record<Step, string> = {
  session: 'Looking who you are',
  guest: 'Looking who you are',
  uploads: 'Waiting for the pictures to arrive',
  project: 'Creating the draft',
  media: 'Attaching the pictures',
  metadata: 'Storing the texts',
};

export const Send = ({ state, alive }: { state: FormState; alive: boolean }) => (
  <div className="cluster submit-send">
    <Button type="submit" disabled={!alive} busy={state.phase === 'submitting'} busyLabel={words.submitting}>
      {words.submit}
    </Button>
    <p role="status">{state.step ? DOING[state.step] : savedLine(state)}</p>
  </div>
);
