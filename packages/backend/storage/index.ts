import { join } from 'node:path';
import { Hono } from 'hono';
import { limits } from '../config/config.ts';
import type { BackendContext, Service } from '../context.ts';
import { megabytes } from '../data-dir/disk-space.ts';
import type { Problem } from '../database/readiness.ts';
import { runHourly } from '../database/schedule.ts';
import { apiHeaders, cors } from '../http/cors.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { Semaphore, shareOf } from '../http/semaphore.ts';
import type { Env, StorageContext } from './context.ts';
import { errors } from './errors.ts';
import { Decoder } from './images/decoder.ts';
import { ImageVariants } from './images/image-variants.ts';
import { creationMethodColumn } from './images/provenance.ts';
import { openStore } from './open-store.ts';
import { respondWithError } from './respond-with-error.ts';
import { TusEndpoint } from './resumable/tus-endpoint.ts';
import { UploadLeases, UploadLocks } from './resumable/upload-leases.ts';
import { UploadStore } from './resumable/upload-store.ts';
import { routes } from './routes.ts';
import type { Store } from './store.ts';
import { OrphanedBytes, Sweep, type SweepResult } from './sweep.ts';
import { TempFiles } from './temp-files.ts';
import { UploadAllowances } from './upload-allowances.ts';

const PREFIX = '/storage/v1';
const MAX_WAITING = 40;
const EXPOSED_HEADERS =
  'Content-Range, ETag, Content-Length, Location, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Complete'.split(
    ', ',
  );

const STORE_UNAVAILABLE = {
  disk: 'The folder of uploaded files is unreachable.',
  s3: 'S3 unreachable: files unavailable until it responds',
};
const STORE_FULL = 'S3 accepts no writes: uploads disabled';

export interface StorageService extends Service {
  store: Store;
  whenIdle(): Promise<void>;
  problems(): Promise<Problem[]>;
  pauseRemovals(): () => void;
  sweep(): Promise<SweepResult>;
}

export async function createStorage(context: BackendContext): Promise<StorageService> {
  const { keepBytesDays: retentionDays, objects } = context.config.backend;
  const storage: StorageContext = { ...(await openStorage(context)), freeSpace: () => sweep.freeSpace() };
  const sweep = new Sweep(storage, { retentionDays, isLocalDisk: objects.kind === 'disk' });
  const stopSweeping = runHourly(() => sweep.run(), {
    db: context.db,
    name: 'sweep files',
    log: context.log,
    failureMessage: 'removing unused files failed',
  });
  const app = new Hono<Env>()
    .basePath(PREFIX)
    .use(async (c, next) => {
      c.set('storage', storage);
      await next();
    })
    .use(apiHeaders)
    .use(cors(EXPOSED_HEADERS))
    .route('/', routes)
    .notFound((c) => respondWithError(errors.noSuchRoute(c.req.method, c.req.path), c))
    .onError(respondWithError);
  return {
    routes: app.routes,
    fetch: (request, origin) => app.fetch(request, origin),
    async close() {
      await stopSweeping();
      await storage.variants.close();
      storage.decoder.close();
      storage.store.close();
      await storage.tempFiles.close();
    },
    store: storage.store,
    whenIdle: () => storage.variants.whenIdle(),
    pauseRemovals: () => sweep.pauseRemovals(),
    sweep: () => sweep.run(),
    async problems() {
      const problems: Problem[] = [];
      // This response is public: the error from S3 is only in the log.
      const state = await storage.store.state();
      if (state !== 'ok')
        problems.push({
          part: 'store',
          reason: state === 'full' ? STORE_FULL : STORE_UNAVAILABLE[context.config.backend.objects.kind],
        });
      if (!(await storage.disk.has('files'))) {
        const reason = `uploads refused: less than ${megabytes(storage.disk.limit('files'))} free`;
        problems.push({ part: 'disk', reason });
      }
      return problems;
    },
  };
}

async function openStorage({
  config,
  project,
  db,
  disk,
  keys,
  log,
}: BackendContext): Promise<Omit<StorageContext, 'freeSpace'>> {
  const { objects, uploads: uploadSettings } = config.backend;
  // On the same file system as the objects, so that files are moved and not copied.
  const parent = objects.kind === 'disk' ? objects.folder : join(config.dataDir, 'objects');
  const tempFiles = new TempFiles(join(parent, 'incoming'), disk);
  await tempFiles.prepare();
  const store = await openStore(objects, { db, createTempPath: () => tempFiles.path(), log });
  const leases = new UploadLeases(db);
  const allowances = new UploadAllowances(db, uploadSettings);
  const uploads = new UploadStore({ db, store, disk, tempFiles, leases, allowances, log });
  const decoder = new Decoder(log);
  const decoderSlots = new Semaphore(shareOf(2, config.workers), { maxWaiting: MAX_WAITING });
  const heavySlots = new Semaphore(1, { maxWaiting: MAX_WAITING });
  const base = {
    db,
    keys,
    log,
    issuer: `${config.siteUrl}/auth/v1`,
    publicBase: config.siteUrl + PREFIX,
    fileSizeLimit: project.storage.file_size_limit,
  };
  return {
    ...base,
    creationMethodColumn: await creationMethodColumn(db),
    store,
    disk,
    tempFiles,
    decoder,
    decoderSlots,
    heavySlots,
    variants: new ImageVariants({ store, disk, tempFiles, decoder, slots: decoderSlots, heavySlots, log }),
    uploads,
    tus: new TusEndpoint(base, uploads, new UploadLocks(leases)),
    orphanedBytes: new OrphanedBytes(db),
    allowances,
    variantRateLimit: new RateLimit(
      { points: limits.imageSizes.value, seconds: limits.imageSizes.seconds },
      { db, name: 'renders' },
    ),
  };
}
