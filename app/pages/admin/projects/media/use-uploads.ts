import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { admin } from '../../../../copy/admin/admin.ts';
import { messages } from '../../../../copy/messages.ts';
import { messageOf } from '../../../../models/data/api-error.ts';
import { newId } from '../../../../models/data/ids.ts';
import type { UploadsAhead } from '../../../../models/media/allowance.ts';
import { titleFromFile } from '../../../../models/media/titles.ts';
import { UploadError } from '../../../../models/media/upload.ts';
import { addMedia, nextOrder } from '../../../../models/project/media.ts';
import type { ProjectInFull } from '../../../../models/project/read.ts';
import { clients } from '../../../../session/browser.ts';
import { Uploads } from '../../../submit/form/uploads.ts';
import { projectsChanged } from '../project-queries.ts';
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

/** Picture files that become media of a project, two at a time, in the order they were chosen. */
export function useUploads(project: ProjectInFull) {
  const cache = useQueryClient();
  const [going, setGoing] = useState<Going[]>([]);
  const [ahead, setAhead] = useState<UploadsAhead | null>(null);
  const known = useRef(going);
  known.current = going;
  const change = (id: string, what: Partial<Going>) =>
    setGoing((all) => all.map((each) => (each.id === id ? { ...each, ...what } : each)));
  const fail = (id: string, message: string, final: boolean) => change(id, { failure: { message, final } });

  async function attach(id: string) {
    const item = known.current.find((each) => each.id === id);
    if (!item?.target) return;
    try {
      await addMedia(clients().data(), {
        id,
        project_id: project.id,
        type: 'image',
        url: publicAddressOf(item.target),
        title: titleFromFile(item.file.name),
        description: null,
        order: item.order,
      });
      await projectsChanged(cache);
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
  const done = useRef(attach);
  done.current = attach;
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
      const first = Math.max(nextOrder(project.project_media), nextOrder(known.current));
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
