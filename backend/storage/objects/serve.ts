import { Readable } from 'node:stream';
import { bareType } from '../../http/content-type.ts';
import type { Request } from '../context.ts';
import { errors } from '../errors.ts';
import type { Opened } from '../store.ts';
import { fileName } from './names.ts';

/** What the headers of an answer are made of. */
export interface Served {
  type: string;
  etag: string;
  /** Null where only the tag tells. */
  modified: Date | null;
  cacheControl: string;
  /** Further headers, such as Vary. */
  headers?: Record<string, string>;
}

/** On every object: nothing stored here may run as part of any site. */
const SAFE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-robots-tag': 'none',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Answers with stored bytes: validators, one range, and a file name when `download` is in the address. */
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
    // Once asked for its bytes the file closes itself, when the last of them was sent.
    if (!handedOver) await opened.close();
  }
}

/** Types that a browser shows and never runs; of the rest, text is shown as plain text and everything else is just bytes. */
export function safeType(type: string): string {
  const bare = bareType(type);
  if (/^image\/(?!svg)|^(audio|video|font)\//.test(bare)) return type;
  if (/^(application\/(json|pdf|zip|gzip|octet-stream|wasm)|text\/(plain|csv|css|markdown))$/.test(bare)) return type;
  return /^text\/|xml|html|javascript|ecmascript|svg|json/.test(bare) ? 'text/plain' : 'application/octet-stream';
}

/** `attachment` with a plain name for old readers and the full one for the others. */
export function attachment(name: string): string {
  const clean = name.replace(/[\p{Cc}/\\]/gu, '').slice(0, 200) || 'download';
  const plain = clean.replace(/[^\x20-\x7e]|["%]/g, '_');
  const full = encodeURIComponent(clean.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}

/** True when the caller has these bytes already. @param header reads a header of the request */
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

/** One range of bytes. Several are answered with the whole, as HTTP allows. @throws InvalidRange */
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

/** The stream closes its file when it ends or the reader goes away. */
const webStream = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
