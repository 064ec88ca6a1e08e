import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import { plainText, readBody } from '../read-body.ts';
import { authenticate, readForRequest } from '../run-for-request.ts';
import { parseBucketPath } from './names.ts';
import type { ObjectMetadata } from './rows.ts';

const SORT_COLUMNS = ['name', 'created_at', 'updated_at', 'last_accessed_at'] as const;
const sortOrder = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['asc', 'desc']));

const pageSize = z
  .int()
  .min(1)
  .transform((size) => Math.min(size, 1000));

const ListBody = z.object({
  prefix: plainText().default(''),
  limit: pageSize.default(100),
  offset: z.int().min(0).max(100_000).default(0),
  search: plainText(200).default(''),
  sortBy: z.object({ column: z.enum(SORT_COLUMNS).default('name'), order: sortOrder.nullish() }).prefault({}),
});

const ListV2Body = z.object({
  prefix: plainText().default(''),
  limit: pageSize.default(1000),
  cursor: plainText(8192).nullish(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({ column: z.enum(['name', 'created_at', 'updated_at']).default('name'), order: sortOrder.nullish() })
    .prefault({}),
});

interface Entry {
  entry: string;
  is_folder: boolean;
  key: string;
  id: string | null;
  updated_at: Date | null;
  created_at: Date | null;
  last_accessed_at: Date | null;
  metadata: ObjectMetadata | null;
  sortValue: string | null;
}

const Cursor = z.tuple([z.boolean(), z.string(), z.string().nullable()]);

interface ListQuery {
  bucket: string;
  folder: string;
  namePrefix: string;
  byFolder: boolean;
  sortBy: { column: (typeof SORT_COLUMNS)[number]; order?: 'asc' | 'desc' | null | undefined };
  limit: number;
  offset?: number;
  after?: z.infer<typeof Cursor> | null;
  ignoreCase?: boolean;
}

export async function listObjects(c: Request) {
  const bucket = parseBucketPath(c, '/storage/v1/object/list/');
  const caller = await authenticate(c);
  const { prefix, search, sortBy, limit, offset } = await readBody(c, ListBody);
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const namePrefix = folder + search;
  const query = { bucket, folder, namePrefix, byFolder: true, sortBy, limit, offset, ignoreCase: true };
  const entries = await readForRequest(c, caller, (tx) => queryEntries(tx, query));
  return c.json(
    entries.map(({ entry, is_folder: _, key: __, sortValue: ___, ...columns }) => ({ name: entry, ...columns })),
  );
}

export async function listObjectsV2(c: Request) {
  const bucket = parseBucketPath(c, '/storage/v1/object/list-v2/');
  const caller = await authenticate(c);
  const { prefix, limit, cursor, with_delimiter: byFolder, sortBy } = await readBody(c, ListV2Body);
  const folder = byFolder ? prefix.slice(0, prefix.lastIndexOf('/') + 1) : '';
  const query = { bucket, folder, namePrefix: prefix, byFolder, sortBy, limit: limit + 1, after: parseCursor(cursor) };
  const entries = await readForRequest(c, caller, (tx) => queryEntries(tx, query));
  const hasNext = entries.length > limit;
  const page = entries.slice(0, limit);
  const { is_folder, entry, sortValue } = page.at(-1) ?? {};
  const nextCursor = () => Buffer.from(JSON.stringify([is_folder, entry, sortValue])).toString('base64url');
  return c.json({
    hasNext,
    ...(hasNext ? { nextCursor: nextCursor() } : {}),
    folders: page.filter(({ is_folder }) => is_folder).map(({ key }) => ({ name: `${key}/`, key })),
    objects: page
      .filter(({ is_folder }) => !is_folder)
      .map(({ entry: _, is_folder: __, sortValue: ___, key, id, ...columns }) => ({ id, name: key, key, ...columns })),
  });
}

async function queryEntries(tx: Connection, query: ListQuery): Promise<Entry[]> {
  const { bucket, folder, namePrefix, byFolder, sortBy, limit, offset = 0, after, ignoreCase } = query;
  const { column } = sortBy;
  const order = sortBy.order ?? 'asc';
  const isInFolder = byFolder ? "position('/' in rest) > 0" : 'false';
  const [value, sort] = column === 'name' ? ['entry', 'entry collate "C"'] : [column, column];
  const isAfter = order === 'asc' ? '>' : '<';
  const fold = ignoreCase ? 'lower' : '';
  // The first version of the hosted list sorts folders among the files.
  const amongFiles = `lower(entry || case when is_folder then '/' else '' end) collate "C" ${order},`;
  const { rows } = await tx.query<Entry>(
    `with visible as (
       select *, substr(name, length($2::text) + 1) as rest from storage.objects
       where bucket_id = $1 and starts_with(${fold}(name), ${fold}($3::text)) and length(name) > length($2::text)
     ), entries as (
       select distinct split_part(rest, '/', 1) as entry, true as is_folder, $2 || split_part(rest, '/', 1) as key,
         null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
         null::timestamptz as last_accessed_at, null::jsonb as metadata
       from visible where ${isInFolder}
       union all
       select rest, false, name, id, updated_at, created_at, last_accessed_at, metadata from visible where not ${isInFolder}
     )
     select *, ${value}::text as "sortValue" from entries
     where $6::boolean is null or is_folder < $6 or is_folder = $6 and (
       ${sort} ${isAfter} $8 or ${value} is not distinct from $8 and entry collate "C" ${isAfter} $7::text)
     order by ${ignoreCase && column === 'name' ? amongFiles : ''} is_folder desc, ${sort} ${order} nulls first, entry collate "C" ${order} limit $4 offset $5`,
    [bucket, folder, namePrefix, limit, offset, ...(after ?? [null, null, null])],
  );
  return rows;
}

function parseCursor(cursor: string | null | undefined): ListQuery['after'] {
  if (!cursor) return null;
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw errors.invalidParameter('Invalid cursor');
  }
}
