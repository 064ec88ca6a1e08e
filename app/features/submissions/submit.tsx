import { useState } from 'react';
import { href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { useFacts } from '#context/use-facts.ts';
import type { TextPlace } from '#features/reviews/model/content-checks.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { mailLink } from '#lib/words/agency.ts';
import { LinkButton } from '#ui/form/button.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { Icon } from '#ui/icon.tsx';
import type { Route } from './+types/submit';
import { Notices } from './notices.tsx';
import { SaveLine } from './save-line.tsx';
import { Basics } from './sections/basics.tsx';
import { Contact } from './sections/contact.tsx';
import { Content } from './sections/content.tsx';
import { Credits } from './sections/credits.tsx';
import { SubmittedMedia } from './sections/media.tsx';
import { Send } from './send.tsx';
import { Slip } from './slip/slip.tsx';
import { submissionWords as words } from './words/submission.ts';
import './submit.css';
import { lazily } from '#ui/lazily.tsx';
import { useSubmissionForm } from './form/use-submission-form.ts';
import { Improvements } from './improvements/improvements.tsx';

const Submitted = lazily(() => import('./submitted/submitted.tsx').then((module) => module.Submitted));

export const handle: PageHandle = { knows: [] };

export const meta: Route.MetaFunction = (asked) =>
  pageTags(asked, {
    title: words.pageTitle,
    description: 'Show us what you tried: a picture, four short texts, and your experiment is with our reviewers.',
  });

export const headers: Route.HeadersFunction = () => ({ 'cache-control': 'public, max-age=0, must-revalidate' });

export default function SubmitExperiment() {
  const { agency } = useFacts();
  const { state, form, alive, element } = useSubmissionForm();
  const [place, setPlace] = useState<TextPlace | null>(null);
  if (state.phase === 'submitted' && state.outcome) {
    return (
      <Submitted
        outcome={state.outcome}
        account={state.account}
        onAnother={() => form?.startOver()}
        onSendRest={() => form?.sendRest()}
      />
    );
  }
  return (
    <div className="submit sheet" ref={keepFocus}>
      <LinkButton variant="quiet" href={href('/case-studies')} className="submit-back">
        <Icon name="arrow-left" /> {words.back}
      </LinkButton>
      <h1 className="submit-title">
        <span className="narrow">Submit an</span> <span className="wide">Experiment</span>
      </h1>
      <p className="submit-lead">
        Anyone can submit. Four short sections; we read every submission before it goes live.
      </p>
      <noscript>
        <p className="banner banner-warning">
          <span>
            This form needs JavaScript, which is switched off in your browser. Send your experiment to{' '}
            <a href={mailLink(agency)}>{agency.email}</a> instead: a title, your pictures, and a few words about the
            brief, what you understood, what you did and what came of it.
          </span>
        </p>
      </noscript>
      <Notices state={state} form={form} />
      <form
        className="submit-form"
        ref={element}
        noValidate
        // The device's copy is authoritative; autofill would restore fields of a sent form.
        autoComplete="off"
        aria-label={words.pageTitle}
        onSubmit={(event) => {
          event.preventDefault();
          void form?.sending.submit();
        }}
      >
        <div className="submit-sheets">
          <Basics state={state} form={form} />
          <SubmittedMedia state={state} form={form} />
          <Content state={state} form={form} place={place} />
          <Credits state={state} form={form} />
          <Contact state={state} form={form} />
          <Improvements submission={state.submission} onText={setPlace} />
          <Send state={state} alive={alive} />
        </div>
        <div className="submit-side">
          <SaveLine state={state} />
          <Slip state={state} />
        </div>
      </form>
      <p className="submit-all">
        <a href={href('/case-studies')}>{words.viewAll}</a>
      </p>
    </div>
  );
}
