import { useEffect, useRef } from 'react';
import { href } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import type { Route } from './+types/read-submission';
import { AnswerBar } from './answer-bar.tsx';
import { Assignee } from './assignee.tsx';
import { SubmissionChanges } from './changes.tsx';
import { Checklist } from './checklist.tsx';
import { StateBadge } from './desk.tsx';
import { ReviewLinks } from './links.tsx';
import type { SubmissionReview } from './model/review.ts';
import { ReviewNotes } from './notes.tsx';
import { useReading } from './review-queries.ts';
import { ReviewSteps } from './steps.tsx';
import { SubmissionArticle } from './submission-article.tsx';
import { reviewWords as words } from './words/review.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

export default function ReadSubmission({ params: { id } }: Route.ComponentProps) {
  const reading = useReading(id);
  return (
    <Loaded query={reading} loading="Loading the submission" failed={words.failedOne}>
      {(found) => (found === null ? <p className="empty">{words.gone}</p> : <Desk key={id} reading={found} />)}
    </Loaded>
  );
}

function Desk({ reading }: { reading: SubmissionReview }) {
  const { experiment, review, steps, address } = reading;
  const title = useRef<HTMLHeadingElement>(null);
  const checklist = useRef<HTMLHeadingElement>(null);
  // For keyboard and screen reader users.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <header className="review-head">
        <h2 ref={title} tabIndex={-1}>
          {experiment.title}
        </h2>
        <StateBadge state={review.state} />
        <a href={href('/case-studies/:id/:slug?', { id: experiment.id })} target="_blank" rel="noreferrer">
          See its page
        </a>
        <Assignee review={review} />
        {review.state === 'unfinished' && (
          <p className="row-meta">
            {words.incomplete}{' '}
            {address ? <a href={letterTo(address, experiment.title)}>{words.writeTo(address)}</a> : words.nobodyToWrite}
          </p>
        )}
      </header>
      {review.state === 'changed' && review.before && (
        <SubmissionChanges before={review.before} experiment={experiment} words={lastWords(steps)} />
      )}
      <SubmissionArticle experiment={experiment} />
      <Checklist ref={checklist} experiment={experiment} review={review} />
      <ReviewNotes id={experiment.id} notes={reading.notes} />
      <ReviewSteps steps={steps} />
      {experiment.status === 'draft' && <ReviewLinks id={experiment.id} address={address} />}
      <AnswerBar reading={reading} title={title} checklist={checklist} />
    </>
  );
}

const letterTo = (address: string, title: string) =>
  `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(title)}`;

const lastWords = (steps: SubmissionReview['steps']) =>
  steps.findLast(({ kind }) => kind === 'sent_back')?.words ?? null;
