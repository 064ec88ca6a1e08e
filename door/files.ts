import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Bytes ready to be sent, in every encoding we offer. */
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
const COMPRESSIBLE = /^(text\/|application\/(json|manifest|xml)|image\/svg)/;
const SMALLEST_COMPRESSED = 512;

const compressWith = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

/** Compresses an answer: `quality` 5 on first fill, 11 for files that live as long as the process. */
export async function store(
  status: number,
  headers: Record<string, string>,
  body: Buffer,
  quality: number,
): Promise<Stored> {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const worth = COMPRESSIBLE.test(headers['content-type'] ?? '') && body.length >= SMALLEST_COMPRESSED;
  const [br, gz] = worth
    ? await Promise.all([
        compressWith.br(body, {
          params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
        }),
        compressWith.gzip(body, { level: 9 }),
      ])
    : [null, null];
  return { status, headers, etag, plain: body, br, gzip: gz };
}

/** Reads the built site and `public/` into memory: a few megabytes, never read again. Keys are URL paths. */
export async function readBuiltFiles(folder: string): Promise<Map<string, Stored>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = new Map<string, Stored>();
  for (const name of names) {
    const path = `/${relative(folder, name).split(sep).join('/')}`;
    if (path.startsWith('/.vite/')) continue;
    // Vite puts a content hash into every asset's name but the reading script's, which carries its version in the query.
    const forever = path.startsWith('/assets/');
    const headers = {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'cache-control': forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    };
    files.set(path, await store(200, headers, await readFile(name), 9));
  }
  return files;
}
