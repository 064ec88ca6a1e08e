import { useEffect, useRef, useState } from 'react';
import type { Project } from '#features/projects/model/read.ts';
import { draftWords as words } from '#features/reviews/words/review.ts';
import { isSameContent, isWhole, type Submission } from '#features/submissions/model/submission.ts';
import { SubmissionForm } from '#features/submissions/submission-form.tsx';
import { useSubmission } from '#features/submissions/use-submission.ts';
import { isLost } from '#lib/data/api-error.ts';
import { MAX_MESSAGE_LENGTH } from '#lib/data/limits.ts';
import { TextAreaField } from '#ui/form/field.tsx';
import { type DraftAccess, editable, sendBack } from './model/draft-actions.ts';

const COMPLETE = { textsStored: true, unfinished: false, closed: false, lost: false };
const SENT_BACK = { ...COMPLETE, asGuest: false, isResubmission: true } as const;

interface ChangeDraftProps {
  experiment: Project;
  /** When the changes were requested: what was written for an earlier request must not replace newer work. */
  round: string | null;
  access: DraftAccess;
  onSent: (missing: number) => void;
}

export function ChangeDraft({ experiment, round, access, onSent }: ChangeDraftProps) {
  const unanswered = useRef<Submission | null>(null);
  const [sending, setSending] = useState(false);
  const form = useSubmission({
    submission: editable(experiment),
    name: `madhouse-draft-${experiment.id}-${round}`,
    async send(draft) {
      setSending(true);
      await sendBack(access, experiment.id, draft, draft.note)
        .catch(async (error: unknown) => {
          // A lost response may hide a successful attempt of the same content, so the state is checked.
          const isSame = unanswered.current && isSameContent(unanswered.current, draft);
          if (!(isSame && (await access.find())?.state?.state === 'changed')) {
            unanswered.current = isLost(error) ? draft : null;
            throw error;
          }
        })
        .finally(() => setSending(false));
      const uploadedCount = draft.media.filter(isWhole).length;
      return { ...SENT_BACK, id: experiment.id, media: { stored: uploadedCount, of: draft.media.length } };
    },
  });
  const media = form.state.outcome?.media;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported once, whatever the callback
  useEffect(() => {
    if (media) onSent(media.of - media.stored);
  }, [media]);
  return (
    <section aria-labelledby="change-title">
      <h2 id="change-title">{words.edit}</h2>
      <SubmissionForm
        form={form}
        // What is typed now would not be sent any more.
        inert={sending}
        aria-labelledby="change-title"
        send={{ label: 'Send back', busyLabel: 'Sending back...' }}
      >
        <TextAreaField
          label="What did you change? (optional)"
          hint="A note to the reviewers (optional)"
          rows={4}
          maxLength={MAX_MESSAGE_LENGTH}
          name="note"
          value={form.state.submission.note}
          onChange={({ target }) => form.actions?.dispatch({ type: 'changed', change: { note: target.value } })}
        />
      </SubmissionForm>
    </section>
  );
}
