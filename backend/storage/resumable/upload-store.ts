import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, ERRORS, Upload } from '@tus/server';
import type { Logger } from 'pino';
import type { Connection, Value } from '../../database/database.ts';
import type { DiskSpace } from '../../disk-space.ts';
import { errors } from '../errors.ts';
import { isVersion, type Store } from '../store.ts';
import type { TempFiles } from '../temp-files.ts';
import type { UploadAllowances } from '../upload-allowances.ts';
import { type Agreed, tokenOf, type Unfinished, uploadId } from './pending-upload.ts';
import { LOST, type UploadLeases } from './upload-leases.ts';

interface Parts {
  db: Connection;
  store: Store;
  disk: DiskSpace;
  scratch: TempFiles;
  leases: UploadLeases;
  allowances: UploadAllowances;
  log: Logger;
}

const LIFETIME_MS = 24 * 60 * 60 * 1000;
const EMPTY_LIFETIME = '10 minutes';
/** Bytes. Received data is stored at the end of each request, and whenever this much has arrived. */
const PIECE = 8 * 1024 ** 2;
/** Each piece is a file and a row, so tiny requests are limited. */
const MOST_PIECES = 1000;

const folderOf = ({ token }: Pick<Agreed, 'token'>) => `unfinished/${token}`;

/** Pending uploads: a row and immutable pieces. Any process with the same database and store can continue them. */
export class ResumableUploads extends DataStore {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super();
    this.#parts = parts;
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration'];
  }

  async find(id: string): Promise<Unfinished | null> {
    const token = tokenOf(id);
    if (!isVersion(token)) return null;
    const { rows } = await this.#parts.db.query<Omit<Unfinished, keyof Agreed> & { agreed: Agreed }>(
      `select agreed, came, done, created_at as "createdAt",
         (select count(*) from storage.unfinished_pieces piece where piece.token = upload.token) as pieces
       from storage.unfinished_uploads upload where token = $1`,
      [token],
    );
    if (!rows[0]) return null;
    const { agreed, ...since } = rows[0];
    return uploadId(agreed) === id ? { ...agreed, ...since } : null;
  }

  async standing(owner: string): Promise<{ open: number; own: number; all: number }> {
    const { rows } = await this.#parts.db.query<{ open: number; own: number; all: number }>(
      `select count(*) filter (where owner = $1) as open, coalesce(sum(came) filter (where owner = $1), 0)::int8 as own,
         coalesce(sum(came), 0)::int8 as all from storage.unfinished_uploads where not done`,
      [owner],
    );
    return rows[0]!;
  }

  async agree(agreed: Agreed): Promise<void> {
    await this.#parts.db.query('insert into storage.unfinished_uploads (token, agreed, owner) values ($1, $2, $3)', [
      agreed.token,
      { ...agreed },
      agreed.owner,
    ]);
  }

  override async create(upload: Upload): Promise<Upload> {
    // The limits were agreed when the policies ran; only the protocol's date is added here.
    upload.creation_date = (await this.#here(upload.id)).createdAt.toISOString();
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, metadata, createdAt, done, came } = await this.#here(id);
    if (Date.now() > createdAt.getTime() + LIFETIME_MS) throw ERRORS.FILE_NO_LONGER_EXISTS;
    // All bytes arrived but there is no object: validation failed or was interrupted. Request the last byte again.
    const offset = done ? size! : came > 0 && came === size ? came - 1 : came;
    const creation_date = createdAt.toISOString();
    return new Upload({ id, offset, metadata, creation_date, ...(size === undefined ? {} : { size }) });
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.#parts.db.query(
      `update storage.unfinished_uploads set agreed = agreed || jsonb_build_object('size', $2::int8) where token = $1`,
      [tokenOf(id), size],
    );
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = await this.#here(id);
    if (upload.done) return offset;
    const isWhole = upload.came === upload.size;
    if (isWhole) for await (const _ of stream);
    const at = isWhole ? upload.came : await this.#writePieces(stream, upload);
    // Others wait until `judged`: the library's lock ends before validation.
    if (at === upload.size) this.#parts.leases.keep(upload.token);
    return at;
  }

  override async remove(id: string): Promise<void> {
    await this.drop(await this.#here(id));
  }

  override async deleteExpired(): Promise<number> {
    return this.#delete(
      `created_at < now() - $1::interval
         or (not done and came = 0 and came_at < now() - $2::interval and coalesce(leased_until < now(), true))`,
      [`${LIFETIME_MS} milliseconds`, EMPTY_LIFETIME],
    );
  }

  async replaceEarlier(bucket: string, key: string, owner: string): Promise<void> {
    await this.#delete(
      `not done and owner = $1 and agreed ->> 'bucket' = $2 and agreed ->> 'key' = $3
         and came is distinct from (agreed ->> 'size')::int8`,
      [owner, bucket, key],
    );
  }

  override getExpiration(): number {
    return LIFETIME_MS;
  }

  async copy(upload: Agreed, to: string): Promise<void> {
    const { db, store } = this.#parts;
    const { rows } = await db.query<{ part: string; size: number }>(
      'select part, size from storage.unfinished_pieces where token = $1 order by position',
      [upload.token],
    );
    async function* pieces() {
      for (const { part, size } of rows) {
        const opened = await store.open(folderOf(upload), part);
        if (opened?.size !== size) throw new Error(`Piece ${part} of upload ${upload.token} is not what was stored`);
        const bytes = await opened.read();
        if (bytes instanceof ArrayBuffer) yield new Uint8Array(bytes);
        else yield* bytes;
      }
    }
    await pipeline(Readable.from(pieces(), { objectMode: false }), createWriteStream(to, { mode: 0o600, flags: 'wx' }));
  }

  /** Stored before the commit, so that a process resuming after a crash finds the object. */
  async recording({ token }: Pick<Agreed, 'token'>, version: string): Promise<void> {
    await this.#parts.db.query(
      `update storage.unfinished_uploads set agreed = agreed || jsonb_build_object('version', $2::text) where token = $1`,
      [token, version],
    );
  }

  /** True when the object is recorded although the upload was not closed, as after a crash. */
  async isRecorded({ version }: Pick<Agreed, 'version'>): Promise<boolean> {
    if (!version) return false;
    const { rows } = await this.#parts.db.query('select from storage.objects where version = $1', [version]);
    return rows.length > 0;
  }

  /** Removes the pieces but keeps the row, so that a client that missed the response gets it again. */
  async close(upload: Agreed): Promise<void> {
    await this.#parts.db.query(
      `with closed as (update storage.unfinished_uploads set done = true where token = $1 returning token)
       delete from storage.unfinished_pieces using closed where unfinished_pieces.token = closed.token`,
      [upload.token],
    );
    await this.#removePieces(upload);
  }

  async drop({ token }: Pick<Agreed, 'token'>): Promise<void> {
    await this.#delete('token = $1', [token]);
  }

  async #delete(condition: string, values: Value[]): Promise<number> {
    const { db, allowances } = this.#parts;
    const { rows } = await db.query<Pick<Agreed, 'token' | 'taken'> & { came: number; done: boolean }>(
      `delete from storage.unfinished_uploads where ${condition} returning token::text, agreed -> 'taken' as taken, came, done`,
      values,
    );
    for (const upload of rows) {
      if (!upload.done) await allowances.giveBack(upload.taken, upload.came > 0);
      await this.#removePieces(upload);
    }
    return rows.length;
  }

  async #writePieces(stream: Readable, upload: Unfinished): Promise<number> {
    const { disk, scratch } = this.#parts;
    let { came, pieces } = upload;
    const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    for (let ended = false; !ended; ) {
      if (pieces++ >= MOST_PIECES) throw errors.tooManyPieces(MOST_PIECES);
      const path = scratch.path();
      const file = await open(path, 'wx', 0o600);
      let [size, cut] = [0, null as { reason: unknown } | null];
      try {
        while (size < PIECE && !ended && !cut) {
          const next = await chunks.next().catch((reason: unknown) => {
            // Bytes received before the connection broke are kept.
            cut = { reason };
          });
          ended = next?.done === true;
          if (!next || next.done) break;
          disk.take(next.value.byteLength);
          if (!(await disk.has('files'))) throw errors.noSpace();
          await file.writeFile(next.value);
          size += next.value.byteLength;
        }
        await file.close();
        if (size > 0) await this.#store(upload.token, came, size, path);
        came += size;
      } finally {
        await file.close();
        await scratch.discard(path);
      }
      if (cut) throw (cut as { reason: unknown }).reason;
    }
    return came;
  }

  /** Stores a piece, then records it. Its unique name prevents overwrites by a process that lost the lease. */
  async #store(token: string, position: number, size: number, path: string): Promise<void> {
    const { db, store, leases } = this.#parts;
    const part = `${position}-${crypto.randomUUID().slice(0, 8)}`;
    await store.put(folderOf({ token }), part, path);
    const { affected } = await db.query(
      `with told as (
         update storage.unfinished_uploads set came = $2::int8 + $3, came_at = now()
         where token = $1 and came = $2 and not done and lease = $5 returning token
       )
       insert into storage.unfinished_pieces (token, position, size, part) select token, $2, $3, $4 from told`,
      [token, position, size, part, leases.of(token)],
    );
    if (affected) return;
    await store.remove(folderOf({ token }), [part]);
    throw LOST;
  }

  async #removePieces(upload: Pick<Agreed, 'token'>): Promise<void> {
    await this.#parts.store.remove(folderOf(upload)).catch((err: unknown) => {
      this.#parts.log.warn({ err }, 'removing parts of an upload failed');
    });
  }

  async #here(id: string): Promise<Unfinished> {
    const upload = await this.find(id);
    if (!upload) throw ERRORS.FILE_NOT_FOUND;
    return upload;
  }
}
