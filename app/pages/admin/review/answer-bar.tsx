import { useEffect, useId, useRef, useState } from 'react';
import { reviewWords as words } from '../../../copy/review.ts';
import { messageOf } from '../../../models/api-error.ts';
import type { Answer, Reading, ReviewState } from '../../../models/review.ts';
import { checklistOf } from '../../../models/review-checklist.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { useStatus } from '../shell/status.tsx';
import { useAnswer } from './review-queries.ts';

/** Which answers fit which state; the database decides the same. */
const FITTING: Record<ReviewState, Answer[]> = {
  waiting: ['publish', 'ask', 'decline'],
  changed: ['publish', 'ask', 'decline'],
  asked: ['publish', 'decline'],
  declined: ['reopen'],
  published: [],
};

const LONGEST = 5000;

/** The answers, always in sight. */
export function AnswerBar({ reading }: { reading: Reading }) {
  const [what, setWhat] = useState<Answer | null>(null);
  const answering = useAnswer(reading);
  const { say } = useStatus();
  const fitting = FITTING[reading.review.state];
  const { title } = reading.experiment;

  function give(given: Answer, said: string, mail: boolean) {
    answering.mutate(
      { what: given, words: said, mail },
      {
        onSuccess: (to) => {
          setWhat(null);
          say(to ? `${words.done[given](title)} A mail goes to ${to}.` : words.done[given](title));
        },
      },
    );
  }

  if (fitting.length === 0) return null;
  return (
    <div className="review-bar">
      {answering.error && what === null && (
        <Banner kind="error">{messageOf(answering.error, words.failedToAnswer)}</Banner>
      )}
      <div className="button-row">
        {fitting.map((answer) => (
          <Button
            key={answer}
            size="admin"
            variant={answer === 'publish' ? 'primary' : answer === 'decline' ? 'danger' : 'secondary'}
            busy={answering.isPending && answer === 'reopen'}
            onClick={() => {
              answering.reset();
              if (answer === 'reopen') give('reopen', '', false);
              else setWhat(answer);
            }}
          >
            {words[answer]}
          </Button>
        ))}
      </div>
      <AnswerDialog
        what={what}
        reading={reading}
        busy={answering.isPending}
        error={answering.error && messageOf(answering.error, words.failedToAnswer)}
        onCancel={() => setWhat(null)}
        onGive={give}
      />
    </div>
  );
}

const ASKS: Record<Exclude<Answer, 'reopen'>, { title: string; label: string; text: string }> = {
  publish: { title: 'Publish it?', label: 'Words to the submitter (optional)', text: 'Everybody can read it at once.' },
  ask: {
    title: 'Ask for changes',
    label: 'What should change?',
    text: 'The submitter reads this on the draft’s page, changes the draft and sends it back to you.',
  },
  decline: {
    title: 'Decline it?',
    label: 'Why?',
    text: 'The submitter can read the draft with your reason for 30 days. You can take it up again.',
  },
};

function AnswerDialog({
  what,
  reading,
  busy,
  error,
  onCancel,
  onGive,
}: {
  what: Answer | null;
  reading: Reading;
  busy: boolean;
  error: string | null;
  onCancel: () => void;
  onGive: (what: Answer, words: string, mail: boolean) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [said, setSaid] = useState('');
  const [mail, setMail] = useState(true);
  const [missing, setMissing] = useState(false);
  const given = what === 'reopen' ? null : what;
  const open = given !== null;
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);
  const asked = given && ASKS[given];
  const unticked = checklistOf(reading.experiment, reading.review).filter(({ done }) => !done);
  return (
    <dialog
      ref={dialog}
      className="dialog review-dialog"
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onCancel();
      }}
      onClose={() => open && onCancel()}
    >
      {given && asked && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const needed = given !== 'publish' && said.trim() === '';
            setMissing(needed);
            if (!needed && !busy) onGive(given, said, mail && reading.address !== null);
          }}
        >
          <h2 className="dialog-title" id={`${id}-title`}>
            {asked.title}
          </h2>
          <p>{asked.text}</p>
          {given === 'publish' && unticked.length > 0 && (
            <Banner kind="warning">
              Not everything on the checklist is settled:
              <ul className="review-open">
                {unticked.map((check) => (
                  <li key={check.id}>{check.byHand ? `Not ticked: ${check.label}` : check.label}</li>
                ))}
              </ul>
            </Banner>
          )}
          <Field label={asked.label} required={given !== 'publish'} error={missing && 'Write a few words, please.'}>
            {(aria) => (
              <textarea
                {...aria}
                className="field-input"
                rows={5}
                maxLength={LONGEST}
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
              variant={given === 'decline' ? 'danger' : 'primary'}
              className={given === 'decline' ? 'button-filled' : ''}
              busy={busy}
              busyLabel="Sending..."
            >
              {words[given]}
            </Button>
          </div>
        </form>
      )}
    </dialog>
  );
}
