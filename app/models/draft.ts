import { emptySubmission, type Located, newId, type Submission, unsaid } from './submission.ts';

/** A submission that is not finished, kept on this device so that a reload, a crash or a failed call loses nothing. */
export interface Draft {
  /** Proves the draft to the server, and makes sending it twice harmless. */
  secret: string;
  /** ms since 1970. */
  savedAt: number;
  submission: Submission;
  /** Sending began and was not finished. */
  sending: boolean;
}

/** One draft of this device. Writing throws when the device is full or refuses to keep anything. */
export interface DraftStore {
  /** The draft and its files by item id; null when there is none. */
  read(): Promise<{ draft: Draft; files: Map<string, File> } | null>;
  write(draft: Draft): Promise<void>;
  keepFile(itemId: string, file: File): Promise<void>;
  dropFile(itemId: string): Promise<void>;
  clear(): Promise<void>;
}

/** The draft that is not sent yet. */
export const NEW_SUBMISSION = 'madhouse-submission';
const CURRENT = 'current';
/** A forgotten draft goes after 30 days. */
const LIFETIME = 30 * 24 * 3600_000;

/**
 * Opens the device's draft.
 * @param name tells drafts apart that are edited beside each other
 * @throws DOMException when the browser keeps nothing (private windows, storage switched off)
 */
export async function openDraftStore(name = NEW_SUBMISSION): Promise<DraftStore> {
  const database = await open(name);
  const act = <T>(mode: IDBTransactionMode, work: (drafts: IDBObjectStore, files: IDBObjectStore) => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(['drafts', 'files'], mode);
      const result = work(transaction.objectStore('drafts'), transaction.objectStore('files'));
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error);
    });
  const store: DraftStore = {
    async read() {
      const { draft, names, files } = await act('readonly', (drafts, kept) => ({
        draft: drafts.get(CURRENT) as IDBRequest<Draft | undefined>,
        names: kept.getAllKeys(),
        files: kept.getAll() as IDBRequest<File[]>,
      }));
      if (!draft.result) return null;
      if (Date.now() - draft.result.savedAt > LIFETIME) {
        await store.clear();
        return null;
      }
      // A page that knew less may have kept it.
      const submission = { ...emptySubmission(), ...draft.result.submission };
      return {
        draft: { ...draft.result, submission },
        files: new Map(names.result.map((name, at) => [String(name), files.result[at]!])),
      };
    },
    async write(draft) {
      await act('readwrite', (drafts) => drafts.put(draft, CURRENT));
    },
    async keepFile(itemId, file) {
      await act('readwrite', (_, files) => files.put(file, itemId));
    },
    async dropFile(itemId) {
      await act('readwrite', (_, files) => files.delete(itemId));
    },
    async clear() {
      await act('readwrite', (drafts, files) => {
        drafts.clear();
        files.clear();
      });
    },
  };
  return store;
}

function open(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('drafts');
      request.result.createObjectStore('files');
    };
    request.onsuccess = () => {
      // Another tab may hold a newer version of the page; it must be able to change the shape.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new DOMException('The draft is blocked by another tab', 'AbortError'));
  });
}

/** How long a page that is being reloaded may take to let go of the draft, in ms. */
const HANDOVER = 1500;

/**
 * Takes the draft for this tab until it is closed, reloaded or crashes; false when another tab has it.
 * Two tabs writing one draft would overwrite each other.
 */
export function claimDraft(name = NEW_SUBMISSION): Promise<boolean> {
  // The lock needs a secure context; without it the last writer wins.
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(HANDOVER) }, () => {
        resolve(true);
        return new Promise(() => {});
      })
      .catch(() => resolve(false));
  });
}

/** Where a picture of the server has gone unused for a day it is swept, so an old upload has to be made again. */
const UPLOAD_LIFETIME = 20 * 3600_000;

/** The draft's items as they can be used now: what was under way or has expired must be uploaded again. */
export function revived(submission: Submission, files: ReadonlyMap<string, File>): Submission {
  const media = submission.media.flatMap((kept) => {
    const item = located({ ...unsaid, ...kept }, files);
    return item ? [{ ...item, poster: item.poster && located(item.poster, files) }] : [];
  });
  return { ...submission, media };
}

function located<Item extends Located>(item: Item, files: ReadonlyMap<string, File>): Item | null {
  if (!item.file) return item;
  const { uploadedAt, path } = item.file;
  if (item.url && uploadedAt !== null && Date.now() - uploadedAt < UPLOAD_LIFETIME) return item;
  // The bytes are gone from the device: nothing is left to show or send.
  if (!files.has(item.id)) return null;
  const fresh = item.url ? path.replace(/[^/]+(?=\.\w+$)/, newId()) : path;
  return { ...item, url: '', isUploading: true, file: { ...item.file, path: fresh, uploadedAt: null, failure: null } };
}

/** One submission out of what was kept and what was typed meanwhile: media, tags and credits of both, the newer of two texts. */
export function joined(kept: Submission, typed: Submission): Submission {
  const { media, tags, credits, ...texts } = typed;
  const written = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  return {
    ...emptySubmission(),
    ...kept,
    ...written,
    media: [...kept.media, ...media],
    tags: [...new Set([...kept.tags, ...tags])],
    credits: [...kept.credits, ...credits],
  };
}
