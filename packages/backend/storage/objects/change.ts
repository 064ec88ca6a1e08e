import * as z from 'zod';
import { type Connection, hasRow } from '../../database/database.ts';
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
  const { source, target } = await parseTransfer(c, await readBody(c, TransferBody));
  const object = await runForRequest(c, caller, async (tx) => {
    const found = await findObject(tx, source.bucket.id, source.key, 'for update');
    requireAccepted(c, source.bucket, target.bucket, found);
    const text =
      'update storage.objects set bucket_id = $3, name = $4, updated_at = now() where bucket_id = $1 and name = $2 returning id';
    const values = [source.bucket.id, source.key, target.bucket.id, target.key];
    if (!(await hasRow(tx, text, values))) throw errors.noSuchKey();
    return found;
  });
  return c.json({ message: 'Successfully moved', Id: object.id, Key: `${target.bucket.id}/${target.key}` });
}

export async function copyObject(c: Request) {
  const { storage } = c.var;
  const caller = await authenticate(c);
  const body = await readBody(c, CopyBody);
  const { source, target } = await parseTransfer(c, body);
  const mode = c.req.header('x-upsert') === 'true' ? 'upsert' : 'create';
  const found = await readForRequest(c, caller, (tx) => findObject(tx, source.bucket.id, source.key));
  requireAccepted(c, source.bucket, target.bucket, found);
  const object = {
    id: crypto.randomUUID(),
    version: crypto.randomUUID(),
    metadata: { ...found.metadata, ...(body.copyMetadata ? {} : requestedMetadata(body.metadata, target.bucket)) },
    userMetadata: body.copyMetadata ? found.user_metadata : readMetadataHeader(c),
  };
  const write = (tx: Connection) => writeRow(tx, caller, target.bucket.id, target.key, object, mode);
  await dryRun(c, caller, write);
  const owner = allowanceOwner(caller, c.env.address);
  await requireSpace(storage, owner, found.metadata.size);
  await recordSent(storage.db, owner, object.version);
  await storage.store.copy(found.version, object.version);
  storage.disk.take(found.metadata.size);
  const id = await runForRequest(c, caller, write);
  return c.json({ Id: id, Key: `${target.bucket.id}/${target.key}` });
}

/** DELETE /object/{bucket}: missing and hidden objects are omitted from the response. */
export async function removeObjects(c: Request) {
  const bucket = parseBucketPath(c, OBJECT_PATH);
  const caller = await authenticate(c);
  const { prefixes } = await readBody(c, RemovalBody);
  return c.json(await runForRequest(c, caller, (tx) => deleteRows(tx, bucket, prefixes)));
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
  const locate = async (bucket: string, key: string) => ({
    key: parseObjectKey(key),
    bucket: await findBucket(c.var.storage.db, parseBucketName(bucket)),
  });
  return {
    source: await locate(body.bucketId, body.sourceKey),
    target: await locate(body.destinationBucket ?? body.bucketId, body.destinationKey),
  };
}

/** @throws when the target bucket would reject the object as an upload, or would have to check its bytes */
function requireAccepted(c: Request, source: Bucket, target: Bucket, { metadata }: StoredObject): void {
  if (target.id === source.id) return;
  requireAllowedType(target, bareType(metadata.mimetype));
  if (metadata.size > maxObjectBytes(c.var.storage, target)) throw errors.entityTooLarge();
  const content = checkedContent(target);
  if (content && checkedContent(source) !== content)
    throw errors.invalidRequest(`The bucket checks the content of its files: upload it to ${target.id} instead`);
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
