import { expect } from 'vitest';
import { uploadMetadata } from '../../packages/backend/tests/storage/files.ts';
import type { Call, Client } from './client.ts';

const TUS = { 'tus-resumable': '1.0.0' };

/** Creates a resumable upload. @param named the metadata with bucket and object name @returns its path */
export async function beginUpload({ asService }: Client, named: Record<string, string>, length: number) {
  const headers = { ...TUS, 'upload-length': String(length), 'upload-metadata': uploadMetadata(named) };
  const created = await asService('/storage/v1/upload/resumable', { method: 'POST', headers });
  expect(created.status).toBe(201);
  return new URL(created.headers.get('location')!).pathname;
}

export function sendPiece({ asService }: Client, path: string, offset: number, piece: Uint8Array | ReadableStream) {
  const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
  const body = piece instanceof ReadableStream ? piece : new Uint8Array(piece);
  return asService(path, { method: 'PATCH', headers, body, duplex: 'half' } as Call);
}

export const progressOf = ({ asService }: Client, path: string) => asService(path, { method: 'HEAD', headers: TUS });
