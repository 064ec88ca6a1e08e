import type { User } from '@supabase/auth-js';
import { useCallback, useEffect, useState } from 'react';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { owesSecondFactor } from '#session/after-sign-in.ts';
import { arrival, clients } from '#session/browser.ts';
import { signedIn } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { arrivalMessage } from '../model/identity-error.ts';
import { accountMessage } from '../model/own-factors.ts';
import { accountPage as words } from '../words.ts';
import type { Route } from './+types/account';
import './account.css';
import type { SignInHandle } from '../require-sign-in.tsx';
import { ProveSecondFactor } from '../second-factor.tsx';
import { AccountElsewhere } from './elsewhere.tsx';
import { AccountEmail } from './email.tsx';
import { AccountLogins } from './logins.tsx';
import { AccountName } from './name.tsx';
import { AccountPassword } from './password.tsx';
import { Security } from './security/security.tsx';
import '../sign-in.css';

export const handle: SignInHandle = { ...words, Sheet: WorkSheet };
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

export default function Account() {
  const [owes, setOwes] = useState<boolean | null>(null);
  useEffect(() => void owesSecondFactor().then(setOwes), []);

  if (owes) {
    return (
      <WorkSheet title="One more step">
        <ProveSecondFactor onProven={async () => setOwes(false)} />
      </WorkSheet>
    );
  }
  return <WorkSheet title={words.title}>{owes === false ? <Parts /> : <Spinner label={words.loading} />}</WorkSheet>;
}

function Parts() {
  const [user, setUser] = useState<User | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const brought = useArrival();

  const load = useCallback(async () => {
    const { data, error } = await clients().auth.getUser();
    setFailure(error ? accountMessage(error, words.failedToLoad) : null);
    if (!data.user) return;
    setUser(data.user);
    // The session still has its old address; refreshing it updates menus and other tabs.
    if ((data.user.email ?? '') !== (await signedIn())?.email) await clients().auth.refreshSession();
  }, []);

  // A mail link is often opened in another window: its effect shows when this one is focused again.
  useEffect(() => {
    void load();
    addEventListener('focus', load);
    return () => removeEventListener('focus', load);
  }, [load]);

  if (!user) {
    if (!failure) return <Spinner label={words.loading} />;
    return (
      <>
        <Banner kind="error">{failure}</Banner>
        <div className="button-row">
          <Button onClick={() => void load()}>Try again</Button>
        </div>
      </>
    );
  }
  const own = { user, onChange: load };
  return (
    <>
      {brought && <Banner kind={brought.kind}>{brought.text}</Banner>}
      <AccountName {...own} />
      <AccountEmail {...own} />
      <AccountPassword {...own} />
      <AccountLogins {...own} />
      <Security />
      <AccountElsewhere />
    </>
  );
}

function useArrival() {
  const [brought, setBrought] = useState<{ kind: 'success' | 'error'; text: string } | null>(null);
  useEffect(() => {
    void arrival().then((answer) => {
      if (!answer) return;
      if (answer.error) setBrought({ kind: 'error', text: arrivalMessage(answer.error) });
      else setBrought({ kind: 'success', text: words.loginAdded });
    });
  }, []);
  return brought;
}
