import type { Context } from 'hono';
import type { BackendContext } from '../context.ts';
import type { DiskSpace } from '../disk-space.ts';
import type { ClientInfo } from '../http/client-info.ts';
import type { Keys } from '../http/keys.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Semaphore } from '../http/semaphore.ts';
import type { Decoder } from './images/decoder.ts';
import type { ImageVariants } from './images/image-variants.ts';
import type { Resumable } from './resumable/tus-endpoint.ts';
import type { ResumableUploads } from './resumable/upload-store.ts';
import type { Store } from './store.ts';
import type { OrphanedBytes } from './sweep.ts';
import type { TempFiles } from './temp-files.ts';
import type { UploadAllowances } from './upload-allowances.ts';

export interface StorageContext {
  db: BackendContext['db'];
  keys: Keys;
  log: BackendContext['log'];
  issuer: string;
  /** Public base URL of this service, without a trailing slash: `{siteUrl}/storage/v1`. */
  publicBase: string;
  /** Maximum object size in bytes where the bucket sets no limit of its own. */
  fileSizeLimit: number;
  made: string;
  store: Store;
  disk: DiskSpace;
  scratch: TempFiles;
  decoder: Decoder;
  decoding: Semaphore;
  /** Acquired before `decoding` by slow work, so that one slot stays free for everything else. */
  heavy: Semaphore;
  renders: ImageVariants;
  unfinished: ResumableUploads;
  resumable: Resumable;
  orphaned: OrphanedBytes;
  /** To be called after a deletion: on a full disk its bytes are removed immediately. */
  makeRoom(): Promise<void>;
  allowances: UploadAllowances;
  rendered: RateLimit;
}

export interface Env {
  Bindings: ClientInfo;
  Variables: { house: StorageContext };
}

export type Request = Context<Env>;
