import { useEffect, useRef, useState } from 'react';
import type { UploadsAhead } from '#features/media/model/allowance.ts';
import {
  BUCKET,
  pathFor,
  pictureIn,
  readableSize,
  UploadError,
  type UploadTarget,
} from '#features/media/model/upload.ts';
import { Uploads } from '#features/media/uploads.ts';
import { isLost, messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { LARGEST_FILE } from '#lib/data/limits.ts';
import { admin } from '#lib/words/admin.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { nextOrder } from '../model/media.ts';

/** Where a chosen file goes. @throws UploadError when the server would refuse it */
export type ChooseTarget = (file: File, id: string) => Promise<UploadTarget>;

export interface Going {
  /** Also the id of its media record, which makes retries idempotent. */
  id: string;
  file: File;
  order: number;
  targetOf: ChooseTarget;
  target: UploadTarget | null;
  fraction: number;
  failure: { message: string; final: boolean; lost: boolean } | null;
}

interface StoredFile extends Pick<Going, 'id' | 'file' | 'order'> {
  target: UploadTarget;
  url: string;
}

/** Two at a time, in the order they were chosen. @param attach creates the record of a stored file */
export function useUploads(media: readonly { order: number }[], attach: (stored: StoredFile) => void | Promise<void>) {
  const [going, setGoing] = useState<Going[]>([]);
  const [ahead, setAhead] = useState<UploadsAhead | null>(null);
  const known = useRef(going);
  known.current = going;
  const change = (id: string, what: Partial<Going>) =>
    setGoing((all) => all.map((each) => (each.id === id ? { ...each, ...what } : each)));
  const fail = (id: string, message: string, final: boolean, lost: boolean) =>
    change(id, { failure: { message, final, lost } });

  async function finish(id: string) {
    const item = known.current.find((each) => each.id === id);
    if (!item?.target) return;
    try {
      const { bucket = BUCKET, path } = item.target;
      const { data } = clients().storage.from(bucket).getPublicUrl(path);
      await attach({ ...item, target: item.target, url: data.publicUrl });
      setGoing((all) => all.filter((each) => each.id !== id));
    } catch (error) {
      fail(id, messageOf(error, admin.failedToAddMedia), false, isLost(error));
    }
  }

  const [uploads] = useState(() => {
    const { url, key, auth } = clients();
    const token = async () => (await auth.getSession()).data.session?.access_token ?? null;
    return new Uploads(
      { url, key, token },
      {
        onProgress: (id, fraction) => change(id, { fraction }),
        onDone: (id) => void done.current(id),
        onFailed: fail,
        onAhead: setAhead,
      },
    );
  });
  const done = useRef(finish);
  done.current = finish;
  useEffect(() => () => uploads.cancelAll(), [uploads]);
  useEffect(() => {
    const resume = () => {
      for (const item of known.current) if (item.failure?.lost) void start(item);
    };
    addEventListener('online', resume);
    return () => removeEventListener('online', resume);
  });

  async function start(item: Going) {
    try {
      const target = item.target ?? (await item.targetOf(item.file, item.id));
      change(item.id, { target, failure: null });
      uploads.start(item.id, item.file, target);
    } catch (error) {
      fail(
        item.id,
        messageOf(error, messages.uploadFailedSilently),
        error instanceof UploadError && error.final,
        false,
      );
    }
  }

  return {
    going,
    busy: going.some(({ failure }) => failure === null),
    ahead,
    add(files: File[], targetOf = pictureTarget, idOf: (file: File) => string = newId) {
      const first = Math.max(nextOrder(media), nextOrder(known.current));
      const items = files.map(
        (file, index): Going => ({
          id: idOf(file),
          file,
          order: first + index,
          targetOf,
          target: null,
          fraction: 0,
          failure: null,
        }),
      );
      setGoing((all) => [...all.filter(({ id }) => items.every((item) => item.id !== id)), ...items]);
      for (const item of items) void start(item);
    },
    retry: (item: Going) => void start(item),
    drop(id: string) {
      uploads.cancel(id);
      setGoing((all) => all.filter((each) => each.id !== id));
    },
  };
}

const pictureTarget: ChooseTarget = async (file, id) => {
  if (file.size > LARGEST_FILE) {
    const limit = readableSize(LARGEST_FILE);
    throw new UploadError(`${file.name} is ${readableSize(file.size)}; a picture can be ${limit} at most.`, true);
  }
  const picture = await pictureIn(file);
  if (!picture) throw new UploadError(`${file.name} is not a picture we can show.`, true);
  return { path: pathFor(id, picture), contentType: picture.contentType };
};
