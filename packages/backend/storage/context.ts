import { join } from 'node:path';
import type { Context } from 'hono';
import { limits } from '../config/config.ts';
import type { BackendContext } from '../context.ts';
import { allowEssentialWrites } from '../database/database.ts';
import type { ClientInfo } from '../http/client-info.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { shareOf } from '../http/semaphore.ts';
import { Decoder } from './images/decoder.ts';
import { ImageVariants } from './images/image-variants.ts';
import { creationMethodColumn } from './images/provenance.ts';
import { openStore } from './open-store.ts';
import { UploadLeases } from './resumable/upload-leases.ts';
import { UploadStore } from './resumable/upload-store.ts';
import { Sweep } from './sweep.ts';
import { TempFiles } from './temp-files.ts';
import { UploadAllowances } from './upload-allowances.ts';

export const PREFIX = '/storage/v1';

export type StorageContext = Awaited<ReturnType<typeof openStorage>>;

export type Env = { Bindings: ClientInfo; Variables: { storage: StorageContext } };

export type Request = Context<Env>;

export async function openStorage({ config, project, db, disk, keys, log }: BackendContext) {
  const { objects, uploads: uploadSettings, keepBytesDays: retentionDays } = config.backend;
  const isLocalDisk = objects.kind === 'disk';
  // On the same file system as the objects, so that files are moved and not copied.
  const objectsFolder = isLocalDisk ? objects.folder : join(config.dataDir, 'objects');
  const tempFiles = new TempFiles(join(objectsFolder, 'incoming'), disk);
  await tempFiles.prepare();
  const store = await openStore(objects, { db, createTempPath: () => tempFiles.path(), log });
  const essentialDb = allowEssentialWrites(db);
  const leases = new UploadLeases(essentialDb);
  const allowances = new UploadAllowances(db, uploadSettings);
  const uploads = new UploadStore({ db: essentialDb, store, disk, tempFiles, leases, allowances, log });
  const decoder = new Decoder(log, shareOf(2, config.workers));
  const sweep = new Sweep({ db, store, disk, tempFiles, uploads, log, retentionDays, isLocalDisk });
  const { value: points, seconds } = limits.imageSizes;
  return {
    db,
    keys,
    log,
    issuer: `${config.siteUrl}/auth/v1`,
    publicBase: config.siteUrl + PREFIX,
    /** Maximum object size in bytes where the bucket sets no limit of its own. */
    fileSizeLimit: project.storage.file_size_limit,
    creationMethodColumn: await creationMethodColumn(db),
    store,
    disk,
    tempFiles,
    decoder,
    variants: new ImageVariants({ store, disk, tempFiles, decoder, log }),
    leases,
    uploads,
    sweep,
    allowances,
    variantRateLimit: new RateLimit({ points, seconds }, { db, name: 'renders' }),
  };
}
