import { type RefObject, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { ReviewState } from '#features/drafts/model/draft-state.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { useCallerId } from '#session/caller.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { AnswerDialog } from './answer-dialog.tsx';
import { isMine, placeOf } from './desk.tsx';
import type { WordedAnswer } from './model/reply-templates.ts';
import { type ReviewAnswer, type SubmissionReview, shownFrom } from './model/review.ts';
import { findNext, useAnswer } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

/** Answers allowed in each state; the database enforces the same. */
const FITTING: Record<ReviewState, ReviewAnswer[]> = {
  unfinished: ['publish', 'ask', 'decline'],
  waiting: ['publish', 'ask', 'decline'],
  changed: ['publish', 'ask', 'decline'],
  changes_requested: ['publish', 'decline'],
  declined: ['reopen'],
  published: [],
};

const KEYS: Record<WordedAnswer, string> = { publish: 'p', ask: 'r', decline: 'd' };

export function AnswerBar({
  reading,
  title: heading,
  checklist,
}: {
  reading: SubmissionReview;
  title: RefObject<HTMLElement | null>;
  checklist: RefObject<HTMLElement | null>;
}) {
  const [what, setWhat] = useState<WordedAnswer | null>(null);
  const [answered, setAnswered] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const answering = useAnswer(reading);
  const { say, complain } = useStatus();
  const [address] = useSearchParams();
  const navigate = useNavigate();
  const me = useCallerId();
  const stillHere = useRef(true);
  useEffect(() => {
    stillHere.current = true;
    return () => {
      stillHere.current = false;
    };
  }, []);
  const fitting = FITTING[reading.review.state];
  const { title } = reading.experiment;

  // The given answer is no longer offered, so the focus would be lost with its button.
  useEffect(() => {
    const at = document.activeElement;
    if (answered > 0 && (at === document.body || bar.current?.contains(at)))
      heading.current?.focus({ preventScroll: true });
  }, [answered, heading]);

  // `mutateAsync`: the result is reported even if another submission is open by then.
  const give = (given: ReviewAnswer, said: string, mail: boolean) =>
    answering.mutateAsync({ what: given, words: said, mail }).then(
      (to) => {
        setWhat(null);
        setAnswered((before) => before + 1);
        say(to ? `${words.done[given](title)} A mail goes to ${to}.` : words.done[given](title));
        if (given !== 'reopen') void goOn();
      },
      (error: unknown) => {
        // An open dialog shows the error itself.
        if (dialog.current?.open) throw error;
        complain(messageOf(error, words.failedToAnswer));
      },
    );

  // Only when working through the queue and still on the answered submission.
  async function goOn() {
    const show = shownFrom(address);
    const mine = isMine(address);
    if (show !== null && show !== 'waiting') return;
    const next = await findNext(reading.experiment.id, mine ? me : null).catch(() => null);
    if (next && stillHere.current) navigate(placeOf(next, { show, mine }));
  }

  // The dialog stays open for its text and errors, even when no answer fits any more.
  if (fitting.length === 0 && what === null) return null;
  return (
    <div className="stack gap-3 bottom-bar review-bar rule pad-y-3" ref={bar}>
      <div className="inline">
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
              if (answer === 'reopen') void give('reopen', '', false);
              else setWhat(answer);
            }}
          >
            {words[answer]}
          </Button>
        ))}
      </div>
      <AnswerDialog
        ref={dialog}
        checklist={checklist}
        what={what}
        reading={reading}
        busy={answering.isPending}
        onCancel={() => setWhat(null)}
        onGive={give}
      />
    </div>
  );
}
