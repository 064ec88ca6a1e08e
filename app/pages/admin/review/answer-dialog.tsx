import { type RefObject, useEffect, useId, useState } from 'react';
import { reviewWords as words } from '../../../copy/admin/review.ts';
import { contentWords } from '../../../copy/content-checks.ts';
import { checklistOf } from '../../../models/review/checklist.ts';
import { experimentChecks } from '../../../models/review/content-checks.ts';
import { LONGEST_REPLY, type WordedAnswer, withReply } from '../../../models/review/reply-templates.ts';
import type { SubmissionReview } from '../../../models/review/review.ts';
import { useFacts } from '../../../session/use-facts.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { NotInOrder } from './not-in-order.tsx';
import { Replies } from './replies.tsx';

const ASKS: Record<WordedAnswer, { title: string; label: string; text: string }> = {
  publish: { title: 'Publish it?', label: 'Words to the submitter (optional)', text: 'Everybody can read it at once.' },
  ask: {
    title: 'Ask for changes',
    label: 'What should change?',
    text: 'The submitter reads this on the draft’s page, changes the draft and sends it back to you.',
  },
  decline: {
    title: 'Decline it?',
    label: 'Why?',
    text: 'The submitter can read the draft with your reason for 30 days. You can reopen it.',
  },
};

interface Asked {
  reading: SubmissionReview;
  busy: boolean;
  error: string | null;
  onCancel: () => void;
  onGive: (what: WordedAnswer, words: string, mail: boolean) => void;
}

/** Asks for the words of an answer, and whether they are mailed. */
export function AnswerDialog({
  ref: dialog,
  what,
  ...asked
}: Asked & {
  ref: RefObject<HTMLDialogElement | null>;
  what: WordedAnswer | null;
}) {
  const id = useId();
  const gated = useFacts().publishingNeedsChecks;
  const inTheWay = gated && what === 'publish' ? experimentChecks(asked.reading.experiment) : [];
  const open = what !== null;
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open, dialog]);
  return (
    <dialog
      ref={dialog}
      className="dialog review-dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!asked.busy) asked.onCancel();
      }}
      onClose={() => open && asked.onCancel()}
    >
      {/* Each answer begins empty: the words of another one may be meant for nobody else. */}
      {what && inTheWay.length > 0 && <NotInOrder titleId={id} checks={inTheWay} onCancel={asked.onCancel} />}
      {what && inTheWay.length === 0 && <AnswerForm key={what} titleId={id} what={what} {...asked} />}
    </dialog>
  );
}

function AnswerForm({
  titleId,
  what,
  reading,
  busy,
  error,
  onCancel,
  onGive,
}: Asked & { titleId: string; what: WordedAnswer }) {
  const [said, setSaid] = useState('');
  const [mail, setMail] = useState(true);
  const [missing, setMissing] = useState(false);
  const { title, label, text } = ASKS[what];
  const unticked = checklistOf(reading.experiment, reading.review).filter(({ done }) => !done);
  const improvable = experimentChecks(reading.experiment);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const needed = what !== 'publish' && said.trim() === '';
        setMissing(needed);
        if (!needed && !busy) onGive(what, said, mail && reading.address !== null);
      }}
    >
      <h2 className="dialog-title" id={titleId}>
        {title}
      </h2>
      <p>{text}</p>
      {what === 'publish' && unticked.length + improvable.length > 0 && (
        <Banner kind="warning">
          Not everything on the checklist is settled:
          <ul className="review-open">
            {unticked.map((check) => (
              <li key={check.id}>Not ticked: {check.label}</li>
            ))}
            {improvable.length > 0 && <li>{contentWords.title(improvable.length)}</li>}
          </ul>
        </Banner>
      )}
      <Replies answer={what} reading={reading} onChoose={(reply) => setSaid((before) => withReply(before, reply))} />
      <Field label={label} required={what !== 'publish'} error={missing && 'Write a few words, please.'}>
        {(aria) => (
          <textarea
            {...aria}
            className="field-input"
            rows={5}
            maxLength={LONGEST_REPLY}
            value={said}
            onChange={(event) => setSaid(event.target.value)}
          />
        )}
      </Field>
      {reading.address ? (
        <label className="review-mail-choice">
          <input type="checkbox" checked={mail} onChange={({ target }) => setMail(target.checked)} />
          Send it by mail to {reading.address}, with a link
        </label>
      ) : (
        <p className="row-meta">No address was left: the submitter sees it when they open their link.</p>
      )}
      {error && <Banner kind="error">{error}</Banner>}
      <div className="dialog-actions">
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant={what === 'decline' ? 'danger' : 'primary'}
          className={what === 'decline' ? 'button-filled' : ''}
          busy={busy}
          busyLabel="Sending..."
        >
          {words[what]}
        </Button>
      </div>
    </form>
  );
}
