import type { Request, StorageContext } from '../context.ts';
import { errors, StorageError } from '../errors.ts';
import { as, caller } from '../run-for-request.ts';
import { addressed } from './names.ts';
import { objectOf, type StoredObject } from './rows.ts';
import { serve } from './serve.ts';

const BASE = '/storage/v1/object/';

export async function downloadPublic(c: Request) {
  const { bucket, key } = named(c, 'public/');
  const found = await publicObject(c.var.house, bucket, key);
  if (!found.public) throw errors.noSuchBucket();
  return send(c, objectIn(found), false);
}

export async function downloadAuthenticated(c: Request) {
  const { bucket, key } = named(c, 'authenticated/');
  return send(c, await visibleObject(c, bucket, key), true);
}

export async function download(c: Request) {
  const { bucket, key } = named(c, '');
  const found = await publicObject(c.var.house, bucket, key).catch((error: unknown) => {
    // A missing bucket gets the same response as a hidden object.
    if (error instanceof StorageError) return null;
    throw error;
  });
  if (found?.public) return send(c, objectIn(found), false);
  return send(c, await visibleObject(c, bucket, key), true);
}

export async function info(c: Request) {
  const { bucket, key } = named(
    c,
    c.req.path.startsWith(`${BASE}info/authenticated/`) ? 'info/authenticated/' : 'info/',
  );
  const object = await visibleObject(c, bucket, key);
  return tell(c, object, object.user_metadata ?? {});
}

/** GET /object/info/public/{bucket}/{path}: no more than the object's own headers reveal. */
export async function infoPublic(c: Request) {
  const { bucket, key } = named(c, 'info/public/');
  const found = await publicObject(c.var.house, bucket, key);
  if (!found.public) throw errors.noSuchBucket();
  return tell(c, objectIn(found), null);
}

function tell(c: Request, object: StoredObject, metadata: StoredObject['user_metadata']) {
  c.header('etag', object.metadata.eTag);
  return c.json({ ...described(object), metadata });
}

/** The object as visible under the caller's policies. @throws NoSuchKey, also when it is hidden */
export async function visibleObject(c: Request, bucket: string, key: string): Promise<StoredObject> {
  const who = await caller(c);
  return as(c, who, (tx) => objectOf(tx, bucket, key), { readOnly: true });
}

type Found = Partial<StoredObject> & { public: boolean };

/** Bucket and object in one query, bypassing the policies. @throws NoSuchBucket */
export async function publicObject(house: StorageContext, bucket: string, key: string): Promise<Found> {
  const { rows } = await house.db.query<Found>(
    `select buckets.public, ${house.made}, objects.id, objects.bucket_id, objects.name, objects.version, objects.created_at,
       objects.updated_at, objects.metadata
     from storage.buckets left join storage.objects on objects.bucket_id = buckets.id and objects.name = $2
     where buckets.id = $1`,
    [bucket, key],
  );
  if (!rows[0]) throw errors.noSuchBucket();
  return rows[0];
}

/** @throws NoSuchKey */
export function objectIn(found: Found): StoredObject {
  if (!found.id) throw errors.noSuchKey();
  return found as StoredObject;
}

export async function send(c: Request, object: StoredObject, isPrivate: boolean): Promise<Response> {
  const { metadata } = object;
  const opened = await c.var.house.store.open(object.version, 'original');
  if (!opened) {
    c.var.house.log.error({ version: object.version }, 'object has no data');
    throw errors.noSuchKey();
  }
  const stored = metadata.cacheControl || 'no-cache';
  const served = {
    type: metadata.mimetype,
    etag: metadata.eTag,
    modified: new Date(metadata.lastModified),
    cacheControl: isPrivate
      ? 'private, no-cache'
      : stored === 'no-cache'
        ? stored
        : `public, ${stored.replace(/^public,\s*/, '')}`,
  };
  return serve(c, object.name, served, opened);
}

function named(c: Request, mode: string) {
  return addressed(new URL(c.req.url).pathname, BASE + mode);
}

function described({ metadata, ...object }: StoredObject) {
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    last_modified: metadata.lastModified,
    created_at: object.created_at,
  };
}
