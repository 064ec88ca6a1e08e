import { Readable } from 'node:stream';
import { bareType } from '../../http/content-type.ts';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import type { Opened } from '../store.ts';
import { fileName } from './names.ts';

export interface Served {
  type: string;
  etag: string;
  modified: Date | null;
  cacheControl: string;
  headers?: Record<string, string>;
}

/** On every object: stored content must never run as part of any site. */
const SAFE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-robots-tag': 'none',
  'cross-origin-resource-policy': 'cross-origin',
};

export async function serve(c: Request, key: string, what: Served, opened: Opened): Promise<Response> {
  const headers = new Headers({
    ...SAFE,
    ...what.headers,
    'content-type': safeType(what.type),
    etag: what.etag,
    ...(what.modified && { 'last-modified': what.modified.toUTCString() }),
    'cache-control': what.cacheControl,
    'accept-ranges': 'bytes',
  });
  const wanted = c.req.query('download');
  if (wanted !== undefined) headers.set('content-disposition', attachment(wanted || fileName(key)));
  let handedOver = false;
  try {
    if (isFresh((name) => c.req.header(name), what))
      return new Response(null, { status: 304, headers: withoutLength(headers) });
    const range = rangeOf(c, what, opened.size);
    const { start, end } = range ?? { start: 0, end: opened.size - 1 };
    headers.set('content-length', String(end - start + 1));
    if (range) headers.set('content-range', `bytes ${start}-${end}/${opened.size}`);
    const status = range ? 206 : 200;
    if (c.req.method === 'HEAD') return new Response(null, { status, headers });
    handedOver = true;
    const body = await opened.read({ start, end });
    return new Response(body instanceof ArrayBuffer ? body : webStream(body), { status, headers });
  } finally {
    // Once streaming has begun, the file closes itself after the last byte.
    if (!handedOver) await opened.close();
  }
}

/** Types that browsers display without executing; other text is sent as plain text, the rest as octet-stream. */
export function safeType(type: string): string {
  const bare = bareType(type);
  if (/^image\/(?!svg)|^(audio|video|font)\//.test(bare)) return type;
  if (/^(application\/(json|pdf|zip|gzip|octet-stream|wasm)|text\/(plain|csv|css|markdown))$/.test(bare)) return type;
  return /^text\/|xml|html|javascript|ecmascript|svg|json/.test(bare) ? 'text/plain' : 'application/octet-stream';
}

/** `attachment` with an ASCII name for old clients and the full name for others. */
export function attachment(name: string): string {
  const clean = name.replace(/[\p{Cc}/\\]/gu, '').slice(0, 200) || 'download';
  const plain = clean.replace(/[^\x20-\x7e]|["%]/g, '_');
  const full = encodeURIComponent(clean.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}

/** True when the client's copy is current. @param header reads a request header */
export function isFresh(
  header: (name: 'if-none-match' | 'if-modified-since') => string | undefined,
  { etag, modified }: Pick<Served, 'etag' | 'modified'>,
): boolean {
  const tags = header('if-none-match');
  if (tags !== undefined)
    return (
      tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
    );
  const since = Date.parse(header('if-modified-since') ?? '');
  return modified !== null && !Number.isNaN(since) && inSeconds(modified) <= since;
}

/** One byte range. Several are answered with the whole file, as HTTP allows. @throws InvalidRange */
function rangeOf(c: Request, { etag, modified }: Served, size: number): { start: number; end: number } | null {
  const header = c.req.header('range');
  if (!header || header.includes(',')) return null;
  const condition = c.req.header('if-range');
  if (condition && condition !== etag && (!modified || Date.parse(condition) !== inSeconds(modified))) return null;
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (from === undefined || (from === '' && to === '')) throw errors.invalidRange();
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start > end || start >= size) throw errors.invalidRange();
  return { start, end };
}

const inSeconds = (date: Date) => Math.floor(date.getTime() / 1000) * 1000;

function withoutLength(headers: Headers): Headers {
  headers.delete('content-type');
  headers.delete('content-disposition');
  return headers;
}

const webStream = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
