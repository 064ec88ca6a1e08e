import type { Role } from '../../http/caller.ts';
import type { Meeting } from '../objects/upload.ts';
import type { Taken } from '../upload-allowances.ts';

/** An upload that comes in pieces: what was agreed when it was created. */
export interface Agreed {
  /** Random; the secret part of the upload's address. */
  token: string;
  bucket: string;
  key: string;
  role: Role;
  /** Null for guests: the address of the upload is enough to continue it. */
  userId: string | null;
  /** Whose share it counts against, see `ownerOf`; null for the service. */
  owner: string | null;
  /** Of the owner's allowance; null for the service. */
  taken: Taken | null;
  meeting: Meeting;
  /** Largest size the bucket takes. */
  limit: number;
  size?: number;
  metadata: Record<string, string | null>;
  /** Of its object, from when that was about to be recorded. */
  version?: string;
}

/** The same, and what has become of it since. */
export interface Unfinished extends Agreed {
  /** Bytes that are here. */
  came: number;
  pieces: number;
  createdAt: Date;
  /** The object is recorded; the pieces are gone. */
  done: boolean;
}

/** The id in an upload's address: base64url of `bucket/object/token`. */
export const uploadId = ({ bucket, key, token }: Pick<Agreed, 'bucket' | 'key' | 'token'>) =>
  Buffer.from(`${bucket}/${key}/${token}`).toString('base64url');

/** The last part of the address, a token or not. */
export function tokenOf(id: string): string {
  const text = Buffer.from(id, 'base64url').toString('utf8');
  return text.slice(text.lastIndexOf('/') + 1);
}
