import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { useFacts } from '#context/use-facts.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { publicPage } from '#lib/page-headers.ts';
import { mailLink } from '#lib/words/agency.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { Icon } from '#ui/icon.tsx';
import { lazily } from '#ui/lazily.tsx';
import { restoreFocus } from '#ui/restore-focus.ts';
import type { Route } from './+types/submit';
import { Contact, SaveLine } from './form-sections.tsx';
import { isFilled, REQUIRED_FIELDS, SUBMISSION_FIELDS, type Submission } from './model/submission.ts';
import { SubmissionForm } from './submission-form.tsx';
import { useSubmission } from './use-submission.ts';
import { submissionWords as words } from './words/submission.ts';
import './submissions.css';

const Submitted = lazily(() => import('./submitted.tsx').then((module) => module.Submitted));

export const handle: PageHandle = { knows: [] };

export const meta: Route.MetaFunction = (args) =>
  pageTags(args, {
    title: words.pageTitle,
    description: 'Show us what you tried: a picture, four short texts, and your experiment is with our reviewers.',
  });

export const headers: Route.HeadersFunction = () => publicPage;

export default function SubmitExperiment() {
  const { agency } = useFacts();
  const form = useSubmission();
  const { state, actions } = form;
  if (state.phase === 'submitted' && state.outcome)
    return (
      <Submitted
        outcome={state.outcome}
        state={state}
        onAnother={() => void actions?.startOver().then(() => restoreFocus())}
        onSendRest={() => void actions?.sendRest().then(() => restoreFocus())}
      />
    );
  return (
    <div className="submit sheet" ref={keepFocus}>
      <LinkButton variant="quiet" href={href('/case-studies')} className="submit-back">
        <Icon name="arrow-left" /> Back to Mad Experiments
      </LinkButton>
      <h1 className="submit-title tight black above-5">
        <span className="narrow">Submit an</span> <span className="wide">Experiment</span>
      </h1>
      <p className="measure-52 size-1 above-5">
        Anyone can submit. Four short sections; we read every submission before it goes live.
      </p>
      <noscript>
        <p className="banner inline baseline gap-3 semibold banner-warning panel">
          <span>
            This form needs JavaScript, which is switched off in your browser. Send your experiment to{' '}
            <a href={mailLink(agency)}>{agency.email}</a> instead: a title, your pictures, and a few words about the
            brief, what you understood, what you did and what came of it.
          </span>
        </p>
      </noscript>
      <SubmissionForm
        form={form}
        className="submit-form stack above-6"
        aria-label={words.pageTitle}
        send={{ label: 'Submit Experiment', busyLabel: 'Submitting...' }}
        side={
          <div className="submit-side framed">
            <SaveLine state={state} />
            <Progress submission={state.submission} />
          </div>
        }
      >
        <Contact state={state} actions={actions} />
      </SubmissionForm>
      <p className="above-7">
        <a href={href('/case-studies')}>View all mad experiments</a>
      </p>
    </div>
  );
}

const Progress = ({ submission }: { submission: Submission }) => (
  <aside className="submit-progress stack gap-3" aria-label="Progress">
    <h2 className="slip">
      Needed {REQUIRED_FIELDS.filter((field) => isFilled(submission, field)).length} of {REQUIRED_FIELDS.length}
    </h2>
    <ul className="stack gap-2">
      {REQUIRED_FIELDS.map((field) => {
        const isDone = isFilled(submission, field);
        return (
          <li key={field} className="inline" data-done={isDone || undefined}>
            <span className="submit-check framed center" aria-hidden="true">
              {isDone && <Icon name="check" />}
            </span>
            {SUBMISSION_FIELDS[field].label}
            <span className="hidden-text">{isDone ? ' done' : ' still missing'}</span>
          </li>
        );
      })}
    </ul>
    <h2 className="slip gap-above">What happens next</h2>
    <ol className="stack gap-2">
      <li>Your experiment is stored as a draft that only you and our reviewers can open.</li>
      <li>You get a private link to it. Keep the link to return to your draft.</li>
      <li>Once we have read and published it, it joins the portfolio.</li>
    </ol>
  </aside>
);
