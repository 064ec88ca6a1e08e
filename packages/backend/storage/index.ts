import { Hono } from 'hono';
import type { BackendContext } from '../context.ts';
import { megabytes } from '../data-dir/disk-space.ts';
import type { Problem } from '../database/readiness.ts';
import { repeat, runHourly } from '../database/schedule.ts';
import type { ClientInfo } from '../http/client-info.ts';
import { apiHeaders, cors } from '../http/cors.ts';
import { createBucket, deleteBucket, emptyBucket, getBucket, listBuckets, updateBucket } from './buckets.ts';
import { type Env, openStorage, PREFIX, type Request as StorageRequest } from './context.ts';
import { errors } from './errors.ts';
import { renderAuthenticated, renderPublic, renderSigned } from './images/render.ts';
import { copyObject, moveObject, removeObject, removeObjects } from './objects/change.ts';
import { download, downloadAuthenticated, downloadPublic, objectInfo, publicObjectInfo } from './objects/download.ts';
import { listObjects, listObjectsV2 } from './objects/list.ts';
import {
  createSignedUploadUrl,
  createSignedUrl,
  createSignedUrls,
  downloadSigned,
  uploadSigned,
} from './objects/sign.ts';
import { getUploadAllowance, replaceObject, uploadObject } from './objects/upload.ts';
import { respondWithError } from './respond-with-error.ts';
import { TusEndpoint } from './resumable/tus-endpoint.ts';

const EXPOSED_HEADERS =
  'Content-Range, ETag, Content-Length, Location, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Complete';

const STORE_UNAVAILABLE = {
  disk: 'The folder of uploaded files is unreachable.',
  s3: 'S3 unreachable: files unavailable until it responds',
};
const STORE_FULL = 'S3 accepts no writes: uploads disabled';

const FREE_SPACE_MS = 10_000;

const OBJECT = '/:bucket/:key{.+}';

const routes = new Hono<Env>()
  .get('/status', (c) => c.body(null, 200))
  .get('/version', (c) => c.text('madhouse-storage'))

  .get('/bucket', listBuckets)
  .post('/bucket', createBucket)
  .get('/bucket/:id', getBucket)
  .put('/bucket/:id', updateBucket)
  .post('/bucket/:id/empty', emptyBucket)
  .delete('/bucket/:id', deleteBucket)

  .get(`/object/public${OBJECT}`, downloadPublic)
  .get(`/object/authenticated${OBJECT}`, downloadAuthenticated)
  .get(`/object/sign${OBJECT}`, downloadSigned)
  .get(`/object/info/public${OBJECT}`, publicObjectInfo)
  .get(`/object/info/authenticated${OBJECT}`, objectInfo)
  .get(`/object/info${OBJECT}`, objectInfo)
  .post('/object/list/:bucket', listObjects)
  .post('/object/list-v2/:bucket', listObjectsV2)
  .post('/object/sign/:bucket', createSignedUrls)
  .post(`/object/sign${OBJECT}`, createSignedUrl)
  .post(`/object/upload/sign${OBJECT}`, createSignedUploadUrl)
  .put(`/object/upload/sign${OBJECT}`, uploadSigned)
  .post('/object/move', moveObject)
  .post('/object/copy', copyObject)
  .delete('/object/:bucket', removeObjects)
  .delete(`/object${OBJECT}`, removeObject)
  .get(`/object${OBJECT}`, download)
  .post(`/object${OBJECT}`, uploadObject)
  .put(`/object${OBJECT}`, replaceObject)

  .get('/upload/allowance', getUploadAllowance)

  .get(`/render/image/public${OBJECT}`, renderPublic)
  .get(`/render/image/authenticated${OBJECT}`, renderAuthenticated)
  .get(`/render/image/sign${OBJECT}`, renderSigned);

export type StorageService = Awaited<ReturnType<typeof createStorage>>;

export async function createStorage(context: BackendContext) {
  const storage = await openStorage(context);
  const { sweep } = storage;
  const tus = new TusEndpoint(storage);
  const resumable = (c: StorageRequest) => tus.handle(c);
  const stopSweeping = runHourly(() => sweep.run(), { ...context, name: 'sweep files' });
  const stopFreeing = repeat(() => sweep.freeSpace(), FREE_SPACE_MS);
  const app = new Hono<Env>()
    .basePath(PREFIX)
    .use(async (c, next) => {
      c.set('storage', storage);
      await next();
    })
    .use(apiHeaders)
    .use(cors(EXPOSED_HEADERS))
    .route('/', routes)
    .all('/upload/resumable', resumable)
    .all('/upload/resumable/:id', resumable)
    .all('/upload/resumable/sign/:id', resumable)
    .notFound((c) => respondWithError(errors.noSuchRoute(c.req.method, c.req.path), c))
    .onError(respondWithError);
  return {
    routes: app.routes,
    fetch: (request: Request, origin: ClientInfo) => app.fetch(request, origin),
    async close() {
      sweep.pauseRemovals();
      await stopSweeping();
      await stopFreeing();
      await storage.variants.close();
      storage.decoder.close();
      storage.store.close();
      await storage.tempFiles.close();
    },
    store: storage.store,
    whenIdle: () => storage.variants.whenIdle(),
    pauseRemovals: () => sweep.pauseRemovals(),
    sweep: () => sweep.run(),
    async problems(): Promise<Problem[]> {
      const problems: Problem[] = [];
      // This response is public: the error from S3 is only in the log.
      const state = await storage.store.state();
      const unavailable = STORE_UNAVAILABLE[context.config.backend.objects.kind];
      if (state !== 'ok') problems.push({ part: 'store', reason: state === 'full' ? STORE_FULL : unavailable });
      const noRoom = `uploads refused: less than ${megabytes(storage.disk.limit('files'))} free`;
      if (!(await storage.disk.has('files'))) problems.push({ part: 'disk', reason: noRoom });
      return problems;
    },
  };
}
