import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import { plain, read } from '../read-body.ts';
import { as, caller } from '../run-for-request.ts';
import { bucketName, decoded } from './names.ts';
import type { Metadata } from './rows.ts';

const COLUMNS = ['name', 'created_at', 'updated_at', 'last_accessed_at'] as const;
const order = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['asc', 'desc']));

const List = z.object({
  prefix: plain().default(''),
  limit: z.int().min(1).max(1000).default(100),
  offset: z.int().min(0).max(100_000).default(0),
  search: plain(200).default(''),
  sortBy: z.object({ column: z.enum(COLUMNS).default('name'), order: order.nullish() }).prefault({}),
});

const ListV2 = z.object({
  prefix: plain().default(''),
  limit: z.int().min(1).max(1000).default(1000),
  cursor: plain(200).nullish(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({ column: z.enum(['name', 'created_at', 'updated_at']).default('name'), order: order.nullish() })
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
  metadata: Metadata | null;
}

interface Question {
  bucket: string;
  folder: string;
  /** Filter: names starting with this literal text, case-insensitive. */
  start: string;
  byFolder: boolean;
  column: (typeof COLUMNS)[number];
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export async function list(c: Request) {
  const bucket = bucketIn(c, '/storage/v1/object/list/');
  const who = await caller(c);
  const { prefix, search, sortBy, limit, offset } = await read(c, List);
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const entries = await as(
    c,
    who,
    (tx) =>
      entriesOf(tx, {
        bucket,
        folder,
        start: folder + search,
        byFolder: true,
        column: sortBy.column,
        order: sortBy.order ?? 'asc',
        limit,
        offset,
      }),
    { readOnly: true },
  );
  return c.json(
    entries.map(({ entry, id, updated_at, created_at, last_accessed_at, metadata }) => ({
      name: entry,
      id,
      updated_at,
      created_at,
      last_accessed_at,
      metadata,
    })),
  );
}

export async function listV2(c: Request) {
  const bucket = bucketIn(c, '/storage/v1/object/list-v2/');
  const who = await caller(c);
  const { prefix, limit, cursor, with_delimiter: byFolder, sortBy } = await read(c, ListV2);
  const offset = cursor ? offsetIn(cursor) : 0;
  const folder = byFolder ? prefix.slice(0, prefix.lastIndexOf('/') + 1) : '';
  const entries = await as(
    c,
    who,
    (tx) =>
      entriesOf(tx, {
        bucket,
        folder,
        start: prefix,
        byFolder,
        column: sortBy.column,
        order: sortBy.order ?? 'asc',
        limit: limit + 1,
        offset,
      }),
    { readOnly: true },
  );
  const hasNext = entries.length > limit;
  const page = entries.slice(0, limit);
  return c.json({
    hasNext,
    ...(hasNext ? { nextCursor: Buffer.from(String(offset + limit)).toString('base64url') } : {}),
    folders: page.filter(({ is_folder }) => is_folder).map(({ key }) => ({ name: `${key}/`, key })),
    objects: page
      .filter(({ is_folder }) => !is_folder)
      .map(({ key, id, updated_at, created_at, last_accessed_at, metadata }) => ({
        id,
        name: key,
        key,
        updated_at,
        created_at,
        last_accessed_at,
        metadata,
      })),
  });
}

async function entriesOf(tx: Connection, question: Question): Promise<Entry[]> {
  const { bucket, folder, start, byFolder, column, order, limit, offset } = question;
  const inFolder = byFolder ? "position('/' in rest) > 0" : 'false';
  const sort = column === 'name' ? `entry collate "C" ${order}` : `${column} ${order} nulls first, entry collate "C"`;
  const { rows } = await tx.query<Entry>(
    `with visible as (
       select *, substr(name, length($2::text) + 1) as rest from storage.objects
       where bucket_id = $1 and starts_with(lower(name), lower($3::text)) and length(name) > length($2::text)
     ), entries as (
       select distinct split_part(rest, '/', 1) as entry, true as is_folder, $2 || split_part(rest, '/', 1) as key,
         null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at,
         null::timestamptz as last_accessed_at, null::jsonb as metadata
       from visible where ${inFolder}
       union all
       select rest, false, name, id, updated_at, created_at, last_accessed_at, metadata from visible where not ${inFolder}
     )
     select * from entries order by is_folder desc, ${sort} limit $4 offset $5`,
    [bucket, folder, start, limit, offset],
  );
  return rows;
}

function offsetIn(cursor: string): number {
  const offset = Number(Buffer.from(cursor, 'base64url').toString());
  if (!Number.isInteger(offset) || offset < 0 || offset > 10_000_000) throw errors.invalidParameter('Invalid cursor');
  return offset;
}

const bucketIn = (c: Request, prefix: string) => bucketName(decoded(new URL(c.req.url).pathname.slice(prefix.length)));
