import { type Connection, findRow } from '../../database/database.ts';
import type { Caller } from '../../http/caller.ts';
import { errors } from '../errors.ts';
import type { CreationMethod, Provenance } from '../images/provenance.ts';

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

export interface ObjectMetadata {
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
  metadata: ObjectMetadata;
  user_metadata: Record<string, unknown> | null;
  creation_method?: CreationMethod | null;
}

export interface NewObject {
  id: string;
  version: string;
  metadata: ObjectMetadata | Record<string, never>;
  userMetadata: Record<string, unknown> | null;
}

export type WriteMode = 'create' | 'upsert' | 'update';

export const BUCKET_COLUMNS =
  'id, name, owner, public, type::text as type, file_size_limit, allowed_mime_types, created_at, updated_at';
export const OBJECT_COLUMNS =
  'id, bucket_id, name, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata';

/** @throws NoSuchBucket */
export async function findBucket(tx: Connection, id: string): Promise<Bucket> {
  const bucket = await findRow<Bucket>(tx, `select ${BUCKET_COLUMNS} from storage.buckets where id = $1`, [id]);
  if (!bucket) throw errors.noSuchBucket();
  return bucket;
}

/** The object as visible to the connection's role. @throws NoSuchKey */
export async function findObject(tx: Connection, bucket: string, name: string, lock = ''): Promise<StoredObject> {
  const text = `select ${OBJECT_COLUMNS} from storage.objects where bucket_id = $1 and name = $2 ${lock}`;
  const object = await findRow<StoredObject>(tx, text, [bucket, name]);
  if (!object) throw errors.noSuchKey();
  return object;
}

const INSERT = `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** @returns its id @throws NoSuchKey when there is none that the caller may update */
export async function writeRow(
  tx: Connection,
  { userId }: Caller,
  bucket: string,
  name: string,
  { id, version, metadata, userMetadata }: NewObject,
  mode: WriteMode,
): Promise<string> {
  if (mode === 'update') {
    const text = `update storage.objects set version = $3, metadata = $4, user_metadata = coalesce($5, user_metadata), updated_at = now()
       where bucket_id = $1 and name = $2 returning id`;
    const updated = await findRow<{ id: string }>(tx, text, [bucket, name, version, metadata, userMetadata]);
    if (!updated) throw errors.noSuchKey();
    return updated.id;
  }
  const values = [id, bucket, name, userId, userId, version, metadata, userMetadata];
  if (mode === 'create') {
    // Without RETURNING: the creator may have the right to insert and not to select.
    await tx.query(INSERT, values);
    return id;
  }
  const text = `${INSERT} on conflict (bucket_id, name) do update set version = excluded.version, metadata = excluded.metadata,
       user_metadata = excluded.user_metadata, owner = excluded.owner, owner_id = excluded.owner_id,
       updated_at = now() returning id`;
  return (await findRow<{ id: string }>(tx, text, values))!.id;
}
