import type { PostgrestClient } from '@supabase/postgrest-js';
import { href, useSearchParams } from 'react-router';
import { OwnList, OwnSheet } from '#features/account/own-list.tsx';
import type { SignInHandle } from '#features/account/require-sign-in.tsx';
import { type DraftState, findDraftStates } from '#features/drafts/model/draft-state.ts';
import { draftWords } from '#features/reviews/words/review.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { readPage, type TablePage } from '#lib/data/page.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

export const handle: SignInHandle = {
  title: draftWords.mine,
  signIn: 'Sign in to see your submissions.',
  loading: 'Loading your experiments',
  Sheet: OwnSheet,
};
export const meta = privateTags(draftWords.mine);

export default function MyExperiments() {
  const [address] = useSearchParams();
  return (
    <OwnList
      failed="Failed to load your experiments"
      read={readOwn}
      over={address.has('confirmed') && <Banner kind="success">{draftWords.confirmed}</Banner>}
    >
      {({ rows }) => (rows.length > 0 ? <Rows rows={rows} /> : <EmptyList />)}
    </OwnList>
  );
}

const EmptyList = () => (
  <>
    <p>No submissions yet. To add a draft that you submitted without an account, open its private link.</p>
    <div className="button-row">
      <LinkButton href={href('/case-study-upload')}>Submit an Experiment</LinkButton>
    </div>
  </>
);

const Rows = ({ rows }: { rows: OwnExperiment[] }) => (
  <ul className="own-rows rule">
    {rows.map(({ id, title, status, review }) => (
      <li className="cluster gap-2 gap-x-5 hairline-below pad-y-3" key={id}>
        <a className="basis-16 bold anywhere shrink" href={href('/case-studies/:id/:slug?', { id })}>
          {title}
        </a>
        {/* A submitted draft shows its review state. */}
        <span className="inline">{review ? draftWords.states[review.state] : <StatusBadge status={status} />}</span>
        {review && (
          <a
            href={href('/drafts/:id', { id })}
            aria-label={`${review.state === 'changes_requested' ? 'Change' : 'Manage'} ${title}`}
          >
            {review.state === 'changes_requested' ? draftWords.edit : draftWords.manage}
          </a>
        )}
      </li>
    ))}
  </ul>
);

type OwnExperiment = { id: string; title: string; status: string; review: DraftState | null };

async function readOwn(data: PostgrestClient, user: string, page: number): Promise<TablePage<OwnExperiment>> {
  const own = await readPage<Omit<OwnExperiment, 'review'>>((from, to) => {
    const projects = data.from('projects').select('id,title,status', { count: 'exact' }).eq('created_by', user);
    return projects.order('created_at', { ascending: false }).order('id').range(from, to);
  }, page);
  const drafts = own.rows.filter(({ status }) => status === 'draft').map(({ id }) => id);
  const states = new Map((await findDraftStates(data, drafts)).map((state) => [state.project_id, state]));
  return { ...own, rows: own.rows.map((row) => ({ ...row, review: states.get(row.id) ?? null })) };
}
