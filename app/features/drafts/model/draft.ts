import { emptySubmission, locatedIn, type Submission } from '#features/submissions/model/submission.ts';

/** An unsent submission, stored on this device to survive a reload, a crash or a failed call. */
export interface Draft {
  /** Proves ownership to the server and makes sending idempotent. */
  secret: string;
  /** ms since 1970. */
  savedAt: number;
  submission: Submission;
  sending: boolean;
  /** To be sent as soon as the network is back. */
  wanted: boolean;
  /** The common base when another tab continued this draft and this copy diverged; null otherwise. */
  parted: Submission | null;
  aside: boolean;
  account: string | null;
}

/** One copy per tab: no tab overwrites another's. Writing throws when storage is full or blocked. */
export interface DraftStore {
  read(): Promise<Map<string, Draft>>;
  write(tab: string, draft: Draft): Promise<void>;
  /** Writes a merged copy, removes those merged into it and marks those kept aside, in one transaction. */
  takeIn(tab: string, draft: Draft, taken: readonly string[], aside: readonly string[]): Promise<void>;
  /** Removes a copy, and the files that no other copy needs. */
  remove(tab: string): Promise<void>;
  files(items: readonly string[]): Promise<Map<string, File>>;
  keepFile(itemId: string, file: File): Promise<void>;
  dropFile(itemId: string): Promise<void>;
}

export const NEW_SUBMISSION = 'madhouse-submission';
/** Unused drafts expire after 30 days, in ms. */
const LIFETIME = 30 * 24 * 3600_000;

/** Bytes instead of the `File`: a private window of WebKit does not store files. */
interface KeptFile {
  name: string;
  type: string;
  lastModified: number;
  bytes: ArrayBuffer;
}

/** @param name of the form; several can be filled in side by side. @throws DOMException when storage is blocked */
export async function openDraftStore(name = NEW_SUBMISSION): Promise<DraftStore> {
  const database = await open(name);
  const act = (mode: IDBTransactionMode, work: (drafts: IDBObjectStore, files: IDBObjectStore) => void) =>
    new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(['drafts', 'files'], mode);
      work(transaction.objectStore('drafts'), transaction.objectStore('files'));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  /** All requests are queued synchronously, so the write completes even if the tab closes immediately after. */
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

/** An older release stored fewer fields. */
const whole = ([tab, draft]: [string, Draft]): [string, Draft] => [
  tab,
  { ...draft, account: draft.account ?? null, submission: { ...emptySubmission(), ...draft.submission } },
];

/** An older release stored the `File` itself. */
const fileFrom = (kept: KeptFile | File) =>
  kept instanceof File ? kept : new File([kept.bytes], kept.name, { type: kept.type, lastModified: kept.lastModified });

function eachDraft(drafts: IDBObjectStore, work: (all: [string, Draft][]) => void) {
  const names = drafts.getAllKeys();
  const kept = drafts.getAll() as IDBRequest<Draft[]>;
  kept.onsuccess = () => work(names.result.map((name, at) => [String(name), kept.result[at]!]));
}

/** Diverged copies may share the same pictures. */
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
      // Another tab may run a newer release, which must be able to upgrade the schema.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new DOMException('The draft is blocked by another tab', 'AbortError'));
  });
}
