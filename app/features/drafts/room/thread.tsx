import { Banner } from '#ui/feedback/banner.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { UtcDay } from '#ui/time.tsx';
import type { CommentThread, DraftComment, NewComment } from '../model/draft-room.ts';
import { CommentForm } from './comment-form.tsx';
import { roomWords as words } from './words.ts';

export interface ThreadActions {
  add: (comment: NewComment) => Promise<unknown>;
  resolve: (comment: string, resolved: boolean) => Promise<unknown>;
  remove?: (comment: DraftComment) => void;
}

export function Thread({
  thread,
  place,
  size,
  actions: { add, resolve, remove },
}: {
  thread: CommentThread;
  place?: string;
  size?: 'admin';
  actions: ThreadActions;
}) {
  const { busy, failure, run } = useSubmit(words.failed);
  const isResolved = thread.resolved_at !== null;
  const start = thread.body.slice(0, 40);
  return (
    <li className="stack gap-3 pad-y-3 hairline-below">
      {place && <p className="slip">{place}</p>}
      <Comment comment={thread} />
      {thread.answers.length > 0 && (
        <ul className="stack gap-3 panel pad-4">
          {thread.answers.map((answer) => (
            <li className="stack gap-2" key={answer.id}>
              <Comment comment={answer} />
              {remove && <DeleteButton comment={answer} remove={remove} />}
            </li>
          ))}
        </ul>
      )}
      {failure && <Banner kind="error">{failure}</Banner>}
      <div className="button-row">
        <SmallButton
          busy={busy}
          aria-label={`${isResolved ? words.reopen : words.resolve} “${start}”`}
          onClick={() => void run(() => resolve(thread.id, !isResolved))}
        >
          {isResolved ? words.reopen : words.resolve}
        </SmallButton>
        {remove && <DeleteButton comment={thread} remove={remove} />}
      </div>
      <details>
        <summary className="tap underlined">
          {words.toAnswer}
          <span className="hidden-text"> “{start}”</span>
        </summary>
        <CommentForm
          label={words.answer}
          sent={words.answered}
          size={size}
          send={(body, id) => add({ id, body, place: thread.place, parent: thread.id })}
        />
      </details>
    </li>
  );
}

const Comment = ({ comment }: { comment: DraftComment }) => (
  <>
    <p className="small quiet anywhere">
      <strong>{comment.by_team ? (comment.author ?? words.team) : comment.client}</strong>,{' '}
      <UtcDay at={comment.created_at} />
      {comment.resolved_at && `, ${words.resolved}`}
    </p>
    <p className="measure-70 pre-wrap anywhere">{comment.body}</p>
  </>
);

const DeleteButton = ({ comment, remove }: { comment: DraftComment; remove: (comment: DraftComment) => void }) => (
  <SmallButton
    className="self-start"
    variant="quiet"
    aria-label={`Delete “${comment.body.slice(0, 40)}”`}
    onClick={() => remove(comment)}
  >
    Delete
  </SmallButton>
);
