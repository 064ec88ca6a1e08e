import * as z from 'zod';
import type { DatabaseError } from '../database/database.ts';
import type { Request } from './context.ts';
import { errors } from './errors.ts';
import { parseBucketName, parseBucketPath } from './objects/names.ts';
import { BUCKET_COLUMNS, type Bucket, findBucket } from './objects/rows.ts';
import { plainText, readBody } from './read-body.ts';
import { authenticate, readForRequest, runForRequest } from './run-for-request.ts';

const BUCKET_PATH = '/storage/v1/bucket/';
const DELETE_BATCH_SIZE = 500;

/** Decimal units, and three significant digits for a number with a unit, as on the hosted service. */
const byteSize = z.union([z.number(), z.string()]).transform((value, context) => {
  const [, number = '', unit] = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(String(value).trim()) ?? [];
  const bytes = unit
    ? Number(Number(number).toPrecision(3)) * 1000 ** ['B', 'KB', 'MB', 'GB'].indexOf(unit.toUpperCase())
    : Number(number || -1);
  if (Number.isSafeInteger(Math.floor(bytes)) && bytes >= 0) return Math.floor(bytes);
  context.addIssue({ code: 'custom', message: 'must be bytes, or a size such as 20MB' });
  return z.NEVER;
});
const mimePattern = plainText(100).regex(
  /^(\*\/\*|[\w.+-]+\/(\*|[\w.+-]+)(;\s*charset=[\w-]+)?)$/,
  'must be a type such as image/png or image/*',
);
const Settings = z.object({
  public: z.boolean().optional(),
  file_size_limit: byteSize.nullish(),
  allowed_mime_types: z.array(mimePattern).max(100).nullish(),
});
const NewBucket = Settings.extend({
  id: plainText(100).optional(),
  name: plainText(100),
  type: z.literal('STANDARD').optional(),
});
const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
  search: plainText(100).default(''),
});

export async function listBuckets(c: Request) {
  const caller = await authenticate(c);
  const parsed = ListQuery.safeParse(c.req.query());
  if (!parsed.success)
    throw errors.invalidParameter(`querystring/${parsed.error.issues[0]!.path.join('/')} is not valid`);
  const { limit, offset, sortColumn, sortOrder, search } = parsed.data;
  const { rows } = await readForRequest(c, caller, (tx) =>
    tx.query<Bucket>(
      `select ${BUCKET_COLUMNS} from storage.buckets where position(lower($1) in lower(name)) > 0 or $1 = ''
       order by ${sortColumn} ${sortOrder} limit $2 offset $3`,
      [search, limit, offset],
    ),
  );
  return c.json(rows);
}

export async function getBucket(c: Request) {
  const caller = await authenticate(c);
  const id = parseBucketPath(c, BUCKET_PATH);
  const { type: _, ...bucket } = await readForRequest(c, caller, (tx) => findBucket(tx, id));
  return c.json(bucket);
}

export async function createBucket(c: Request) {
  const caller = await authenticate(c);
  const body = await readBody(c, NewBucket);
  const name = parseBucketName(body.name);
  const id = parseBucketName(body.id ?? name);
  if (id !== name) throw errors.invalidBucketName();
  const { file_size_limit: limit = null, allowed_mime_types: types = null } = body;
  await runForRequest(c, caller, (tx) =>
    tx.query(
      `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
       values ($1, $1, $2, $3, $4, $5, $6)`,
      [id, caller.userId, caller.userId, body.public ?? false, limit, types],
    ),
  );
  return c.json({ name: id });
}

/** PUT /bucket/{id}: omitted fields stay unchanged; null removes a limit. */
export async function updateBucket(c: Request) {
  const caller = await authenticate(c);
  const { public: isPublic = null, file_size_limit: limit, allowed_mime_types: types } = await readBody(c, Settings);
  const id = parseBucketPath(c, BUCKET_PATH);
  const { affected } = await runForRequest(c, caller, (tx) =>
    tx.query(
      `update storage.buckets set public = coalesce($2, public), updated_at = now(),
         file_size_limit = case when $3 then $4 else file_size_limit end,
         allowed_mime_types = case when $5 then $6 else allowed_mime_types end
       where id = $1`,
      [id, isPublic, limit !== undefined, limit ?? null, types !== undefined, types ?? null],
    ),
  );
  if (!affected) throw errors.noSuchBucket();
  return c.json({ message: 'Successfully updated' });
}

export async function emptyBucket(c: Request) {
  const id = parseBucketPath(c, BUCKET_PATH, '/empty');
  const caller = await authenticate(c);
  await readForRequest(c, caller, (tx) => findBucket(tx, id));
  // No backup precedes it (D12), so the right to delete single objects does not suffice.
  if (caller.role !== 'service_role') throw errors.accessDenied('Only the service key may empty a bucket');
  const text = `delete from storage.objects where bucket_id = $1 and id in
     (select id from storage.objects where bucket_id = $1 limit ${DELETE_BATCH_SIZE})`;
  while ((await runForRequest(c, caller, (tx) => tx.query(text, [id]))).affected === DELETE_BATCH_SIZE);
  return c.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' });
}

export async function deleteBucket(c: Request) {
  const id = parseBucketPath(c, BUCKET_PATH);
  const caller = await authenticate(c);
  await runForRequest(c, caller, async (tx) => {
    await findBucket(tx, id);
    const deletion = tx.query('delete from storage.buckets where id = $1', [id]);
    const { affected } = await deletion.catch((error: DatabaseError) => {
      throw error.code === '23503' ? errors.bucketNotEmpty() : error;
    });
    if (!affected) throw errors.accessDenied();
  });
  return c.json({ message: 'Successfully deleted' });
}
