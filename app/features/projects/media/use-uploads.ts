import { useEffect, useRef, useState } from 'react';
import type { UploadsAhead } from '#features/media/model/allowance.ts';
import { BUCKET, pathFor, pictureIn, readableSize, UploadError } from '#features/media/model/upload.ts';
import { Uploads } from '#features/media/uploads.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { MAX_FILE_BYTES } from '#lib/data/limits.ts';
import { admin } from '#lib/words/admin.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { nextOrder } from '../model/media.ts';

interface PictureTarget {
  path: string;
  contentType: string;
}

export interface PendingUpload {
  /** Also the id of the media record, so that retries are idempotent. */
  id: string;
  file: File;
  order: number;
  target: PictureTarget | null;
  fraction: number;
  failure: { message: string; final: boolean } | null;
}

interface StoredPicture extends Pick<PendingUpload, 'id' | 'file' | 'order'> {
  url: string;
}

/** Two at a time, in the order they were chosen. @param attach creates the record of a stored file */
export function useUploads(
  media: readonly { order: number }[],
  attach: (picture: StoredPicture) => void | Promise<void>,
) {
  const [going, setGoing] = useState<PendingUpload[]>([]);
  const [ahead, setAhead] = useState<UploadsAhead | null>(null);
  const pending = useRef(going);
  pending.current = going;
  const change = (id: string, what: Partial<PendingUpload>) =>
    setGoing((all) => all.map((each) => (each.id === id ? { ...each, ...what } : each)));
  const fail = (id: string, message: string, final: boolean) => change(id, { failure: { message, final } });

  async function finish(id: string) {
    const item = pending.current.find((each) => each.id === id);
    if (!item?.target) return;
    try {
      const { data } = clients().storage.from(BUCKET).getPublicUrl(item.target.path);
      await attach({ ...item, url: data.publicUrl });
      setGoing((all) => all.filter((each) => each.id !== id));
    } catch (error) {
      fail(id, messageOf(error, admin.failedToAddMedia), false);
    }
  }

  const [uploads] = useState(() => {
    const { url, key, auth } = clients();
    const token = async () => (await auth.getSession()).data.session?.access_token ?? null;
    return new Uploads(
      { url, key, token },
      {
        onProgress: (id, fraction) => change(id, { fraction }),
        onDone: (id) => void onDone.current(id),
        onFailed: fail,
        onAhead: setAhead,
      },
    );
  });
  const onDone = useRef(finish);
  onDone.current = finish;
  useEffect(() => () => uploads.cancelAll(), [uploads]);

  async function start(item: PendingUpload) {
    try {
      const target = item.target ?? (await targetFor(item.file, item.id));
      change(item.id, { target, failure: null });
      uploads.start(item.id, item.file, target);
    } catch (error) {
      fail(item.id, messageOf(error, messages.uploadFailedSilently), error instanceof UploadError && error.final);
    }
  }

  return {
    going,
    busy: going.some(({ failure }) => failure === null),
    ahead,
    add(files: File[]) {
      const first = Math.max(nextOrder(media), nextOrder(pending.current));
      const items = files.map(
        (file, index): PendingUpload => ({
          id: newId(),
          file,
          order: first + index,
          target: null,
          fraction: 0,
          failure: null,
        }),
      );
      setGoing((all) => [...all, ...items]);
      for (const item of items) void start(item);
    },
    retry: (item: PendingUpload) => void start(item),
    drop(id: string) {
      uploads.cancel(id);
      setGoing((all) => all.filter((each) => each.id !== id));
    },
  };
}

/** @throws UploadError when the file is too large or not an accepted picture */
async function targetFor(file: File, id: string): Promise<PictureTarget> {
  if (file.size > MAX_FILE_BYTES) {
    const limit = readableSize(MAX_FILE_BYTES);
    throw new UploadError(`${file.name} is ${readableSize(file.size)}; a picture can be ${limit} at most.`, true);
  }
  const picture = await pictureIn(file);
  if (!picture) throw new UploadError(`${file.name} is not a picture we can show.`, true);
  return { path: pathFor(id, picture), contentType: picture.contentType };
}
