import { type RefObject, useEffect, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import type { ReviewState } from '#features/drafts/model/draft-state.ts';
import { useRestoredInput } from '#features/projects/conflict/use-unsaved.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { MAX_MESSAGE_LENGTH } from '#lib/data/limits.ts';
import { nameOfUser } from '#lib/data/user-name.ts';
import { clients } from '#session/browser.ts';
import { useCallerId, useIsAdmin } from '#session/caller.ts';
import { writeStored } from '#session/stored.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { useShown } from '#ui/admin/use-shown.ts';
import { useList } from '#ui/data/filters.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button, SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import { checklistOf } from './model/checklist.ts';
import { experimentChecks } from './model/content-checks.ts';
import { fillIn, type WordedAnswer, withReply } from './model/reply-templates.ts';
import { findNextWaiting, inboxParams, type ReviewAnswer, type SubmissionReview } from './model/review.ts';
import { useReplies } from './reply-queries.ts';
import { useAdmins, useAnswer } from './review-queries.ts';
import { contentWords } from './words/content-checks.ts';
import { reviewWords as words } from './words/review.ts';

/** Answers allowed in each state; the database enforces the same rules. */
const ALLOWED_ANSWERS: Record<ReviewState, ReviewAnswer[]> = {
  unfinished: ['publish', 'ask', 'decline'],
  waiting: ['publish', 'ask', 'decline'],
  changed: ['publish', 'ask', 'decline'],
  changes_requested: ['publish', 'decline'],
  declined: ['reopen'],
  published: [],
};

const shortcut = (key: string) => ({ 'data-screen-key': key, 'aria-keyshortcuts': key.toUpperCase() });
const SHORTCUTS = { publish: shortcut('p'), ask: shortcut('r'), decline: shortcut('d'), reopen: {} };

interface AnswerBarProps {
  reading: SubmissionReview;
  title: RefObject<HTMLElement | null>;
  checklist: RefObject<HTMLElement | null>;
}

export function AnswerBar({ reading, title, checklist }: AnswerBarProps) {
  // With the version that was on screen when the dialog was opened; a later reload is hidden behind it.
  const [opened, setOpened] = useState<{ what: WordedAnswer; reading: SubmissionReview } | null>(null);
  const what = opened?.what ?? null;
  const { key, input } = useRestoredInput<Partial<Record<WordedAnswer, string>>>(`answer-${reading.experiment.id}`);
  const texts = useRef<NonNullable<typeof input>>(input ?? {});
  const answering = useAnswer(opened?.reading ?? reading);
  const { say, complain } = useStatus();
  const { question, addressOf } = useList(inboxParams);
  const navigate = useNavigate();
  const userId = useCallerId();
  const shown = useShown(true);
  const { experiment, review } = reading;
  const allowed = ALLOWED_ANSWERS[review.state];
  const faults = useFacts().publishingNeedsChecks && what === 'publish' ? experimentChecks(experiment) : [];
  const close = () => setOpened(null);
  function storeTexts(next: typeof texts.current) {
    texts.current = next;
    writeStored('sessionStorage', key, JSON.stringify(next));
  }
  function showChecklist() {
    close();
    requestAnimationFrame(() => {
      checklist.current?.focus();
      checklist.current?.scrollIntoView({ block: 'start' });
    });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each answer
  useEffect(() => () => queueMicrotask(() => restoreFocus(title.current)), [review.state, what]);

  // `mutateAsync`: the result is reported even if another submission is open by then.
  const sendAnswer = (answer: ReviewAnswer, said: string, mail: boolean) =>
    answering.mutateAsync({ what: answer, words: said, mail }).then(
      ({ mail_to: to }) => {
        storeTexts({});
        close();
        const message = words.done[answer](experiment.title);
        say(to ? `${message} An email goes to ${to}.` : message);
        if (answer !== 'reopen') void openNext();
      },
      (error: unknown) => {
        if (answer !== 'reopen' && shown.current) throw error;
        complain(messageOf(error, words.failedToAnswer));
      },
    );

  // Only when the user came through the queue and is still on the answered submission.
  async function openNext() {
    const { show, mine } = question;
    if (show !== null && show !== 'waiting') return;
    const next = await findNextWaiting(clients().data(), experiment.id, mine ? userId : null).catch(() => null);
    if (next && shown.current) navigate(href('/admin/review/:id', { id: next.project_id }) + addressOf({ page: 1 }));
  }

  // Keeps the dialog with its text and errors, even when the answer is no longer allowed.
  if (allowed.length === 0 && what === null) return null;
  return (
    <div className="stack gap-3 bottom-bar review-bar rule pad-y-3">
      <div className="cluster">
        {allowed.map((answer) => (
          <SmallButton
            key={answer}
            variant={answer === 'publish' ? 'primary' : answer === 'decline' ? 'danger' : 'secondary'}
            busy={answering.isPending && answer === 'reopen'}
            {...SHORTCUTS[answer]}
            onClick={() =>
              answer === 'reopen' ? void sendAnswer('reopen', '', false) : setOpened({ what: answer, reading })
            }
          >
            {words[answer]}
          </SmallButton>
        ))}
      </div>
      <Dialog
        open={what !== null}
        title={faults.length > 0 ? 'Not ready to be published' : what ? FORMS[what].title : ''}
        busy={answering.isPending}
        onInput={({ target }) => {
          if (what && target instanceof HTMLTextAreaElement) storeTexts({ ...texts.current, [what]: target.value });
        }}
        onCancel={close}
      >
        {what && faults.length > 0 && (
          <>
            <Banner kind="error">
              Fix these before publishing:
              <ul className="review-open regular">
                {faults.map((check) => (
                  <li key={check.id}>{check.words}</li>
                ))}
              </ul>
            </Banner>
            <div className="cluster end above-5">
              <Button variant="secondary" onClick={close}>
                Cancel
              </Button>
              <Button onClick={showChecklist}>Show me where</Button>
            </div>
          </>
        )}
        {what && faults.length === 0 && (
          <AnswerForm
            what={what}
            said={texts.current[what]}
            reading={reading}
            onCancel={close}
            onLeave={() => storeTexts({})}
            onGive={sendAnswer}
          />
        )}
      </Dialog>
    </div>
  );
}

const formFor = (label: string, isRequired: boolean) =>
  defineForm({
    fields: {
      said: { label, kind: 'lines', rows: 5, maxLength: MAX_MESSAGE_LENGTH, required: isRequired },
      mail: { label: '', kind: 'check' },
    },
    check: ({ said }) => ({ said: isRequired && said.trim() === '' && 'Write a few words, please.' }),
    failed: words.failedToAnswer,
  });

/** Each answer has its own form, so that its text is never sent with another answer. */
const FORMS: Record<WordedAnswer, { title: string; text: string; Form: ReturnType<typeof formFor> }> = {
  publish: {
    title: 'Publish it?',
    text: 'Everyone can read it immediately.',
    Form: formFor('Words to the submitter (optional)', false),
  },
  ask: {
    title: 'Ask for changes',
    text: 'The submitter reads this on the draft’s page, changes the draft and sends it back to you.',
    Form: formFor('What should change?', true),
  },
  decline: {
    title: 'Decline it?',
    text: 'The submitter can read the draft with your reason for 30 days. You can reopen it.',
    Form: formFor('Why?', true),
  },
};

interface AnswerFormProps {
  what: WordedAnswer;
  said: string | undefined;
  reading: SubmissionReview;
  onCancel: () => void;
  onLeave: () => void;
  onGive: (what: WordedAnswer, words: string, mail: boolean) => Promise<unknown>;
}

function AnswerForm({ what, said = '', reading, onCancel, onLeave, onGive }: AnswerFormProps) {
  const { experiment, review, address } = reading;
  const [start] = useState({ said, mail: true });
  const [typed, setTyped] = useState(false);
  useOpenWork(typed, onLeave);
  const { text, Form } = FORMS[what];
  const unticked = checklistOf(experiment, review).filter(({ done }) => !done);
  const problemCount = experimentChecks(experiment).length;
  return (
    <Form
      inDialog
      className="stack gap-above"
      start={start}
      onUnsaved={setTyped}
      save={({ said, mail }) => onGive(what, said, mail)}
      onCancel={onCancel}
      submitLabel={words[what]}
      busyLabel="Sending..."
      {...(what === 'decline' && { submit: { variant: 'danger', className: 'button-filled' } })}
    >
      {(field, failure) => (
        <>
          <p>{text}</p>
          {what === 'publish' && unticked.length + problemCount > 0 && (
            <Banner kind="warning">
              Not everything on the checklist is settled:
              <ul className="review-open regular">
                {unticked.map((check) => (
                  <li key={check.id}>Not ticked: {check.label}</li>
                ))}
                {problemCount > 0 && <li>{contentWords.title(problemCount)}</li>}
              </ul>
            </Banner>
          )}
          <Replies answer={what} experiment={experiment} />
          {field('said')}
          {address ? (
            field('mail', { label: `Send it by email to ${address}, with a link` })
          ) : (
            <p className="row-meta">
              The submitter left no email address and sees the answer when they open their link.
            </p>
          )}
          {failure}
        </>
      )}
    </Form>
  );
}

function Replies({ answer, experiment }: { answer: WordedAnswer; experiment: SubmissionReview['experiment'] }) {
  const { data: replies = [] } = useReplies();
  const { data: admins = [] } = useAdmins();
  const userId = useCallerId();
  const isAdmin = useIsAdmin();
  const site = useFacts().agency.name;
  const [chosen, setChosen] = useState('');
  const matchingReplies = replies.filter((reply) => reply.answer === answer);
  const reply = matchingReplies.find(({ id }) => id === chosen) ?? matchingReplies[0];
  if (!reply) return null;
  const ownName = admins.find(({ user_id }) => user_id === userId);
  const client = experiment.client?.trim() || 'your client';
  const me = ownName ? nameOfUser(ownName) : site;
  const facts = { title: experiment.title, client, site, me };
  return (
    <div className="cluster bottom gap-4 review-replies">
      <SelectField
        label="Use a reply"
        value={reply.id}
        options={Object.fromEntries(matchingReplies.map(({ id, name }) => [id, name]))}
        onChange={({ target }) => setChosen(target.value)}
      />
      <SmallButton
        onClick={({ currentTarget }) => {
          const textArea = currentTarget.form?.elements.namedItem('said') as HTMLTextAreaElement;
          textArea.value = withReply(textArea.value, fillIn(reply.body, facts));
          textArea.dispatchEvent(new Event('input', { bubbles: true }));
        }}
      >
        Insert
      </SmallButton>
      {isAdmin && (
        <a href={`${href('/admin/settings')}#replies`} target="_blank" rel="noopener">
          Edit the replies
          <span className="hidden-text"> (opens a new tab)</span>
        </a>
      )}
    </div>
  );
}
