import { newId } from '#lib/data/ids.ts';
import { type ChosenFile, type MediaSource, type Submission, sourcesIn } from './submission.ts';

/** An unsent submission, stored on this device to survive a reload, a crash or a failed call. */
export interface Draft {
  secret: string;
  /** ms since 1970. */
  savedAt: number;
  submission: Submission;
  /** `sending`: sending was interrupted. `queued`: to be sent as soon as the network is back. */
  status: 'editing' | 'sending' | 'queued';
  mayBeOnServer?: boolean;
  /** The account that it was written in; no other sees or sends it. */
  account: { id: string; email: string } | null;
}

export type StoredDraft = Draft & { id: string; form?: string };

/** Bytes instead of the `File`: a private window of WebKit does not store files. */
type StoredFile = Pick<File, 'name' | 'type' | 'lastModified'> & { bytes: ArrayBuffer };

/** Unused drafts expire after 30 days, in ms. */
const LIFETIME_MS = 30 * 24 * 3600_000;
/** Maximum time that a closing page may hold its lock, in ms. */
const MAX_LOCK_WAIT_MS = 700;
/** The server deletes uploads unused for a day, so older ones are uploaded again; in ms. */
const UPLOAD_LIFETIME_MS = 20 * 3600_000;

/** The name of the form for new submissions, and of the database of all forms. */
export const NEW_SUBMISSION = 'madhouse-submission';

export type DraftStore = Awaited<ReturnType<typeof openDrafts>>;

/**
 * The drafts of one form; expired ones are removed for all. Every page writes one draft of its own and holds a Web Lock
 * while it is open: drafts without one are free (docs/decisions/033). Writing throws when storage is full or blocked.
 * @throws DOMException when storage is blocked
 */
export async function openDrafts(name: string) {
  const ownId = newId();
  const database = await openDatabase();
  const lockOf = (id: string) => `${name} ${id}`;
  let hasLocks = false;
  const closed = Promise.withResolvers<void>();

  function run(mode: IDBTransactionMode, work: (drafts: IDBObjectStore, files: IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(['drafts', 'files'], mode);
      work(transaction.objectStore('drafts'), transaction.objectStore('files'));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /** All requests are queued synchronously, so the write completes even if the page closes immediately after. */
  const write = (work: (drafts: IDBObjectStore, files: IDBObjectStore) => void): Promise<void> =>
    run('readwrite', (drafts, files) => {
      work(drafts, files);
      drafts.transaction.commit();
    });

  const put = (drafts: IDBObjectStore, draft: Draft, id = ownId) => drafts.put({ ...draft, form: name }, id);

  async function openPages(): Promise<Set<string>> {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    const prefix = lockOf('');
    return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
  }

  /** Removes expired drafts and the files that no draft needs. @returns this form's others, newest first */
  async function prune(): Promise<StoredDraft[]> {
    let others: StoredDraft[] = [];
    await run('readwrite', (drafts, files) => {
      const ids = drafts.getAllKeys();
      const values = drafts.getAll() as IDBRequest<Draft[]>;
      const fileIds = files.getAllKeys();
      fileIds.onsuccess = () => {
        const all = ids.result.map((id, at) => ({ ...values.result[at]!, id: String(id) }));
        others = all.filter(({ savedAt }) => Date.now() - savedAt < LIFETIME_MS);
        const needed = new Set(others.flatMap(({ submission }) => sourcesIn(submission.media)).map(({ id }) => id));
        for (const one of all) if (!others.includes(one)) drafts.delete(one.id);
        for (const id of fileIds.result) if (!needed.has(String(id))) files.delete(id);
      };
    });
    return others.filter(({ form = NEW_SUBMISSION }) => form === name).toSorted((a, b) => b.savedAt - a.savedAt);
  }

  return {
    id: ownId,
    /** Marks this page as open. False without Web Locks: on plain http, or blocked by settings. */
    async hold(): Promise<boolean> {
      if (!navigator.locks) return false;
      const granted = Promise.withResolvers<boolean>();
      const onGranted = () => {
        hasLocks = true;
        granted.resolve(true);
        return closed.promise;
      };
      navigator.locks.request(lockOf(ownId), onGranted).catch(() => granted.resolve(false));
      return granted.promise;
    },
    close: () => closed.resolve(),
    /** Two pages opened together must not restore the same draft. */
    exclusive: (work: () => Promise<void>): Promise<void> =>
      hasLocks ? navigator.locks.request(`${name}/restore`, work) : work(),
    /** Drafts that no other open page edits, newest first. @param previous the page of this tab before a reload */
    async listFree(previous: string | null = null): Promise<{ free: StoredDraft[]; isOpenElsewhere: boolean }> {
      const others = (await prune()).filter(({ id }) => id !== ownId);
      // Queried after reading, because the tab that wrote a draft was open before.
      let open = await openPages();
      const own = others.find(({ id }) => id === previous);
      const openElsewhere = (own ? [own] : others).filter(({ id }) => open.has(id));
      if (openElsewhere.length > 0) {
        const signal = AbortSignal.timeout(MAX_LOCK_WAIT_MS);
        const isReleased = ({ id }: StoredDraft) => navigator.locks.request(lockOf(id), { signal }, () => {});
        await Promise.allSettled(openElsewhere.map(isReleased));
        open = await openPages();
      }
      return { free: others.filter(({ id }) => !open.has(id)), isOpenElsewhere: others.some(({ id }) => open.has(id)) };
    },
    save: (draft: Draft, id = ownId): Promise<void> => write((drafts) => put(drafts, draft, id)),
    takeOver: (id: string, draft: Draft): Promise<void> =>
      write((drafts) => {
        put(drafts, draft);
        drafts.delete(id);
      }),
    async delete(id = ownId): Promise<void> {
      await write((drafts) => drafts.delete(id));
      await prune();
    },
    async readFiles(ids: readonly string[]): Promise<Map<string, File>> {
      const requests = new Map<string, IDBRequest<StoredFile | undefined>>();
      await run('readonly', (_, files) => {
        for (const id of ids) requests.set(id, files.get(id));
      });
      return new Map([...requests].flatMap(([id, { result }]) => (result ? [[id, toFile(result)] as const] : [])));
    },
    /** Files are stored with their draft, because files without a draft are removed. */
    async saveFile(id: string, file: File, draft: () => Draft): Promise<void> {
      const { name, type, lastModified } = file;
      const stored: StoredFile = { name, type, lastModified, bytes: await file.arrayBuffer() };
      await write((drafts, files) => {
        files.put(stored, id);
        put(drafts, draft());
      });
    },
  };
}

const toFile = ({ bytes, name, ...properties }: StoredFile) => new File([bytes], name, properties);

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NEW_SUBMISSION, 1);
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
    request.onblocked = () => reject(new DOMException('Blocked by another tab', 'AbortError'));
  });
}

/** Content of a draft after a restart: interrupted and expired uploads are queued again. */
export function withStoredFiles(submission: Submission, files: ReadonlyMap<string, File>): Submission {
  const media = submission.media.flatMap((stored) => {
    const item = withUploadQueued(stored, files);
    return item ? [{ ...item, poster: item.poster && withUploadQueued(item.poster, files) }] : [];
  });
  return { ...submission, media };
}

function withUploadQueued<Item extends MediaSource>(item: Item, files: ReadonlyMap<string, File>): Item | null {
  if (!item.file || (item.url && !isExpired(item.file))) return item;
  // The bytes are missing on the device, so the item cannot be shown or sent.
  return files.has(item.id) ? { ...item, ...requeued(item.file, item.url) } : null;
}

export const isExpired = ({ uploadedAt }: ChosenFile) => Date.now() - (uploadedAt ?? 0) >= UPLOAD_LIFETIME_MS;

export function requeued(file: ChosenFile, url: string): Partial<MediaSource> {
  const path = url ? file.path.replace(/[^/]+(?=\.\w+$)/, newId()) : file.path;
  return { url: '', isUploading: true, file: { ...file, path, uploadedAt: null, failure: null } };
}
