import { useEffect, useRef } from 'react';
import { href } from 'react-router';
import { Comment, DeleteButton } from '#features/drafts/room/comment.tsx';
import { CommentForm } from '#features/drafts/room/comment-form.tsx';
import { TeamRoom, useRoom } from '#features/drafts/room/team-room.tsx';
import { TeamLinks } from '#features/drafts/team-links.tsx';
import { Differences } from '#features/projects/versions/version.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { nameOfUser } from '#lib/data/user-name.ts';
import { useCallerId } from '#session/caller.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { useReportWhenGone } from '#ui/data/use-report-when-gone.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { DayTime } from '#ui/time.tsx';
import type { Route } from './+types/read-submission';
import { AnswerBar } from './answers.tsx';
import { ContentToImprove } from './content-to-improve.tsx';
import { StateBadge } from './inbox.tsx';
import { changesSince } from './model/changes.ts';
import { checklistOf } from './model/checklist.ts';
import type { Review, ReviewNote, ReviewStep, SubmissionReview } from './model/review.ts';
import { useAddNote, useAdmins, useMailLink, useReading, useRemoveNote, useTick } from './review-queries.ts';
import { SubmissionArticle } from './submission-article.tsx';
import { reviewWords as words } from './words/review.ts';

export const meta = privateTags(words.title);

const LOADING = 'Loading the submission';

export default function ReadSubmission({ params: { id } }: Route.ComponentProps) {
  const reading = useReading(id);
  // What appears late would move the buttons below it under the pointer.
  const parts = [useAdmins(), useRoom(id)];
  if (parts.some(({ isPending }) => isPending)) return <Spinner label={LOADING} />;
  const gone = <p className="empty">This submission no longer exists.</p>;
  return (
    <Loaded query={reading} loading={LOADING} failed="Failed to load the submission">
      {(found) => (found ? <Details key={id} reading={found} /> : gone)}
    </Loaded>
  );
}

function Details({ reading }: { reading: SubmissionReview }) {
  const { experiment, review, steps, address } = reading;
  const said = steps.findLast(({ kind }) => kind === 'sent_back')?.words;
  const title = useRef<HTMLHeadingElement>(null);
  const checklist = useRef<HTMLHeadingElement>(null);
  const ticking = useTick(experiment.id);
  const { report } = useStatus();
  const tick = (id: 'rights_cleared' | 'client_agreed', done: boolean) =>
    void report(ticking.mutateAsync({ [id]: done }), words.failedToSave);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <header className="cluster baseline gap-4 review-head rule-below">
        <h2 className="anywhere" ref={title} tabIndex={-1}>
          {experiment.title}
        </h2>
        <StateBadge state={review.state} />
        <a href={href('/case-studies/:id/:slug?', { id: experiment.id })} target="_blank" rel="noreferrer">
          See its page
        </a>
        <Assignee review={review} />
        {review.state === 'unfinished' && (
          <p className="row-meta">
            The submission was started but not completed.{' '}
            {address ? (
              <a href={mailto(address, experiment.title)}>Write to {address}</a>
            ) : (
              'The submitter left no email address.'
            )}
          </p>
        )}
      </header>
      {review.state === 'changed' && review.before && (
        <section className="edge-machine panel pad-4 pad-x-5" aria-labelledby="changes">
          <h3 id="changes">What changed</h3>
          {said && <blockquote className="review-words measure-70 pre-wrap anywhere">{said}</blockquote>}
          <Differences found={changesSince(review.before, experiment)} same="Nothing changed since you read it." />
        </section>
      )}
      <SubmissionArticle experiment={experiment} />
      <TeamRoom project={experiment} heading="h3" />
      <section aria-labelledby="checklist">
        <h3 id="checklist" ref={checklist} tabIndex={-1}>
          Checklist
        </h3>
        <ul>
          {checklistOf(experiment, review).map(({ id, label, done }) => (
            <li key={id}>
              <label className="check">
                <input type="checkbox" checked={done} onChange={({ target }) => tick(id, target.checked)} />
                {label}
              </label>
            </li>
          ))}
        </ul>
        <ContentToImprove experiment={experiment} checklist={checklist} />
      </section>
      <ReviewNotes id={experiment.id} notes={reading.notes} />
      <ReviewSteps steps={steps} />
      {experiment.status === 'draft' && <ReviewLinks id={experiment.id} address={address} />}
      <AnswerBar reading={reading} title={title} checklist={checklist} />
    </>
  );
}

const mailto = (address: string, title: string) =>
  `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(title)}`;

const ReviewSteps = ({ steps }: { steps: ReviewStep[] }) =>
  steps.length === 0 ? null : (
    <section aria-labelledby="steps">
      <h3 id="steps">What happened so far</h3>
      <ol className="review-steps">
        {steps.map((step) => (
          <li className="hairline-below pad-y-3" key={step.id}>
            <p>
              {actorName(step)} {words.steps[step.kind]}, <DayTime at={step.given_at} />
              {step.mail_to && (
                <span className="row-meta">
                  {step.mailed_at ? `Mailed to ${step.mail_to}` : `Not mailed yet, to ${step.mail_to}`}
                </span>
              )}
            </p>
            {step.words && <blockquote className="review-words measure-70 pre-wrap anywhere">{step.words}</blockquote>}
          </li>
        ))}
      </ol>
    </section>
  );

const actorName = ({ kind, by }: ReviewStep) => (kind === 'sent_back' ? 'The submitter' : nameOfUser(by));

function ReviewLinks({ id, address }: { id: string; address: string | null }) {
  const mailing = useMailLink(id);
  const { say, report } = useStatus();
  const mail = () =>
    void report(mailing.mutateAsync(), words.failedToSave, ({ mail_to }) => say(`We email a new link to ${mail_to}.`));
  return (
    <section aria-labelledby="links">
      <h3 id="links">Links to the draft</h3>
      <div className="below-4">
        {address ? (
          <SmallButton busy={mailing.isPending} onClick={mail}>
            Send the submitter a new link
          </SmallButton>
        ) : (
          <p>The submitter left no email address. Create a link and send it yourself.</p>
        )}
      </div>
      <TeamLinks id={id} />
    </section>
  );
}

function Assignee({ review: { project_id, assignee } }: { review: Review }) {
  const { data: admins = [] } = useAdmins();
  const userId = useCallerId();
  const assigning = useTick(project_id);
  const { say, report } = useStatus();
  const assign = (to: string | null) =>
    void report(assigning.mutateAsync({ assignee: to }), 'The assignee was not saved', () => {
      const admin = admins.find(({ user_id }) => user_id === to);
      say(words.assigned(admin ? nameOfUser(admin) : null));
    });
  const select = useRef<HTMLSelectElement>(null);
  return (
    <div className="cluster bottom gap-3 review-assignee">
      <SelectField
        label="Assignee"
        ref={select}
        value={assignee ?? ''}
        onChange={({ target }) => assign(target.value || null)}
        options={Object.fromEntries([['', 'Unassigned'], ...admins.map((one) => [one.user_id, nameOfUser(one)])])}
      />
      {assignee !== userId && admins.some(({ user_id }) => user_id === userId) && (
        <SmallButton
          onClick={() => {
            select.current?.focus();
            assign(userId);
          }}
        >
          Assign to me
        </SmallButton>
      )}
    </div>
  );
}

function ReviewNotes({ id, notes }: { id: string; notes: ReviewNote[] }) {
  const userId = useCallerId();
  const { say, report } = useStatus();
  const reportWhenGone = useReportWhenGone(words.failedToSave);
  const adding = useAddNote(id);
  const removing = useRemoveNote();

  const remove = (note: ReviewNote) =>
    void report(removing.mutateAsync(note.id), words.failedToSave, () =>
      say('Note removed.', { undo: () => adding.mutateAsync(note.body) }),
    );

  return (
    <section aria-labelledby="notes">
      <h3 id="notes">Private notes</h3>
      <ul className="below-4" ref={keepFocus}>
        {notes.map((note) => (
          <li className="stack gap-2 hairline-below pad-y-3" key={note.id}>
            <Comment by={nameOfUser(note.by)} body={note.body}>
              <DayTime at={note.created_at} />
            </Comment>
            {note.author === userId && (
              <DeleteButton
                label="Remove the note"
                body={note.body}
                busy={removing.isPending && removing.variables === note.id}
                onClick={() => remove(note)}
              />
            )}
          </li>
        ))}
      </ul>
      <CommentForm
        label="Add a note"
        hint="Only admins and editors read them, never the submitter."
        sent="The note is saved."
        size="admin"
        variant="secondary"
        send={(body) => adding.mutateAsync(body).catch(reportWhenGone)}
      >
        Add the note
      </CommentForm>
    </section>
  );
}
