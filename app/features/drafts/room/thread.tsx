import { Banner } from '#ui/feedback/banner.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { DayTime } from '#ui/time.tsx';
import type { CommentThread, DraftComment, NewComment } from '../model/draft-room.ts';
import { Comment, DeleteButton, startOfText } from './comment.tsx';
import { CommentForm, notSent } from './comment-form.tsx';

export interface ThreadActions {
  add: (comment: NewComment) => Promise<unknown>;
  resolve: (comment: string, resolved: boolean) => Promise<unknown>;
  deletion?: (comment: DraftComment) => { busy: boolean; onClick: () => void };
}

type ThreadProps = { thread: CommentThread; place?: string; size?: 'admin'; actions: ThreadActions };

export function Thread({ thread, place, size, actions: { add, resolve, deletion } }: ThreadProps) {
  const { busy, failure, run } = useSubmit(notSent);
  const isResolved = thread.resolved_at !== null;
  const start = startOfText(thread.body);
  const act = isResolved ? 'Reopen' : 'Resolve';
  const toggle = () => void run(() => resolve(thread.id, !isResolved));
  return (
    <li className="stack gap-3 pad-y-3 hairline-below">
      {place && <p className="slip">{place}</p>}
      <DraftCommentText comment={thread} />
      {thread.answers.length > 0 && (
        <ul className="stack gap-3 panel pad-4">
          {thread.answers.map((answer) => (
            <li className="stack gap-2" key={answer.id}>
              <DraftCommentText comment={answer} />
              {deletion && <DeleteButton label="Delete" body={answer.body} {...deletion(answer)} />}
            </li>
          ))}
        </ul>
      )}
      {failure && <Banner kind="error">{failure}</Banner>}
      <div className="button-row">
        <SmallButton busy={busy} aria-label={`${act} ${start}`} onClick={toggle}>
          {act}
        </SmallButton>
        {deletion && <DeleteButton label="Delete" body={thread.body} {...deletion(thread)} />}
      </div>
      <details>
        <summary className="tap underlined">
          Answer<span className="hidden-text"> {start}</span>
        </summary>
        <CommentForm
          label="Your answer"
          sent="Your answer is sent."
          size={size}
          send={(body, id) => add({ id, body, place: thread.place, parent: thread.id })}
        />
      </details>
    </li>
  );
}

const DraftCommentText = ({ comment }: { comment: DraftComment }) => (
  <Comment by={comment.by_team ? (comment.author ?? 'The team') : comment.client} body={comment.body}>
    <DayTime at={comment.created_at} />
    {comment.resolved_at && ', resolved'}
  </Comment>
);
