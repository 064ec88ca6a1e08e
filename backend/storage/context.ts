import type { Context } from 'hono';
import type { BackendContext } from '../context.ts';
import type { DiskSpace } from '../disk-space.ts';
import type { ClientInfo } from '../http/client-info.ts';
import type { Keys } from '../http/keys.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Semaphore } from '../http/semaphore.ts';
import type { Decoder } from './pictures/decoder.ts';
import type { ImageVariants } from './pictures/image-variants.ts';
import type { Resumable } from './resumable/resumable.ts';
import type { ResumableUploads } from './resumable/resumable-uploads.ts';
import type { Store } from './store.ts';
import type { OrphanedBytes } from './sweep.ts';
import type { TempFiles } from './temp-files.ts';
import type { UploadAllowances } from './upload-allowances.ts';

/** What every handler of this service works with. */
export interface StorageContext {
  db: BackendContext['db'];
  keys: Keys;
  log: BackendContext['log'];
  /** Issuer of our access tokens. */
  issuer: string;
  /** Public base of this service, without a trailing slash: `{siteUrl}/storage/v1`. */
  publicBase: string;
  /** Largest object where a bucket sets no limit of its own, bytes. */
  fileSizeLimit: number;
  /** Column of a query on objects: how it was made (see `madeColumn`). */
  made: string;
  store: Store;
  /** The room on the disk of the store. */
  disk: DiskSpace;
  scratch: TempFiles;
  decoder: Decoder;
  /** Two pictures are decoded at a time. */
  decoding: Semaphore;
  /** Passed before `decoding` by what takes long, so that a place stays free for everything else. */
  heavy: Semaphore;
  renders: ImageVariants;
  unfinished: ResumableUploads;
  resumable: Resumable;
  orphaned: OrphanedBytes;
  /** To be called when something was deleted: on a full disk its bytes go at once. */
  makeRoom(): Promise<void>;
  allowances: UploadAllowances;
  /** Pictures made for an address; those that are there already are not counted. */
  rendered: RateLimit;
}

export interface Env {
  Bindings: ClientInfo;
  Variables: { house: StorageContext };
}

export type Request = Context<Env>;
