import { href } from 'react-router';
import { Button, LinkButton } from '#ui/form/button.tsx';
import type { SubmissionForm } from './form/form.ts';
import { type FormState, unkeptOf } from './form/form-state.ts';
import { deviceWords as words } from './words/device.ts';

export function SignedOut({ state, form }: { state: FormState; form: SubmissionForm | null }) {
  const { account, signedOut, asGuest, saved, phase } = state;
  // Data not stored on this device would be lost with the page.
  const stays = saved === 'impossible' || unkeptOf(state).length > 0;
  const shown = signedOut && !asGuest && phase === 'editing';
  return (
    <div className="submit-signed-out" role="status">
      {shown && (
        <div className="submit-returned">
          <div>
            <h2>{words.signedOut}</h2>
            <p>
              {words.signedOutHint(account || words.yourAccount)} {stays ? words.signInBeside : words.signInHere}
            </p>
          </div>
          <div className="cluster">
            <LinkButton
              href={`${href('/sign-in')}?next=${encodeURIComponent(href('/case-study-upload'))}`}
              target={stays ? '_blank' : undefined}
            >
              {words.signIn}
            </LinkButton>
            <Button variant="secondary" onClick={() => void form?.sendAsGuest()}>
              {words.sendAsGuest}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
