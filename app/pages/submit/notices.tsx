import { Elsewhere } from './elsewhere.tsx';
import { Failure } from './failure.tsx';
import type { SubmissionForm } from './form/form.ts';
import type { FormState } from './form/form-state.ts';
import { KeptDrafts } from './kept-drafts.tsx';
import './notices.css';
import { Returned } from './returned.tsx';
import { SignedOut } from './signed-out.tsx';
import { Waiting } from './waiting.tsx';

/** All that stands over the form: why it was not sent, where the draft is, and what waits. */
export const Notices = ({ state, form }: { state: FormState; form: SubmissionForm | null }) => (
  <>
    <Failure failure={state.failure} />
    <SignedOut state={state} form={form} />
    <Waiting state={state} form={form} />
    <Elsewhere state={state} form={form} />
    {state.returned && (
      <Returned kind={state.returned} onGoOn={() => void form?.goOn()} onStartOver={() => void form?.startOver()} />
    )}
    <KeptDrafts state={state} form={form} />
  </>
);
