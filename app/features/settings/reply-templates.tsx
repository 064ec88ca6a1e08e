import { useEffect, useRef, useState } from 'react';
import { checkReply, type ReplyFields, type ReplyTemplate } from '#features/reviews/model/reply-templates.ts';
import { useDeleteReply, useReplies, useSaveReply } from '#features/reviews/reply-queries.ts';
import { replyWords as words } from '#features/reviews/words/review.ts';
import { MAX_MESSAGE_LENGTH, MAX_REPLY_NAME_LENGTH } from '#lib/data/limits.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { useReportWhenGone } from '#ui/data/use-report-when-gone.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import type { EntryFormProps, SetUnsaved } from './settings.tsx';

export function ReplyTemplates({ onUnsaved }: { onUnsaved: SetUnsaved }) {
  const replies = useReplies();
  const deleting = useDeleteReply();
  const saving = useSaveReply();
  const { say, report } = useStatus();
  const [edited, setEdited] = useState<string | null>(null);
  const isEditing = edited === 'new' || replies.data?.some(({ id }) => id === edited) === true;
  const list = useRef<HTMLDivElement>(null);

  function close() {
    setEdited(null);
    list.current?.focus();
  }

  const remove = ({ id: gone, ...fields }: ReplyTemplate) =>
    void report(deleting.mutateAsync(gone), 'The reply was not deleted.', () => {
      list.current?.focus();
      say(`The reply “${fields.name}” is deleted.`, { undo: () => saving.mutateAsync({ id: null, fields }) });
    });

  return (
    <div ref={list} tabIndex={-1}>
      <Loaded query={replies} loading="Loading replies" failed="The replies could not be loaded.">
        {(all) => (
          <ul className="hairline">
            {all.map((reply) => (
              <li className="row" key={reply.id}>
                {edited === reply.id ? (
                  <ReplyForm reply={reply} onUnsaved={onUnsaved} onClose={close} />
                ) : (
                  <>
                    <div className="row-words">
                      <strong>{reply.name}</strong> <span className="row-meta">{words.answers[reply.answer]}</span>
                      <p className="quiet anywhere gap-above-small pre-wrap">{reply.body}</p>
                    </div>
                    <div className="button-row">
                      {/* Another form would replace an open one with what is typed in it. */}
                      <SmallButton
                        aria-label={words.editOne(reply.name)}
                        disabled={isEditing}
                        onClick={() => setEdited(reply.id)}
                      >
                        Edit
                      </SmallButton>
                      <SmallButton
                        variant="danger"
                        aria-label={words.deleteOne(reply.name)}
                        busy={deleting.isPending && deleting.variables === reply.id}
                        onClick={() => remove(reply)}
                      >
                        Delete
                      </SmallButton>
                    </div>
                  </>
                )}
              </li>
            ))}
            {all.length === 0 && <li className="empty">There are no replies yet.</li>}
            <li className="row">
              {edited === 'new' ? (
                <ReplyForm reply={null} onUnsaved={onUnsaved} onClose={close} />
              ) : (
                <SmallButton variant="primary" disabled={isEditing} onClick={() => setEdited('new')}>
                  {words.add}
                </SmallButton>
              )}
            </li>
          </ul>
        )}
      </Loaded>
    </div>
  );
}

const Fields = defineForm({
  fields: {
    name: {
      label: words.name,
      hint: 'Only admins see it.',
      required: true,
      autoFocus: true,
      autoComplete: 'off',
      maxLength: MAX_REPLY_NAME_LENGTH,
    },
    answer: { label: words.forAnswer, kind: 'select', options: words.answers },
    body: {
      label: words.body,
      kind: 'lines',
      hint: '{title} becomes the title of the submission, {client} its client, {site} the name of the site, {me} your own name.',
      required: true,
      rows: 7,
      maxLength: MAX_MESSAGE_LENGTH,
    },
  },
  check: (fields) => checkReply(fields as ReplyFields),
  failed: words.failed,
});

function ReplyForm({ reply, onUnsaved, onClose }: EntryFormProps & { reply: ReplyTemplate | null }) {
  useEffect(() => () => onUnsaved('replies', false), [onUnsaved]);
  const saving = useSaveReply();
  const { say } = useStatus();
  const reportWhenGone = useReportWhenGone(words.failed);
  return (
    <Fields
      className="stack grow"
      size="admin"
      start={{ name: reply?.name ?? '', answer: reply?.answer ?? 'ask', body: reply?.body ?? '' }}
      onUnsaved={(unsaved) => onUnsaved('replies', unsaved)}
      save={async (fields) => {
        await saving.mutateAsync({ id: reply?.id ?? null, fields: fields as ReplyFields }).catch(reportWhenGone);
        say(`The reply “${fields.name.trim()}” is saved.`);
      }}
      onSaved={onClose}
      onCancel={onClose}
      submitLabel={words.save}
      busyLabel="Saving..."
    />
  );
}
