import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { useFacts } from '#context/use-facts.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { mailLink } from '#lib/words/agency.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { Icon } from '#ui/icon.tsx';
import { lazily } from '#ui/lazily.tsx';
import type { Route } from './+types/submit';
import { Basics, Contact, Content, Credits, SaveLine, SendRow } from './form-sections.tsx';
import { Improvements } from './improvements.tsx';
import { MediaSection } from './media-section.tsx';
import { Notices } from './notices.tsx';
import { SubmissionProgress } from './submission-progress.tsx';
import './submissions.css';
import { useFormFocus } from './use-form-focus.ts';
import { useSubmission } from './use-submission.ts';
import { submissionWords as words } from './words/submission.ts';

const Submitted = lazily(() => import('./submitted.tsx').then((module) => module.Submitted));

export const handle: PageHandle = { knows: [] };

export const meta: Route.MetaFunction = (args) =>
  pageTags(args, {
    title: words.pageTitle,
    description: 'Show us what you tried: a picture, four short texts, and your experiment is with our reviewers.',
  });

export const headers: Route.HeadersFunction = () => ({ 'cache-control': 'public, max-age=0, must-revalidate' });

export default function SubmitExperiment() {
  const { agency } = useFacts();
  const { state, actions, element } = useSubmission();
  const focus = useFormFocus(element);
  if (state.phase === 'submitted' && state.outcome) {
    return (
      <Submitted
        outcome={state.outcome}
        account={state.author}
        onAnother={() => actions?.startOver()}
        onSendRest={() => actions?.sendRest()}
      />
    );
  }
  return (
    <div className="submit sheet" ref={keepFocus}>
      <LinkButton variant="quiet" href={href('/case-studies')} className="submit-back">
        <Icon name="arrow-left" /> {words.back}
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
      <Notices state={state} actions={actions} onGoTo={focus.goToFailure} />
      <form
        className="submit-form stack above-6"
        ref={element}
        noValidate
        // The device's copy is authoritative; autofill would restore fields of a sent form.
        autoComplete="off"
        aria-label={words.pageTitle}
        onSubmit={(event) => {
          event.preventDefault();
          void actions?.submit();
        }}
      >
        <div className="stack gap-7">
          <Basics state={state} actions={actions} />
          <MediaSection state={state} actions={actions} />
          <Content state={state} actions={actions} place={focus.place} />
          <Credits state={state} actions={actions} />
          <Contact state={state} actions={actions} />
          <Improvements submission={state.submission} focus={focus} />
          <SendRow state={state} actions={actions} label={words.submit} busyLabel={words.submitting} />
        </div>
        <div className="submit-side framed">
          <SaveLine state={state} />
          <SubmissionProgress submission={state.submission} />
        </div>
      </form>
      <p className="above-7">
        <a href={href('/case-studies')}>{words.viewAll}</a>
      </p>
    </div>
  );
}
