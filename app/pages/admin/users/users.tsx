import { useState } from 'react';
import { admin } from '../../../copy/admin/admin.ts';
import { users as words } from '../../../copy/admin/users.ts';
import { pagesOf } from '../../../models/data/page.ts';
import { peopleAddressOf, peopleQuestionFrom } from '../../../models/office/people.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { useCaller } from '../../../session/caller.ts';
import { Button } from '../../../ui/form/button.tsx';
import { ListFoot } from '../experiments/pagination.tsx';
import { Search } from '../experiments/search.tsx';
import { Loaded } from '../loaded.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { useListParams } from '../use-question.ts';
import type { Route } from './+types/users';
import { AskAboutUser, type Question } from './ask-about-user.tsx';
import { InviteUser } from './invite-user.tsx';
import { usePeople } from './user-queries.ts';
import { UserTable } from './user-table.tsx';
import './users.css';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

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
      <div className="table-tools">
        <Search
          label={words.search}
          value={question.search}
          onSearch={(search) => ask({ search, page: 1 }, { replace: true })}
        />
      </div>
      <Loaded query={people} loading={words.loading} failed={words.failed}>
        {({ rows, total, page }) => (
          <div aria-busy={people.isFetching}>
            {rows.length === 0 ? (
              <p className="empty">{question.search ? words.noMatch : words.none}</p>
            ) : (
              <UserTable people={rows} own={own} onAsk={setAsking} />
            )}
            <ListFoot
              said={total === 0 ? null : words.count(total)}
              pages={pagesOf(total)}
              current={page}
              addressOf={(number) => peopleAddressOf({ ...question, page: number })}
            />
          </div>
        )}
      </Loaded>
      <InviteUser open={inviting} onClose={() => setInviting(false)} />
      <AskAboutUser question={asking} own={own} onClose={() => setAsking(null)} />
    </>
  );
}
