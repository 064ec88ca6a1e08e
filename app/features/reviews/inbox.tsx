import { href, Link, NavLink, Outlet, useParams } from 'react-router';
import type { ReviewState } from '#features/drafts/model/draft-state.ts';
import { REVIEW_TURN } from '#features/projects/model/status.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { pagesOf } from '#lib/data/page.ts';
import { nameOfUser } from '#lib/data/user-name.ts';
import { useCallerId } from '#session/caller.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { type Filter, Filters, useList } from '#ui/data/filters.tsx';
import { ListFoot } from '#ui/data/pagination.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { DayTime, wholeDays } from '#ui/time.tsx';
import { countText, type Inbox, type InboxFilter, inboxParams } from './model/review.ts';
import { useCounts, useInbox } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';
import './review.css';

export const meta = privateTags(words.title);

const FILTERS: (InboxFilter | null)[] = [null, 'waiting', 'changes_requested', 'unfinished', 'declined', 'published'];

export default function ReviewInbox() {
  const { id } = useParams();
  const list = useList(inboxParams);
  const { show, mine, page } = list.question;
  const userId = useCallerId();
  const assignee = mine ? userId : null;
  const inbox = useInbox(page, { show, of: assignee });
  const questions = FILTERS.map((value) => ({ show: value, of: assignee }));
  const [mineCount, ...counts] = useCounts([{ show, of: userId }, ...questions]);
  const filters = FILTERS.map((value, at): Filter<Inbox> => {
    const label = value ? words.states[value] : 'Open';
    return { kind: 'chip', label, value: { show: value }, count: counts[at] };
  });
  const mineFilter: Filter<Inbox> = { kind: 'chip', label: 'Mine', value: { mine: true }, count: mineCount };
  return (
    <div className="review split-1200 stack top" data-reading={id ? true : undefined}>
      <ScreenHead
        title={words.title}
        about="Submissions from the public form that are not answered yet."
        back={id && <Link to={href('/admin/review') + list.addressOf({})}>Back to the inbox</Link>}
      />
      <div className="review-inbox">
        <Filters list={list} filters={[...filters, mineFilter]} />
        <Loaded query={inbox} loading="Loading submissions" failed="Failed to load submissions">
          {({ rows, total, page, count }) => (
            <>
              {rows.length > 0 ? (
                <ol className="review-rows hairline" aria-busy={inbox.isFetching}>
                  {rows.map(({ project_id, project, state, turn, arrived_at, assignee: assigned }) => (
                    <li key={project_id} data-row>
                      <NavLink
                        className="stack gap-1 review-row ring-inside plain start anywhere hairline-below"
                        to={href('/admin/review/:id', { id: project_id }) + list.addressOf({ page })}
                        data-state={state}
                      >
                        <strong>{project.title}</strong>
                        <span className="row-meta">
                          {project.client && `${project.client}, `}
                          <DayTime at={arrived_at} />
                          {REVIEW_TURN.waiting === turn && `, ${words.waits(wholeDays(arrived_at))}`}
                        </span>
                        <span className="gap-2 cluster">
                          <StateBadge state={state} />
                          {assigned && <span className="row-meta">Assigned to {nameOfUser(assigned)}</span>}
                          {project.open_comments > 0 && (
                            <span className="row-meta">
                              {project.open_comments} open {project.open_comments === 1 ? 'comment' : 'comments'}
                            </span>
                          )}
                        </span>
                      </NavLink>
                    </li>
                  ))}
                </ol>
              ) : inboxParams.isFiltered(list.question) ? (
                <p className="empty">{mine ? 'None assigned to you.' : 'No submissions here.'}</p>
              ) : (
                <EmptyState title="Nothing to review.">New submissions appear here.</EmptyState>
              )}
              <ListFoot
                said={total === 0 ? null : total === 1 ? '1 submission' : `${countText(count)} submissions`}
                pages={pagesOf(total)}
                current={page}
                addressOf={(page) => list.addressOf({ page })}
              />
            </>
          )}
        </Loaded>
      </div>
      <div className="stack gap-5 review-reading">
        {id ? (
          <Outlet />
        ) : (
          inbox.data?.rows.length !== 0 && (
            <p className="empty">
              Choose a submission to read it. <kbd>j</kbd> and <kbd>k</kbd> go down and up, <kbd>Enter</kbd> opens.
            </p>
          )
        )}
      </div>
      <LeaveGuard />
    </div>
  );
}

const COLOUR: { [State in ReviewState]?: string } = { waiting: 'completed', changed: 'completed', published: 'active' };

export const StateBadge = ({ state }: { state: ReviewState }) => (
  <span className={`badge badge-${COLOUR[state] ?? 'draft'}`}>{words.states[state]}</span>
);
