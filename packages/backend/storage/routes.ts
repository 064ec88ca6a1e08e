import { Hono } from 'hono';
import { createBucket, deleteBucket, emptyBucket, getBucket, listBuckets, updateBucket } from './buckets.ts';
import type { Env, Request } from './context.ts';
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

const resumable = (c: Request) => c.var.storage.tus.handle(c);
const OBJECT = '/:bucket/:key{.+}';

/** Hono routes HEAD like GET. */
export const routes = new Hono<Env>()
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
  .all('/upload/resumable', resumable)
  .all('/upload/resumable/:id', resumable)
  .all('/upload/resumable/sign/:id', resumable)

  .get(`/render/image/public${OBJECT}`, renderPublic)
  .get(`/render/image/authenticated${OBJECT}`, renderAuthenticated)
  .get(`/render/image/sign${OBJECT}`, renderSigned);
