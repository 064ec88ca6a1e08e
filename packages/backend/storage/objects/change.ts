import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import { bareType } from '../../http/limits.ts';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import { plainText, readBody } from '../read-body.ts';
import { authenticate, dryRun, readForRequest, runForRequest } from '../run-for-request.ts';
import { recordSent } from '../sweep.ts';
import { allowanceOwner } from '../upload-allowances.ts';
import { parseBucketName, parseBucketPath, parseObjectKey, parseObjectPath } from './names.ts';
import { parseMimeTypeWithParameters, readMetadataHeader } from './receive.ts';
import { type Bucket, findBucket, findObject, OBJECT_COLUMNS, type StoredObject, writeRow } from './rows.ts';
import { checkedContent, headerText, maxObjectBytes, requireAllowedType, requireSpace } from './upload.ts';

const OBJECT_PATH = '/storage/v1/object/';
const MAX_REMOVED = 1000;

const TransferBody = z.object({
  bucketId: plainText(100),
  sourceKey: plainText(),
  destinationKey: plainText(),
  destinationBucket: plainText(100).optional(),
});
const CopyBody = TransferBody.extend({
  metadata: z.object({ cacheControl: plainText(100).optional(), mimetype: plainText(100).optional() }).nullish(),
  copyMetadata: z.boolean().default(true),
});
const RemovalBody = z.object({ prefixes: z.array(plainText()).min(1).max(MAX_REMOVED) });

export async function moveObject(c: Request) {
  const caller = await authenticate(c);
  const { source, target, targetBucket } = await parseTransfer(c, await readBody(c, TransferBody));
  const object = await runForRequest(c, caller, async (tx) => {
    const found = await findObject(tx, source.bucket, source.key, 'for update');
    requireAccepted(c, targetBucket, found);
    const { rows } = await tx.query<{ id: string }>(
      'update storage.objects set bucket_id = $3, name = $4, updated_at = now() where bucket_id = $1 and name = $2 returning id',
      [source.bucket, source.key, target.bucket, target.key],
    );
    if (!rows[0]) throw errors.noSuchKey();
    return found;
  });
  return c.json({ message: 'Successfully moved', Id: object.id, Key: `${target.bucket}/${target.key}` });
}

export async function copyObject(c: Request) {
  const { storage } = c.var;
  const caller = await authenticate(c);
  const body = await readBody(c, CopyBody);
  const { source, target, targetBucket } = await parseTransfer(c, body);
  const mode = c.req.header('x-upsert') === 'true' ? 'upsert' : 'create';
  const found = await readForRequest(c, caller, (tx) => findObject(tx, source.bucket, source.key));
  requireAccepted(c, targetBucket, found);
  const object = {
    id: crypto.randomUUID(),
    version: crypto.randomUUID(),
    metadata: { ...found.metadata, ...(body.copyMetadata ? {} : requestedMetadata(body.metadata, targetBucket)) },
    userMetadata: body.copyMetadata ? found.user_metadata : readMetadataHeader(c),
  };
  const write = (tx: Connection) => writeRow(tx, caller, target.bucket, target.key, object, mode);
  await dryRun(c, caller, write);
  const owner = allowanceOwner(caller, c.env.address);
  await requireSpace(storage, owner, found.metadata.size);
  await recordSent(storage.db, owner, object.version);
  await storage.store.copy(found.version, object.version);
  storage.disk.take(found.metadata.size);
  const id = await runForRequest(c, caller, write);
  return c.json({ Id: id, Key: `${target.bucket}/${target.key}` });
}

/** DELETE /object/{bucket}: missing and hidden objects are omitted from the response. */
export async function removeObjects(c: Request) {
  const bucket = parseBucketPath(c, OBJECT_PATH);
  const caller = await authenticate(c);
  const { prefixes } = await readBody(c, RemovalBody);
  const removed = await runForRequest(c, caller, (tx) => deleteRows(tx, bucket, prefixes));
  return c.json(removed);
}

export async function removeObject(c: Request) {
  const { bucket, key } = parseObjectPath(c, OBJECT_PATH);
  const caller = await authenticate(c);
  const [removed] = await runForRequest(c, caller, (tx) => deleteRows(tx, bucket, [key]));
  if (!removed) throw errors.noSuchKey();
  return c.json({ message: 'Successfully deleted' });
}

async function deleteRows(tx: Connection, bucket: string, names: string[]): Promise<StoredObject[]> {
  const { rows } = await tx.query<StoredObject>(
    `delete from storage.objects where bucket_id = $1 and name = any($2) returning ${OBJECT_COLUMNS}`,
    [bucket, names],
  );
  return rows;
}

async function parseTransfer(c: Request, body: z.infer<typeof TransferBody>) {
  const source = { bucket: parseBucketName(body.bucketId), key: parseObjectKey(body.sourceKey) };
  const target = {
    bucket: parseBucketName(body.destinationBucket ?? body.bucketId),
    key: parseObjectKey(body.destinationKey),
  };
  return { source, target, targetBucket: await findBucket(c.var.storage.db, target.bucket) };
}

/** @throws when the target bucket would reject the object as an upload */
function requireAccepted(c: Request, bucket: Bucket, { bucket_id, metadata }: StoredObject): void {
  if (bucket.id === bucket_id) return;
  requireAllowedType(bucket, bareType(metadata.mimetype));
  if (metadata.size > maxObjectBytes(c.var.storage, bucket)) throw errors.entityTooLarge();
}

/** Metadata given for the copy. A checked type follows from the bytes. @throws InvalidMimeType */
function requestedMetadata(metadata: z.infer<typeof CopyBody>['metadata'], bucket: Bucket) {
  const type = checkedContent(bucket) ? null : parseMimeTypeWithParameters(metadata?.mimetype);
  if (type) requireAllowedType(bucket, bareType(type));
  return {
    ...(metadata?.cacheControl && { cacheControl: headerText(metadata.cacheControl) }),
    ...(type && { mimetype: type }),
  };
}
