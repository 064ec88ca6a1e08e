import { type FormEvent, useState } from 'react';
import { reviewWords as words } from '../../../copy/admin/review.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import type { ReviewNote } from '../../../models/review/review.ts';
import { useSignedIn } from '../../../session/use-signed-in.ts';
import { DayTime } from '../../../ui/day-time.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { useStatus } from '../shell/status.tsx';
import { useAddNote, useRemoveNote } from './review-queries.ts';

const LONGEST = 5000;

/** What admins tell each other about a submission. */
export function ReviewNotes({ id, notes }: { id: string; notes: ReviewNote[] }) {
  const me = useSignedIn();
  const { say, complain } = useStatus();
  const adding = useAddNote(id);
  const removing = useRemoveNote(id);
  const [body, setBody] = useState('');
  const failed = (error: unknown) => complain(messageOf(error, words.failedToSave));

  // Both are awaited: another note, or another submission, may be taken up before the first is done.
  function add(event: FormEvent) {
    event.preventDefault();
    if (body.trim()) void adding.mutateAsync(body).then(() => setBody((now) => (now === body ? '' : now)), failed);
  }
  const remove = (note: ReviewNote) =>
    void removing
      .mutateAsync(note.id)
      .then(() => say('Note removed.', { undo: () => adding.mutateAsync(note.body) }), failed);

  return (
    <section aria-labelledby="notes">
      <h3 id="notes">{words.privateNotes}</h3>
      <ul className="review-notes">
        {notes.map((note) => (
          <li key={note.id}>
            <p className="review-words">{note.body}</p>
            <p className="row-meta">
              {note.by?.name || note.by?.email || 'Somebody'}, <DayTime at={note.created_at} />
            </p>
            {note.author === me?.id && (
              <Button
                variant="quiet"
                size="admin"
                aria-label={`Remove the note “${note.body.slice(0, 40)}”`}
                busy={removing.isPending && removing.variables === note.id}
                onClick={() => remove(note)}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <form className="review-note-form" onSubmit={add}>
        <Field label="Add a note" hint={words.notesHint}>
          {(aria) => (
            <textarea
              {...aria}
              className="field-input"
              rows={2}
              maxLength={LONGEST}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="secondary" size="admin" busy={adding.isPending}>
          Add the note
        </Button>
      </form>
    </section>
  );
}
