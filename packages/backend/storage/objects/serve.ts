import { Readable } from 'node:stream';
import { bareType } from '../../http/limits.ts';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import type { StoredFile } from '../store.ts';
import { fileName } from './names.ts';

export interface FileHeaders {
  type: string;
  etag: string;
  lastModified: Date | null;
  cacheControl: string;
  headers?: Record<string, string>;
}

/** For every object: stored content must never run as part of a site. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-robots-tag': 'none',
  'cross-origin-resource-policy': 'cross-origin',
};

export async function serveFile(c: Request, key: string, file: FileHeaders, storedFile: StoredFile): Promise<Response> {
  let isReading = false;
  try {
    const headers = new Headers({
      ...SECURITY_HEADERS,
      ...file.headers,
      'content-type': safeType(file.type),
      etag: file.etag,
      ...(file.lastModified && { 'last-modified': file.lastModified.toUTCString() }),
      'cache-control': file.cacheControl,
      'accept-ranges': 'bytes',
    });
    const downloadName = c.req.query('download');
    if (downloadName !== undefined) headers.set('content-disposition', attachment(downloadName || fileName(key)));
    if (isFresh((name) => c.req.header(name), file)) {
      headers.delete('content-type');
      headers.delete('content-disposition');
      return new Response(null, { status: 304, headers });
    }
    const range = parseRange(c, file, storedFile.size);
    const { start, end } = range ?? { start: 0, end: storedFile.size - 1 };
    headers.set('content-length', String(end - start + 1));
    if (range) headers.set('content-range', `bytes ${start}-${end}/${storedFile.size}`);
    const status = range ? 206 : 200;
    if (c.req.method === 'HEAD') return new Response(null, { status, headers });
    isReading = true;
    const body = await storedFile.read({ start, end });
    const stream = body instanceof ArrayBuffer ? body : (Readable.toWeb(body) as unknown as ReadableStream<Uint8Array>);
    return new Response(stream, { status, headers });
  } finally {
    // Once streaming has begun, the file closes itself after the last byte.
    if (!isReading) await storedFile.close();
  }
}

export const publicCaching = (stored: string) =>
  stored === 'no-cache' ? stored : `public, ${stored.replace(/^public,\s*/, '')}`;

/** Types that browsers display without executing; other text is sent as plain text, the rest as octet-stream. */
export function safeType(type: string): string {
  const bare = bareType(type);
  if (/^image\/(?!svg)|^(audio|video|font)\//.test(bare)) return type;
  if (/^(application\/(json|pdf|zip|gzip|octet-stream|wasm)|text\/(plain|csv|css|markdown|vtt))$/.test(bare))
    return type;
  return /^text\/|[/+]xml|html|javascript|ecmascript|svg|json/.test(bare) ? 'text/plain' : 'application/octet-stream';
}

export function attachment(name: string): string {
  const safeName = name.replace(/[\p{Cc}/\\]/gu, '').slice(0, 200) || 'download';
  const asciiName = safeName.replace(/[^\x20-\x7e]|["%]/g, '_');
  const encodeMark = (mark: string) => `%${mark.charCodeAt(0).toString(16)}`;
  const encodedName = encodeURIComponent(safeName.toWellFormed()).replace(/['()*]/g, encodeMark);
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`;
}

/** True when the client's copy is current. @param header reads a request header */
export function isFresh(
  header: (name: 'if-none-match' | 'if-modified-since') => string | undefined,
  { etag, lastModified }: Pick<FileHeaders, 'etag' | 'lastModified'>,
): boolean {
  const tags = header('if-none-match');
  if (tags !== undefined)
    return (
      tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
    );
  const since = Date.parse(header('if-modified-since') ?? '');
  return lastModified !== null && !Number.isNaN(since) && truncateToSeconds(lastModified) <= since;
}

/** One byte range. Several ranges get the whole file, as HTTP allows. @throws InvalidRange */
function parseRange(c: Request, { etag, lastModified }: FileHeaders, size: number) {
  const header = c.req.header('range');
  if (!header || header.includes(',')) return null;
  const condition = c.req.header('if-range');
  if (condition && condition !== etag && (!lastModified || Date.parse(condition) !== truncateToSeconds(lastModified)))
    return null;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (from === undefined || (from === '' && to === '')) throw errors.invalidRange();
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end || start >= size) throw errors.invalidRange();
  return { start, end };
}

const truncateToSeconds = (date: Date) => Math.floor(date.getTime() / 1000) * 1000;
