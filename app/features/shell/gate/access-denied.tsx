import { href } from 'react-router';
import { admin } from '#lib/words/admin.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { AnotherAccount } from './another-account.tsx';

export const AccessDenied = ({ email }: { email: string }) => (
  <main>
    <WorkSheet title={admin.title}>
      <Banner kind="error">{admin.denied}</Banner>
      <p>
        You are signed in as <strong>{email}</strong>. If that is not the account you meant, sign out and use another.
      </p>
      <div className="button-row">
        <LinkButton href={href('/admin-setup')}>Set Up Admin Access</LinkButton>
        <LinkButton href={href('/admin-help')} variant="secondary">
          Admin Help
        </LinkButton>
        <LinkButton href={href('/')} variant="secondary">
          Return to Home
        </LinkButton>
      </div>
      <AnotherAccount />
    </WorkSheet>
  </main>
);
