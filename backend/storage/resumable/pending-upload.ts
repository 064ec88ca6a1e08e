import type { Role } from '../../http/caller.ts';
import type { Meeting } from '../objects/upload.ts';
import type { Taken } from '../upload-allowances.ts';

export interface Agreed {
  /** Random; the secret part of the upload's URL. */
  token: string;
  bucket: string;
  key: string;
  role: Role;
  /** Null for guests: the upload's URL suffices to continue it. */
  userId: string | null;
  /** Owner of the allowance, see `ownerOf`; null for the service role. */
  owner: string | null;
  taken: Taken | null;
  meeting: Meeting;
  limit: number;
  size?: number;
  metadata: Record<string, string | null>;
  version?: string;
}

export interface Unfinished extends Agreed {
  came: number;
  pieces: number;
  createdAt: Date;
  done: boolean;
}

/** The id in an upload's address: base64url of `bucket/object/token`. */
export const uploadId = ({ bucket, key, token }: Pick<Agreed, 'bucket' | 'key' | 'token'>) =>
  Buffer.from(`${bucket}/${key}/${token}`).toString('base64url');

export function tokenOf(id: string): string {
  const text = Buffer.from(id, 'base64url').toString('utf8');
  return text.slice(text.lastIndexOf('/') + 1);
}
