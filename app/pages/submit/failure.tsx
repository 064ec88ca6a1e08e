import { useEffect, useRef } from 'react';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { FormState } from './form/form-state.ts';

/** Why the submission was not sent, at the top; the page goes there and so does the keyboard. */
export function Failure({ failure }: { failure: FormState['failure'] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!failure) return;
    scrollTo({ top: 0 });
    place.current?.focus({ preventScroll: true });
  }, [failure]);
  return (
    <div ref={place} className="submit-failure" tabIndex={-1}>
      {failure && (
        <Banner kind="error">
          {failure.message}
          {failure.field && (
            <>
              {' '}
              <a
                href={`#submit-${failure.field}`}
                onClick={(event) => {
                  event.preventDefault();
                  const field = document.getElementById(`submit-${failure.field}`);
                  // Of several inputs the one that is meant.
                  (field?.querySelector<HTMLElement>('[aria-invalid]') ?? field)?.focus();
                }}
              >
                Go there
              </a>
            </>
          )}
        </Banner>
      )}
    </div>
  );
}
