import { open, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import type { Logger } from 'pino';
import { limits } from '../../config/config.ts';
import type { DiskSpace } from '../../data-dir/disk-space.ts';
import { type Database, findRow, hasRow, type Value } from '../../database/database.ts';
import { errors } from '../errors.ts';
import { chunksOf, isVersion, type Store } from '../store.ts';
import type { TempFiles } from '../temp-files.ts';
import type { UploadAllowances } from '../upload-allowances.ts';
import type { PendingUpload, UploadLeases, UploadTerms } from './upload-leases.ts';
import { LEASE_LOST, tokenInId, uploadId } from './upload-leases.ts';

interface Dependencies {
  db: Database;
  store: Store;
  disk: DiskSpace;
  tempFiles: TempFiles;
  leases: UploadLeases;
  allowances: UploadAllowances;
  log: Logger;
}

const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000;
const EMPTY_LIFETIME = '10 minutes';
/** Bytes. Received data is stored at the end of each request, and whenever this much has arrived. */
const PIECE_BYTES = 8 * 1024 ** 2;
/** Each piece is a file and a row, so tiny requests are limited. */
const MAX_PIECES = 1000;

const folderOf = ({ token }: Pick<UploadTerms, 'token'>) => `unfinished/${token}`;

/** Pending uploads: a row and immutable pieces. Any process with the same database and store can continue them. */
export class UploadStore extends DataStore {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    super();
    this.#deps = deps;
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration'];
  }

  async find(id: string): Promise<PendingUpload | null> {
    const token = tokenInId(id);
    if (!isVersion(token)) return null;
    const text = `select agreed as terms, came as "receivedBytes", done, created_at as "createdAt",
         (select count(*) from storage.unfinished_pieces piece where piece.token = upload.token) as "pieceCount"
       from storage.unfinished_uploads upload where token = $1`;
    const { db } = this.#deps;
    const found = await findRow<Omit<PendingUpload, keyof UploadTerms> & { terms: UploadTerms }>(db, text, [token]);
    if (!found) return null;
    const { terms, ...progress } = found;
    return uploadId(terms) === id ? { ...terms, ...progress } : null;
  }

  async usageOf(owner: string): Promise<{ own: number; all: number }> {
    const text = `select coalesce(sum(came) filter (where owner = $1), 0)::int8 as own,
         coalesce(sum(came), 0)::int8 as all from storage.unfinished_uploads where not done`;
    return (await findRow<{ own: number; all: number }>(this.#deps.db, text, [owner]))!;
  }

  /** Concurrent inserts of one owner wait for each other. @throws SlowDown (429) when too many uploads are open */
  async insert(terms: UploadTerms): Promise<void> {
    const { db, allowances } = this.#deps;
    const { token, owner } = terms;
    const limit = owner === null ? null : limits.openUploads.value * allowances.allowanceMultiplier(owner);
    const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
    const text = `insert into storage.unfinished_uploads (token, agreed, owner) select $1::uuid, $2::jsonb, $3::text
       where $4::int is null or $4 > (select count(*) from storage.unfinished_uploads where owner = $3 and not done)`;
    const insertion = { text, values: [token, { ...terms }, owner, limit] };
    const [, inserted] = await db.batch([{ text: lock, values: [`open uploads of ${owner}`] }, insertion]);
    if (limit !== null && !inserted!.affected) throw errors.tooManyOpenUploads(limit);
  }

  override async create(upload: Upload): Promise<Upload> {
    // The row exists since the policies were checked.
    upload.creation_date = (await this.#require(upload.id)).createdAt.toISOString();
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, metadata, createdAt, done, receivedBytes } = await this.#require(id);
    if (Date.now() > createdAt.getTime() + UPLOAD_LIFETIME_MS) throw ERRORS.FILE_NO_LONGER_EXISTS;
    // All bytes arrived but there is no object: validation failed or was interrupted. Request the last byte again.
    const offset = done ? size! : receivedBytes > 0 && receivedBytes === size ? receivedBytes - 1 : receivedBytes;
    const creation_date = createdAt.toISOString();
    return new Upload({ id, offset, metadata, creation_date, ...(size === undefined ? {} : { size }) });
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.#deps.db.query(
      `update storage.unfinished_uploads set agreed = agreed || jsonb_build_object('size', $2::int8) where token = $1`,
      [tokenInId(id), size],
    );
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = await this.#require(id);
    if (upload.done) return offset;
    const isComplete = upload.receivedBytes === upload.size;
    if (isComplete) for await (const _ of stream);
    const offsetAfter = isComplete ? upload.receivedBytes : await this.#writePieces(stream, upload);
    // The library unlocks before validation, so the lease is pinned until then.
    if (offsetAfter === upload.size) this.#deps.leases.pin(upload.token);
    return offsetAfter;
  }

  override async remove(id: string): Promise<void> {
    await this.discard(await this.#require(id));
  }

  override async deleteExpired(): Promise<number> {
    return this.#delete(
      `created_at < now() - $1::interval
         or (not done and came = 0 and came_at < now() - $2::interval and coalesce(leased_until < now(), true))`,
      [`${UPLOAD_LIFETIME_MS} milliseconds`, EMPTY_LIFETIME],
    );
  }

  async discardEarlier(bucket: string, key: string, owner: string): Promise<void> {
    await this.#delete(
      `not done and owner = $1 and agreed ->> 'bucket' = $2 and agreed ->> 'key' = $3
         and came is distinct from (agreed ->> 'size')::int8`,
      [owner, bucket, key],
    );
  }

  override getExpiration(): number {
    return UPLOAD_LIFETIME_MS;
  }

  async copyTo(upload: PendingUpload, path: string): Promise<void> {
    const { db, store, disk } = this.#deps;
    if (!(await disk.has('files', upload.receivedBytes))) throw errors.insufficientStorage();
    const { rows } = await db.query<{ part: string; size: number }>(
      'select part, size from storage.unfinished_pieces where token = $1 order by position',
      [upload.token],
    );
    async function* pieces() {
      for (const { part, size } of rows) {
        const file = await store.open(folderOf(upload), part);
        if (file?.size !== size) {
          await file?.close();
          throw new Error(`Piece ${part} of upload ${upload.token} differs from what was stored`);
        }
        yield* chunksOf(file);
      }
    }
    await writeFile(path, pieces(), { mode: 0o600, flag: 'wx' });
  }

  /** Stored before the commit, so that a process resuming after a crash finds the object. */
  async recordVersion({ token }: Pick<UploadTerms, 'token'>, version: string): Promise<void> {
    await this.#deps.db.query(
      `update storage.unfinished_uploads set agreed = agreed || jsonb_build_object('version', $2::text) where token = $1`,
      [token, version],
    );
  }

  /** True when the object is recorded although the upload was not closed, as after a crash. */
  async isRecorded({ version }: Pick<UploadTerms, 'version'>): Promise<boolean> {
    return version ? hasRow(this.#deps.db, 'select from storage.objects where version = $1', [version]) : false;
  }

  /** Removes the pieces but keeps the row, so that a client that missed the response gets it again. */
  async close(upload: UploadTerms): Promise<void> {
    await this.#deps.db.query(
      `with closed as (update storage.unfinished_uploads set done = true where token = $1 returning token)
       delete from storage.unfinished_pieces using closed where unfinished_pieces.token = closed.token`,
      [upload.token],
    );
    await this.#removePieces(upload);
  }

  async discard({ token }: Pick<UploadTerms, 'token'>): Promise<void> {
    await this.#delete('token = $1', [token]);
  }

  async #delete(condition: string, values: Value[]): Promise<number> {
    const { db, allowances } = this.#deps;
    const { rows } = await db.query<Pick<UploadTerms, 'token' | 'taken'> & { receivedBytes: number; done: boolean }>(
      `delete from storage.unfinished_uploads where ${condition} returning token::text, agreed -> 'taken' as taken, came as "receivedBytes", done`,
      values,
    );
    for (const upload of rows) {
      if (!upload.done) await allowances.refund(upload.taken, upload.receivedBytes > 0);
      await this.#removePieces(upload);
    }
    return rows.length;
  }

  async #writePieces(stream: Readable, upload: PendingUpload): Promise<number> {
    const { disk, tempFiles } = this.#deps;
    let { receivedBytes, pieceCount } = upload;
    const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    for (let ended = false; !ended; ) {
      if (pieceCount++ >= MAX_PIECES) throw errors.tooManyPieces(MAX_PIECES);
      const path = tempFiles.path();
      const file = await open(path, 'wx', 0o600);
      let [size, readError] = [0, null as { reason: unknown } | null];
      try {
        while (size < PIECE_BYTES && !ended && !readError) {
          const next = await chunks.next().catch((reason: unknown) => {
            // Store what arrived before the connection broke.
            readError = { reason };
          });
          ended = next?.done === true;
          if (!next || next.done) break;
          disk.take(next.value.byteLength);
          if (!(await disk.has('files'))) throw errors.insufficientStorage();
          await file.writeFile(next.value);
          size += next.value.byteLength;
        }
        await file.close();
        if (size > 0) await this.#storePiece(upload.token, receivedBytes, size, path);
        receivedBytes += size;
      } finally {
        await file.close();
        await tempFiles.discard(path);
      }
      if (readError) throw (readError as { reason: unknown }).reason;
    }
    return receivedBytes;
  }

  /** Stores a piece, then records it. Its unique name prevents overwrites by a process that lost the lease. */
  async #storePiece(token: string, position: number, size: number, path: string): Promise<void> {
    const { db, store, leases } = this.#deps;
    const part = `${position}-${crypto.randomUUID().slice(0, 8)}`;
    await store.put(folderOf({ token }), part, path);
    const { affected } = await db.query(
      `with extended as (
         update storage.unfinished_uploads set came = $2::int8 + $3, came_at = now()
         where token = $1 and came = $2 and not done and lease = $5 returning token
       )
       insert into storage.unfinished_pieces (token, position, size, part) select token, $2, $3, $4 from extended`,
      [token, position, size, part, leases.idOf(token)],
    );
    if (affected) return;
    await store.remove(folderOf({ token }), [part]);
    throw LEASE_LOST;
  }

  async #removePieces(upload: Pick<UploadTerms, 'token'>): Promise<void> {
    await this.#deps.store.remove(folderOf(upload)).catch((err: unknown) => {
      this.#deps.log.warn({ err }, 'removing the pieces of an upload failed');
    });
  }

  async #require(id: string): Promise<PendingUpload> {
    const upload = await this.find(id);
    if (!upload) throw ERRORS.FILE_NOT_FOUND;
    return upload;
  }
}
