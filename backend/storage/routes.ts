import { Hono } from 'hono';
import { createBucket, deleteBucket, emptyBucket, getBucket, listBuckets, updateBucket } from './buckets.ts';
import type { Env, Request } from './context.ts';
import { renderAuthenticated, renderPublic, renderSigned } from './images/render.ts';
import { copy, move, removeMany, removeOne } from './objects/change.ts';
import { download, downloadAuthenticated, downloadPublic, info, infoPublic } from './objects/download.ts';
import { list, listV2 } from './objects/list.ts';
import { downloadSigned, signMany, signOne, signUpload, uploadSigned } from './objects/sign.ts';
import { allowance, update, upload } from './objects/upload.ts';

const resumable = (c: Request) => c.var.house.resumable.handle(c);
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
  .get(`/object/info/public${OBJECT}`, infoPublic)
  .get(`/object/info/authenticated${OBJECT}`, info)
  .get(`/object/info${OBJECT}`, info)
  .post('/object/list/:bucket', list)
  .post('/object/list-v2/:bucket', listV2)
  .post('/object/sign/:bucket', signMany)
  .post(`/object/sign${OBJECT}`, signOne)
  .post(`/object/upload/sign${OBJECT}`, signUpload)
  .put(`/object/upload/sign${OBJECT}`, uploadSigned)
  .post('/object/move', move)
  .post('/object/copy', copy)
  .delete('/object/:bucket', removeMany)
  .delete(`/object${OBJECT}`, removeOne)
  .get(`/object${OBJECT}`, download)
  .post(`/object${OBJECT}`, upload)
  .put(`/object${OBJECT}`, update)

  .get('/upload/allowance', allowance)
  .all('/upload/resumable', resumable)
  .all('/upload/resumable/:id', resumable)
  .all('/upload/resumable/sign/:id', resumable)

  .get(`/render/image/public${OBJECT}`, renderPublic)
  .get(`/render/image/authenticated${OBJECT}`, renderAuthenticated)
  .get(`/render/image/sign${OBJECT}`, renderSigned);
