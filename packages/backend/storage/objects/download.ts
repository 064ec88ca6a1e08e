import { findRow } from '../../database/database.ts';
import type { Request, StorageContext } from '../context.ts';
import { errors, StorageError } from '../errors.ts';
import { authenticate, readForRequest } from '../run-for-request.ts';
import { parseObjectPath } from './names.ts';
import { findObject, type StoredObject } from './rows.ts';
import { publicCaching, serveFile } from './serve.ts';

const OBJECT_PATH = '/storage/v1/object/';

export async function downloadPublic(c: Request) {
  const { bucket, key } = parseObjectPath(c, `${OBJECT_PATH}public/`);
  return sendObject(c, await findPublicObject(c.var.storage, bucket, key), false);
}

export async function downloadAuthenticated(c: Request) {
  const { bucket, key } = parseObjectPath(c, `${OBJECT_PATH}authenticated/`);
  return sendObject(c, await findVisibleObject(c, bucket, key), true);
}

export async function download(c: Request) {
  const { bucket, key } = parseObjectPath(c, OBJECT_PATH);
  const found = await findWithBucket(c.var.storage, bucket, key).catch((error: unknown) => {
    // A missing bucket gets the same response as a hidden object.
    if (error instanceof StorageError) return null;
    throw error;
  });
  if (found?.public) return sendObject(c, requireObject(found), false);
  return sendObject(c, await findVisibleObject(c, bucket, key), true);
}

export async function objectInfo(c: Request) {
  const prefix = `${OBJECT_PATH}info/authenticated/`;
  const { bucket, key } = parseObjectPath(c, c.req.path.startsWith(prefix) ? prefix : `${OBJECT_PATH}info/`);
  const object = await findVisibleObject(c, bucket, key);
  return respondWithInfo(c, object, object.user_metadata ?? {});
}

/** GET /object/info/public/{bucket}/{path}: no more than the object's own headers reveal. */
export async function publicObjectInfo(c: Request) {
  const { bucket, key } = parseObjectPath(c, `${OBJECT_PATH}info/public/`);
  return respondWithInfo(c, await findPublicObject(c.var.storage, bucket, key), null);
}

function respondWithInfo(c: Request, object: StoredObject, metadata: StoredObject['user_metadata']) {
  const { id, name, version, bucket_id, created_at } = object;
  const { size, mimetype: content_type, cacheControl: cache_control } = object.metadata;
  const { eTag: etag, lastModified: last_modified } = object.metadata;
  const info = { id, name, version, bucket_id, size, content_type, cache_control, etag, last_modified, created_at };
  c.header('etag', etag);
  return c.json({ ...info, metadata });
}

/** The object as visible under the caller's policies. @throws NoSuchKey, also when it is hidden */
export async function findVisibleObject(c: Request, bucket: string, key: string): Promise<StoredObject> {
  return readForRequest(c, await authenticate(c), (tx) => findObject(tx, bucket, key));
}

type BucketAndObject = Partial<StoredObject> & { public: boolean };

/** Bucket and object in one query, bypassing the policies. @throws NoSuchBucket */
export async function findWithBucket(storage: StorageContext, bucket: string, key: string): Promise<BucketAndObject> {
  const text = `select buckets.public, ${storage.creationMethodColumn}, objects.id, objects.bucket_id, objects.name, objects.version, objects.created_at,
       objects.updated_at, objects.metadata
     from storage.buckets left join storage.objects on objects.bucket_id = buckets.id and objects.name = $2
     where buckets.id = $1`;
  const found = await findRow<BucketAndObject>(storage.db, text, [bucket, key]);
  if (!found) throw errors.noSuchBucket();
  return found;
}

/** @throws NoSuchBucket, also for a private one; NoSuchKey */
export async function findPublicObject(storage: StorageContext, bucket: string, key: string): Promise<StoredObject> {
  const found = await findWithBucket(storage, bucket, key);
  if (!found.public) throw errors.noSuchBucket();
  return requireObject(found);
}

/** @throws NoSuchKey */
export function requireObject(found: BucketAndObject): StoredObject {
  if (!found.id) throw errors.noSuchKey();
  return found as StoredObject;
}

export async function sendObject(c: Request, object: StoredObject, isPrivate: boolean): Promise<Response> {
  const { metadata } = object;
  const file = await c.var.storage.store.open(object.version, 'original');
  if (!file) {
    c.var.storage.log.error({ version: object.version }, 'object has no data');
    throw errors.noSuchKey();
  }
  const headers = {
    type: metadata.mimetype,
    etag: metadata.eTag,
    lastModified: new Date(metadata.lastModified),
    cacheControl: isPrivate ? 'private, no-cache' : publicCaching(metadata.cacheControl || 'no-cache'),
  };
  return serveFile(c, object.name, headers, file);
}
