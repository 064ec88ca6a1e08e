import { emptySubmission, locatedIn, type Submission } from './submission.ts';

/** A submission that is not finished, kept on this device so that a reload, a crash or a failed call loses nothing. */
export interface Draft {
  /** Proves the draft to the server, and makes sending it twice harmless. */
  secret: string;
  /** ms since 1970. */
  savedAt: number;
  submission: Submission;
  /** Sending began and was not finished. */
  sending: boolean;
  /** It waits for the line, and is to be sent as soon as it is back. */
  wanted: boolean;
  /** What it was when another tab went on with it, which this copy has been apart from since; null when it is nobody else's. */
  parted: Submission | null;
  /** Kept beside the draft in the form, because the two say different things. */
  aside: boolean;
  /** Email address of the account it was written in; null for a guest's. */
  account: string | null;
}

/**
 * The copies of one form on this device, each under the name of the tab that wrote it: no tab ever writes over what
 * another one keeps. Writing throws when the device is full or refuses to keep anything.
 */
export interface DraftStore {
  /** Every copy by tab, the newest first. */
  read(): Promise<Map<string, Draft>>;
  write(tab: string, draft: Draft): Promise<void>;
  /** Writes a copy that has taken in others, lets those go, and marks what stays beside it; all of it or nothing. */
  takeIn(tab: string, draft: Draft, taken: readonly string[], aside: readonly string[]): Promise<void>;
  /** Removes a copy, and the files that no other copy needs. */
  remove(tab: string): Promise<void>;
  /** The bytes that are kept for items. */
  files(items: readonly string[]): Promise<Map<string, File>>;
  keepFile(itemId: string, file: File): Promise<void>;
  dropFile(itemId: string): Promise<void>;
}

/** The draft that is not sent yet. */
export const NEW_SUBMISSION = 'madhouse-submission';
/** A forgotten draft goes after 30 days. */
const LIFETIME = 30 * 24 * 3600_000;

/** Bytes, not the `File` itself: a private window of WebKit keeps no files. */
interface KeptFile {
  name: string;
  type: string;
  lastModified: number;
  bytes: ArrayBuffer;
}

/**
 * Opens the device's copies.
 * @param name tells forms apart that are filled in beside each other
 * @throws DOMException when the browser keeps nothing (storage switched off)
 */
export async function openDraftStore(name = NEW_SUBMISSION): Promise<DraftStore> {
  const database = await open(name);
  const act = (mode: IDBTransactionMode, work: (drafts: IDBObjectStore, files: IDBObjectStore) => void) =>
    new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(['drafts', 'files'], mode);
      work(transaction.objectStore('drafts'), transaction.objectStore('files'));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  /** What is asked for in one go needs no page any more: it arrives although the tab is closed in the same moment. */
  const put = (work: (drafts: IDBObjectStore, files: IDBObjectStore) => void) =>
    act('readwrite', (drafts, files) => {
      work(drafts, files);
      drafts.transaction.commit();
    });
  const store: DraftStore = {
    async read() {
      const found: [string, Draft][] = [];
      await act('readwrite', (drafts, files) =>
        eachDraft(drafts, (all) => {
          const old = all.filter(([, { savedAt }]) => Date.now() - savedAt > LIFETIME).map(([tab]) => tab);
          removeFrom(drafts, files, all, old);
          found.push(...all.filter(([tab]) => !old.includes(tab)));
        }),
      );
      return new Map(found.map(whole).toSorted(([, a], [, b]) => b.savedAt - a.savedAt));
    },
    write: (tab, draft) => put((drafts) => drafts.put(draft, tab)),
    takeIn: (tab, draft, taken, aside) =>
      act('readwrite', (drafts) =>
        eachDraft(drafts, (all) => {
          drafts.put(draft, tab);
          for (const other of taken) drafts.delete(other);
          for (const [other, kept] of all) if (aside.includes(other)) drafts.put({ ...kept, aside: true }, other);
        }),
      ),
    remove: (tab) =>
      act('readwrite', (drafts, files) => eachDraft(drafts, (all) => removeFrom(drafts, files, all, [tab]))),
    async files(items) {
      const asked = new Map<string, IDBRequest<KeptFile | File | undefined>>();
      await act('readonly', (_, files) => {
        for (const item of items) asked.set(item, files.get(item));
      });
      return new Map(
        [...asked].flatMap(([item, { result }]): [string, File][] => (result ? [[item, fileFrom(result)]] : [])),
      );
    },
    async keepFile(itemId, file) {
      const { name: called, type, lastModified } = file;
      const kept: KeptFile = { name: called, type, lastModified, bytes: await file.arrayBuffer() };
      await put((_, files) => files.put(kept, itemId));
    },
    dropFile: (itemId) => put((_, files) => files.delete(itemId)),
  };
  return store;
}

/** An older page of ours knew less of a submission. */
const whole = ([tab, draft]: [string, Draft]): [string, Draft] => [
  tab,
  { ...draft, account: draft.account ?? null, submission: { ...emptySubmission(), ...draft.submission } },
];

/** An older page of ours kept the file itself. */
const fileFrom = (kept: KeptFile | File) =>
  kept instanceof File ? kept : new File([kept.bytes], kept.name, { type: kept.type, lastModified: kept.lastModified });

function eachDraft(drafts: IDBObjectStore, work: (all: [string, Draft][]) => void) {
  const names = drafts.getAllKeys();
  const kept = drafts.getAll() as IDBRequest<Draft[]>;
  kept.onsuccess = () => work(names.result.map((name, at) => [String(name), kept.result[at]!]));
}

/** Two tabs may have parted with the same pictures. */
function removeFrom(drafts: IDBObjectStore, files: IDBObjectStore, all: [string, Draft][], gone: string[]) {
  const itemsOf = (copies: [string, Draft][]) => copies.flatMap(([, { submission }]) => locatedIn(submission.media));
  const needed = new Set(itemsOf(all.filter(([tab]) => !gone.includes(tab))).map(({ id }) => id));
  for (const { id } of itemsOf(all.filter(([tab]) => gone.includes(tab)))) if (!needed.has(id)) files.delete(id);
  for (const tab of gone) drafts.delete(tab);
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
