import { type FocusEvent, useEffect, useId, useRef, useState } from 'react';
import { href } from 'react-router';
import { remember } from '#session/remembered.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Button, LinkButton, SmallButton } from '#ui/form/button.tsx';
import { isComplete } from './model/outcome.ts';
import { mustStayOpen, type SubmissionState } from './model/submission-state.ts';
import { showAtTop } from './notices.tsx';
import './submitted.css';

const REDIRECT_AFTER = 2000;

interface SubmittedProps {
  outcome: NonNullable<SubmissionState['outcome']>;
  state: SubmissionState;
  onAnother: () => void;
  onSendRest: () => void;
}

export function Submitted({ outcome, state, onAnother, onSendRest }: SubmittedProps) {
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const complete = isComplete(outcome);
  const losesRest = !complete && mustStayOpen(state);
  const account = state.author?.email ?? null;
  const isOutsideAccount = account !== null && outcome.asGuest;
  // No redirect while the user still has to act on this page.
  const [moving, setMoving] = useState(complete && !isOutsideAccount);
  const [confirming, setConfirming] = useState(false);
  const path = `${href('/case-studies/:id/:slug?', { id: outcome.id })}?draft=${outcome.secret}`;
  const link = `${location.origin}${path}`;

  useEffect(() => showAtTop(title.current), []);

  useEffect(() => {
    if (!moving) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Waits until the tab is visible, so that the user sees the link.
    const start = () => {
      if (document.visibilityState === 'visible') timer ??= setTimeout(() => location.assign(path), REDIRECT_AFTER);
    };
    start();
    document.addEventListener('visibilitychange', start);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', start);
    };
  }, [moving, path]);

  const stop = () => setMoving(false);

  return (
    <section
      className="submitted isolated sheet split middle gap-5"
      aria-labelledby={`${id}-title`}
      onPointerDown={stop}
      onKeyDown={stop}
      // Ignores the script's focus on the title; only focus moved by the user cancels the redirect.
      onFocus={(event: FocusEvent) => event.target !== title.current && stop()}
    >
      <div className="submitted-print plates self-start">
        <h1 ref={title} id={`${id}-title`} tabIndex={-1} aria-describedby={complete ? undefined : `${id}-missing`}>
          Experiment Submitted Successfully!
        </h1>
      </div>
      <div className="submitted-next start stack gap-5">
        {!complete && (
          <div className="submit-returned pad-5 stack">
            <p id={`${id}-missing`}>
              <strong>Still to send: {missingOf(outcome)}.</strong> We have your title and brief;{' '}
              {losesRest ? 'keep this page open to send the rest.' : 'the rest is saved on this device.'}
            </p>
            <Button onClick={onSendRest}>
              {outcome.unfinished || outcome.closed ? 'Send the rest' : 'Back to the form'}
            </Button>
          </div>
        )}
        <p className="measure-44 size-1">
          Your experiment has been submitted and will be available in our portfolio soon.
        </p>
        {complete && (
          <p className="slip" role="status">
            Stored: the brief, {mediaItems(outcome.media.of)}, all texts
          </p>
        )}
        {isOutsideAccount && <Claim id={outcome.id} path={path} account={account} />}
        <div className="submitted-link bold stack gap-2">
          <label htmlFor={`${id}-link`}>Your private link to the draft</label>
          <div className="cluster">
            <input id={`${id}-link`} className="field-input" readOnly value={link} onFocus={(e) => e.target.select()} />
            <CopyButton text={link} label="Copy link" />
          </div>
        </div>
        <div className="cluster">
          <LinkButton variant={complete && !isOutsideAccount ? 'primary' : 'secondary'} href={href('/case-studies')}>
            View All Experiments
          </LinkButton>
          <Button variant="secondary" onClick={() => (losesRest ? setConfirming(true) : onAnother())}>
            Submit Another
          </Button>
        </div>
        <p>
          {moving ? (
            <>
              Taking you to your draft.{' '}
              <SmallButton variant="quiet" onClick={stop}>
                Stay here
              </SmallButton>
            </>
          ) : (
            <a href={path}>Open your draft</a>
          )}
        </p>
      </div>
      <ConfirmDialog
        open={confirming}
        title="Start another experiment?"
        confirmLabel="Submit Another"
        onCancel={() => setConfirming(false)}
        onConfirm={onAnother}
      >
        <p>The rest is not saved on this device. Start another experiment without sending it?</p>
      </ConfirmDialog>
    </section>
  );
}

function Claim({ id, path, account }: { id: string; path: string; account: string }) {
  // The claiming page needs the cookie that the link sets.
  useEffect(() => void fetch(path, { redirect: 'manual' }).catch(() => {}), [path]);
  const next = `${href('/drafts/:id', { id })}#keep`;
  return (
    <div className="submit-returned pad-5 stack">
      <p>
        <strong>Sent as a guest.</strong> It isn’t in your account ({account || 'the one you were signed in to'}) yet.
      </p>
      <LinkButton href={`${href('/sign-in')}?next=${encodeURIComponent(next)}`} onClick={() => remember('keep', id)}>
        Sign in and add it to your account
      </LinkButton>
    </div>
  );
}

const mediaItems = (count: number) => (count === 1 ? '1 media item' : `${count} media items`);

function missingOf({ media, textsStored }: NonNullable<SubmissionState['outcome']>): string {
  const missing = media.of - media.stored;
  const parts = [missing > 0 && `${missing} of ${mediaItems(media.of)}`, !textsStored && 'some of the texts'];
  return parts.filter(Boolean).join(' and ');
}
