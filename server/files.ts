import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { getMimeType } from 'hono/utils/mime';

export interface Stored {
  status: number;
  headers: Record<string, string>;
  etag: string;
  plain: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

const COMPRESSIBLE = /^(text\/|application\/(json|xml|manifest\+json|atom\+xml)|image\/svg)/;
const MIN_COMPRESSED_BYTES = 512;

const etagOf = (body: Buffer) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

const compressWith = { br: promisify(zlib.brotliCompress), gzip: promisify(zlib.gzip) };

export type Encoding = 'br' | 'gzip';

/** @param once for one reader: fast compression, in this encoding or none */
export async function store(status: number, headers: Record<string, string>, body: Buffer, once?: Encoding | null) {
  const levels = once === undefined ? { br: 7, gzip: 6 } : { br: 3, gzip: 3 };
  const compressed = await compress(body, headers['content-type'], levels, once);
  return { status, headers, etag: etagOf(body), plain: body, ...compressed };
}

type Levels = Record<Encoding, number>;

async function compress(body: Buffer, type: string | undefined, levels: Levels, only?: Encoding | null) {
  const isCompressible = COMPRESSIBLE.test(type ?? '') && body.length >= MIN_COMPRESSED_BYTES;
  const shouldEncode = (encoding: Encoding) => isCompressible && (only === undefined || only === encoding);
  const { constants } = zlib;
  const params = { [constants.BROTLI_PARAM_QUALITY]: levels.br, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const [br, gzip] = await Promise.all([
    shouldEncode('br') ? compressWith.br(body, { params }) : null,
    shouldEncode('gzip') ? compressWith.gzip(body, { level: levels.gzip }) : null,
  ]);
  return { br, gzip };
}

/** Writes a `.br` and a `.gz` beside each compressible file of a build. */
export async function compressFolder(folder: string): Promise<void> {
  await Promise.all(
    (await filesIn(folder)).map(async (name) => {
      const { br, gzip } = await compress(await readFile(name), getMimeType(name), { br: 11, gzip: 9 });
      if (br && gzip) await Promise.all([writeFile(`${name}.br`, br), writeFile(`${name}.gz`, gzip)]);
    }),
  );
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

export async function readBuiltFiles(folder: string): Promise<Map<string, Stored>> {
  const names = new Set(await filesIn(folder));
  const pathOf = (name: string) => `/${relative(folder, name).split(sep).join('/')}`;
  const sources = [...names].filter((name) => !/\.(br|gz)$/.test(name) && !pathOf(name).startsWith('/.vite/'));
  const readIfBuilt = (name: string) => (names.has(name) ? readFile(name) : null);
  const files = sources.map(async (name) => {
    const [plain, br, gzip] = await Promise.all([readFile(name), readIfBuilt(`${name}.br`), readIfBuilt(`${name}.gz`)]);
    const path = pathOf(name);
    return [path, { status: 200, headers: headersOf(path), etag: etagOf(plain), plain, br, gzip }] as const;
  });
  return new Map(await Promise.all(files));
}

export const headersOf = (path: string) => ({
  'content-type': getMimeType(path) ?? 'application/octet-stream',
  // Vite puts a content hash into every asset's name except the reading script's, which has its version in the query.
  'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  'x-content-type-options': 'nosniff',
});
