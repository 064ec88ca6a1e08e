import { useState } from 'react';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { pagesOf } from '#lib/data/page.ts';
import { admin } from '#lib/words/admin.ts';
import { useCaller } from '#session/caller.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { useListParams } from '#ui/admin/use-question.ts';
import { type Column, DataTable } from '#ui/data/data-table.tsx';
import { ListFoot } from '#ui/data/pagination.tsx';
import { Search } from '#ui/data/search.tsx';
import { Button } from '#ui/form/button.tsx';
import { DayTime, localDay } from '#ui/time.tsx';
import type { Route } from './+types/users';
import { AskAboutUser, type Question } from './ask-about-user.tsx';
import { InviteUser } from './invite-user.tsx';
import { isForGood, nameOf, peopleAddressOf, peopleQuestionFrom, type UserAccount } from './model/users.ts';
import { UserMenu } from './user-menu.tsx';
import { usePeople } from './user-queries.ts';
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
  const { question, ask } = useListParams(peopleQuestionFrom, peopleAddressOf);
  const people = usePeople(question);
  const caller = useCaller();
  const [inviting, setInviting] = useState(false);
  const [asking, setAsking] = useState<Question | null>(null);
  const own = caller.data?.id ?? null;
  return (
    <>
      <ScreenHead title={words.title} about={admin.about.users}>
        <Button size="admin" onClick={() => setInviting(true)}>
          {words.invite}
        </Button>
      </ScreenHead>
      <div className="cluster table-tools">
        <Search
          label={words.search}
          value={question.search}
          onSearch={(search) => ask({ search, page: 1 }, { replace: true })}
        />
      </div>
      <Loaded query={people} loading={words.loading} failed={words.failed}>
        {({ rows, total, page }) => (
          <DataTable
            caption={words.caption}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[{ header: 'Email', cell: (person) => <Who person={person} own={person.id === own} /> }, ...FACTS]}
            actions={(person) => <UserMenu person={person} own={person.id === own} onAsk={setAsking} />}
            empty={question.search ? words.noMatch : words.none}
            busy={people.isFetching}
          >
            <ListFoot
              said={total === 0 ? null : words.count(total)}
              pages={pagesOf(total)}
              current={page}
              addressOf={(number) => peopleAddressOf({ ...question, page: number })}
            />
          </DataTable>
        )}
      </Loaded>
      <InviteUser open={inviting} onClose={() => setInviting(false)} />
      <AskAboutUser question={asking} own={own} onClose={() => setAsking(null)} />
    </>
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
