import { useEffect, useRef, useState } from 'react';
import { admin } from '../../../../copy/admin/admin.ts';
import { messages } from '../../../../copy/messages.ts';
import { messageOf } from '../../../../models/data/api-error.ts';
import { newId } from '../../../../models/data/ids.ts';
import type { UploadsAhead } from '../../../../models/media/allowance.ts';
import { UploadError } from '../../../../models/media/upload.ts';
import { nextOrder } from '../../../../models/project/media.ts';
import { Uploads } from '../../../submit/form/uploads.ts';
import { type PictureTarget, publicAddressOf, targetFor, uploadPlace } from './upload-picture.ts';

/** A picture file on its way into a project. */
export interface Going {
  /** Also of the media item it becomes, so that trying again adds nothing twice. */
  id: string;
  file: File;
  order: number;
  target: PictureTarget | null;
  /** Sent fraction, 0 to 1. */
  fraction: number;
  failure: { message: string; final: boolean } | null;
}

/** A picture file that lies in the store. */
interface StoredPicture extends Pick<Going, 'id' | 'file' | 'order'> {
  url: string;
}

/**
 * Picture files that become media, two at a time, in the order they were chosen.
 * @param media those that are there already
 * @param attach makes a media item of a stored file; what it throws is shown, with a way to try again
 */
export function useUploads(
  media: readonly { order: number }[],
  attach: (picture: StoredPicture) => void | Promise<void>,
) {
  const [going, setGoing] = useState<Going[]>([]);
  const [ahead, setAhead] = useState<UploadsAhead | null>(null);
  const known = useRef(going);
  known.current = going;
  const change = (id: string, what: Partial<Going>) =>
    setGoing((all) => all.map((each) => (each.id === id ? { ...each, ...what } : each)));
  const fail = (id: string, message: string, final: boolean) => change(id, { failure: { message, final } });

  async function finish(id: string) {
    const item = known.current.find((each) => each.id === id);
    if (!item?.target) return;
    try {
      await attach({ ...item, url: publicAddressOf(item.target) });
      setGoing((all) => all.filter((each) => each.id !== id));
    } catch (error) {
      fail(id, messageOf(error, admin.failedToAddMedia), false);
    }
  }

  const [uploads] = useState(
    () =>
      new Uploads(uploadPlace(), {
        onProgress: (id, fraction) => change(id, { fraction }),
        onDone: (id) => void done.current(id),
        onFailed: fail,
        onAhead: setAhead,
      }),
  );
  const done = useRef(finish);
  done.current = finish;
  useEffect(() => () => uploads.cancelAll(), [uploads]);

  async function start(item: Going) {
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
    /** How much may still be uploaded; null until the server says so. */
    ahead,
    add(files: File[]) {
      const first = Math.max(nextOrder(media), nextOrder(known.current));
      const items = files.map(
        (file, index): Going => ({ id: newId(), file, order: first + index, target: null, fraction: 0, failure: null }),
      );
      setGoing((all) => [...all, ...items]);
      for (const item of items) void start(item);
    },
    retry: (item: Going) => void start(item),
    drop(id: string) {
      uploads.cancel(id);
      setGoing((all) => all.filter((each) => each.id !== id));
    },
  };
}
