import { useRef } from 'react';
import { newId } from '#lib/data/ids.ts';

/** Unchanged input keeps its id, so retries are idempotent; changed input gets a new one. */
export function useUploadId() {
  const sent = useRef({ what: '', id: '' });
  return (upload: unknown): string => {
    const what = JSON.stringify(upload);
    if (sent.current.what !== what) sent.current = { what, id: newId() };
    return sent.current.id;
  };
}
