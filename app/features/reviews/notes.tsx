import { messageOf } from '#lib/data/api-error.ts';
import { MAX_MESSAGE_LENGTH } from '#lib/data/limits.ts';
import { nameOfUser } from '#lib/data/user-name.ts';
import { useCallerId } from '#session/caller.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Field } from '#ui/form/field.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { DayTime } from '#ui/time.tsx';
import type { ReviewNote } from './model/review.ts';
import { useAddNote, useRemoveNote } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

export function ReviewNotes({ id, notes }: { id: string; notes: ReviewNote[] }) {
  const userId = useCallerId();
  const { say, complain } = useStatus();
  const adding = useAddNote(id);
  const removing = useRemoveNote();
  const onError = (error: unknown) => complain(messageOf(error, words.failedToSave));

  const { busy, submit } = useSubmit('');

  // `mutateAsync`: another note or submission may be open before the first is saved.
  async function add(typed: FormData, _: string, form: HTMLFormElement) {
    const body = String(typed.get('body'));
    if (!body.trim()) return;
    await adding.mutateAsync(body).then(() => {
      if (new FormData(form).get('body') === body) form.reset();
    }, onError);
  }
  const remove = (note: ReviewNote) =>
    void removing
      .mutateAsync(note.id)
      .then(() => say('Note removed.', { undo: () => adding.mutateAsync(note.body) }), onError);

  return (
    <section aria-labelledby="notes">
      <h3 id="notes">Private notes</h3>
      <ul>
        {notes.map((note) => (
          <li className="hairline-below pad-y-3" key={note.id}>
            <p className="measure-70 pre-wrap anywhere">{note.body}</p>
            <p className="row-meta">
              {nameOfUser(note.by)}, <DayTime at={note.created_at} />
            </p>
            {note.author === userId && (
              <SmallButton
                variant="quiet"
                aria-label={`Remove the note “${note.body.slice(0, 40)}”`}
                busy={removing.isPending && removing.variables === note.id}
                onClick={() => remove(note)}
              >
                Remove
              </SmallButton>
            )}
          </li>
        ))}
      </ul>
      <form className="stack gap-above" onSubmit={submit(add)}>
        <Field label="Add a note" hint="Only admins and editors read them, never the submitter.">
          {(aria) => <textarea {...aria} className="field-input" rows={2} maxLength={MAX_MESSAGE_LENGTH} name="body" />}
        </Field>
        <SmallButton className="self-start" type="submit" busy={busy}>
          Add the note
        </SmallButton>
      </form>
    </section>
  );
}
