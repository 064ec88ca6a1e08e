import { join } from 'node:path';
import { Hono } from 'hono';
import { limits } from '../../config.ts';
import type { BackendContext, Service } from '../context.ts';
import type { Problem } from '../database/readiness.ts';
import { megabytes } from '../disk-space.ts';
import { apiHeaders } from '../http/api-headers.ts';
import { cors } from '../http/cors.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { Semaphore, shareOf } from '../http/semaphore.ts';
import { runHourly } from '../schedule.ts';
import { answerError } from './answer-errors.ts';
import type { Env, StorageContext } from './context.ts';
import { errors } from './errors.ts';
import { openStore } from './open-store.ts';
import { Decoder } from './pictures/decoder.ts';
import { ImageVariants } from './pictures/image-variants.ts';
import { madeColumn } from './pictures/label.ts';
import { UploadLeases } from './resumable/leases.ts';
import { UploadLocks } from './resumable/locks.ts';
import { Resumable } from './resumable/resumable.ts';
import { ResumableUploads } from './resumable/resumable-uploads.ts';
import { routes } from './routes.ts';
import type { Store } from './store.ts';
import { OrphanedBytes, Sweep, type Swept } from './sweep.ts';
import { TempFiles } from './temp-files.ts';
import { UploadAllowances } from './upload-allowances.ts';

const PREFIX = '/storage/v1';
const WAITING = 40;
const EXPOSED =
  'Content-Range, ETag, Content-Length, Location, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Complete'.split(
    ', ',
  );

const AWAY = {
  disk: 'The folder of uploaded files is unreachable.',
  s3: 'S3 unreachable: files unavailable until it responds',
};
const FULL = 'S3 accepts no writes: uploads disabled';

export interface StorageService extends Service {
  store: Store;
  /** Resolves when no background render is running. */
  idle(): Promise<void>;
  problems(): Promise<Problem[]>;
  /** Suspends the removal of objects' bytes until the returned function is called. */
  holdRemovals(): () => void;
  sweep(): Promise<Swept>;
}

export async function createStorage(context: BackendContext): Promise<StorageService> {
  const { keepBytesDays, objects } = context.config.backend;
  const house: StorageContext = { ...(await openHouse(context)), makeRoom: () => sweep.makeRoom() };
  const sweep = new Sweep(house, { keepDays: keepBytesDays, makesRoom: objects.kind === 'disk' });
  const stopSweeping = runHourly(() => sweep.run(), {
    db: context.db,
    name: 'sweep files',
    log: context.log,
    failureMessage: 'removing unused files failed',
  });
  const app = new Hono<Env>()
    .basePath(PREFIX)
    .use(async (c, next) => {
      c.set('house', house);
      await next();
    })
    .use(apiHeaders)
    .use(cors(EXPOSED))
    .route('/', routes)
    .notFound((c) => answerError(errors.noSuchRoute(c.req.method, c.req.path), c))
    .onError(answerError);
  return {
    routes: app.routes,
    fetch: (request, origin) => app.fetch(request, origin),
    async close() {
      await stopSweeping();
      await house.renders.close();
      house.decoder.close();
      house.store.close();
      await house.scratch.close();
    },
    store: house.store,
    idle: () => house.renders.idle(),
    holdRemovals: () => sweep.holdRemovals(),
    sweep: () => sweep.run(),
    async problems() {
      const problems: Problem[] = [];
      // This response is public: the error from S3 is only in the log.
      const state = await house.store.state();
      if (state !== 'well')
        problems.push({ part: 'store', reason: state === 'full' ? FULL : AWAY[context.config.backend.objects.kind] });
      if (!(await house.disk.has('files'))) {
        const reason = `uploads refused: less than ${megabytes(house.disk.limit('files'))} free`;
        problems.push({ part: 'disk', reason });
      }
      return problems;
    },
  };
}

async function openHouse({
  config,
  project,
  db,
  disk,
  keys,
  log,
}: BackendContext): Promise<Omit<StorageContext, 'makeRoom'>> {
  const { objects, uploads } = config.backend;
  // On the same file system as the objects, so that files are moved and not copied.
  const beside = objects.kind === 'disk' ? objects.folder : join(config.dataDir, 'objects');
  const scratch = new TempFiles(join(beside, 'incoming'), disk);
  await scratch.prepare();
  const store = await openStore(objects, { db, temp: () => scratch.path(), log });
  const leases = new UploadLeases(db);
  const allowances = new UploadAllowances(db, uploads);
  const unfinished = new ResumableUploads({ db, store, disk, scratch, leases, allowances, log });
  const decoder = new Decoder(log);
  const decoding = new Semaphore(shareOf(2, config.workers), { maxWaiting: WAITING });
  const heavy = new Semaphore(1, { maxWaiting: WAITING });
  const basics = {
    db,
    keys,
    log,
    issuer: `${config.siteUrl}/auth/v1`,
    publicBase: config.siteUrl + PREFIX,
    fileSizeLimit: project.storage.file_size_limit,
  };
  return {
    ...basics,
    made: await madeColumn(db),
    store,
    disk,
    scratch,
    decoder,
    decoding,
    heavy,
    renders: new ImageVariants({ store, disk, scratch, decoder, slots: decoding, heavy, log }),
    unfinished,
    resumable: new Resumable(basics, unfinished, new UploadLocks(leases)),
    orphaned: new OrphanedBytes(basics),
    allowances,
    rendered: new RateLimit(
      { points: limits.imageSizes.value, seconds: limits.imageSizes.seconds },
      { db, name: 'renders' },
    ),
  };
}
