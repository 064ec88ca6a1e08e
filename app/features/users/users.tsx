import { useState } from 'react';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { useCallerId } from '#session/caller.ts';
import { DropMenu } from '#ui/admin/drop-menu.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { DayTime, localDay } from '#ui/time.tsx';
import { AskAboutUser } from './ask-about-user.tsx';
import { InviteUser } from './invite-user.tsx';
import {
  bannedUntil,
  isForGood,
  nameOf,
  roleOf,
  type UserAccount,
  type UserAction,
  userParams,
  verifiedAt,
} from './model/users.ts';
import { useUserChange, useUsers } from './user-queries.ts';
import { userActions, users as words } from './words.ts';

export const meta = privateTags(words.title);

const FACTS: readonly Column<UserAccount>[] = [
  { header: 'Signed up', cell: ({ created_at }) => <DayTime at={created_at} /> },
  { header: 'Verified', wide: true, cell: (user) => <MaybeDay at={verifiedAt(user)} otherwise="Not yet" /> },
  { header: 'Roles', cell: ({ roles }) => roles.join(', ') || 'None' },
  {
    header: 'Second factor',
    wide: true,
    cell: ({ factors }) => (factors === 0 ? 'None' : factors === 1 ? 'On' : `On, ${factors} of them`),
  },
  { header: 'Last sign-in', cell: ({ last_sign_in_at: at }) => <MaybeDay at={at} otherwise="Never" /> },
];

const MaybeDay = ({ at, otherwise }: { at: string | null; otherwise: string }) =>
  at ? <DayTime at={at} /> : otherwise;

export default function Users() {
  const list = useList(userParams);
  const callerId = useCallerId();
  const [inviting, setInviting] = useState(false);
  const [asking, setAsking] = useState<{ action: UserAction; user: UserAccount } | null>(null);
  const { change, pending } = useUserChange();
  return (
    <ListScreen
      title={words.title}
      about="Everyone with an account."
      actions={
        <SmallButton variant="primary" onClick={() => setInviting(true)}>
          Invite a user
        </SmallButton>
      }
      list={list}
      filters={[{ kind: 'search', name: 'search', label: 'Search email, name and phone' }]}
      query={useUsers(list.question)}
      loading="Loading users"
      failed="Failed to load users"
      none="No accounts yet."
      noMatch="No users match."
      count={({ total }) => (total === 1 ? '1 account' : `${total} accounts`)}
      table={{
        caption: 'All accounts, newest first',
        keyOf: ({ id }) => id,
        columns: [{ header: 'Email', cell: (user) => <UserName user={user} own={user.id === callerId} /> }, ...FACTS],
        actions: (user) => (
          <UserMenu
            user={user}
            own={user.id === callerId}
            busy={pending.includes(user.id)}
            onChoose={(action) => ('question' in userActions[action] ? setAsking : change)({ action, user })}
          />
        ),
      }}
    >
      <InviteUser open={inviting} onClose={() => setInviting(false)} />
      <AskAboutUser
        asking={asking}
        own={callerId}
        onConfirm={(duration) => {
          if (asking) change({ ...asking, duration });
          setAsking(null);
        }}
        onCancel={() => setAsking(null)}
      />
    </ListScreen>
  );
}

function UserName({ user, own }: { user: UserAccount; own: boolean }) {
  const shown = nameOf(user);
  const until = bannedUntil(user);
  return (
    <>
      {shown} {own && <span className="badge badge-completed">You</span>}
      {user.name && user.name !== shown && <span className="row-preview">{user.name}</span>}
      {user.phone && shown !== `+${user.phone}` && <span className="row-preview">+{user.phone}</span>}
      {user.invited_at && !verifiedAt(user) && (
        <span className="row-preview">
          Invited <DayTime at={user.invited_at} />
        </span>
      )}
      {until && (
        <>
          {' '}
          <span className="badge badge-other">
            {isForGood(until) ? 'Banned permanently' : `Banned until ${localDay(until)}`}
          </span>
        </>
      )}
    </>
  );
}

function UserMenu({
  user,
  own,
  busy,
  onChoose,
}: {
  user: UserAccount;
  own: boolean;
  busy: boolean;
  onChoose: (action: UserAction) => void;
}) {
  const role = roleOf(user);
  const actions: (UserAction | false | '' | null)[] = [
    role !== 'editor' && 'make_editor',
    role !== 'admin' && 'make_admin',
    role && `withdraw_${role}`,
    !verifiedAt(user) && 'confirm',
    user.email && 'reset_password',
    !own && user.factors > 0 && 'remove_factors',
    !own && (bannedUntil(user) ? 'unban' : 'ban'),
    !own && 'delete',
  ];
  return (
    <DropMenu
      label={`Actions for ${nameOf(user)}`}
      summary={busy ? 'Working...' : 'Actions'}
      busy={busy}
      choices={actions
        .filter((action) => !!action)
        .map((action) => ({
          label: action === 'confirm' && !user.email ? 'Verify phone' : userActions[action].label,
          danger: action === 'ban' || action === 'delete',
          act: () => onChoose(action),
        }))}
    >
      {own && (
        <p className="drop-menu-note quiet hairline">
          This is your own account: another admin has to ban or delete it. Your second factors are at /account.
        </p>
      )}
    </DropMenu>
  );
}
