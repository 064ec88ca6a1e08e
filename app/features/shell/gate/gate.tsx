import { type ReactNode, useEffect, useRef, useState } from 'react';
import { href } from 'react-router';
import { arrivalMessage, identityMessage } from '#features/account/model/identity-error.ts';
import { admin } from '#lib/words/admin.ts';
import { messages } from '#lib/words/messages.ts';
import { arrival } from '#session/browser.ts';
import { useCaller } from '#session/caller.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { AccessDenied } from './access-denied.tsx';
import { AdminLogin } from './admin-login.tsx';
import { GateSecondFactor, SecondFactorMissing } from './second-factor.tsx';

/** Only decides what is shown: the database enforces rights, so bypassing this gate reveals no data. */
export function Gate({ children }: { children: ReactNode }) {
  const caller = useCaller();
  const callbackFailure = useCallbackFailure();
  const wasAdmin = useRef(false);
  const roleLost = wasAdmin.current && caller.data?.isAdmin === false && caller.data.secondFactor === 'settled';
  useEffect(() => {
    if (roleLost) location.replace(href('/'));
    else if (caller.data !== undefined) wasAdmin.current = caller.data?.isAdmin ?? false;
  }, [roleLost, caller.data]);

  if (caller.data?.secondFactor === 'owed')
    return <GateSecondFactor onProven={async () => void (await caller.refetch())} />;
  if (caller.data?.secondFactor === 'missing') return <SecondFactorMissing email={caller.data.email} />;
  if (caller.data?.isAdmin) return children;
  if (caller.data && !roleLost) return <AccessDenied email={caller.data.email} />;
  if (caller.data === null) return <AdminLogin notice={callbackFailure} />;
  return (
    <Checking
      failure={caller.failureReason && identityMessage(caller.failureReason, messages.failedToVerifyAdmin)}
      onRetry={caller.isError ? () => void caller.refetch() : null}
    />
  );
}

const Checking = ({ failure, onRetry }: { failure: string | null; onRetry: (() => void) | null }) => (
  <main>
    <WorkSheet title={admin.title}>
      {!onRetry && (
        <div>
          <Spinner label={admin.loading} />
          <p className="gap-above">{admin.verifying}</p>
        </div>
      )}
      {failure && <Banner kind="error">{admin.error(failure)}</Banner>}
      {onRetry && (
        <div className="button-row">
          <Button onClick={onRetry}>Try Again</Button>
          <Button variant="secondary" onClick={() => location.assign(href('/'))}>
            Return to Home
          </Button>
        </div>
      )}
      <noscript>
        <Banner kind="info">The admin area needs JavaScript: your session lives in the browser alone.</Banner>
      </noscript>
    </WorkSheet>
  </main>
);

function useCallbackFailure(): string | null {
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    void arrival().then((brought) => brought?.error && setFailure(arrivalMessage(brought.error)));
  }, []);
  return failure;
}
