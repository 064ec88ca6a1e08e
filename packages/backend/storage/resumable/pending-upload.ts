import type { Role } from '../../http/caller.ts';
import type { WriteMode } from '../objects/upload.ts';
import type { AllowanceCharge } from '../upload-allowances.ts';

/** Decided when the upload is created. Stored as JSON, so the names of the fields are a format. */
export interface UploadTerms {
  /** Random; the secret part of the upload's URL. */
  token: string;
  bucket: string;
  key: string;
  role: Role;
  /** Null for guests: the upload's URL suffices to continue it. */
  userId: string | null;
  /** Owner of the allowance, see `allowanceOwner`; null for the service role. */
  owner: string | null;
  taken: AllowanceCharge | null;
  meeting: WriteMode;
  limit: number;
  size?: number;
  metadata: Record<string, string | null>;
  version?: string;
}

export interface PendingUpload extends UploadTerms {
  receivedBytes: number;
  pieceCount: number;
  createdAt: Date;
  done: boolean;
}

/** The id in an upload's URL: base64url of `bucket/object/token`. */
export const uploadId = ({ bucket, key, token }: Pick<UploadTerms, 'bucket' | 'key' | 'token'>) =>
  Buffer.from(`${bucket}/${key}/${token}`).toString('base64url');

export function tokenInId(id: string): string {
  const text = Buffer.from(id, 'base64url').toString('utf8');
  return text.slice(text.lastIndexOf('/') + 1);
}
