import type { Context } from 'hono';
import type { BackendContext } from '../context.ts';
import type { DiskSpace } from '../data-dir/disk-space.ts';
import type { ClientInfo } from '../http/client-info.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Semaphore } from '../http/semaphore.ts';
import type { Keys } from '../keys/keys.ts';
import type { Decoder } from './images/decoder.ts';
import type { ImageVariants } from './images/image-variants.ts';
import type { UploadStore } from './resumable/upload-store.ts';
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
  creationMethodColumn: string;
  store: Store;
  disk: DiskSpace;
  tempFiles: TempFiles;
  decoder: Decoder;
  decoderSlots: Semaphore;
  /** Acquired before `decoderSlots` by slow work, so that one slot stays free for everything else. */
  heavySlots: Semaphore;
  variants: ImageVariants;
  uploads: UploadStore;
  tus: { handle(c: Request): Promise<Response> };
  orphanedBytes: OrphanedBytes;
  /** Call after a deletion: on a full disk, removes its bytes immediately. */
  freeSpace(): Promise<void>;
  allowances: UploadAllowances;
  variantRateLimit: RateLimit;
}

export interface Env {
  Bindings: ClientInfo;
  Variables: { storage: StorageContext };
}

export type Request = Context<Env>;
