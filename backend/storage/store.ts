import type { Readable } from 'node:stream';

/** A part of a folder: of an object version `original` or a render such as `640-webp`. */
export type PartName = string;

/** What belongs together and goes together: a version of an object, `unfinished/<token>`, `social`, or `assets`. */
export type Folder = string;

/** Bytes ready to be sent. */
export interface Opened {
  size: number;
  /**
   * Bytes from `start` to `end` inclusive; the whole part without a range. Closes by itself at the end; `close` is for when
   * it is not called. What comes is whole, or fails: a stream never just ends early.
   */
  read(range?: { start: number; end: number }): Promise<ArrayBuffer | Readable>;
  close(): Promise<void>;
}

/** The server that keeps the bytes does not answer, or not as it should. The message is for the operator. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
}

/** A file on this machine with the bytes of a part. */
export interface LocalFile {
  path: string;
  /** To be called when nobody reads it any more. */
  done(): Promise<void>;
}

/**
 * Where bytes lie, on disk or in S3, under the same names. A version is a random UUID: names of objects never reach a
 * store, so moving an object touches no bytes and replacing one never overwrites any.
 * @throws StoreAway (503) from every method, when the bytes are kept by a server that does not answer as it should
 */
export interface Store {
  /** Takes bytes or a finished local file in, which may then be gone. Durable when it resolves: bytes first, then the folder entry (D4). */
  put(folder: Folder, part: PartName, content: string | Uint8Array): Promise<void>;
  /** Copies the original of a version under a new one, as durable as `put`. */
  copy(from: string, to: string): Promise<void>;
  /** Null when there is no such part. */
  open(folder: Folder, part: PartName): Promise<Opened | null>;
  /** For the picture library; null when there is no such part. */
  localFile(folder: Folder, part: PartName): Promise<LocalFile | null>;
  /** Removes these parts, or the folder with all it has. Missing is fine. */
  remove(folder: Folder, parts?: readonly PartName[]): Promise<void>;
  /** What lies directly in `social`, `assets`, `unfinished`, or in a shelf: two hexadecimal digits that versions begin with. In order of names. */
  list(where: string): AsyncIterable<Listed>;
  /** `away` while its server does not answer as it should, or its folder cannot be reached; `full` while it takes nothing in. */
  state(): Promise<'well' | 'away' | 'full'>;
  close(): void;
}

export interface Listed {
  name: string;
  /** Null for a folder in S3, which has no date. */
  changed: Date | null;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const VERSION = new RegExp(`^${UUID}$`);
const FOLDER = new RegExp(`^(${UUID}|unfinished/${UUID}|social|assets)$`);
const LISTED = /^([0-9a-f]{2}|unfinished|social|assets)$/;
const PART = /^[a-z0-9][a-z0-9-]{0,99}(\.jpg)?$/;

export const isVersion = (name: string): boolean => VERSION.test(name);

/** Path of a folder in any store: versions lie on shelves, `<first two digits>/<version>`. @throws Error for what is none */
export function folderPath(folder: Folder): string {
  if (!FOLDER.test(folder)) throw new Error(`Not a folder of the store: ${folder}`);
  return isVersion(folder) ? `${folder.slice(0, 2)}/${folder}` : folder;
}

/** @throws Error for what is none */
export function partPath(folder: Folder, part: PartName): string {
  if (!PART.test(part)) throw new Error(`Not a part of ${folder}: ${part}`);
  return `${folderPath(folder)}/${part}`;
}

/** @throws Error for what cannot be listed */
export function listedPath(where: string): string {
  if (!LISTED.test(where)) throw new Error(`Cannot list: ${where}`);
  return where;
}

/** Bytes that are here already, ready to be sent. */
export const inMemory = (bytes: Uint8Array): Opened => ({
  size: bytes.length,
  close: async () => {},
  read: async ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
    new Uint8Array(bytes.subarray(start, end + 1)).buffer,
});
