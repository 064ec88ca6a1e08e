import { useEffect, useRef, useState } from 'react';
import { isLost, messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { MAX_FILE_BYTES } from '#lib/data/limits.ts';
import { admin } from '#lib/words/admin.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { readStored, writeStored } from '#session/stored.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import type { UploadsAhead } from './model/allowance.ts';
import { filmTarget } from './model/film-target.ts';
import { BUCKET, pathFor, pictureIn, readableSize, UploadError, type UploadTarget } from './model/upload.ts';
import { createUploads } from './uploads.ts';

/** Where a chosen file goes. @throws UploadError when the server would refuse it */
export type ChooseTarget = (file: File, id: string) => Promise<UploadTarget>;

export interface PendingUpload {
  /** Also the id of the media record, so that retries are idempotent. */
  id: string;
  file: File;
  order: number;
  targetOf: ChooseTarget;
  target: UploadTarget | null;
  fraction: number;
  failure: { message: string; final: boolean; lost: boolean } | null;
}

const NOT_STARTED = { target: null, fraction: 0, failure: null };

type StoredFile = Pick<PendingUpload, 'id' | 'file' | 'order'> & { target: UploadTarget; url: string };

/** Two at a time. @param attach creates the record of a stored file @param takeOrder its place, taken when it is chosen */
export function useUploads(attach: (stored: StoredFile) => void | Promise<void>, takeOrder: () => number = () => 0) {
  const [going, setGoing] = useState<PendingUpload[]>([]);
  const [ahead, setAhead] = useState<UploadsAhead | null>(null);
  const pending = useRef(going);
  pending.current = going;
  const change = (id: string, what: Partial<PendingUpload>) =>
    setGoing((all) => all.map((each) => (each.id === id ? { ...each, ...what } : each)));
  const fail = (id: string, message: string, final: boolean, lost: boolean) =>
    change(id, { failure: { message, final, lost } });

  async function finish(id: string) {
    const item = pending.current.find((each) => each.id === id);
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
    const place = { url, key, token };
    return createUploads(place, {
      onProgress: (id, fraction) => change(id, { fraction }),
      onDone: (id) => void onDone.current(id),
      onFailed: fail,
      onAhead: setAhead,
    });
  });
  const onDone = useRef(finish);
  onDone.current = finish;
  useEffect(() => () => uploads.cancelAll(), [uploads]);
  useEffect(() => {
    const resume = () => {
      for (const item of pending.current) if (item.failure?.lost) void start(item);
    };
    addEventListener('online', resume);
    return () => removeEventListener('online', resume);
  });

  async function start(item: PendingUpload) {
    try {
      const target = item.target ?? (await item.targetOf(item.file, item.id));
      change(item.id, { target, failure: null });
      uploads.start(item.id, item.file, target);
    } catch (error) {
      const isFinal = error instanceof UploadError && error.final;
      fail(item.id, messageOf(error, messages.uploadFailedSilently), isFinal, false);
    }
  }

  const busy = going.some(({ failure }) => failure === null);
  useOpenWork(busy);
  return {
    going,
    busy,
    ahead,
    add(files: File[], targetOf = pictureTarget, idOf: (file: File) => string = newId) {
      const items = files.map((file) => ({ ...NOT_STARTED, id: idOf(file), file, order: takeOrder(), targetOf }));
      setGoing((all) => [...all.filter(({ id }) => items.every((item) => item.id !== id)), ...items]);
      for (const item of items) void start(item);
    },
    retry: (item: PendingUpload) => void start(item),
    drop(id: string) {
      uploads.cancel(id);
      setGoing((all) => all.filter((each) => each.id !== id));
    },
  };
}

const pictureTarget: ChooseTarget = async (file, id) => {
  if (file.size > MAX_FILE_BYTES) {
    const limit = readableSize(MAX_FILE_BYTES);
    throw new UploadError(`${file.name} is ${readableSize(file.size)}; a picture can be ${limit} at most.`, true);
  }
  const picture = await pictureIn(file);
  if (!picture) throw new UploadError(`${file.name} is not a picture we can show.`, true);
  return { path: pathFor(id, picture), contentType: picture.contentType };
};

/** Pictures and films. A film whose upload was interrupted continues when it is chosen again, also after a reload. */
export function useMediaUploads(owner: string, ...[attach, takeOrder]: Parameters<typeof useUploads>) {
  const { films, forget, targetOf, idOf } = useUnfinishedFilms(owner);
  const uploads = useUploads(async (stored) => {
    await attach(stored);
    forget(stored.id);
  }, takeOrder);
  return {
    ...uploads,
    add(files: File[], kind?: 'picture' | 'film') {
      const kindOf = ({ type }: File) => kind ?? (type.startsWith('video/') ? 'film' : 'picture');
      const { film = [], picture = [] } = Object.groupBy(files, kindOf);
      uploads.add(picture);
      uploads.add(film, targetOf, idOf);
    },
    drop(id: string) {
      uploads.drop(id);
      forget(id);
    },
    interrupted: films.filter(({ id }) => uploads.going.every((item) => item.id !== id)),
    forget,
  };
}

type UnfinishedFilm = Pick<File, 'name' | 'size' | 'lastModified'> & { id: string };

/** Films whose uploads this browser has begun: one that is chosen again continues. @param owner such as a project's id */
function useUnfinishedFilms(owner: string) {
  const key = `madhouse-films-${owner}`;
  const read = () => JSON.parse(readStored('localStorage', key) ?? '[]') as UnfinishedFilm[];
  const [films, setFilms] = useState(read);

  function change(next: (films: UnfinishedFilm[]) => UnfinishedFilm[]) {
    const stored = next(read());
    writeStored('localStorage', key, stored.length > 0 ? JSON.stringify(stored) : null);
    setFilms(stored);
  }
  const forget = (id: string) => change((all) => all.filter((film) => film.id !== id));

  return {
    films,
    forget,
    idOf: ({ name, size, lastModified }: File): string =>
      films.find((film) => film.name === name && film.size === size && film.lastModified === lastModified)?.id ??
      newId(),
    async targetOf(file: File, id: string) {
      const target = await filmTarget(file, id);
      const { name, size, lastModified } = file;
      change((all) => [...all.filter((film) => film.id !== id), { id, name, size, lastModified }]);
      return target;
    },
  };
}
