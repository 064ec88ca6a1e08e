import { href } from 'react-router';
import { setup } from '../../copy/admin/setup.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button, LinkButton } from '../../ui/form/button.tsx';

/** What to do when the steps did not all succeed. `pending`: the account exists and waits for its confirmation. */
export const ManualInstructions = ({ pending, onTryAgain }: { pending: boolean; onTryAgain: () => void }) => (
  <section aria-labelledby="manual">
    <h2 id="manual">Manual instructions</h2>
    {pending && (
      <div className="gap-above">
        <Banner kind="warning">{setup.confirmFirst}</Banner>
        <p className="gap-above-small">{setup.assignByHand}</p>
      </div>
    )}
    <ol className="work-list gap-above">
      {pending && <li>Open the link in the mail and confirm the address.</li>}
      <li>Check the key: it stands in the server's first start-up message, or in its setting SETUP_KEY.</li>
      <li>If there is an admin already, ask them to assign the role to you: the key no longer works.</li>
      <li>
        {pending
          ? 'Then come back and run the Email Signup Method again with the same key, address and password.'
          : 'Mend what the message names, then try again.'}
      </li>
    </ol>
    <div className="button-row gap-above">
      <LinkButton href={href('/admin')}>Go to Admin Login</LinkButton>
      <Button variant="secondary" onClick={onTryAgain}>
        Try Again
      </Button>
    </div>
  </section>
);
