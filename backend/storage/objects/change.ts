import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import { bareType } from '../../http/content-type.ts';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import { plain, read } from '../read-body.ts';
import { as, caller, rehearse } from '../run-for-request.ts';
import { ownerOf } from '../upload-allowances.ts';
import { addressed, bucketName, decoded, objectKey } from './names.ts';
import { metadataOfHeader, withParameters } from './receive.ts';
import { type Bucket, bucketOf, OBJECT_COLUMNS, objectOf, type StoredObject } from './rows.ts';
import { isPictureBucket, limitOf, mimeAllowed, record, roomFor } from './upload.ts';

const OBJECT = '/storage/v1/object/';
const MOST_REMOVED = 1000;

const Transfer = z.object({
  bucketId: plain(100),
  sourceKey: plain(),
  destinationKey: plain(),
  destinationBucket: plain(100).optional(),
});
const Copy = Transfer.extend({
  metadata: z.object({ cacheControl: plain(100).optional(), mimetype: plain(100).optional() }).nullish(),
  copyMetadata: z.boolean().default(true),
});
const Removal = z.object({ prefixes: z.array(plain()).min(1).max(MOST_REMOVED) });

export async function move(c: Request) {
  const who = await caller(c);
  const { source, target, targetBucket } = await transfer(c, await read(c, Transfer));
  const object = await as(c, who, async (tx) => {
    const found = await objectOf(tx, source.bucket, source.key, 'for update');
    fits(c, targetBucket, found);
    const { rows } = await tx.query<{ id: string }>(
      'update storage.objects set bucket_id = $3, name = $4, updated_at = now() where bucket_id = $1 and name = $2 returning id',
      [source.bucket, source.key, target.bucket, target.key],
    );
    if (!rows[0]) throw errors.noSuchKey();
    return found;
  });
  return c.json({ message: 'Successfully moved', Id: object.id, Key: `${target.bucket}/${target.key}` });
}

export async function copy(c: Request) {
  const { house } = c.var;
  const who = await caller(c);
  const asked = await read(c, Copy);
  const { source, target, targetBucket } = await transfer(c, asked);
  const meeting = c.req.header('x-upsert') === 'true' ? 'upsert' : 'create';
  const found = await as(c, who, (tx) => objectOf(tx, source.bucket, source.key), { readOnly: true });
  fits(c, targetBucket, found);
  const object = {
    id: crypto.randomUUID(),
    version: crypto.randomUUID(),
    metadata: { ...found.metadata, ...(asked.copyMetadata ? {} : given(asked.metadata, targetBucket)) },
    userMetadata: asked.copyMetadata ? found.user_metadata : metadataOfHeader(c),
  };
  const write = (tx: Connection) => record(tx, who, target.bucket, target.key, object, meeting);
  await rehearse(c, who, async (tx) => void (await write(tx)));
  const owner = ownerOf(who, c.env.address);
  await roomFor(house, owner, found.metadata.size);
  await house.orphaned.add(owner, object.version);
  await house.store.copy(found.version, object.version);
  house.disk.take(found.metadata.size);
  const { id, replaced } = await as(c, who, write);
  if (replaced) await house.makeRoom();
  return c.json({ Id: id, Key: `${target.bucket}/${target.key}` });
}

/** DELETE /object/{bucket}: missing and hidden objects are omitted from the response. */
export async function removeMany(c: Request) {
  const bucket = bucketName(decoded(new URL(c.req.url).pathname.slice(OBJECT.length)));
  const who = await caller(c);
  const { prefixes } = await read(c, Removal);
  const removed = await as(c, who, (tx) => deleteRows(tx, bucket, prefixes));
  await c.var.house.makeRoom();
  return c.json(removed);
}

export async function removeOne(c: Request) {
  const { bucket, key } = addressed(new URL(c.req.url).pathname, OBJECT);
  const who = await caller(c);
  const [removed] = await as(c, who, (tx) => deleteRows(tx, bucket, [key]));
  if (!removed) throw errors.noSuchKey();
  await c.var.house.makeRoom();
  return c.json({ message: 'Successfully deleted' });
}

async function deleteRows(tx: Connection, bucket: string, names: string[]): Promise<StoredObject[]> {
  const { rows } = await tx.query<StoredObject>(
    `delete from storage.objects where bucket_id = $1 and name = any($2) returning ${OBJECT_COLUMNS}`,
    [bucket, names],
  );
  return rows;
}

async function transfer(c: Request, asked: z.infer<typeof Transfer>) {
  const source = { bucket: bucketName(asked.bucketId), key: objectKey(asked.sourceKey) };
  const target = {
    bucket: bucketName(asked.destinationBucket ?? asked.bucketId),
    key: objectKey(asked.destinationKey),
  };
  return { source, target, targetBucket: await bucketOf(c.var.house.db, target.bucket) };
}

/** @throws when the target bucket would reject the object as an upload */
function fits(c: Request, bucket: Bucket, { bucket_id, metadata }: StoredObject): void {
  if (bucket.id === bucket_id) return;
  mimeAllowed(bucket, bareType(metadata.mimetype));
  if (metadata.size > limitOf(c.var.house, bucket)) throw errors.entityTooLarge();
}

/** Metadata given for the copy. An image's type follows from its bytes. @throws InvalidMimeType */
function given(metadata: z.infer<typeof Copy>['metadata'], bucket: Bucket) {
  const type = isPictureBucket(bucket) ? null : withParameters(metadata?.mimetype);
  if (type) mimeAllowed(bucket, bareType(type));
  return {
    ...(metadata?.cacheControl && { cacheControl: metadata.cacheControl }),
    ...(type && { mimetype: type }),
  };
}
