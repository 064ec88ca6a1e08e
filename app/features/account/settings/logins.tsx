import type { User, UserIdentity } from '@supabase/auth-js';
import { useState } from 'react';
import { href } from 'react-router';
import { clients } from '#session/browser.ts';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Button } from '#ui/form/button.tsx';
import { LEAVING } from '#ui/form/use-submit.ts';
import type { Provider } from '../model/sign-in-methods.ts';
import { loginName } from '../model/sign-in-methods.ts';
import { ProviderMark } from '../providers.tsx';
import { accountPage as words } from '../words.ts';
import { AccountPart, checked, useAccountSubmit, useOffers } from './part.tsx';

export function AccountLogins({ user, onChange }: { user: User; onChange: () => Promise<void> }) {
  const offers = useOffers();
  const act = useAccountSubmit();
  const [leaving, setLeaving] = useState<UserIdentity | null>(null);
  const identities = user.identities ?? [];
  const linked = identities.filter(({ provider }) => provider !== 'email' && provider !== 'phone');
  const open = (offers?.providers ?? []).filter(({ name }) => !linked.some(({ provider }) => provider === name));
  if (linked.length === 0 && open.length === 0) return null;

  const connect = (provider: Provider) =>
    act.run(async () => {
      const options = { redirectTo: location.origin + href('/account') };
      checked(await clients().auth.linkIdentity({ provider: provider.name as 'google', options }));
      return LEAVING;
    });

  async function disconnect(identity: UserIdentity) {
    await act.run(
      async () => {
        checked(await clients().auth.unlinkIdentity(identity));
        await onChange();
      },
      words.loginGone(loginName(identity.provider)),
    );
    setLeaving(null);
  }

  return (
    <AccountPart title="Connected accounts" done={act.done} failure={act.failure}>
      <p className="account-small regular quiet">{words.loginsIntro}</p>
      {linked.length > 0 && (
        <ul className="stack gap-0 account-list">
          {linked.map((identity) => (
            <li className="cluster gap-2 gap-x-4 pad-y-3" key={identity.identity_id}>
              <ProviderMark name={identity.provider} />
              <span className="stack gap-0 account-item shrink">
                <strong>{loginName(identity.provider)}</strong>
                <span>{String(identity.identity_data?.['email'] ?? '')}</span>
              </span>
              {/* The only sign-in method cannot be removed. */}
              {identities.length > 1 && (
                <Button variant="quiet" onClick={() => setLeaving(identity)}>
                  Disconnect<span className="hidden-text"> {loginName(identity.provider)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <div className="stack gap-3 ways">
          {open.map((provider) => (
            <Button
              key={provider.name}
              variant="secondary"
              className="way"
              busy={act.busy}
              onClick={() => void connect(provider)}
            >
              <ProviderMark name={provider.name} />
              Connect {provider.label}
            </Button>
          ))}
        </div>
      )}
      <ConfirmDialog
        open={leaving !== null}
        title="Disconnect this sign-in method?"
        confirmLabel="Disconnect"
        busyLabel="Disconnecting..."
        busy={act.busy}
        onCancel={() => setLeaving(null)}
        onConfirm={() => leaving && void disconnect(leaving)}
      >
        <p>{leaving && words.disconnectQuestion(loginName(leaving.provider))}</p>
      </ConfirmDialog>
    </AccountPart>
  );
}
