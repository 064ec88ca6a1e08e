import { useRef } from 'react';
import { newId } from '#lib/data/ids.ts';

/** Unchanged input keeps its id, so retries are idempotent; changed input gets a new one. */
export function useRetryId() {
  const last = useRef({ content: '', id: '' });
  return (input: unknown): string => {
    const content = JSON.stringify(input);
    if (last.current.content !== content) last.current = { content, id: newId() };
    return last.current.id;
  };
}
