import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export interface Stored {
  status: number;
  headers: Record<string, string>;
  etag: string;
  plain: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'application/xml; charset=utf-8',
};
const COMPRESSIBLE = /^(text\/|application\/(json|xml|manifest\+json|atom\+xml)|image\/svg)/;
const MIN_COMPRESSED_BYTES = 512;

const etagOf = (body: Buffer) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

const compressWith = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export type Encoding = 'br' | 'gzip';

const CACHED_LEVELS = { br: 7, gzip: 6 };
const ONE_TIME_LEVELS = { br: 3, gzip: 3 };

/** @param once for one reader: fast compression, in this encoding or none */
export async function store(
  status: number,
  headers: Record<string, string>,
  body: Buffer,
  once?: Encoding | null,
): Promise<Stored> {
  const isCompressible = COMPRESSIBLE.test(headers['content-type'] ?? '') && body.length >= MIN_COMPRESSED_BYTES;
  const levels = once === undefined ? CACHED_LEVELS : ONE_TIME_LEVELS;
  const shouldEncode = (encoding: Encoding) => isCompressible && (once === undefined || once === encoding);
  const params = { [constants.BROTLI_PARAM_QUALITY]: levels.br, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const [br, gz] = await Promise.all([
    shouldEncode('br') ? compressWith.br(body, { params }) : null,
    shouldEncode('gzip') ? compressWith.gzip(body, { level: levels.gzip }) : null,
  ]);
  return { status, headers, etag: etagOf(body), plain: body, br, gzip: gz };
}

export async function readBuiltFiles(folder: string): Promise<Map<string, Stored>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = new Set(entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  const pathOf = (name: string) => `/${relative(folder, name).split(sep).join('/')}`;
  const sources = [...names].filter((name) => !/\.(br|gz)$/.test(name) && !pathOf(name).startsWith('/.vite/'));
  const readCompressed = (name: string, ending: string) => (names.has(name + ending) ? readFile(name + ending) : null);
  return new Map(
    await Promise.all(
      sources.map(async (name): Promise<[string, Stored]> => {
        const [plain, br, gz] = await Promise.all([
          readFile(name),
          readCompressed(name, '.br'),
          readCompressed(name, '.gz'),
        ]);
        return [
          pathOf(name),
          { status: 200, headers: headersOf(pathOf(name)), etag: etagOf(plain), plain, br, gzip: gz },
        ];
      }),
    ),
  );
}

export const headersOf = (path: string) => ({
  'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
  // Vite puts a content hash into every asset's name except the reading script's, which has its version in the query.
  'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  'x-content-type-options': 'nosniff',
});
