import { channel } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';

/** A part of a folder: `original` of an object version, or a variant such as `640-webp`. */
export type PartName = string;

/** What is removed together: a version of an object, `unfinished/<token>`, `social`, or `assets`. */
export type Folder = string;

export interface StoredFile {
  size: number;
  /** Inclusive range. Closes itself at the end; a stream is complete or fails, never silently truncated. */
  read(range?: { start: number; end: number }): Promise<ArrayBuffer | Readable>;
  close(): Promise<void>;
}

/** The store's server is unreachable or misbehaves. The message is for the operator. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export type LocalFile = AsyncDisposable & { path: string };

/**
 * A version is a random UUID: object names never reach a store, and replacing an object overwrites nothing.
 * @throws StoreUnavailable (503) from every method, when the store's server is unreachable or misbehaves
 */
export interface Store {
  /** Stores bytes or a local file, which it may move. Durable when it resolves: bytes first, then the entry (D4). */
  put(folder: Folder, part: PartName, content: string | Uint8Array): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  open(folder: Folder, part: PartName): Promise<StoredFile | null>;
  localFile(version: string): Promise<LocalFile | null>;
  /** Removes these parts, or the whole folder. Missing ones are ignored. */
  remove(folder: Folder, parts?: readonly PartName[]): Promise<void>;
  /** Entries of `social`, `assets`, `unfinished`, or a shelf (two hexadecimal digits), ordered by name. */
  list(path: string): AsyncIterable<ListEntry>;
  /** `unavailable` while its server or folder is unreachable; `full` while it rejects writes. */
  state(): Promise<'ok' | 'unavailable' | 'full'>;
  close(): void;
}

export interface ListEntry {
  name: string;
  /** Null for a folder in S3, which has no date. */
  modifiedAt: Date | null;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const VERSION = new RegExp(`^${UUID}$`);
const FOLDER = new RegExp(`^(${UUID}|unfinished/${UUID}|social|assets)$`);
const LISTABLE = /^([0-9a-f]{2}|unfinished|social|assets)$/;
const PART = /^[a-z0-9][a-z0-9-]{0,99}(\.jpg)?$/;

export const isVersion = (name: string): boolean => VERSION.test(name);

export function folderPath(folder: Folder): string {
  if (!FOLDER.test(folder)) throw new Error(`Not a folder of the store: ${folder}`);
  return isVersion(folder) ? `${folder.slice(0, 2)}/${folder}` : folder;
}

export function partPath(folder: Folder, part: PartName): string {
  if (!PART.test(part)) throw new Error(`Not a part of ${folder}: ${part}`);
  return `${folderPath(folder)}/${part}`;
}

export function listPath(path: string): string {
  if (!LISTABLE.test(path)) throw new Error(`Cannot list: ${path}`);
  return path;
}

export const openBytes = (bytes: Uint8Array): StoredFile => ({
  size: bytes.length,
  close: async () => {},
  read: async ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
    new Uint8Array(bytes.subarray(start, end + 1)).buffer,
});

export async function* chunksOf(file: StoredFile): AsyncGenerator<Uint8Array> {
  const content = await file.read();
  if (content instanceof ArrayBuffer) yield new Uint8Array(content);
  else yield* content;
}

export interface StoreCall {
  operation: 'put' | 'get' | 'head' | 'delete' | 'list' | 'copy';
  /** `away`: no response, or 5xx after the last try; `refused`: not tried because of a recent failure. */
  result: 'ok' | 'missing' | 'denied' | 'away' | 'refused';
  ms: number;
}

/** Publishes every network call to the object store; free without subscribers. */
export const storeCalls = channel('madhouse:store-call');
