import * as z from 'zod';
import type { Request } from './context.ts';
import { errors } from './errors.ts';
import { bucketName, decoded } from './objects/names.ts';
import { BUCKET_COLUMNS, type Bucket, bucketOf } from './objects/rows.ts';
import { plain, read } from './read-body.ts';
import { as, caller } from './run-for-request.ts';

const BUCKET = '/storage/v1/bucket/';
const EMPTIED_AT_ONCE = 500;

/** Decimal units, and three significant digits for a number with a unit, as on the hosted service. */
const size = z.union([z.number(), z.string()]).transform((value, context) => {
  const [, number = '', unit] = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(String(value).trim()) ?? [];
  const bytes = unit
    ? Number(Number(number).toPrecision(3)) * 1000 ** ['B', 'KB', 'MB', 'GB'].indexOf(unit.toUpperCase())
    : Number(number || -1);
  if (Number.isSafeInteger(Math.floor(bytes)) && bytes >= 0) return Math.floor(bytes);
  context.addIssue({ code: 'custom', message: 'must be bytes, or a size such as 20MB' });
  return z.NEVER;
});
const mime = plain(100).regex(/^(\*\/\*|[\w.+-]+\/(\*|[\w.+-]+))$/, 'must be a type such as image/png or image/*');
const Settings = z.object({
  public: z.boolean().optional(),
  file_size_limit: size.nullish(),
  allowed_mime_types: z.array(mime).max(100).nullish(),
});
const NewBucket = Settings.extend({
  id: plain(100).optional(),
  name: plain(100),
  type: z.literal('STANDARD').optional(),
});
const Page = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
  search: plain(100).default(''),
});

export async function listBuckets(c: Request) {
  const who = await caller(c);
  const parsed = Page.safeParse(c.req.query());
  if (!parsed.success)
    throw errors.invalidParameter(`querystring/${parsed.error.issues[0]!.path.join('/')} is not valid`);
  const { limit, offset, sortColumn, sortOrder, search } = parsed.data;
  const { rows } = await as(
    c,
    who,
    (tx) =>
      tx.query<Bucket>(
        `select ${BUCKET_COLUMNS} from storage.buckets where position(lower($1) in lower(name)) > 0 or $1 = ''
         order by ${sortColumn} ${sortOrder} limit $2 offset $3`,
        [search, limit, offset],
      ),
    { readOnly: true },
  );
  return c.json(rows);
}

export async function getBucket(c: Request) {
  const who = await caller(c);
  const { type: _, ...bucket } = await as(c, who, (tx) => bucketOf(tx, named(c)), { readOnly: true });
  return c.json(bucket);
}

export async function createBucket(c: Request) {
  const who = await caller(c);
  const asked = await read(c, NewBucket);
  const name = bucketName(asked.name);
  const id = bucketName(asked.id ?? name);
  if (id !== name) throw errors.invalidBucketName();
  await as(c, who, (tx) =>
    tx.query(
      `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
       values ($1, $1, $2, $3, $4, $5, $6)`,
      [
        id,
        who.userId,
        who.userId,
        asked.public ?? false,
        asked.file_size_limit ?? null,
        asked.allowed_mime_types ?? null,
      ],
    ),
  );
  return c.json({ name: id });
}

/** PUT /bucket/{id}: omitted fields stay unchanged; null removes a limit. */
export async function updateBucket(c: Request) {
  const who = await caller(c);
  const asked = await read(c, Settings);
  const { affected } = await as(c, who, (tx) =>
    tx.query(
      `update storage.buckets set public = coalesce($2, public), updated_at = now(),
         file_size_limit = case when $3 then $4 else file_size_limit end,
         allowed_mime_types = case when $5 then $6 else allowed_mime_types end
       where id = $1`,
      [
        named(c),
        asked.public ?? null,
        asked.file_size_limit !== undefined,
        asked.file_size_limit ?? null,
        asked.allowed_mime_types !== undefined,
        asked.allowed_mime_types ?? null,
      ],
    ),
  );
  if (!affected) throw errors.noSuchBucket();
  return c.json({ message: 'Successfully updated' });
}

export async function emptyBucket(c: Request) {
  const id = bucketName(decoded(new URL(c.req.url).pathname.slice(BUCKET.length, -'/empty'.length)));
  const who = await caller(c);
  await as(c, who, (tx) => bucketOf(tx, id), { readOnly: true });
  for (let emptied = EMPTIED_AT_ONCE; emptied === EMPTIED_AT_ONCE; ) {
    const { affected } = await as(c, who, (tx) =>
      tx.query(
        `delete from storage.objects where bucket_id = $1 and id in
           (select id from storage.objects where bucket_id = $1 limit ${EMPTIED_AT_ONCE})`,
        [id],
      ),
    );
    emptied = affected;
  }
  await c.var.house.makeRoom();
  return c.json({ message: 'Empty bucket has been queued. Completion may take up to an hour.' });
}

export async function deleteBucket(c: Request) {
  const id = named(c);
  const who = await caller(c);
  await as(c, who, async (tx) => {
    await bucketOf(tx, id);
    const { affected } = await tx.query('delete from storage.buckets where id = $1', [id]);
    if (!affected) throw errors.accessDenied();
  });
  return c.json({ message: 'Successfully deleted' });
}

const named = (c: Request) => bucketName(decoded(new URL(c.req.url).pathname.slice(BUCKET.length)));
