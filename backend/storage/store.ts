import type { Readable } from 'node:stream';

/** A part of one object version: `original`, or a render such as `640-webp`. */
export type PartName = string;

/** Bytes ready to be sent. */
export interface Opened {
  size: number;
  /** Its first bytes, at most `length` of them; it stays open. */
  head(length: number): Promise<Buffer>;
  /** Bytes from `start` to `end` inclusive; the whole part without a range. Closes by itself at the end; `close` is for when it is not called. */
  read(range?: { start: number; end: number }): Promise<ArrayBuffer | Readable>;
  close(): Promise<void>;
}

/**
 * Where the bytes of object versions lie. A version is a random UUID: names of objects never reach a store, so moving
 * an object touches no bytes and replacing one never overwrites any.
 */
export interface Store {
  /** Takes a finished local file in. Durable when it resolves: bytes first, then the folder entry (D4). */
  put(version: string, part: PartName, file: string): Promise<void>;
  /** Copies the original under a new version, as durable as `put`. */
  copy(from: string, to: string): Promise<void>;
  /** Null when there is no such part. */
  open(version: string, part: PartName): Promise<Opened | null>;
  /** A local file with the bytes of the part, for the picture library; null when there is none. */
  localFile(version: string, part: PartName): Promise<string | null>;
  /** Names of the parts that exist. */
  parts(version: string): Promise<PartName[]>;
  /** Removes the version with everything made from it. Missing is fine. */
  remove(version: string): Promise<void>;
  /** Until what it returns was called, removing waits: for whoever reads many objects that belong together. */
  holdRemovals(): () => void;
  /** Every version, with the time its folder last changed. */
  versions(): AsyncIterable<{ version: string; changed: Date }>;
}
