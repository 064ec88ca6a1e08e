import { Comment, DeleteButton } from '#features/drafts/room/comment.tsx';
import { CommentForm } from '#features/drafts/room/comment-form.tsx';
import { nameOfUser } from '#lib/data/user-name.ts';
import { useCallerId } from '#session/caller.ts';
import { useReportWhenGone } from '#ui/data/use-report-when-gone.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { DayTime } from '#ui/time.tsx';
import type { ReviewNote } from './model/review.ts';
import { useAddNote, useRemoveNote } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

export function ReviewNotes({ id, notes }: { id: string; notes: ReviewNote[] }) {
  const userId = useCallerId();
  const { say, report } = useStatus();
  const reportWhenGone = useReportWhenGone(words.failedToSave);
  const adding = useAddNote(id);
  const removing = useRemoveNote();

  const remove = (note: ReviewNote) =>
    void report(removing.mutateAsync(note.id), words.failedToSave, () =>
      say('Note removed.', { undo: () => adding.mutateAsync(note.body) }),
    );

  return (
    <section aria-labelledby="notes">
      <h3 id="notes">Private notes</h3>
      <ul className="below-4">
        {notes.map((note) => (
          <li className="stack gap-2 hairline-below pad-y-3" key={note.id}>
            <Comment by={nameOfUser(note.by)} body={note.body}>
              <DayTime at={note.created_at} />
            </Comment>
            {note.author === userId && (
              <DeleteButton
                label="Remove the note"
                body={note.body}
                busy={removing.isPending && removing.variables === note.id}
                onClick={() => remove(note)}
              />
            )}
          </li>
        ))}
      </ul>
      <CommentForm
        label="Add a note"
        hint="Only admins and editors read them, never the submitter."
        sent="The note is saved."
        size="admin"
        variant="secondary"
        send={(body) => adding.mutateAsync(body).catch(reportWhenGone)}
      >
        Add the note
      </CommentForm>
    </section>
  );
}
