import { useEffect, useRef, useState } from 'react';
import type { UploadsAhead } from '#features/media/model/allowance.ts';
import { Uploads } from '#features/media/uploads.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { messages } from '#lib/words/messages.ts';
import { publicAddressOf, targetFor, uploadPlace } from './upload-picture.ts';

/** A chosen file is uploaded immediately, but attached to the video only on save. */
export function usePoster(before: string | null) {
  const [poster, setPoster] = useState(before);
  const [fraction, setFraction] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [ahead, setAhead] = useState<UploadsAhead | null>(null);
  const sending = useRef({ id: '', address: '' });
  const fail = (message: string) => {
    setFailure(message);
    setFraction(null);
  };
  const [uploads] = useState(
    () =>
      new Uploads(uploadPlace(), {
        onProgress: (_, sent) => setFraction(sent),
        onDone() {
          setPoster(sending.current.address);
          setFraction(null);
        },
        onFailed: (_, message) => fail(message),
        onAhead: setAhead,
      }),
  );
  useEffect(() => () => uploads.cancelAll(), [uploads]);

  async function send(file: File) {
    uploads.cancel(sending.current.id);
    const id = newId();
    sending.current = { id, address: '' };
    setFailure(null);
    setFraction(0);
    try {
      const target = await targetFor(file, id);
      if (sending.current.id !== id) return;
      sending.current.address = publicAddressOf(target);
      uploads.start(id, file, target);
    } catch (error) {
      if (sending.current.id === id) fail(messageOf(error, messages.uploadFailedSilently));
    }
  }

  return {
    poster,
    fraction,
    failure,
    ahead,
    pick: (picture: File | string) => (typeof picture === 'string' ? setPoster(picture) : void send(picture)),
    remove: () => setPoster(null),
  };
}
