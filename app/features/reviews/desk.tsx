import { href, Link, NavLink, Outlet, useParams, useSearchParams } from 'react-router';
import { REVIEW_TURN } from '#features/projects/model/status.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { pageFrom, pagesOf } from '#lib/data/page.ts';
import { admin } from '#lib/words/admin.ts';
import { useCallerId } from '#session/caller.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { Pagination } from '#ui/data/pagination.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { DayTime, wholeDays } from '#ui/time.tsx';
import type { Route } from './+types/desk';
import { countText, type InboxEntry, type InboxPage, nameOfDesk, type Shown, shownFrom } from './model/review.ts';
import { reviewWords as words } from './words/review.ts';
import './review.css';
import { useCount, useInbox } from './review-queries.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

const FILTERS: { show: Shown | null; label: string }[] = [
  { show: null, label: words.open },
  { show: 'waiting', label: words.states.waiting },
  { show: 'changes_requested', label: words.states.changes_requested },
  { show: 'unfinished', label: words.states.unfinished },
  { show: 'declined', label: words.states.declined },
  { show: 'published', label: words.states.published },
];

export default function ReviewDesk() {
  const { id } = useParams();
  const [address] = useSearchParams();
  const show = shownFrom(address);
  const mine = isMine(address);
  const page = pageFrom(address);
  const me = useCallerId();
  const inbox = useInbox(page, { show, of: mine ? me : null });
  return (
    <div className="review split-1200 stack top" data-reading={id ? true : undefined}>
      <ScreenHead
        title={words.title}
        about={admin.about.review}
        back={id && <Link to={placeOf(undefined, { show, mine, page })}>Back to the inbox</Link>}
      />
      <div className="review-inbox">
        <nav className="cluster gap-2 review-filters below-4" aria-label="Which submissions">
          {FILTERS.map((filter) => (
            <Link
              key={filter.label}
              className="chip"
              to={placeOf(undefined, { show: filter.show, mine })}
              aria-current={filter.show === show ? 'page' : undefined}
            >
              {filter.label} <Count show={filter.show} of={mine ? me : null} />
            </Link>
          ))}
        </nav>
        <Link
          className="chip below-4"
          to={placeOf(undefined, { show, mine: !mine })}
          aria-current={mine ? 'true' : undefined}
        >
          {words.mine} <Count show={show} of={me} />
        </Link>
        <Loaded query={inbox} loading="Loading submissions" failed={words.failed}>
          {(found) =>
            found.rows.length === 0 ? (
              mine || show ? (
                <p className="empty">{mine ? words.noneOfMine : words.noneOfThese}</p>
              ) : (
                <EmptyState title={words.none}>{words.noneYet}</EmptyState>
              )
            ) : (
              <Rows found={found} show={show} mine={mine} busy={inbox.isFetching} />
            )
          }
        </Loaded>
      </div>
      <div className="stack gap-5 review-reading">
        <Outlet context={inbox.data?.rows.length !== 0} />
      </div>
    </div>
  );
}

function Count({ show, of }: { show: Shown | null; of: string | null }) {
  const { data: count } = useCount(show, of);
  return count && count.reviews > 0 ? <small>{countText(count)}</small> : null;
}

function Rows({
  found: { rows, total, page, count },
  show,
  mine,
  busy,
}: {
  found: InboxPage;
  show: Shown | null;
  mine: boolean;
  busy: boolean;
}) {
  return (
    <>
      <ol className="review-rows hairline" aria-busy={busy}>
        {rows.map(({ project_id, state, turn, arrived_at, assignee, project }) => (
          <li key={project_id} data-row>
            <NavLink
              className="stack gap-1 review-row ring-inside plain start anywhere hairline-below"
              to={placeOf(project_id, { show, mine, page })}
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
                {assignee && <span className="row-meta">{words.assignedTo(nameOfDesk(assignee))}</span>}
              </span>
            </NavLink>
          </li>
        ))}
      </ol>
      <div className="cluster apart">
        <p aria-live="polite">{total === 1 ? '1 submission' : `${countText(count)} submissions`}</p>
        <Pagination
          pages={pagesOf(total)}
          current={page}
          addressOf={(number) => placeOf(undefined, { show, mine, page: number })}
        />
      </div>
    </>
  );
}

const COLOUR = {
  unfinished: 'draft',
  waiting: 'completed',
  changed: 'completed',
  changes_requested: 'draft',
  declined: 'draft',
  published: 'active',
} as const;

export const StateBadge = ({ state }: { state: InboxEntry['state'] }) => (
  <span className={`badge badge-${COLOUR[state]}`}>{words.states[state]}</span>
);

export const isMine = (address: URLSearchParams): boolean => address.get('mine') === '1';

export function placeOf(
  id: string | undefined,
  { show, mine, page = 1 }: { show: Shown | null; mine: boolean; page?: number },
): string {
  const address = new URLSearchParams();
  if (show) address.set('show', show);
  if (mine) address.set('mine', '1');
  if (page > 1) address.set('page', String(page));
  const path = id ? href('/admin/review/:id', { id }) : href('/admin/review');
  return address.size > 0 ? `${path}?${address}` : path;
}
