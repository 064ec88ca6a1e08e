import { useEffect, useRef, useState } from 'react';
import {
  checkReply,
  type ReplyFields,
  type ReplyTemplate,
  type WordedAnswer,
} from '#features/reviews/model/reply-templates.ts';
import { useDeleteReply, useReplies, useSaveReply } from '#features/reviews/reply-queries.ts';
import { replyWords as words } from '#features/reviews/words/review.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { LONGEST_MESSAGE, LONGEST_REPLY_NAME } from '#lib/data/limits.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { Field, SelectField, TextField } from '#ui/form/field.tsx';
import { SaveOrCancel } from '#ui/form/save-or-cancel.tsx';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';
import type { SetUnsaved } from './settings-screen.tsx';

const EMPTY: ReplyFields = { answer: 'ask', name: '', body: '' };

export function ReplyTemplates({ onUnsaved }: { onUnsaved: SetUnsaved }) {
  const replies = useReplies();
  const deleting = useDeleteReply();
  const saving = useSaveReply();
  const { say, complain } = useStatus();
  const [edited, setEdited] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);

  function close() {
    setEdited(null);
    list.current?.focus();
  }

  // `mutateAsync`: another deletion may start before this one is done.
  const remove = ({ id: gone, ...fields }: ReplyTemplate) =>
    void deleting.mutateAsync(gone).then(
      () => {
        list.current?.focus();
        say(words.deleted(fields.name), { undo: () => saving.mutateAsync({ id: null, fields }) });
      },
      (error: unknown) => complain(messageOf(error, words.failedToDelete)),
    );

  return (
    <div ref={list} tabIndex={-1}>
      <Loaded query={replies} loading={words.loading} failed={words.failed}>
        {(all) => (
          <ul className="rows">
            {all.map((reply) => (
              <li className="row" key={reply.id}>
                {edited === reply.id ? (
                  <ReplyForm reply={reply} onUnsaved={onUnsaved} onClose={close} />
                ) : (
                  <>
                    <div className="row-words">
                      <strong>{reply.name}</strong> <span className="row-meta">{words.answers[reply.answer]}</span>
                      <p className="reply-words">{reply.body}</p>
                    </div>
                    <div className="button-row">
                      <Button
                        variant="secondary"
                        size="admin"
                        aria-label={words.editOne(reply.name)}
                        onClick={() => setEdited(reply.id)}
                      >
                        Edit
                      </Button>
                      <Button
                        variant="danger"
                        size="admin"
                        aria-label={words.deleteOne(reply.name)}
                        busy={deleting.isPending && deleting.variables === reply.id}
                        onClick={() => remove(reply)}
                      >
                        Delete
                      </Button>
                    </div>
                  </>
                )}
              </li>
            ))}
            {all.length === 0 && <li className="empty">{words.none}</li>}
            <li className="row">
              {edited === 'new' ? (
                <ReplyForm reply={null} onUnsaved={onUnsaved} onClose={close} />
              ) : (
                <Button size="admin" onClick={() => setEdited('new')}>
                  {words.add}
                </Button>
              )}
            </li>
          </ul>
        )}
      </Loaded>
    </div>
  );
}

function ReplyForm({
  reply,
  onUnsaved,
  onClose,
}: {
  reply: ReplyTemplate | null;
  onUnsaved: SetUnsaved;
  onClose: () => void;
}) {
  const start: ReplyFields = reply ? { answer: reply.answer, name: reply.name, body: reply.body } : EMPTY;
  const [unsaved, setUnsaved] = useState(false);
  useEffect(() => {
    onUnsaved('replies', unsaved);
    return () => onUnsaved('replies', false);
  }, [onUnsaved, unsaved]);
  const saving = useSaveReply();
  const { say } = useStatus();
  const { busy, failure, wrong, submit } = useSubmit(words.failedToSave);

  async function save(typed: FormData) {
    const fields = fieldsIn(typed);
    requireFields(checkReply(fields));
    await saving.mutateAsync({ id: reply?.id ?? null, fields });
    return fields;
  }
  function saved({ name }: ReplyFields) {
    say(words.saved(name.trim()));
    onClose();
  }

  return (
    <form
      className="stack reply-form"
      onSubmit={submit(save, saved)}
      onInput={({ currentTarget }) =>
        setUnsaved(JSON.stringify(fieldsIn(new FormData(currentTarget))) !== JSON.stringify(start))
      }
      noValidate
    >
      {failure && <Banner kind="error">{failure}</Banner>}
      <TextField
        label={words.name}
        hint={words.nameHint}
        name="name"
        required
        autoFocus
        autoComplete="off"
        maxLength={LONGEST_REPLY_NAME}
        defaultValue={start.name}
        error={wrong['name']}
      />
      <SelectField label={words.forAnswer} name="answer" defaultValue={start.answer}>
        {Object.entries(words.answers).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Field label={words.body} hint={words.places} required error={wrong['body']}>
        {(aria) => (
          <textarea
            {...aria}
            name="body"
            className="field-input"
            rows={7}
            maxLength={LONGEST_MESSAGE}
            defaultValue={start.body}
          />
        )}
      </Field>
      <SaveOrCancel busy={busy} label={words.save} onCancel={onClose} />
    </form>
  );
}

const fieldsIn = (form: FormData): ReplyFields => ({
  answer: form.get('answer') as WordedAnswer,
  name: String(form.get('name')),
  body: String(form.get('body')),
});
