import { useState } from 'react';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Button } from '#ui/form/button.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { DayTime } from '#ui/time.tsx';
import type { SubmissionForm } from './form/form.ts';
import type { KeptDraft } from './form/form-state.ts';
import { isEmptyText, TEXTS } from './model/submission.ts';
import { deviceWords as words } from './words/device.ts';
import { submissionWords } from './words/submission.ts';

export function KeptDrafts({ kept, form }: { kept: KeptDraft[]; form: SubmissionForm | null }) {
  const [leaving, setLeaving] = useState<KeptDraft | null>(null);
  return (
    <section className="submit-kept" aria-labelledby="submit-kept">
      <h2 id="submit-kept">{words.kept}</h2>
      <p>{words.keptHint}</p>
      <ul>
        {kept.map((one) => (
          <li key={one.tab}>
            <p>
              <strong>{titleOf(one)}</strong> <DayTime at={new Date(one.draft.savedAt).toISOString()} />
              {one.draft.submission.media.length > 0 && `, ${words.pictures(one.draft.submission.media.length)}`}
              {one.draft.wanted && ` ${words.keptWanted}`}
            </p>
            <Read draft={one} />
            <div className="cluster">
              <Button size="admin" variant="secondary" onClick={() => void form?.device.openKept(one.tab)}>
                {words.openKept}
                <span className="hidden-text">: {titleOf(one)}</span>
              </Button>
              <Button size="admin" variant="quiet" onClick={() => setLeaving(one)}>
                {words.deleteKept}
                <span className="hidden-text">: {titleOf(one)}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={leaving !== null}
        title={words.deleteQuestion}
        confirmLabel={words.deleteKept}
        onCancel={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving) void form?.device.removeKept(leaving.tab);
          setLeaving(null);
        }}
      >
        <p>{leaving && words.deleteText(titleOf(leaving))}</p>
      </ConfirmDialog>
    </section>
  );
}

const titleOf = ({ draft }: KeptDraft) => draft.submission.title.trim() || words.noTitle;

function Read({ draft: { draft } }: { draft: KeptDraft }) {
  const texts = TEXTS.filter((text) => !isEmptyText(draft.submission[text]));
  if (texts.length === 0) return null;
  return (
    <details>
      <summary>{words.read}</summary>
      {texts.map((text) => (
        <div key={text}>
          <h3>{submissionWords[text]}</h3>
          <RichText html={draft.submission[text]} />
        </div>
      ))}
    </details>
  );
}
