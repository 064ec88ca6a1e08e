import { draftWords as words } from '#features/reviews/words/review.ts';
import type { PathOf } from '#lib/words/page-path.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { longDay } from '#ui/time.tsx';
import type { DraftState } from './model/draft-state.ts';

export function DraftNotice({ id, draft, ways = true }: { id: string; draft: DraftState | null; ways?: boolean }) {
  const draftPath = `/drafts/${id}` satisfies PathOf<'/drafts/:id'>;
  return (
    <Banner kind="warning">
      <span className="stack gap-2">
        {draft?.state === 'changes_requested' || draft?.state === 'declined' ? (
          <>
            <strong>{words[draft.state]}</strong>
            <span className="anywhere measure-70 pre-wrap">{draft.words}</span>
          </>
        ) : (
          <span>{draft?.state === 'changed' ? words.changed : words.awaiting}</span>
        )}
        {draft?.readable_until && <span>You can read it here until {longDay(draft.readable_until)}.</span>}
        {draft && ways && (
          <span className="draft-notice-ways cluster gap-2 gap-x-5">
            {draft.state === 'changes_requested' && <a href={draftPath}>{words.edit}</a>}
            {draft.claimable && <a href={`${draftPath}#keep`}>{words.keep}</a>}
            <a href={`${draftPath}#links`}>{words.manage}</a>
          </span>
        )}
      </span>
    </Banner>
  );
}
