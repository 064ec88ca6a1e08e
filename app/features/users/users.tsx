import { useState } from 'react';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { admin } from '#lib/words/admin.ts';
import { useCallerId } from '#session/caller.ts';
import { DropMenu, type MenuChoice } from '#ui/admin/drop-menu.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { DayTime, localDay } from '#ui/time.tsx';
import type { Route } from './+types/users';
import { AskAboutUser, type Question } from './ask-about-user.tsx';
import { InviteUser } from './invite-user.tsx';
import { isAdminPerson, isForGood, nameOf, type UserAccount, userParams } from './model/users.ts';
import { usePeople, useUserOrder } from './user-queries.ts';
import { users as words } from './words.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

const FACTS: readonly Column<UserAccount>[] = [
  { header: 'Signed up', cell: ({ signedUp }) => <DayTime at={signedUp} /> },
  {
    header: 'Verified',
    wide: true,
    cell: ({ verified }) => (verified ? <DayTime at={verified} /> : words.notVerified),
  },
  { header: 'Roles', cell: ({ roles }) => roles.join(', ') || words.noRole },
  { header: 'Second factor', wide: true, cell: ({ factors }) => words.factors(factors) },
  { header: 'Last sign-in', cell: ({ lastSignIn }) => (lastSignIn ? <DayTime at={lastSignIn} /> : words.never) },
];

export default function Users() {
  const list = useList(userParams);
  const own = useCallerId();
  const [inviting, setInviting] = useState(false);
  const [asking, setAsking] = useState<Question | null>(null);
  return (
    <ListScreen
      title={words.title}
      about={admin.about.users}
      actions={
        <Button size="admin" onClick={() => setInviting(true)}>
          {words.invite}
        </Button>
      }
      list={list}
      filters={[{ kind: 'search', name: 'search', label: words.search }]}
      query={usePeople(list.question)}
      loading={words.loading}
      failed={words.failed}
      none={words.none}
      noMatch={words.noMatch}
      count={({ total }) => (total === 0 ? null : words.count(total))}
      table={{
        caption: words.caption,
        keyOf: ({ id }) => id,
        columns: [{ header: 'Email', cell: (person) => <Who person={person} own={person.id === own} /> }, ...FACTS],
        actions: (person) => <UserMenu person={person} own={person.id === own} onAsk={setAsking} />,
      }}
    >
      <InviteUser open={inviting} onClose={() => setInviting(false)} />
      <AskAboutUser question={asking} own={own} onClose={() => setAsking(null)} />
    </ListScreen>
  );
}

const Who = ({ person, own }: { person: UserAccount; own: boolean }) => (
  <>
    {nameOf(person)} {own && <span className="badge badge-completed">{words.you}</span>}
    {person.name && person.name !== nameOf(person) && <span className="row-preview">{person.name}</span>}
    {person.phone && nameOf(person) !== `+${person.phone}` && <span className="row-preview">+{person.phone}</span>}
    {person.invited && !person.verified && (
      <span className="row-preview">
        {words.invited} <DayTime at={person.invited} />
      </span>
    )}
    {person.bannedUntil && (
      <>
        {' '}
        <span className="badge badge-other">
          {isForGood(person.bannedUntil) ? words.bannedForGood : `${words.bannedUntil} ${localDay(person.bannedUntil)}`}
        </span>
      </>
    )}
  </>
);

function UserMenu({ person, own, onAsk }: { person: UserAccount; own: boolean; onAsk: (question: Question) => void }) {
  const order = useUserOrder();
  const { say, complain } = useStatus();
  const name = nameOf(person);

  const at = (action: 'confirm' | 'reset_password' | 'unban', said: string) => () =>
    void order.mutateAsync({ action, id: person.id }).then(
      () => say(said),
      (error: unknown) => complain(messageOf(error, words.failedToChange)),
    );
  const ask = (kind: Question['kind']) => () => onAsk({ kind, person });

  const choices: (MenuChoice | false)[] = [
    isAdminPerson(person)
      ? { label: words.withdraw, act: ask('withdraw') }
      : { label: words.makeAdmin, act: ask('make-admin') },
    !person.verified && {
      label: person.email ? words.confirm : words.confirmPhone,
      act: at('confirm', words.confirmed(name)),
    },
    person.email !== null && { label: words.reset, act: at('reset_password', words.resetSent(name)) },
    !own && person.factors > 0 && { label: words.removeFactors, act: ask('factors') },
    !own &&
      (person.bannedUntil
        ? { label: words.unban, act: at('unban', words.unbanned(name)) }
        : { label: words.ban, danger: true, act: ask('ban') }),
    !own && { label: words.remove, danger: true, act: ask('delete') },
  ];

  return (
    <DropMenu
      label={words.actionsFor(name)}
      summary={order.isPending ? words.working : words.actions}
      busy={order.isPending}
      side="end"
      choices={choices.filter((choice) => choice !== false)}
    >
      {own && <p className="drop-menu-note quiet hairline">{words.ownAccount}</p>}
    </DropMenu>
  );
}
