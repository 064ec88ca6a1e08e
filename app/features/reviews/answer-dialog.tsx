import { type RefObject, useId, useState } from 'react';
import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { LONGEST_MESSAGE } from '#lib/data/limits.ts';
import { useCallerId } from '#session/caller.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { Button } from '#ui/form/button.tsx';
import { Field, SelectField } from '#ui/form/field.tsx';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';
import { checklistOf } from './model/checklist.ts';
import { type ContentCheck, experimentChecks } from './model/content-checks.ts';
import { filledIn, type WordedAnswer, withReply } from './model/reply-templates.ts';
import { nameOfDesk, type SubmissionReview } from './model/review.ts';
import { useReplies } from './reply-queries.ts';
import { useDesks } from './review-queries.ts';
import { contentWords } from './words/content-checks.ts';
import { replyWords, reviewWords as words } from './words/review.ts';

const DIALOGS: Record<WordedAnswer, { title: string; label: string; text: string }> = {
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

interface AnswerDialogProps {
  reading: SubmissionReview;
  onCancel: () => void;
  onGive: (what: WordedAnswer, words: string, mail: boolean) => Promise<unknown>;
}

export function AnswerDialog({
  ref,
  what,
  busy,
  checklist,
  ...props
}: AnswerDialogProps & {
  busy: boolean;
  ref: RefObject<HTMLDialogElement | null>;
  checklist: RefObject<HTMLElement | null>;
  what: WordedAnswer | null;
}) {
  const id = useId();
  const gated = useFacts().publishingNeedsChecks;
  const inTheWay = gated && what === 'publish' ? experimentChecks(props.reading.experiment) : [];
  return (
    <Dialog
      ref={ref}
      className="review-dialog"
      open={what !== null}
      busy={busy}
      aria-labelledby={id}
      onCancel={props.onCancel}
    >
      {/* Each answer starts empty: text of another one may be meant for someone else. */}
      {what && inTheWay.length > 0 && (
        <NotInOrder titleId={id} checks={inTheWay} checklist={checklist} onCancel={props.onCancel} />
      )}
      {what && inTheWay.length === 0 && <AnswerForm key={what} titleId={id} what={what} {...props} />}
    </Dialog>
  );
}

function AnswerForm({
  titleId,
  what,
  reading,
  onCancel,
  onGive,
}: AnswerDialogProps & { titleId: string; what: WordedAnswer }) {
  const { busy, failure, wrong, submit } = useSubmit(words.failedToAnswer);
  const [said, setSaid] = useState('');
  const { title, label, text } = DIALOGS[what];
  const unticked = checklistOf(reading.experiment, reading.review).filter(({ done }) => !done);
  const improvable = experimentChecks(reading.experiment);

  async function give(typed: FormData) {
    requireFields({ said: what !== 'publish' && said.trim() === '' && 'Write a few words, please.' });
    await onGive(what, said, typed.has('mail'));
  }

  return (
    <form className="stack gap-above" noValidate onSubmit={submit(give)}>
      <h2 className="size-1" id={titleId}>
        {title}
      </h2>
      <p>{text}</p>
      {what === 'publish' && unticked.length + improvable.length > 0 && (
        <Banner kind="warning">
          Not everything on the checklist is settled:
          <ul className="review-open regular">
            {unticked.map((check) => (
              <li key={check.id}>Not ticked: {check.label}</li>
            ))}
            {improvable.length > 0 && <li>{contentWords.title(improvable.length)}</li>}
          </ul>
        </Banner>
      )}
      <Replies answer={what} reading={reading} onChoose={(reply) => setSaid((typed) => withReply(typed, reply))} />
      <Field label={label} required={what !== 'publish'} error={wrong['said']}>
        {(aria) => (
          <textarea
            {...aria}
            className="field-input"
            rows={5}
            maxLength={LONGEST_MESSAGE}
            value={said}
            onChange={({ target }) => setSaid(target.value)}
            name="said"
          />
        )}
      </Field>
      {reading.address ? (
        <label className="check">
          <input type="checkbox" name="mail" defaultChecked />
          Send it by mail to {reading.address}, with a link
        </label>
      ) : (
        <p className="row-meta">No address was left: the submitter sees it when they open their link.</p>
      )}
      {failure && <Banner kind="error">{failure}</Banner>}
      <div className="cluster end above-5">
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

const NotInOrder = ({
  titleId,
  checks,
  checklist,
  onCancel,
}: {
  titleId: string;
  checks: readonly ContentCheck[];
  checklist: RefObject<HTMLElement | null>;
  onCancel: () => void;
}) => (
  <>
    <h2 className="size-1" id={titleId}>
      {words.gateTitle}
    </h2>
    <Banner kind="error">
      {words.gate}
      <ul className="review-open regular">
        {checks.map((check) => (
          <li key={check.id}>{check.words}</li>
        ))}
      </ul>
    </Banner>
    <div className="cluster end above-5">
      <Button variant="secondary" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        onClick={() => {
          onCancel();
          // After the dialog has closed and returned the focus.
          requestAnimationFrame(() => {
            checklist.current?.focus();
            checklist.current?.scrollIntoView({ block: 'start' });
          });
        }}
      >
        {words.gateShow}
      </Button>
    </div>
  </>
);

function Replies({
  answer,
  reading: { experiment },
  onChoose,
}: {
  answer: WordedAnswer;
  reading: SubmissionReview;
  onChoose: (words: string) => void;
}) {
  const { data: replies = [] } = useReplies();
  const { data: desks = [] } = useDesks();
  const me = useCallerId();
  const site = useFacts().agency.name;
  const [chosen, setChosen] = useState('');
  const fitting = replies.filter((reply) => reply.answer === answer);
  const reply = fitting.find(({ id }) => id === chosen) ?? fitting[0];
  if (!reply) return null;
  const own = desks.find(({ user_id }) => user_id === me);
  const facts = {
    title: experiment.title,
    client: experiment.client?.trim() || replyWords.yourClient,
    site,
    me: own ? nameOfDesk(own) : site,
  };
  return (
    <div className="cluster bottom gap-4 review-replies">
      <SelectField label={replyWords.choose} value={reply.id} onChange={({ target }) => setChosen(target.value)}>
        {fitting.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button variant="secondary" size="admin" onClick={() => onChoose(filledIn(reply.body, facts))}>
        {replyWords.putIn}
      </Button>
      <a href={`${href('/admin/settings')}#replies`} target="_blank" rel="noopener">
        {replyWords.edit}
        <span className="hidden-text"> (opens a new tab)</span>
      </a>
    </div>
  );
}
