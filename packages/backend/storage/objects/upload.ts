import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { limits } from '../../config/config.ts';
import { DatabaseError, mayHaveCommitted } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { bareType } from '../../http/limits.ts';
import type { Request, StorageContext } from '../context.ts';
import { errors, StorageError } from '../errors.ts';
import { detectFormat, formatOfExtension, guessMimeType, mimeTypeOf } from '../images/image-format.ts';
import type { ImageInfo } from '../images/rewrite.ts';
import { toStorageError } from '../respond-with-error.ts';
import { authenticate, dryRun, requireSession, runForRequest } from '../run-for-request.ts';
import { countOrphanedBytes, recordSent } from '../sweep.ts';
import { allowanceOwner } from '../upload-allowances.ts';
import { checkCaptions } from '../videos/check-captions.ts';
import { inspectVideo } from '../videos/inspect-video.ts';
import { extensionOf, parseObjectPath } from './names.ts';
import { minimumFileSize, parseMimeType, type ReceivedUpload, receiveUpload } from './receive.ts';
import { type Bucket, findBucket, type NewObject, type ObjectMetadata, type WriteMode, writeRow } from './rows.ts';

/** Larger images are encoded one at a time: 40 megapixels take seconds and up to 800 MB. */
const HEAVY_PIXELS = 16_000_000;

export const uploadObject = (c: Request) =>
  uploadFromRequest(c, c.req.header('x-upsert') === 'true' ? 'upsert' : 'create');

export const replaceObject = (c: Request) => uploadFromRequest(c, 'update');

async function uploadFromRequest(c: Request, mode: WriteMode) {
  const { bucket, key } = parseObjectPath(c, '/storage/v1/object/');
  const caller = await authenticate(c);
  return c.json({ Id: await uploadAs(c, caller, bucket, key, mode), Key: `${bucket}/${key}` });
}

export async function uploadAs(
  c: Request,
  caller: Caller,
  bucketId: string,
  key: string,
  mode: WriteMode,
  owner = allowanceOwner(caller, c.env.address),
): Promise<string> {
  const { storage } = c.var;
  const bucket = await findBucket(storage.db, bucketId);
  await requireWriteAccess(c, caller, bucketId, key, mode);
  const limit = maxObjectBytes(storage, bucket);
  const expectedBytes = minimumFileSize(c) ?? limit;
  let charge = await storage.allowances.charge(owner, Math.min(expectedBytes, limit));
  try {
    await requireSpace(storage, owner, Math.min(expectedBytes, limit));
    const upload = await receiveUpload(c, limit, (type) => requireAllowedType(bucket, type));
    return await storeObject(storage, owner, bucket, key, upload, async (object) => {
      charge = await storage.allowances.adjust(charge, upload.size);
      return runForRequest(c, caller, (tx) => writeRow(tx, caller, bucketId, key, object, mode));
    });
  } catch (error) {
    const { statusCode } = toStorageError(error);
    await storage.allowances.refund(charge, statusCode < 500 && statusCode !== 429);
    throw error;
  }
}

/** Tests the row against the policies and rolls back, before any byte is stored. */
export function requireWriteAccess(c: Request, caller: Caller, bucket: string, key: string, mode: WriteMode) {
  const object = { id: crypto.randomUUID(), version: crypto.randomUUID(), metadata: {}, userMetadata: null };
  return dryRun(c, caller, (tx) => writeRow(tx, caller, bucket, key, object, mode));
}

export const maxObjectBytes = (storage: StorageContext, bucket: Bucket) =>
  Math.min(bucket.file_size_limit ?? storage.fileSizeLimit, storage.fileSizeLimit);

/** An undeclared type is checked by content later. @throws InvalidMimeType unless the bucket allows it */
export function requireAllowedType(bucket: Bucket, type: string | null): void {
  if (type !== null && !isAllowedType(bucket, type)) throw errors.invalidMimeType(type);
}

const isAllowedType = ({ allowed_mime_types: allowed }: Bucket, type: string) => {
  const types = ['*/*', type.replace(/\/.*/, '/*'), type];
  return !allowed?.length || allowed.some((entry) => types.includes(bareType(entry)) || parseMimeType(entry) === type);
};

const CHECKED = { image: /^image\//, video: /^video\/(mp4|webm)$/, captions: /^text\/vtt$/ };

/** What the bytes of a bucket's files have to be; undefined where it accepts other types too. */
export const checkedContent = ({ allowed_mime_types: allowed }: Bucket) =>
  (Object.keys(CHECKED) as (keyof typeof CHECKED)[]).find(
    (content) => allowed?.length && allowed.every((type) => CHECKED[content].test(bareType(type))),
  );

export async function getUploadAllowance(c: Request) {
  const caller = await requireSession(c, await authenticate(c));
  const owner = allowanceOwner(caller, c.env.address);
  return c.json(owner && (await c.var.storage.allowances.remaining(owner)));
}

/** @throws InsufficientStorage (507) with a nearly full disk or too many orphaned bytes, SlowDown (429) per owner */
export async function requireSpace(storage: StorageContext, owner: string | null, bytes = 0): Promise<void> {
  if (!(await storage.disk.has('files', bytes))) throw errors.insufficientStorage();
  if (owner === null) return;
  // Bytes of pending uploads are orphaned too; announced bytes do not count.
  const { all, own } = await countOrphanedBytes(storage.db, owner);
  const pending = await storage.uploads.usageOf(owner);
  const maxUnusedBytes = limits.unusedBytesEach.value * storage.allowances.allowanceMultiplier(owner);
  if (own + pending.own > maxUnusedBytes) throw errors.tooManyUnusedBytes(maxUnusedBytes);
  if (all + pending.all > limits.unusedBytes.value) throw errors.insufficientStorage();
}

/**
 * Validates and stores bytes durably, then records the row (D4). Always removes the temporary file.
 * @param owner see `allowanceOwner` @param commitRow returns the id of the row
 */
export async function storeObject(
  storage: StorageContext,
  owner: string | null,
  bucket: Bucket,
  key: string,
  upload: Omit<ReceivedUpload, 'size' | 'declaredType'>,
  commitRow: (object: NewObject) => Promise<string>,
): Promise<string> {
  const { tempFiles, store } = storage;
  const version = crypto.randomUUID();
  let rewrittenPath: string | null = null;
  try {
    let image: ImageInfo | null = null;
    let size: Pick<ObjectMetadata, 'width' | 'height'> = {};
    let mimetype = upload.contentType ?? 'application/octet-stream';
    const content = checkedContent(bucket);
    if (content === 'image') {
      rewrittenPath = tempFiles.path();
      ({ image, mimetype } = await rewriteImage(storage, owner, bucket, key, upload, rewrittenPath));
    } else if (content === 'video') ({ mimetype, ...size } = await inspectVideo(upload.path, extensionOf(key)));
    else if (content === 'captions') mimetype = await checkCaptions(upload.path);
    else requireAllowedType(bucket, bareType(mimetype));
    const file = rewrittenPath ?? upload.path;
    const metadata = await computeMetadata(file, mimetype, headerText(upload.cacheControl), image ?? size);
    await recordSent(storage.db, owner, version);
    await store.put(version, 'original', file);
    const object = { id: crypto.randomUUID(), version, metadata, userMetadata: upload.userMetadata };
    const id = await commitRow(object).catch(async (error: unknown) => {
      // A failed commit may have succeeded: then the row needs its bytes, and the sweep decides.
      if (error instanceof StorageError || (error instanceof DatabaseError && !mayHaveCommitted(error)))
        // On failure the comparison of store and rows finds them.
        await store.remove(version).catch((err: unknown) => {
          storage.log.warn({ err, version }, 'removing the data of an unrecorded upload failed');
        });
      throw error;
    });
    if (image) storage.variants.pregenerate(version, image);
    return id;
  } finally {
    await tempFiles.discard(upload.path);
    if (rewrittenPath) await tempFiles.discard(rewrittenPath);
  }
}

async function rewriteImage(
  storage: StorageContext,
  owner: string | null,
  bucket: Bucket,
  key: string,
  upload: { path: string },
  target: string,
) {
  const detectedFormat = await detectFormat(upload.path);
  if (!detectedFormat) throw errors.invalidMimeType(await guessMimeType(upload.path));
  if (!isAllowedType(bucket, mimeTypeOf(detectedFormat))) throw errors.invalidMimeType(mimeTypeOf(detectedFormat));
  // The sender chose the name and it is already in use in URLs: write the format that its extension promises.
  const expectedFormat = formatOfExtension(extensionOf(key));
  if (!expectedFormat || !isAllowedType(bucket, mimeTypeOf(expectedFormat)))
    throw errors.invalidRequest(
      `The file is ${mimeTypeOf(detectedFormat)}, its name must end in .${detectedFormat === 'jpeg' ? 'jpg' : detectedFormat}`,
    );
  const { decoder, disk } = storage;
  const client = owner ?? 'service';
  const { pixels, bytes } = await decoder.inSlot(() => decoder.run('measure', upload.path), client);
  // The output may be larger than the upload, but hardly larger than its pixels.
  using _held = disk.hold(bytes);
  const rewrite = () => decoder.run('rewrite', { from: upload.path, to: target }, detectedFormat, expectedFormat);
  if (!(await disk.has('files'))) throw errors.insufficientStorage();
  const output = await decoder.inSlot(rewrite, client, pixels > HEAVY_PIXELS);
  disk.take(output.bytes);
  return { image: output.image, mimetype: mimeTypeOf(expectedFormat) };
}

export const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 200);

async function computeMetadata(file: string, mimetype: string, cacheControl: string, details: Partial<ImageInfo>) {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  const eTag = `"${hash.digest('hex')}"`;
  const { size, mtime } = await stat(file);
  const lastModified = mtime.toISOString();
  return { eTag, size, mimetype, cacheControl, lastModified, contentLength: size, httpStatusCode: 200, ...details };
}
