import { type QueryClient, useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { href } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { healthQuery } from '#features/setup/health-query.ts';
import type { Health } from '#features/setup/model/health.ts';
import { reasonOf } from '#lib/data/api-error.ts';
import { isEmail, MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import { clients } from '#session/browser.ts';
import { useCallerId } from '#session/caller.ts';
import { forgetRole } from '#session/current-user.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { DropMenu } from '#ui/admin/drop-menu.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { useReportWhenGone } from '#ui/data/use-report-when-gone.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { DayTime, localDay } from '#ui/time.tsx';
import {
  bannedUntil,
  changeUser,
  countProjectsOf,
  type Invitation,
  inviteUser,
  isForGood,
  listUsers,
  nameOf,
  roleOf,
  type UserAccount,
  type UserAction,
  userParams,
  verifiedAt,
} from './model/users.ts';
import { userActions, users as words } from './words.ts';

export const meta = privateTags(words.title);

const USERS = 'users';
const usersChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: [USERS] });
const mailCodeIn = ({ checks }: Health) => checks.find(({ part }) => part === 'mail')?.code;

const KEPT = { staleTime: 60_000, ...keepsShown };

const FACTORS = ['None', 'On'];
const FACTS: readonly Column<UserAccount>[] = [
  { header: 'Signed up', cell: ({ created_at }) => <DayTime at={created_at} /> },
  { header: 'Verified', wide: true, cell: (user) => <MaybeDay at={verifiedAt(user)} otherwise="Not yet" /> },
  { header: 'Roles', cell: ({ roles }) => roles.join(', ') || 'None' },
  { header: 'Second factor', wide: true, cell: ({ factors }) => FACTORS[factors] ?? `On, ${factors} of them` },
  { header: 'Last sign-in', cell: ({ last_sign_in_at: at }) => <MaybeDay at={at} otherwise="Never" /> },
];

const MaybeDay = ({ at, otherwise }: { at: string | null; otherwise: string }) =>
  at ? <DayTime at={at} /> : otherwise;

export default function Users() {
  const list = useList(userParams);
  const { question } = list;
  const callerId = useCallerId();
  const [inviting, setInviting] = useState(false);
  const [asking, setAsking] = useState<{ action: UserAction; user: UserAccount } | null>(null);
  const duration = useRef<HTMLSelectElement>(null);
  const action = asking && userActions[asking.action];
  const dialog = action && 'question' in action ? action.question : null;
  const cache = useQueryClient();
  const { say, complain } = useStatus();
  // Reports the result even if another screen is open by then.
  const change = useMutation({
    mutationKey: [USERS],
    mutationFn: ({ action, user, duration }: UserChange) => changeUser(clients(), user.id, action, duration),
    onSuccess: (_, { action, user }) => {
      say(userActions[action].done(nameOf(user)));
      if (user.id !== callerId || (action !== 'withdraw_admin' && action !== 'make_editor')) return;
      forgetRole();
      location.replace(action === 'make_editor' ? href('/admin') : href('/'));
    },
    onError: (error) => complain(reasonOf(error, words.failedToChange)),
    onSettled: () => usersChanged(cache),
  });
  const pending = useMutationState({
    filters: { mutationKey: [USERS], status: 'pending' },
    select: ({ state }) => (state.variables as UserChange).user.id,
  });
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
      query={useRead([USERS, 'page', question], (data) => listUsers(clients().functions, data, question), KEPT)}
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
            onChoose={(action) => ('question' in userActions[action] ? setAsking : change.mutate)({ action, user })}
          />
        ),
      }}
    >
      <InviteUser open={inviting} onClose={() => setInviting(false)} />
      <ConfirmDialog
        open={asking !== null}
        title={asking && dialog ? dialog.title(nameOf(asking.user)) : ''}
        confirmLabel={action?.label ?? ''}
        onCancel={() => setAsking(null)}
        onConfirm={() => {
          if (asking) change.mutate({ ...asking, duration: duration.current?.value ?? '' });
          setAsking(null);
        }}
      >
        <p>{asking?.user.id === callerId ? (words.toYourself[asking.action] ?? dialog?.text) : dialog?.text}</p>
        {asking?.action === 'delete' && <OwnedProjects of={asking.user.id} />}
        {asking?.action === 'ban' && <SelectField label="For how long?" options={words.banLengths} ref={duration} />}
      </ConfirmDialog>
    </ListScreen>
  );
}

type UserChange = { action: UserAction; user: UserAccount; duration?: string };

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

type UserMenuProps = { user: UserAccount; own: boolean; busy: boolean; onChoose: (action: UserAction) => void };

function UserMenu({ user, own, busy, onChoose }: UserMenuProps) {
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

function OwnedProjects({ of }: { of: string }) {
  const count = useRead([USERS, 'projects', of], (data) => countProjectsOf(data, of));
  return (
    <>
      <p className="gap-above-small">{words.removeProjects(count.data ?? null)} Their name stays in project teams.</p>
      <p className="gap-above-small">To lock someone out for a while, ban them instead.</p>
    </>
  );
}

const InviteForm = defineForm({
  fields: {
    email: { label: 'Email', kind: 'email', required: true, autoComplete: 'off', maxLength: MAX_EMAIL_LENGTH },
    name: { label: 'Name', hint: 'If you know it.', autoComplete: 'off', maxLength: MAX_LINE_LENGTH },
    role: {
      label: 'Role',
      kind: 'select',
      hint: 'Editors work with projects, reviews, pages, media and messages. Admins see and change everything.',
      options: { none: 'None', editor: 'Editor', admin: 'Admin' },
    },
  },
  check: ({ email }) => ({ email: !isEmail(email) && 'Please enter a valid email address' }),
  failed: words.failedToChange,
});

function InviteUser({ open, onClose }: { open: boolean; onClose: () => void }) {
  const cache = useQueryClient();
  const withoutRole = useRef(new Map<string, string>());
  const invitation = useWrite(async (_, values: Invitation) => {
    await inviteUser(clients(), values, withoutRole.current);
    return mailCodeIn(await cache.fetchQuery(healthQuery)) === 'outbox'
      ? `The invitation for ${values.email} is in the outbox. No email was sent.`
      : `${values.email} is invited.`;
  }, usersChanged);
  const { data: mailCode } = useQuery({ ...healthQuery, enabled: open, select: mailCodeIn });
  const { say } = useStatus();
  const reportWhenGone = useReportWhenGone(words.failedToChange);

  return (
    <Dialog open={open} title="Invite a user" busy={invitation.isPending} onCancel={onClose}>
      <InviteForm
        inDialog
        save={(values) => invitation.mutateAsync(values as Invitation).then(say, reportWhenGone)}
        onSaved={onClose}
        onCancel={onClose}
        submitLabel="Send invitation"
        busyLabel="Sending..."
      >
        {(field, failure) => (
          <>
            <p className="gap-above">They get an email with a link to choose a password.</p>
            <div className="form-stack gap-above">
              {mailCode === 'outbox' && (
                <Banner kind="warning">
                  Mail isn’t configured: invitations are saved to the outbox on the server and reach no one. The person
                  who runs the server can pass on the link from there.
                </Banner>
              )}
              {mailCode === 'away' && (
                <Banner kind="warning">The mail server isn’t responding. Invitations are sent once it does.</Banner>
              )}
              {field('email')}
              {field('name')}
              {field('role')}
              {failure}
            </div>
          </>
        )}
      </InviteForm>
    </Dialog>
  );
}
