import { useRef } from 'react';
import { newId } from '#lib/data/ids.ts';

/** Unchanged input keeps its id, so retries are idempotent; changed input gets a new one. */
export function useUploadId() {
  const lastUpload = useRef({ what: '', id: '' });
  return (upload: unknown): string => {
    const content = JSON.stringify(upload);
    if (lastUpload.current.what !== content) lastUpload.current = { what: content, id: newId() };
    return lastUpload.current.id;
  };
}
