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
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['asc', 'desc']));

const ListBody = z.object({
  prefix: plainText().default(''),
  limit: z.int().min(1).max(1000).default(100),
  offset: z.int().min(0).max(100_000).default(0),
  search: plainText(200).default(''),
  sortBy: z.object({ column: z.enum(SORT_COLUMNS).default('name'), order: sortOrder.nullish() }).prefault({}),
});

const ListV2Body = z.object({
  prefix: plainText().default(''),
  limit: z.int().min(1).max(1000).default(1000),
  cursor: plainText(200).nullish(),
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
}

interface ListQuery {
  bucket: string;
  folder: string;
  namePrefix: string;
  byFolder: boolean;
  sortBy: { column: (typeof SORT_COLUMNS)[number]; order?: 'asc' | 'desc' | null | undefined };
  limit: number;
  offset: number;
}

export async function listObjects(c: Request) {
  const bucket = parseBucketPath(c, '/storage/v1/object/list/');
  const caller = await authenticate(c);
  const { prefix, search, sortBy, limit, offset } = await readBody(c, ListBody);
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const query = { bucket, folder, namePrefix: folder + search, byFolder: true, sortBy, limit, offset };
  const entries = await readForRequest(c, caller, (tx) => queryEntries(tx, query));
  return c.json(entries.map(({ entry, is_folder: _, key: __, ...columns }) => ({ name: entry, ...columns })));
}

export async function listObjectsV2(c: Request) {
  const bucket = parseBucketPath(c, '/storage/v1/object/list-v2/');
  const caller = await authenticate(c);
  const { prefix, limit, cursor, with_delimiter: byFolder, sortBy } = await readBody(c, ListV2Body);
  const offset = cursor ? parseCursor(cursor) : 0;
  const folder = byFolder ? prefix.slice(0, prefix.lastIndexOf('/') + 1) : '';
  const query = { bucket, folder, namePrefix: prefix, byFolder, sortBy, limit: limit + 1, offset };
  const entries = await readForRequest(c, caller, (tx) => queryEntries(tx, query));
  const hasNext = entries.length > limit;
  const page = entries.slice(0, limit);
  return c.json({
    hasNext,
    ...(hasNext ? { nextCursor: Buffer.from(String(offset + limit)).toString('base64url') } : {}),
    folders: page.filter(({ is_folder }) => is_folder).map(({ key }) => ({ name: `${key}/`, key })),
    objects: page
      .filter(({ is_folder }) => !is_folder)
      .map(({ entry: _, is_folder: __, key, id, ...columns }) => ({ id, name: key, key, ...columns })),
  });
}

async function queryEntries(tx: Connection, query: ListQuery): Promise<Entry[]> {
  const { bucket, folder, namePrefix, byFolder, sortBy, limit, offset } = query;
  const { column } = sortBy;
  const order = sortBy.order ?? 'asc';
  const isInFolder = byFolder ? "position('/' in rest) > 0" : 'false';
  const sort = column === 'name' ? `entry collate "C" ${order}` : `${column} ${order} nulls first, entry collate "C"`;
  const { rows } = await tx.query<Entry>(
    `with visible as (
       select *, substr(name, length($2::text) + 1) as rest from storage.objects
       where bucket_id = $1 and starts_with(lower(name), lower($3::text)) and length(name) > length($2::text)
     ), entries as (
       select distinct split_part(rest, '/', 1) as entry, true as is_folder, $2 || split_part(rest, '/', 1) as key,
         null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
         null::timestamptz as last_accessed_at, null::jsonb as metadata
       from visible where ${isInFolder}
       union all
       select rest, false, name, id, updated_at, created_at, last_accessed_at, metadata from visible where not ${isInFolder}
     )
     select * from entries order by is_folder desc, ${sort} limit $4 offset $5`,
    [bucket, folder, namePrefix, limit, offset],
  );
  return rows;
}

function parseCursor(cursor: string): number {
  const offset = Number(Buffer.from(cursor, 'base64url').toString());
  if (!Number.isInteger(offset) || offset < 0 || offset > 10_000_000) throw errors.invalidParameter('Invalid cursor');
  return offset;
}
