import { useEffect, useRef } from 'react';
import { Button } from '#ui/form/button.tsx';
import type { FormState } from './form/form-state.ts';

export function Returned({
  kind,
  onGoOn,
  onStartOver,
}: {
  kind: NonNullable<FormState['returned']>;
  onGoOn: () => void;
  onStartOver: () => void;
}) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    scrollTo({ top: 0 });
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={place} className="submit-returned" tabIndex={-1} aria-labelledby="submit-returned">
      <div>
        <h2 id="submit-returned">{kind === 'sending' ? 'Finish sending your draft?' : 'Continue your draft?'}</h2>
        <p>
          {kind === 'sending'
            ? 'Sending it was interrupted. All of it is still here; going on makes nothing twice.'
            : 'It was kept on this device and is back in the form below.'}
        </p>
      </div>
      <div className="cluster">
        <Button onClick={onGoOn}>Continue</Button>
        <Button variant="secondary" onClick={onStartOver}>
          Start over
        </Button>
      </div>
    </section>
  );
}
