import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { contentWords } from '../../../copy/content-checks.ts';
import { reviewWords as words } from '../../../copy/review.ts';
import { messageOf } from '../../../models/api-error.ts';
import { experimentChecks } from '../../../models/content-checks.ts';
import { type Answer, type Reading, type ReviewState, shownFrom } from '../../../models/review.ts';
import { checklistOf } from '../../../models/review-checklist.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { useStatus } from '../shell/status.tsx';
import { placeOf } from './desk.tsx';
import { findNext, useAnswer } from './review-queries.ts';

/** Which answers fit which state; the database decides the same. */
const FITTING: Record<ReviewState, Answer[]> = {
  waiting: ['publish', 'ask', 'decline'],
  changed: ['publish', 'ask', 'decline'],
  asked: ['publish', 'decline'],
  declined: ['reopen'],
  published: [],
};

const LONGEST = 5000;

/** The key that begins each answer, anywhere on the screen. */
const KEYS: Record<GivenWithWords, string> = { publish: 'p', ask: 'r', decline: 'd' };

/** The answers, always in sight. After one, the submission that waits longest is opened. */
export function AnswerBar({
  reading,
  title: heading,
}: {
  reading: Reading;
  /** Where whoever has answered goes on from. */
  title: RefObject<HTMLElement | null>;
}) {
  const [what, setWhat] = useState<GivenWithWords | null>(null);
  const [answered, setAnswered] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const answering = useAnswer(reading);
  const { say, complain } = useStatus();
  const [address] = useSearchParams();
  const navigate = useNavigate();
  const stillHere = useRef(true);
  useEffect(() => {
    stillHere.current = true;
    return () => {
      stillHere.current = false;
    };
  }, []);
  const fitting = FITTING[reading.review.state];
  const { title } = reading.experiment;

  // The answer just given is not offered again, so the focus would fall off the page with its button.
  useEffect(() => {
    const at = document.activeElement;
    if (answered > 0 && (at === document.body || bar.current?.contains(at)))
      heading.current?.focus({ preventScroll: true });
  }, [answered, heading]);

  // Awaited, because another submission may be open by then, and what became of this one is said all the same.
  const give = (given: Answer, said: string, mail: boolean) =>
    void answering.mutateAsync({ what: given, words: said, mail }).then(
      (to) => {
        setWhat(null);
        setAnswered((before) => before + 1);
        say(to ? `${words.done[given](title)} A mail goes to ${to}.` : words.done[given](title));
        if (given !== 'reopen') void goOn();
      },
      (error: unknown) => {
        // An open dialog shows it itself.
        if (!dialog.current?.open) complain(messageOf(error, words.failedToAnswer));
      },
    );

  // Only for whoever walks what waits, and is still on the one just answered.
  async function goOn() {
    const show = shownFrom(address);
    if (show !== null && show !== 'waiting') return;
    const next = await findNext(reading.experiment.id).catch(() => null);
    if (next && stillHere.current) navigate(placeOf(next, show));
  }

  // The dialog stays for its words and for a refusal, also when nothing fits any more.
  if (fitting.length === 0 && what === null) return null;
  return (
    <div className="review-bar" ref={bar}>
      <div className="button-row">
        {fitting.map((answer) => (
          <Button
            key={answer}
            size="admin"
            variant={answer === 'publish' ? 'primary' : answer === 'decline' ? 'danger' : 'secondary'}
            busy={answering.isPending && answer === 'reopen'}
            {...(answer === 'reopen'
              ? {}
              : { 'data-screen-key': KEYS[answer], 'aria-keyshortcuts': KEYS[answer].toUpperCase() })}
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
        ref={dialog}
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

type GivenWithWords = Exclude<Answer, 'reopen'>;

const ASKS: Record<GivenWithWords, { title: string; label: string; text: string }> = {
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
  reading: Reading;
  busy: boolean;
  error: string | null;
  onCancel: () => void;
  onGive: (what: GivenWithWords, words: string, mail: boolean) => void;
}

function AnswerDialog({
  ref: dialog,
  what,
  ...asked
}: Asked & {
  ref: RefObject<HTMLDialogElement | null>;
  what: GivenWithWords | null;
}) {
  const id = useId();
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
      {what && <AnswerForm key={what} titleId={id} what={what} {...asked} />}
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
}: Asked & { titleId: string; what: GivenWithWords }) {
  const [said, setSaid] = useState('');
  const [mail, setMail] = useState(true);
  const [missing, setMissing] = useState(false);
  const { title, label, text } = ASKS[what];
  const unticked = checklistOf(reading.experiment, reading.review).filter(({ done }) => !done);
  const improvable = experimentChecks(reading.experiment).length;
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
      {what === 'publish' && unticked.length + improvable > 0 && (
        <Banner kind="warning">
          Not everything on the checklist is settled:
          <ul className="review-open">
            {unticked.map((check) => (
              <li key={check.id}>Not ticked: {check.label}</li>
            ))}
            {improvable > 0 && <li>{contentWords.title(improvable)}</li>}
          </ul>
        </Banner>
      )}
      <Field label={label} required={what !== 'publish'} error={missing && 'Write a few words, please.'}>
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
