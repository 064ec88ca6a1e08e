import { type FocusEvent, useEffect, useId, useRef, useState } from 'react';
import { href } from 'react-router';
import { submissionWords as words } from '../../copy/submission.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Button, LinkButton } from '../../ui/form/button.tsx';
import type { FormState } from './form/form-state.ts';
import './submitted.css';

/** How long the success screen stays when nobody touches it, in ms. */
const REDIRECT_AFTER = 2000;

/** Says what is stored, then moves on to the draft; any press or focus in here stops the move. */
export function Submitted({
  outcome,
  onAnother,
  onSendRest,
}: {
  outcome: NonNullable<FormState['outcome']>;
  onAnother: () => void;
  onSendRest: () => void;
}) {
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const [moving, setMoving] = useState(true);
  const path = `${href('/case-studies/:id/:slug?', { id: outcome.id })}?draft=${outcome.secret}`;
  const link = `${location.origin}${path}`;

  useEffect(() => {
    scrollTo({ top: 0 });
    title.current?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    if (!moving) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // What waited for the line may be sent while nobody looks: the link is shown to people.
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
      className="submitted sheet"
      aria-labelledby={`${id}-title`}
      onPointerDown={stop}
      onKeyDown={stop}
      // The title is focused by us, to be read out; only people's own moves count.
      onFocus={(event: FocusEvent) => event.target !== title.current && stop()}
    >
      <div className="submitted-print">
        <h1 ref={title} id={`${id}-title`} tabIndex={-1}>
          {words.submitted}
        </h1>
      </div>
      <div className="submitted-next">
        <p className="submitted-text">{words.submittedText}</p>
        <p className="slip" role="status">
          Stored: {storedLine(outcome)}
        </p>
        {outcome.unfinished && (
          <p className="submitted-rest">
            The rest is still on this device.{' '}
            <Button size="admin" variant="secondary" onClick={onSendRest}>
              Send the rest
            </Button>
          </p>
        )}
        <div className="submitted-link">
          <label htmlFor={`${id}-link`}>Your private link to the draft</label>
          <div className="cluster">
            <input id={`${id}-link`} className="field-input" readOnly value={link} onFocus={(e) => e.target.select()} />
            <CopyButton text={link} label="Copy link" />
          </div>
        </div>
        <div className="cluster">
          <LinkButton href={href('/case-studies')}>{words.viewAllExperiments}</LinkButton>
          <Button variant="secondary" onClick={onAnother}>
            {words.submitAnother}
          </Button>
        </div>
        <p className="submitted-move">
          {moving ? (
            <>
              Taking you to your draft.{' '}
              <Button size="admin" variant="quiet" onClick={stop}>
                Stay here
              </Button>
            </>
          ) : (
            <a href={path}>Open your draft</a>
          )}
        </p>
      </div>
    </section>
  );
}

function storedLine({ media, textsStored }: NonNullable<FormState['outcome']>): string {
  const pictures = media.of === 1 ? '1 media item' : `${media.of} media items`;
  const attached = media.stored === media.of ? pictures : `${media.stored} of ${pictures}`;
  return `the brief, ${attached}${textsStored ? ', all texts' : ', not all texts'}`;
}
