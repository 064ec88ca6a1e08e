import { useRef } from 'react';
import { newId } from '../../../models/data/ids.ts';

/**
 * The id of a project that is being created. The same upload keeps its id, so repeating it after a lost response creates
 * nothing twice; a changed one gets another, because the first may have been stored.
 */
export function useUploadId() {
  const sent = useRef({ what: '', id: '' });
  return (upload: unknown): string => {
    const what = JSON.stringify(upload);
    if (sent.current.what !== what) sent.current = { what, id: newId() };
    return sent.current.id;
  };
}
