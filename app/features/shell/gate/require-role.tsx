import { QueryClientProvider } from '@tanstack/react-query';
import { Activity, type ReactNode, useEffect, useRef, useState } from 'react';
import { href, Outlet } from 'react-router';
import { identityMessage } from '#features/account/model/identity-error.ts';
import { ProveSecondFactor } from '#features/account/second-factor.tsx';
import { useArrival } from '#features/account/use-arrival.ts';
import type { AccountRole } from '#lib/account-role.ts';
import { privatePage } from '#lib/page-headers.ts';
import { admin } from '#lib/words/admin.ts';
import { useCaller } from '#session/caller.ts';
import { signOut } from '#session/current-user.ts';
import { createQueryCache } from '#session/query-cache.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { AdminLogin } from './admin-login.tsx';
import '#ui/layout/utilities.css';
import '#features/account/sign-in.css';

export const headers = () => privatePage;

export default function RequireRole() {
  const [cache] = useState(createQueryCache);
  return (
    <QueryClientProvider client={cache}>
      <Gate />
    </QueryClientProvider>
  );
}

/** Only decides what is shown: the database enforces rights, so bypassing this gate reveals no data. */
function Gate() {
  const caller = useCaller();
  const arrival = useArrival();
  const lastRole = useRef<AccountRole | null>(null);
  const role = caller.data?.role ?? null;
  const roleChanged = lastRole.current && caller.data?.secondFactor === 'settled' && role !== lastRole.current;
  useEffect(() => {
    if (roleChanged) location.replace(role ? href('/admin') : href('/'));
    else if (caller.data !== undefined) lastRole.current = role;
  }, [roleChanged, role, caller.data]);

  const isOwed = caller.data?.secondFactor === 'owed';
  if (caller.data?.secondFactor === 'missing') return <SecondFactorMissing email={caller.data.email} />;
  if (isOwed || role)
    return (
      <>
        {isOwed && (
          <GateSheet title="One more step">
            <ProveSecondFactor onProven={async () => void (await caller.refetch())} />
          </GateSheet>
        )}
        {/* What is typed is kept while the code is entered. */}
        {role && (
          <Activity mode={isOwed ? 'hidden' : 'visible'} key={caller.data!.id}>
            <Outlet />
          </Activity>
        )}
      </>
    );
  if (caller.data && !roleChanged) return <AccessDenied email={caller.data.email} />;
  if (caller.data === null) return <AdminLogin notice={arrival?.error ?? null} />;
  const { failureReason, isError, refetch } = caller;
  return (
    <GateSheet>
      {!isError && (
        <div>
          <Spinner label="Loading..." />
          <p className="gap-above">Verifying admin permissions...</p>
        </div>
      )}
      {failureReason && (
        <Banner kind="error">Error: {identityMessage(failureReason, 'Failed to verify admin status')}</Banner>
      )}
      {isError && (
        <div className="button-row">
          <Button onClick={() => void refetch()}>Try Again</Button>
          <Button variant="secondary" onClick={() => location.assign(href('/'))}>
            Return to Home
          </Button>
        </div>
      )}
    </GateSheet>
  );
}

const GateSheet = ({ title = admin.title, children }: { title?: string; children: ReactNode }) => (
  <main>
    <WorkSheet title={title}>{children}</WorkSheet>
  </main>
);

const AccessDenied = ({ email }: { email: string }) => (
  <GateSheet>
    <Banner kind="error">
      Access Denied: Your account does not have admin privileges required to access this area.
    </Banner>
    <p>
      You are signed in as <strong>{email}</strong>. If that is not the account you meant, sign out and use another.
    </p>
    <Exits>
      <LinkButton href={href('/admin-setup')}>Set Up Admin Access</LinkButton>
      <LinkButton href={href('/admin-help')} variant="secondary">
        Admin Help
      </LinkButton>
    </Exits>
  </GateSheet>
);

const SecondFactorMissing = ({ email }: { email: string }) => (
  <GateSheet>
    <Banner kind="warning">The admin area needs a second factor, and your account has none yet.</Banner>
    <p>
      Set one up for <strong>{email}</strong>: an authenticator app on your phone takes two minutes. Then come back.
    </p>
    <Exits>
      <LinkButton href={href('/account')}>Set up a second factor</LinkButton>
    </Exits>
  </GateSheet>
);

const signOutHere = () => void signOut().catch((error: unknown) => console.warn('Signing out failed', error));

const Exits = ({ children }: { children: ReactNode }) => (
  <>
    <div className="button-row">
      {children}
      <LinkButton href={href('/')} variant="secondary">
        Return to Home
      </LinkButton>
    </div>
    <div className="work-links">
      <Button variant="quiet" onClick={signOutHere}>
        Sign out and use another account
      </Button>
    </div>
  </>
);
