import { useEffect, useRef, useState } from 'react';
import { messages } from '../../../../copy/messages.ts';
import { messageOf } from '../../../../models/data/api-error.ts';
import { newId } from '../../../../models/data/ids.ts';
import { uploadFile } from '../../../../models/media/upload.ts';
import { publicAddressOf, targetFor, uploadPlace } from '../upload-picture.ts';

/** The poster of a film while it is described: an address, or a file that is stored at once and belongs to the film when that is saved. */
export function usePoster(before: string | null) {
  const [poster, setPoster] = useState(before);
  const [fraction, setFraction] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const end = useRef<AbortController | null>(null);
  useEffect(() => () => end.current?.abort(), []);

  async function send(file: File) {
    end.current?.abort();
    end.current = new AbortController();
    const { signal } = end.current;
    setFailure(null);
    setFraction(0);
    try {
      const target = await targetFor(file, newId());
      await uploadFile(uploadPlace(), file, target, { onProgress: setFraction, signal });
      setPoster(publicAddressOf(target));
    } catch (error) {
      if (!signal.aborted) setFailure(messageOf(error, messages.uploadFailedSilently));
    } finally {
      if (!signal.aborted) setFraction(null);
    }
  }

  return {
    poster,
    /** Sent fraction of a file that is on its way; null when none is. */
    fraction,
    failure,
    pick: (picture: File | string) => (typeof picture === 'string' ? setPoster(picture) : void send(picture)),
    remove: () => setPoster(null),
  };
}
