import { href } from 'react-router';
import { ProveSecondFactor } from '#features/account/second-factor.tsx';
import { admin } from '#lib/words/admin.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { AnotherAccount } from './another-account.tsx';
import '#features/account/sign-in.css';

/** The second factor is checked before the role. */
export const GateSecondFactor = ({ onProven }: { onProven: () => Promise<void> }) => (
  <main>
    <WorkSheet title="One more step">
      <ProveSecondFactor onProven={onProven} />
    </WorkSheet>
  </main>
);

export const SecondFactorMissing = ({ email }: { email: string }) => (
  <main>
    <WorkSheet title={admin.title}>
      <Banner kind="warning">Admins need a second factor here, and your account has none yet.</Banner>
      <p>
        Set one up for <strong>{email}</strong>: an authenticator app on your phone takes two minutes. Then come back.
      </p>
      <div className="button-row">
        <LinkButton href={href('/account')}>Set up a second factor</LinkButton>
        <LinkButton href={href('/')} variant="secondary">
          Return to Home
        </LinkButton>
      </div>
      <AnotherAccount />
    </WorkSheet>
  </main>
);
