import { useEffect, useState } from 'react';

/** The text as it was when typing last paused for `delayMs`. */
export function useDebounced(text: string, delayMs: number): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs);
    return () => clearTimeout(timer);
  }, [text, delayMs]);
  return debounced;
}
