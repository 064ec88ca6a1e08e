import type { User, UserIdentity } from '@supabase/auth-js';
import { useQuery } from '@tanstack/react-query';
import { href } from 'react-router';
import { clients } from '#session/browser.ts';
import { NAVIGATING } from '#ui/form/use-submit.ts';
import { requireSuccess } from '../model/identity-error.ts';
import { loginName, type Provider } from '../model/sign-in-methods.ts';
import { ProviderMark, WayButton } from '../providers.tsx';
import { useIdentitySubmit } from '../use-identity-submit.ts';
import { AccountList, AccountNote, AccountPart, offersQuery } from './part.tsx';

export function AccountLogins({ user, onChange }: { user: User; onChange: () => Promise<unknown> }) {
  const { data: offers } = useQuery(offersQuery);
  const submission = useIdentitySubmit();
  const identities = user.identities ?? [];
  const linked = identities.filter(({ provider }) => provider !== 'email' && provider !== 'phone');
  const open = (offers?.providers ?? []).filter(({ name }) => !linked.some(({ provider }) => provider === name));
  if (linked.length === 0 && open.length === 0) return null;

  const connect = (provider: Provider) =>
    submission.run(async () => {
      const options = { redirectTo: location.origin + href('/account') };
      requireSuccess(await clients().auth.linkIdentity({ provider: provider.name as 'google', options }));
      return NAVIGATING;
    });

  const disconnect = (identity: UserIdentity) =>
    submission.run(
      async () => {
        requireSuccess(await clients().auth.unlinkIdentity(identity));
        await onChange();
      },
      `${loginName(identity.provider)} is disconnected.`,
    );

  return (
    <AccountPart title="Connected accounts" done={submission.done} failure={submission.failure}>
      <AccountNote>Ways to sign in besides your email address.</AccountNote>
      <AccountList
        items={linked}
        rowOf={(login) => ({
          id: login.identity_id,
          name: loginName(login.provider),
          detail: String(login.identity_data?.['email'] ?? ''),
          mark: <ProviderMark name={login.provider} />,
          removable: identities.length > 1,
        })}
        title="Disconnect this sign-in method?"
        removeLabel="Disconnect"
        busyLabel="Disconnecting..."
        question={(name) => <p>You can no longer sign in with {name}. You can connect it again later.</p>}
        busy={submission.busy}
        onRemove={disconnect}
      />
      {open.length > 0 && (
        <div className="stack gap-3 ways">
          {open.map((provider) => (
            <WayButton key={provider.name} busy={submission.busy} onClick={() => void connect(provider)}>
              <ProviderMark name={provider.name} />
              Connect {provider.label}
            </WayButton>
          ))}
        </div>
      )}
    </AccountPart>
  );
}
