import { useState } from 'react';
import { HiddenName } from '#features/media/media-fields.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { DayTime } from '#ui/time.tsx';
import type { StoredDraft } from './model/draft-store.ts';
import { isEmptyText, SUBMISSION_FIELDS, TEXTS } from './model/submission.ts';
import type { SubmissionProps } from './use-submission.ts';
import { deviceWords as words } from './words/device.ts';

export function FreeDrafts({ state: { freeDrafts }, actions }: SubmissionProps) {
  const [deleting, setDeleting] = useState<StoredDraft | null>(null);
  return (
    <TitledSection
      className="submit-drafts framed pad-5 stack gap-3"
      titleId="submit-drafts"
      heading="size-1"
      title={words.freeDrafts(freeDrafts.length)}
    >
      <p>Opening a draft keeps the form below as another draft: nothing is lost.</p>
      <ul className="stack">
        {freeDrafts.map((draft) => (
          <li key={draft.id} className="stack gap-3 hairline pad-top-4">
            <p>
              <strong>{titleOf(draft)}</strong> <DayTime at={new Date(draft.savedAt).toISOString()} />
              {draft.submission.media.length > 0 &&
                `, ${draft.submission.media.length === 1 ? '1 picture or video' : `${draft.submission.media.length} pictures and videos`}`}
              {draft.status === 'queued' && ' Waiting to be sent.'}
            </p>
            <DraftTexts draft={draft} />
            <div className="cluster">
              <SmallButton onClick={() => void actions?.openDraft(draft)}>
                <HiddenName label="Open it here" of={titleOf(draft)} />
              </SmallButton>
              <SmallButton variant="quiet" onClick={() => setDeleting(draft)}>
                <HiddenName label={words.deleteDraft} of={titleOf(draft)} />
              </SmallButton>
            </div>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={deleting !== null}
        title="Delete this draft?"
        confirmLabel={words.deleteDraft}
        onCancel={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting) void actions?.deleteDraft(deleting);
          setDeleting(null);
        }}
      >
        <p>{deleting && `“${titleOf(deleting)}” is saved on this device only. It cannot be restored.`}</p>
      </ConfirmDialog>
    </TitledSection>
  );
}

const titleOf = ({ submission }: StoredDraft) => submission.title.trim() || 'No title yet';

function DraftTexts({ draft: { submission } }: { draft: StoredDraft }) {
  const texts = TEXTS.filter((text) => !isEmptyText(submission[text]));
  if (texts.length === 0) return null;
  return (
    <details>
      <summary>View draft</summary>
      {texts.map((text) => (
        <div key={text} className="gap-above">
          <h3>{SUBMISSION_FIELDS[text].label}</h3>
          <RichText html={submission[text]} />
        </div>
      ))}
    </details>
  );
}
