import * as z from 'zod';
import { findRow } from '../../database/database.ts';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import { findPublicObject, findVisibleObject, findWithBucket, requireObject } from '../objects/download.ts';
import { isUuidName, parseObjectPath } from '../objects/names.ts';
import type { StoredObject } from '../objects/rows.ts';
import { publicCaching, serveFile } from '../objects/serve.ts';
import { verifyToken } from '../tokens.ts';
import { detectFormat, formatOfMime, mimeTypeOf } from './image-format.ts';
import { chooseFormat, GRAVITIES, roundToLadder } from './image-variants.ts';

const RENDER_PATH = '/storage/v1/render/image/';
const MAX_SOURCE_BYTES = 50 * 1024 ** 2;
/** Longest side in pixels that the hosted service renders and names in its header. */
const MAX_REPORTED_SIDE = 2000;

const side = z.coerce.number().int().min(0).max(10_000).optional();
const offset = z.coerce.number().min(-10_000).max(10_000).optional();

const TransformQuery = z.object({
  width: side,
  height: side,
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  quality: z.coerce.number().int().min(20).max(100).optional(),
  format: z.enum(['origin', 'avif', 'webp']).optional(),
  gravity: z.enum(GRAVITIES).optional(),
  /** Offset from the gravity: below 1 a fraction of the side, otherwise pixels. With `fp` the point itself, 0 to 1. */
  x_offset: offset,
  y_offset: offset,
  still: z.enum(['0', '1']).optional(),
});
type GravityQuery = Pick<z.output<typeof TransformQuery>, 'gravity' | 'x_offset' | 'y_offset'>;
const isPointInside = ({ gravity, x_offset: x, y_offset: y }: GravityQuery) =>
  gravity !== 'fp' || [x, y].every((coordinate) => coordinate !== undefined && coordinate >= 0 && coordinate <= 1);
const OUT_OF_RANGE = { message: 'Focal point requires x and y coordinates within 0-1 range', path: ['gravity'] };
const Transform = TransformQuery.refine(isPointInside, OUT_OF_RANGE);
export const SignedTransform = TransformQuery.partial().refine(isPointInside, OUT_OF_RANGE);
type Transform = z.infer<typeof Transform>;

export async function renderPublic(c: Request) {
  const { bucket, key } = parseObjectPath(c, `${RENDER_PATH}public/`);
  return sendVariant(c, await findPublicObject(c.var.storage, bucket, key), parseTransform(c.req.query()), false);
}

export async function renderAuthenticated(c: Request) {
  const { bucket, key } = parseObjectPath(c, `${RENDER_PATH}authenticated/`);
  const object = await findVisibleObject(c, bucket, key);
  const { db, creationMethodColumn } = c.var.storage;
  const text = `select ${creationMethodColumn} from storage.objects where id = $1`;
  const created = await findRow<Pick<StoredObject, 'creation_method'>>(db, text, [object.id]);
  return sendVariant(c, { ...object, ...created }, parseTransform(c.req.query()), true);
}

export async function renderSigned(c: Request) {
  const { bucket, key } = parseObjectPath(c, `${RENDER_PATH}sign/`);
  const { transform } = await verifyToken(c.var.storage.keys, c.req.query('token'), 'download', `${bucket}/${key}`);
  const object = requireObject(await findWithBucket(c.var.storage, bucket, key));
  return sendVariant(c, object, parseTransform(transform ?? {}), true);
}

/** @throws InvalidParameter naming the first invalid value */
export function parseTransform(input: unknown): Transform {
  const parsed = Transform.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw errors.invalidParameter(`${issue.path.join('.') || 'transform'}: ${issue.message}`);
}

async function sendVariant(c: Request, object: StoredObject, transform: Transform, isPrivate: boolean) {
  const { variants, variantRateLimit } = c.var.storage;
  const { metadata, version, name, creation_method: creationMethod = null } = object;
  if (metadata.size > MAX_SOURCE_BYTES) throw errors.sourceTooLarge('file');
  const countVariant = async () => {
    const wait = await variantRateLimit.use(c.env.address);
    if (wait) throw errors.tooManyVariants(wait);
  };
  const source = await sourceFormat(c, object, countVariant);
  const animated = metadata.animated === true;
  const still = animated && transform.still === '1';
  const format = chooseFormat({ source, animated: animated && !still }, transform.format, c.req.header('accept') ?? '');
  const variant = roundToLadder({
    width: transform.width || null,
    height: transform.height || null,
    resize: transform.resize,
    quality: transform.quality ?? null,
    format,
    still,
    gravity: transform.gravity ? { to: transform.gravity, x: transform.x_offset, y: transform.y_offset } : null,
    creationMethod,
    provenance: metadata.provenance ?? {},
  });
  const storedCaching = isUuidName(name) ? 'max-age=31536000, immutable' : metadata.cacheControl || 'no-cache';
  const storedFile = await variants.find(version, variant, c.env.address, countVariant);
  const transformations = describeTransform(transform);
  const headers = {
    type: mimeTypeOf(format),
    etag: `"${version}-${[variant.width ?? '', variant.height ?? '', variant.resize, variant.quality ?? '', format, ...(still ? ['still'] : []), ...describeGravity(transform), ...(creationMethod ? [creationMethod] : [])].join('-')}"`,
    // The file's date does not reflect a later change of the creation method.
    lastModified: creationMethod ? null : new Date(metadata.lastModified),
    cacheControl: isPrivate
      ? 'private, no-cache'
      : publicCacheControl(storedCaching, (c.req.query('made') ?? null) === creationMethod),
    headers: {
      ...(!transform.format && { vary: 'Accept' }),
      ...(transformations.length > 0 && { 'x-transformations': transformations.join(',') }),
    },
  };
  return serveFile(c, name, headers, storedFile);
}

/** Pages put the creation method into the URL, so cached copies change with it; any other URL is revalidated. */
const publicCacheControl = (storedCaching: string, namesMethod: boolean): string =>
  namesMethod || storedCaching.includes('no-cache') ? publicCaching(storedCaching) : 'public, no-cache';

/** From the record of inspected images and videos, else from the bytes, which S3 sends whole. @throws InvalidRequest */
async function sourceFormat(c: Request, { version, metadata }: StoredObject, count: () => Promise<void>) {
  const recordedFormat = formatOfMime(metadata.mimetype);
  if (metadata.width && !recordedFormat) throw errors.invalidSourceImage();
  if (metadata.width) return recordedFormat!;
  await count();
  await using file = await c.var.storage.store.localFile(version);
  if (!file) throw errors.noSuchKey();
  const detectedFormat = await detectFormat(file.path);
  if (!detectedFormat) throw errors.invalidSourceImage();
  return detectedFormat;
}

function describeTransform({ width, height, resize, quality, format, ...rest }: Transform): string[] {
  const types = { cover: 'fill', contain: 'fit', fill: 'force' };
  return [
    ...(height ? [`height:${Math.min(height, MAX_REPORTED_SIDE)}`] : []),
    ...(width ? [`width:${Math.min(width, MAX_REPORTED_SIDE)}`] : []),
    ...(width || height ? [`resizing_type:${types[resize]}`] : []),
    ...(quality ? [`quality:${quality}`] : []),
    ...(format && format !== 'origin' ? [`format:${format}`] : []),
    ...describeGravity(rest),
  ];
}

function describeGravity({ gravity, x_offset: x, y_offset: y }: GravityQuery): string[] {
  if (!gravity) return [];
  if (gravity === 'sm' || (x === undefined && y === undefined)) return [`gravity:${gravity}`];
  return [`gravity:${gravity}:${x ?? 0}:${y ?? 0}`];
}
