import { type RefObject, useEffect, useRef } from 'react';

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
