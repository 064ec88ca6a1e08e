import { copyFile, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { writeDurably } from '../../data-dir/durable-file.ts';
import type { DiskSpace } from '../../disk-space.ts';
import type { Role } from '../../http/caller.ts';
import { errors } from '../errors.ts';
import type { Meeting } from '../objects/upload.ts';

/** An upload that comes in pieces: what was agreed when it was created. */
export interface Agreed {
  /** Random; the secret part of the upload's address. */
  token: string;
  bucket: string;
  key: string;
  role: Role;
  /** Null for guests: whoever holds the address may go on. */
  userId: string | null;
  /** Whose share it counts against, see `ownerOf`; null for the service. */
  owner: string | null;
  meeting: Meeting;
  /** Largest size the bucket takes. */
  limit: number;
  size?: number;
  metadata: Record<string, string | null>;
  createdAt: string;
  /** The object is recorded; the pieces are gone. */
  done: boolean;
}

/** What has become of it since. */
interface Coming {
  agreed: Agreed;
  /** Bytes that are here. */
  came: number;
  /** When some came last, or it was agreed. */
  at: number;
}

const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Life of an upload of which not a byte came. */
const EMPTY_LIFETIME_MS = 10 * 60 * 1000;
const TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id in an upload's address: base64url of `bucket/object/token`. */
export const uploadId = ({ bucket, key, token }: Pick<Agreed, 'bucket' | 'key' | 'token'>) =>
  Buffer.from(`${bucket}/${key}/${token}`).toString('base64url');

/** Pieces of unfinished uploads in a folder of their own, where nobody can read them. They outlive a restart. */
export class ResumableUploads extends DataStore {
  readonly #folder: string;
  readonly #disk: DiskSpace;
  readonly #uploads = new Map<string, Coming>();
  /** Uploads whose last byte has come and which are being judged now. */
  readonly #judging = new Map<string, PromiseWithResolvers<void>>();

  constructor(folder: string, disk: DiskSpace) {
    super();
    this.#folder = folder;
    this.#disk = disk;
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration'];
  }

  /** Finds what an earlier process left. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      if (!name.endsWith('.json')) {
        if (!TOKEN.test(name)) await rm(path, { force: true });
        continue;
      }
      const agreed = JSON.parse(await readFile(path, 'utf8')) as Agreed;
      const pieces = await stat(this.#pieces(agreed)).catch(() => null);
      this.#uploads.set(agreed.token, { agreed, came: pieces?.size ?? 0, at: pieces?.mtimeMs ?? 0 });
    }
  }

  /** What was agreed for an id; null when there is no such upload. */
  find(id: string): Agreed | null {
    const text = Buffer.from(id, 'base64url').toString('utf8');
    const agreed = this.#uploads.get(text.slice(text.lastIndexOf('/') + 1))?.agreed;
    return agreed && uploadId(agreed) === id ? agreed : null;
  }

  /** Uploads of this owner that are not done. */
  openOf(owner: string): number {
    return this.#open().filter(({ agreed }) => agreed.owner === owner).length;
  }

  /** Bytes of unfinished uploads that are here, in all and of this owner. */
  came(owner: string): { all: number; own: number } {
    const sum = (coming: Coming[]) => coming.reduce((bytes, { came }) => bytes + came, 0);
    const open = this.#open();
    return { all: sum(open), own: sum(open.filter(({ agreed }) => agreed.owner === owner)) };
  }

  async agree(agreed: Agreed): Promise<void> {
    await writeFile(this.#pieces(agreed), '', { mode: 0o600 });
    await this.#save(agreed);
    this.#uploads.set(agreed.token, { agreed, came: 0, at: Date.now() });
  }

  override async create(upload: Upload): Promise<Upload> {
    // Agreed before, when the policies were asked; here only the protocol's own date is added.
    upload.creation_date = this.#agreed(upload.id).createdAt;
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const agreed = this.#agreed(id);
    await this.#judging.get(agreed.token)?.promise;
    const { token, size, metadata, createdAt, done } = agreed;
    if (!this.#uploads.has(token)) throw ERRORS.FILE_NOT_FOUND;
    if (Date.now() > Date.parse(createdAt) + LIFETIME_MS) throw ERRORS.FILE_NO_LONGER_EXISTS;
    const offset = done ? size! : await this.#offset(agreed);
    return new Upload({ id, offset, metadata, creation_date: createdAt, ...(size === undefined ? {} : { size }) });
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    const agreed = this.#agreed(id);
    agreed.size = size;
    await this.#save(agreed);
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const agreed = this.#agreed(id);
    if (agreed.done) return offset;
    const coming = this.#uploads.get(agreed.token)!;
    const handle = await open(this.#pieces(agreed), 'r+');
    let at = offset;
    coming.at = Date.now();
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        this.#disk.take(chunk.byteLength);
        if (!(await this.#disk.has('files'))) throw errors.noSpace();
        for (let sent = 0; sent < chunk.byteLength; ) {
          const { bytesWritten } = await handle.write(chunk, sent, chunk.byteLength - sent, at);
          sent += bytesWritten;
          at += bytesWritten;
        }
        coming.came = at;
        coming.at = Date.now();
      }
    } finally {
      await handle.sync();
      await handle.close();
    }
    // From here until `judged` others wait: the lock of the library ends before the whole is looked at.
    if (at === agreed.size) this.#judging.set(agreed.token, Promise.withResolvers());
    return at;
  }

  override async remove(id: string): Promise<void> {
    await this.drop(this.#agreed(id));
  }

  override async deleteExpired(): Promise<number> {
    const expired = [...this.#uploads.values()].filter(
      ({ agreed, came, at }) =>
        Date.now() > Date.parse(agreed.createdAt) + LIFETIME_MS ||
        (!agreed.done && came === 0 && Date.now() > at + EMPTY_LIFETIME_MS),
    );
    for (const { agreed } of expired) await this.drop(agreed);
    return expired.length;
  }

  override getExpiration(): number {
    return LIFETIME_MS;
  }

  /** Copies the whole to `to`, where judging it cannot touch the pieces. */
  async copy(agreed: Agreed, to: string): Promise<void> {
    await copyFile(this.#pieces(agreed), to);
  }

  /** The verdict is in, whatever it is: requests about the upload go on. */
  judged(agreed: Agreed): void {
    this.#judging.get(agreed.token)?.resolve();
    this.#judging.delete(agreed.token);
  }

  /** Keeps the agreement, so that a client that missed the answer hears it again; the pieces go. */
  async close(agreed: Agreed): Promise<void> {
    agreed.done = true;
    agreed.size ??= (await stat(this.#pieces(agreed))).size;
    await this.#save(agreed);
    await rm(this.#pieces(agreed), { force: true });
  }

  /** Removes the upload with its pieces. */
  async drop(agreed: Agreed): Promise<void> {
    this.#uploads.delete(agreed.token);
    await rm(this.#pieces(agreed), { force: true });
    await rm(`${this.#pieces(agreed)}.json`, { force: true });
  }

  /**
   * Bytes that are here. All of them and still no object: judging them failed by our fault, or we were stopped before.
   * Then the last byte is asked for once more, so that the client neither believes it is done nor starts over.
   */
  async #offset(agreed: Agreed): Promise<number> {
    const path = this.#pieces(agreed);
    const { size } = await stat(path);
    if (agreed.size === undefined || size === 0 || size < agreed.size) return size;
    await truncate(path, agreed.size - 1);
    return agreed.size - 1;
  }

  async #save(agreed: Agreed): Promise<void> {
    await writeDurably(`${this.#pieces(agreed)}.json`, JSON.stringify(agreed));
  }

  #open(): Coming[] {
    return [...this.#uploads.values()].filter(({ agreed }) => !agreed.done);
  }

  #agreed(id: string): Agreed {
    const agreed = this.find(id);
    if (!agreed) throw ERRORS.FILE_NOT_FOUND;
    return agreed;
  }

  #pieces({ token }: Agreed): string {
    if (!TOKEN.test(token)) throw ERRORS.FILE_NOT_FOUND;
    return join(this.#folder, token);
  }
}
