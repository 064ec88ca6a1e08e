import * as z from 'zod';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import { objectIn, publicObject, visibleObject } from '../objects/download.ts';
import { addressed, isUuidName } from '../objects/names.ts';
import type { StoredObject } from '../objects/rows.ts';
import { serve } from '../objects/serve.ts';
import { tokenFor } from '../tokens.ts';
import { GRAVITIES } from './gravity.ts';
import { kindOfFile, kindOfMime, mimeOf, type PictureKind } from './image-format.ts';
import { kindFor, onLadder, type Render } from './image-variants.ts';

const BASE = '/storage/v1/render/image/';
const MAX_SOURCE = 50 * 1024 ** 2;
/** Longest side in pixels that the hosted service renders and names in its header. */
const MOST_TOLD = 2000;

const side = z.coerce.number().int().min(0).max(10_000).optional();
const offset = z.coerce.number().min(-10_000).max(10_000).optional();

const Asked = z.object({
  width: side,
  height: side,
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  quality: z.coerce.number().int().min(20).max(100).optional(),
  format: z.enum(['origin', 'avif', 'webp']).optional(),
  gravity: z.enum(GRAVITIES).optional(),
  /** Offset from there: below 1 a fraction of the side, otherwise pixels. With `fp` the point itself, 0 to 1. */
  x_offset: offset,
  y_offset: offset,
  still: z.enum(['0', '1']).optional(),
});
const isPointInside = ({
  gravity,
  x_offset: x,
  y_offset: y,
}: {
  gravity?: string;
  x_offset?: number;
  y_offset?: number;
}) => gravity !== 'fp' || [x, y].every((at) => at !== undefined && at >= 0 && at <= 1);
const OUTSIDE = { message: 'Focal point requires x and y coordinates within 0-1 range', path: ['gravity'] };
const Transform = Asked.refine(isPointInside, OUTSIDE);
export const SignedTransform = Asked.partial().refine(isPointInside, OUTSIDE);
type Transform = z.infer<typeof Transform>;

export async function renderPublic(c: Request) {
  const { bucket, key } = named(c, 'public/');
  const found = await publicObject(c.var.house, bucket, key);
  if (!found.public) throw errors.noSuchBucket();
  return answer(c, objectIn(found), transformOf(c.req.query()), false);
}

export async function renderAuthenticated(c: Request) {
  const { bucket, key } = named(c, 'authenticated/');
  const object = await visibleObject(c, bucket, key);
  const { db, made } = c.var.house;
  const { rows } = await db.query<Pick<StoredObject, 'made'>>(`select ${made} from storage.objects where id = $1`, [
    object.id,
  ]);
  return answer(c, { ...object, ...rows[0] }, transformOf(c.req.query()), true);
}

export async function renderSigned(c: Request) {
  const { bucket, key } = named(c, 'sign/');
  const { transform } = await tokenFor(c.var.house.keys, c.req.query('token'), 'download', `${bucket}/${key}`);
  const object = objectIn(await publicObject(c.var.house, bucket, key));
  return answer(c, object, transformOf(transform ?? {}), true);
}

/** @throws InvalidParameter naming the first invalid value */
export function transformOf(given: unknown): Transform {
  const parsed = Transform.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw errors.invalidParameter(`${issue.path.join('.') || 'transform'}: ${issue.message}`);
}

async function answer(c: Request, object: StoredObject, transform: Transform, isPrivate: boolean): Promise<Response> {
  const { renders, rendered: rate } = c.var.house;
  const { address } = c.env;
  const { metadata, version, name, made = null } = object;
  if (metadata.size > MAX_SOURCE) throw errors.sourceTooLarge('file');
  const source = await kindOf(c, object);
  const animated = metadata.animated === true;
  const still = animated && transform.still === '1';
  const kind = kindFor({ source, animated: animated && !still }, transform.format, c.req.header('accept') ?? '');
  const render: Render = onLadder({
    width: transform.width || null,
    height: transform.height || null,
    resize: transform.resize,
    quality: transform.quality ?? null,
    kind,
    still,
    gravity: transform.gravity ? { to: transform.gravity, x: transform.x_offset, y: transform.y_offset } : null,
    made,
    provenance: metadata.provenance ?? {},
  });
  const lasting = isUuidName(name) ? 'max-age=31536000, immutable' : metadata.cacheControl || 'no-cache';
  const opened = await renders.find(version, render, address, async () => {
    const wait = await rate.use(address);
    if (wait) throw errors.tooManyRenders(wait);
  });
  const told = transformations(transform);
  const served = {
    type: mimeOf[kind],
    etag: `"${version}-${[render.width ?? '', render.height ?? '', render.resize, render.quality ?? '', kind, ...(still ? ['still'] : []), ...gravityOf(transform), ...(made ? [made] : [])].join('-')}"`,
    // The file's date does not reflect a later change of the mark.
    modified: made ? null : new Date(metadata.lastModified),
    cacheControl: isPrivate ? 'private, no-cache' : publicCaching(lasting, (c.req.query('made') ?? null) === made),
    headers: {
      ...(!transform.format && { vary: 'Accept' }),
      ...(told.length > 0 && { 'x-transformations': told.join(',') }),
    },
  };
  return serve(c, name, served, opened);
}

/** Pages put the mark into the URL, so cached copies change with it; any other URL is revalidated. */
function publicCaching(lasting: string, namesMark: boolean): string {
  if (lasting === 'no-cache') return lasting;
  if (!namesMark && !lasting.includes('no-cache')) return 'public, no-cache';
  return `public, ${lasting.replace(/^public,\s*/, '')}`;
}

/** Source format: from the record for images that we encoded, else from the bytes. @throws InvalidRequest */
async function kindOf(c: Request, { version, metadata }: StoredObject): Promise<PictureKind> {
  const written = metadata.width ? kindOfMime(metadata.mimetype) : null;
  if (written) return written;
  const file = await c.var.house.store.localFile(version, 'original');
  if (!file) throw errors.noSuchKey();
  const found = await kindOfFile(file.path).finally(() => file.done());
  if (!found) throw errors.unrenderable();
  return found;
}

function transformations({ width, height, resize, quality, format, ...rest }: Transform): string[] {
  const types = { cover: 'fill', contain: 'fit', fill: 'force' };
  return [
    ...(height ? [`height:${Math.min(height, MOST_TOLD)}`] : []),
    ...(width ? [`width:${Math.min(width, MOST_TOLD)}`] : []),
    ...(width || height ? [`resizing_type:${types[resize]}`] : []),
    ...(quality ? [`quality:${quality}`] : []),
    ...(format && format !== 'origin' ? [`format:${format}`] : []),
    ...gravityOf(rest),
  ];
}

function gravityOf({
  gravity,
  x_offset: x,
  y_offset: y,
}: Pick<Transform, 'gravity' | 'x_offset' | 'y_offset'>): string[] {
  if (!gravity) return [];
  if (gravity === 'sm' || (x === undefined && y === undefined)) return [`gravity:${gravity}`];
  return [`gravity:${gravity}:${x ?? 0}:${y ?? 0}`];
}

const named = (c: Request, mode: string) => addressed(new URL(c.req.url).pathname, BASE + mode);
