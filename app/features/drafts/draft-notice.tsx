import { draftWords as words } from '#features/reviews/words/review.ts';
import type { PathOf } from '#lib/words/page-path.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { longDay } from '#ui/time.tsx';
import type { DraftState } from './model/draft-state.ts';

const pathOf = (id: string) => `/drafts/${id}` satisfies PathOf<'/drafts/:id'>;

export const CommentLink = ({ id }: { id: string }) => <a href={`${pathOf(id)}#comments`}>Comment and approve</a>;

type DraftNoticeProps = { id: string; draft: DraftState | null; ways?: boolean; canComment?: boolean };

export function DraftNotice({ id, draft, ways = true, canComment = false }: DraftNoticeProps) {
  const draftPath = pathOf(id);
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
        {ways && (draft || canComment) && (
          <span className="draft-notice-ways cluster gap-2 gap-x-5">
            {draft?.state === 'changes_requested' && <a href={draftPath}>{words.edit}</a>}
            {canComment && <CommentLink id={id} />}
            {draft?.claimable && <a href={`${draftPath}#keep`}>{words.keep}</a>}
            {draft && <a href={`${draftPath}#links`}>{words.manage}</a>}
          </span>
        )}
      </span>
    </Banner>
  );
}
