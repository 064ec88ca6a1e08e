import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { href } from 'react-router';
import { Countdown, limitNotice } from '#features/media/upload-limit.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { lazily } from '#ui/lazily.tsx';
import { isSignedOut, mustStayOpen, type SubmissionFailure } from './model/submission-state.ts';
import type { SubmissionProps } from './use-submission.ts';
import { deviceWords as words } from './words/device.ts';

const FreeDrafts = lazily(() => import('./free-drafts.tsx').then((module) => module.FreeDrafts));

type NoticesProps = SubmissionProps & { onGoTo: (failure: SubmissionFailure) => void };

/** Messages over the form. Live regions are always rendered, so that changes are announced. */
export const Notices = ({ state, actions, onGoTo }: NoticesProps) => (
  <>
    <Failure failure={state.failure} onGoTo={onGoTo} />
    <SignedOut state={state} actions={actions} />
    <Waiting state={state} actions={actions} />
    <div className="submit-tabs" role="status">
      {state.isOpenElsewhere && (
        <Banner kind="info" quiet>
          <strong>Another draft is open in another tab.</strong> What you write here is a separate draft. Both are saved
          on this device.
        </Banner>
      )}
    </div>
    {state.restored && <Restored state={state} actions={actions} />}
    {state.freeDrafts.length > 0 && state.phase === 'editing' && <FreeDrafts state={state} actions={actions} />}
  </>
);

function Failure({ failure, onGoTo }: Pick<NoticesProps, 'onGoTo'> & { failure: SubmissionFailure | null }) {
  const place = useRef<HTMLDivElement>(null);
  const attempt = failure?.attempt;
  useEffect(() => {
    if (attempt) showAtTop(place.current);
  }, [attempt]);
  return (
    <div ref={place} className="submit-failure" tabIndex={-1}>
      {failure && (
        <Banner kind="error">
          {failure.message}{' '}
          {failure.field && (
            <a
              href={`#submit-${failure.field}`}
              onClick={(event) => {
                event.preventDefault();
                onGoTo(failure);
              }}
            >
              Go there
            </a>
          )}
        </Banner>
      )}
    </div>
  );
}

const SIGN_IN = `${href('/sign-in')}?next=${encodeURIComponent(href('/case-study-upload'))}`;

function SignedOut({ state, actions }: SubmissionProps) {
  const staysOpen = mustStayOpen(state);
  return (
    <div role="status">
      {isSignedOut(state) && !state.asGuest && state.phase === 'editing' && (
        <Callout
          title="You’re signed out"
          button={
            <LinkButton href={SIGN_IN} target={staysOpen ? '_blank' : undefined}>
              Sign in and continue
            </LinkButton>
          }
          other="Send as a guest"
          onOther={actions?.sendAsGuest}
        >
          You wrote this as {state.author?.email || 'a signed-in user'}.{' '}
          {staysOpen
            ? 'Sign in again to send it from your account. The page opens in a new tab, so that nothing here is lost.'
            : 'Sign in again to send it from your account: your draft is saved on this device and comes back into the form.'}
        </Callout>
      )}
    </div>
  );
}

function Waiting({ state, actions }: SubmissionProps) {
  const { phase, waitingFor, isPostponed, ahead } = state;
  const isWaiting = phase === 'waiting';
  const isShown = waitingFor !== null && (isWaiting || phase === 'submitting');
  const isSaved = !mustStayOpen(state);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isShown) showAtTop(place.current);
  }, [isShown]);
  const isLimited = waitingFor === 'limit';
  const limit = limitNotice(ahead, isSaved);
  return (
    <div className="submit-waiting" role="status">
      {isShown && (
        <Callout
          place={place}
          title={isLimited ? limit.title : isWaiting ? words.waiting[waitingFor] : 'You are back online.'}
          button={isWaiting && <Button onClick={() => void actions?.submit()}>Try now</Button>}
          other="Send later"
          onOther={actions?.sendLater}
          after={isLimited && <Countdown ahead={ahead} />}
        >
          {isLimited
            ? limit.text
            : !isWaiting
              ? words.sendingNow
              : isSaved
                ? `${words.waitingSaved} You can close this page. It is sent the next time you open it with a connection.`
                : 'Not all of it is saved on this device, so leave this page open: we send it when you are back online.'}
        </Callout>
      )}
      {isPostponed && phase === 'editing' && <p className="edge pad-4 panel">{words.later(isSaved)}</p>}
    </div>
  );
}

function Restored({ state: { restored }, actions }: SubmissionProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) showAtTop(place.current);
    else scrollTo({ top: 0 });
  }, []);
  const isSending = restored === 'sending';
  return (
    <Callout
      place={place}
      title={isSending ? 'Finish sending your draft?' : 'Continue your draft?'}
      button={<Button onClick={() => void actions?.continueRestored()}>Continue</Button>}
      other="Start over"
      onOther={actions?.startOver}
    >
      {isSending
        ? 'Sending was interrupted. All of it is still here, and nothing is sent twice.'
        : 'It was saved on this device and is back in the form below.'}
    </Callout>
  );
}

interface CalloutProps {
  place?: RefObject<HTMLElement | null>;
  title: string;
  button: ReactNode;
  other: string;
  onOther?: () => unknown;
  after?: ReactNode;
  children: ReactNode;
}

const Callout = ({ place, title, button, other, onOther, after, children }: CalloutProps) => (
  <section ref={place} className="submit-returned pad-5" tabIndex={-1}>
    <div className="cluster apart gap-5">
      <div>
        <h2 className="size-1">{title}</h2>
        <p>{children}</p>
        {after}
      </div>
      <div className="cluster">
        {button}
        <Button variant="secondary" onClick={() => void onOther?.()}>
          {other}
        </Button>
      </div>
    </div>
  </section>
);

export function showAtTop(element: HTMLElement | null) {
  scrollTo({ top: 0 });
  element?.focus({ preventScroll: true });
}
