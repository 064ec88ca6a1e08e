import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { limits } from '../../../config.ts';
import { DatabaseError, mayHaveCommitted } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { Request, StorageContext } from '../context.ts';
import { errors, StorageError } from '../errors.ts';
import { guessedMime, kindOfExtension, kindOfFile, mimeOf } from '../images/image-format.ts';
import type { Picture } from '../images/rewrite.ts';
import { asStorageError } from '../respond-with-error.ts';
import { as, caller, rehearse } from '../run-for-request.ts';
import { ownerOf } from '../upload-allowances.ts';
import { addressed, extensionOf } from './names.ts';
import { type Arrival, announcedSize, receive } from './receive.ts';
import {
  type Bucket,
  bucketOf,
  insertObject,
  type Metadata,
  type NewObject,
  updateObject,
  upsertObject,
} from './rows.ts';

/** Larger images are encoded one at a time: 40 megapixels take seconds and up to 800 MB. */
const HEAVY_PIXELS = 16_000_000;

export type Meeting = 'create' | 'upsert' | 'update';

export async function upload(c: Request) {
  return c.json(await take(c, c.req.header('x-upsert') === 'true' ? 'upsert' : 'create'));
}

export async function update(c: Request) {
  return c.json(await take(c, 'update'));
}

async function take(c: Request, meeting: Meeting) {
  const { bucket, key } = addressed(new URL(c.req.url).pathname, '/storage/v1/object/');
  const who = await caller(c);
  const id = await takeAs(c, who, bucket, key, meeting);
  return { Id: id, Key: `${bucket}/${key}` };
}

export async function takeAs(
  c: Request,
  who: Caller,
  bucketId: string,
  key: string,
  meeting: Meeting,
  owner = ownerOf(who, c.env.address),
): Promise<string> {
  const { house } = c.var;
  const bucket = await bucketOf(house.db, bucketId);
  await mayWrite(c, who, bucketId, key, meeting);
  const limit = limitOf(house, bucket);
  const announced = announcedSize(c) ?? limit;
  let taken = await house.allowances.take(owner, Math.min(announced, limit));
  try {
    await roomFor(house, owner, Math.min(announced, limit));
    const arrival = await receive(c, limit, (declared) => mimeAllowed(bucket, declared));
    taken = await house.allowances.correct(taken, arrival.size);
    return await keep(house, owner, bucket, key, arrival, (object) =>
      as(c, who, (tx) => record(tx, who, bucketId, key, object, meeting)),
    );
  } catch (error) {
    const { statusCode } = asStorageError(error);
    await house.allowances.giveBack(taken, statusCode < 500 && statusCode !== 429);
    throw error;
  }
}

/** Tests the row against the policies and rolls back, before any byte is stored. */
export function mayWrite(c: Request, who: Caller, bucket: string, key: string, meeting: Meeting): Promise<void> {
  const object = { id: crypto.randomUUID(), version: crypto.randomUUID(), metadata: {}, userMetadata: null };
  return rehearse(c, who, async (tx) => {
    await record(tx, who, bucket, key, object, meeting);
  });
}

export async function record(
  tx: Parameters<typeof insertObject>[0],
  who: Caller,
  bucket: string,
  key: string,
  object: NewObject,
  meeting: Meeting,
): Promise<{ id: string; replaced: string | null }> {
  if (meeting === 'upsert') return upsertObject(tx, who, bucket, key, object);
  if (meeting === 'update') return updateObject(tx, bucket, key, object);
  await insertObject(tx, who, bucket, key, object);
  return { id: object.id, replaced: null };
}

export const limitOf = (house: StorageContext, bucket: Bucket) =>
  Math.min(bucket.file_size_limit ?? house.fileSizeLimit, house.fileSizeLimit);

/**
 * @throws InvalidMimeType when a declared type is not one of the bucket's; undeclared ones are checked by content later
 */
export function mimeAllowed(bucket: Bucket, declared: string | null): void {
  if (declared !== null && !isAllowed(bucket, declared)) throw errors.invalidMimeType(declared);
}

const isAllowed = ({ allowed_mime_types: allowed }: Bucket, type: string) =>
  !allowed?.length ||
  allowed.some(
    (entry) => entry === type || entry === '*/*' || (entry.endsWith('/*') && type.startsWith(entry.slice(0, -1))),
  );

export const isPictureBucket = ({ allowed_mime_types: allowed }: Bucket) =>
  Boolean(allowed?.length) && allowed!.every((type) => type.startsWith('image/'));

export async function allowance(c: Request) {
  const owner = ownerOf(await caller(c), c.env.address);
  c.header('cache-control', 'no-store');
  return c.json(owner && (await c.var.house.allowances.left(owner)));
}

/** @throws InsufficientStorage (507) with a nearly full disk or too many orphaned bytes, SlowDown (429) per owner */
export async function roomFor(house: StorageContext, owner: string | null, bytes = 0): Promise<void> {
  if (!(await house.disk.has('files', bytes))) throw errors.noSpace();
  if (owner === null) return;
  // Bytes of pending uploads are orphaned too; announced bytes do not count.
  const { all, own } = await house.orphaned.now(owner);
  const unfinished = await house.unfinished.standing(owner);
  const most = limits.unusedBytesEach.value * house.allowances.guestsBehind(owner);
  if (own + unfinished.own > most) throw errors.tooMuchUnused(most);
  if (all + unfinished.all > limits.unusedBytes.value) throw errors.noSpace();
}

/**
 * Validates and stores bytes durably, then records the row (D4). Always removes the temporary file.
 * @param owner see `ownerOf`
 * @param recorded commits the row and returns the version it replaced
 */
export async function keep(
  house: StorageContext,
  owner: string | null,
  bucket: Bucket,
  key: string,
  arrival: Omit<Arrival, 'size' | 'declared'>,
  recorded: (object: NewObject) => Promise<{ id: string; replaced: string | null }>,
): Promise<string> {
  const { scratch, store } = house;
  const version = crypto.randomUUID();
  let written: string | null = null;
  try {
    let picture: Picture | null = null;
    let mimetype = arrival.contentType ?? 'application/octet-stream';
    if (isPictureBucket(bucket)) {
      written = scratch.path();
      ({ picture, mimetype } = await asPicture(house, owner, bucket, key, arrival, written));
    }
    const file = written ?? arrival.path;
    const metadata = await metadataOf(file, mimetype, arrival.cacheControl, picture);
    await house.orphaned.add(owner, version);
    await store.put(version, 'original', file);
    const { id, replaced } = await recorded({
      id: crypto.randomUUID(),
      version,
      metadata,
      userMetadata: arrival.userMetadata,
    }).catch(async (error: unknown) => {
      // A failed commit may have succeeded: then the row needs its bytes, and the sweep decides.
      if (error instanceof StorageError || (error instanceof DatabaseError && !mayHaveCommitted(error)))
        await forget(house, version);
      throw error;
    });
    if (replaced) await house.makeRoom();
    if (picture) house.renders.makeAhead(version, picture);
    return id;
  } finally {
    await scratch.discard(arrival.path);
    if (written) await scratch.discard(written);
  }
}

async function asPicture(
  house: StorageContext,
  owner: string | null,
  bucket: Bucket,
  key: string,
  arrival: { path: string },
  to: string,
) {
  const found = await kindOfFile(arrival.path);
  if (!found) throw errors.invalidMimeType(await guessedMime(arrival.path));
  if (!isAllowed(bucket, mimeOf[found])) throw errors.invalidMimeType(mimeOf[found]);
  // The sender chose the name and it is already in use in URLs: write the format that its extension promises.
  const promised = kindOfExtension(extensionOf(key));
  if (!promised || !isAllowed(bucket, mimeOf[promised]))
    throw errors.invalidRequest(
      `The file is ${mimeOf[found]}, its name must end in .${found === 'jpeg' ? 'jpg' : found}`,
    );
  const { decoder, decoding, heavy, disk } = house;
  const client = owner ?? 'service';
  const { pixels, bytes } = await decoding.run(() => decoder.run('measure', arrival.path), errors.busy, client);
  // The output may be larger than the upload, but hardly larger than its pixels.
  const giveBack = disk.hold(bytes);
  const rewrite = () => decoder.run('rewrite', { from: arrival.path, to }, found, promised);
  const inTurn = () => decoding.run(rewrite, errors.busy, client);
  try {
    if (!(await disk.has('files'))) throw errors.noSpace();
    const written = await (pixels > HEAVY_PIXELS ? heavy.run(inTurn, errors.busy, client) : inTurn());
    disk.take(written.bytes);
    return { picture: written.picture, mimetype: mimeOf[promised] };
  } finally {
    giveBack();
  }
}

async function metadataOf(
  file: string,
  mimetype: string,
  cacheControl: string,
  picture: Picture | null,
): Promise<Metadata> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  const { size, mtime } = await stat(file);
  return {
    eTag: `"${hash.digest('hex')}"`,
    size,
    mimetype,
    cacheControl: cacheControl.replace(/[^\x20-\x7e]/g, '').slice(0, 200),
    lastModified: mtime.toISOString(),
    contentLength: size,
    httpStatusCode: 200,
    ...picture,
  };
}

/** Removes bytes that never had a row. A failure is only logged: the comparison of store and rows finds them. */
async function forget(house: Pick<StorageContext, 'store' | 'log'>, version: string): Promise<void> {
  await house.store.remove(version).catch((error: unknown) => {
    house.log.warn({ err: error, version }, 'removing the data of an unrecorded upload failed');
  });
}
