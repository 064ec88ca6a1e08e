import type { Request } from '../context.ts';
import { errors } from '../errors.ts';

const BUCKET = /^[\w!.*'()\- &$=@;:+,?]{1,100}$/;
const KEY = /^[\w!.*'()\- &$=@;:+,?/]+$/;
const MAX_KEY_LENGTH = 1024;

export function parseBucketName(text: string): string {
  if (!BUCKET.test(text) || text !== text.trim() || text === '.' || text === '..') throw errors.invalidBucketName();
  return text;
}

/** Keys never become paths on disk; segments that could traverse a path are rejected all the same. @throws InvalidKey */
export function parseObjectKey(text: string): string {
  const hasDotSegment = text.split('/').some((segment) => segment === '.' || segment === '..');
  if (text.length > MAX_KEY_LENGTH || !KEY.test(text) || hasDotSegment || text.startsWith('/'))
    throw errors.invalidKey(text);
  return text;
}

export const fileName = (key: string) => key.slice(key.lastIndexOf('/') + 1);

export const extensionOf = (key: string) => /\.([^./]*)$/.exec(key)?.[1]?.toLowerCase() ?? '';

const UUID_NAME = /^images\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.\w+$/i;

/** Images with a random name are never replaced, so derived files can be cached forever. */
export const isUuidName = (key: string) => UUID_NAME.test(key);

/** Bucket and key of the raw path, decoded once. @param prefix everything before the bucket */
export function parseObjectPath(c: Request, prefix: string): { bucket: string; key: string } {
  const bucketAndKey = new URL(c.req.url).pathname.slice(prefix.length);
  const slash = bucketAndKey.indexOf('/');
  return {
    bucket: parseBucketName(decodePath(slash < 0 ? bucketAndKey : bucketAndKey.slice(0, slash))),
    key: parseObjectKey(slash < 0 ? '' : decodePath(bucketAndKey.slice(slash + 1))),
  };
}

/** @param prefix everything before the bucket @param suffix everything after it */
export const parseBucketPath = (c: Request, prefix: string, suffix = '') =>
  parseBucketName(decodePath(new URL(c.req.url).pathname.slice(prefix.length, suffix ? -suffix.length : undefined)));

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw errors.invalidKey(text);
  }
}
