import { href } from 'react-router';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { setup } from './words/setup.ts';

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
      {pending && <li>Open the link in the email and confirm the address.</li>}
      <li>Check the setup key. It's printed when the server first starts; the person who set up the server has it.</li>
      <li>If there's an admin already, the key no longer works. Ask that admin to give you the role.</li>
      <li>
        {pending
          ? 'Then come back and run the Email Signup Method again with the same key, address and password.'
          : 'Fix what the message says, then try again.'}
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
