import { href } from 'react-router';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';

export const SignedIn = ({ email, onGoOn }: { email: string; onGoOn: () => Promise<unknown> }) => (
  <Banner kind="info">
    <p>
      You are signed in{email && ' as '}
      {email && <strong>{email}</strong>}. To use another account, sign in below.
    </p>
    <p className="button-row gap-above">
      <Button size="admin" onClick={() => void onGoOn()}>
        Go on
      </Button>
      <a className="button button-secondary button-admin" href={href('/sign-out')}>
        Sign out
      </a>
    </p>
  </Banner>
);
