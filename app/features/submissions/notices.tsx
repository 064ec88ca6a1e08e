import { lazily } from '#ui/lazily.tsx';
import { Elsewhere } from './elsewhere.tsx';
import { Failure } from './failure.tsx';
import type { SubmissionForm } from './form/form.ts';
import type { FormState } from './form/form-state.ts';
import './notices.css';
import { Returned } from './returned.tsx';
import { SignedOut } from './signed-out.tsx';
import { Waiting } from './waiting.tsx';

const KeptDrafts = lazily(() => import('./kept-drafts.tsx').then((module) => module.KeptDrafts));

export const Notices = ({ state, form }: { state: FormState; form: SubmissionForm | null }) => (
  <>
    <Failure failure={state.failure} />
    <SignedOut state={state} form={form} />
    <Waiting state={state} form={form} />
    <Elsewhere state={state} form={form} />
    {state.returned && (
      <Returned kind={state.returned} onGoOn={() => void form?.goOn()} onStartOver={() => void form?.startOver()} />
    )}
    {state.kept.length > 0 && state.phase === 'editing' && <KeptDrafts kept={state.kept} form={form} />}
  </>
);
