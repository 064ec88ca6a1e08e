import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../form/button.tsx';
import { Banner } from './banner.tsx';
import './toast.css';

/** A success message that leaves by itself, but waits while somebody points at it or is inside it. */
export function Toast({
  message,
  stays,
  onGone,
}: {
  message: ReactNode | null;
  /** Time until it leaves, in ms. */
  stays: number;
  onGone: () => void;
}) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (message === null || held) return;
    const timer = setTimeout(onGone, stays);
    return () => clearTimeout(timer);
  }, [message, held, stays, onGone]);
  return (
    // The region is always there: assistive technology only announces changes of what it already knows.
    <div aria-live="polite">
      {message !== null && (
        // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only holds the clock; nothing is operated
        <div
          className="passing-message"
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          <Banner kind="success">
            <span>{message}</span>
          </Banner>
          <Button
            variant="quiet"
            size="admin"
            onClick={() => {
              // The message goes without the pointer leaving it.
              setHeld(false);
              onGone();
            }}
          >
            Dismiss
          </Button>
        </div>
      )}
    </div>
  );
}
