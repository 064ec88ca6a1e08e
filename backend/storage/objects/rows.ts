import type { Connection, Value } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { errors } from '../errors.ts';
import type { Made, Provenance } from '../pictures/label.ts';

export interface Bucket {
  id: string;
  name: string;
  owner: string | null;
  public: boolean;
  type: string;
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
  created_at: Date;
  updated_at: Date;
}

/** What `storage.objects.metadata` holds; the last five for pictures we rewrote (see `Picture`). */
export interface Metadata {
  [key: string]: unknown;
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: number;
  width?: number;
  height?: number;
  animated?: boolean;
  placeholder?: string | null;
  provenance?: Provenance;
}

export interface StoredObject {
  id: string;
  bucket_id: string;
  name: string;
  owner: string | null;
  owner_id: string | null;
  version: string;
  created_at: Date;
  updated_at: Date;
  last_accessed_at: Date;
  metadata: Metadata;
  user_metadata: Record<string, unknown> | null;
  /** What the record of a picture says; read only for variants. */
  made?: Made | null;
}

/** A new object or a new version of one. */
export interface NewObject {
  id: string;
  version: string;
  metadata: Metadata | Record<string, never>;
  userMetadata: Record<string, unknown> | null;
}

export const BUCKET_COLUMNS =
  'id, name, owner, public, type::text as type, file_size_limit, allowed_mime_types, created_at, updated_at';
export const OBJECT_COLUMNS =
  'id, bucket_id, name, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata';

/** @throws NoSuchBucket */
export async function bucketOf(tx: Connection, id: string): Promise<Bucket> {
  const { rows } = await tx.query<Bucket>(`select ${BUCKET_COLUMNS} from storage.buckets where id = $1`, [id]);
  if (!rows[0]) throw errors.noSuchBucket();
  return rows[0];
}

/** The object as the connection's role may see it. @throws NoSuchKey */
export async function objectOf(tx: Connection, bucket: string, name: string, lock = ''): Promise<StoredObject> {
  const { rows } = await tx.query<StoredObject>(
    `select ${OBJECT_COLUMNS} from storage.objects where bucket_id = $1 and name = $2 ${lock}`,
    [bucket, name],
  );
  if (!rows[0]) throw errors.noSuchKey();
  return rows[0];
}

const INSERT = `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

const insertValues = (who: Caller, bucket: string, name: string, object: NewObject): Value[] => [
  object.id,
  bucket,
  name,
  who.userId,
  who.userId,
  object.version,
  object.metadata,
  object.userMetadata,
];

/** Records a new object. Asks for nothing back: the creator may be allowed to write and not to read. */
export async function insertObject(tx: Connection, who: Caller, bucket: string, name: string, object: NewObject) {
  await tx.query(INSERT, insertValues(who, bucket, name, object));
}

/**
 * Records an object in place of one of the same name, if any; needs the policies for insert, select and update.
 * @returns id, and the version that was replaced
 */
export async function upsertObject(
  tx: Connection,
  who: Caller,
  bucket: string,
  name: string,
  object: NewObject,
): Promise<{ id: string; replaced: string | null }> {
  const before = await tx.query<{ version: string }>(
    'select version from storage.objects where bucket_id = $1 and name = $2 for update',
    [bucket, name],
  );
  const { rows } = await tx.query<{ id: string }>(
    `${INSERT} on conflict (bucket_id, name) do update set version = excluded.version, metadata = excluded.metadata,
       user_metadata = excluded.user_metadata, owner = excluded.owner, owner_id = excluded.owner_id,
       updated_at = now() returning id`,
    insertValues(who, bucket, name, object),
  );
  return { id: rows[0]!.id, replaced: before.rows[0]?.version ?? null };
}

/** Records a new version of an object that exists. @throws NoSuchKey when it does not, or is not the caller's to change */
export async function updateObject(
  tx: Connection,
  bucket: string,
  name: string,
  object: NewObject,
): Promise<{ id: string; replaced: string }> {
  const before = await objectOf(tx, bucket, name, 'for update');
  const { rows } = await tx.query<{ id: string }>(
    `update storage.objects set version = $3, metadata = $4, user_metadata = coalesce($5, user_metadata), updated_at = now()
     where bucket_id = $1 and name = $2 returning id`,
    [bucket, name, object.version, object.metadata, object.userMetadata],
  );
  if (!rows[0]) throw errors.noSuchKey();
  return { id: rows[0].id, replaced: before.version };
}
