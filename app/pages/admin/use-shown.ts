import { type RefObject, useEffect, useRef } from 'react';

/** What is on the screen now, for work that ends when something else may be there; null once it has left. */
export function useShown<Shown>(now: Shown): RefObject<Shown | null> {
  const shown = useRef<Shown | null>(null);
  useEffect(() => {
    shown.current = now;
    return () => {
      shown.current = null;
    };
  }, [now]);
  return shown;
}
