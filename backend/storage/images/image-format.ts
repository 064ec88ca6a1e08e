import { open } from 'node:fs/promises';
import { bareType } from '../../http/content-type.ts';

/** Accepted image formats: detected by their first bytes, never by name or declared type (TM-35). */
export type PictureKind = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif';

export const mimeOf: Record<PictureKind, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

const BY_EXTENSION: Record<string, PictureKind> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  avif: 'avif',
};

export const kindOfExtension = (extension: string): PictureKind | null =>
  Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension]! : null;

export const kindOfMime = (type: string): PictureKind | null =>
  (Object.keys(mimeOf) as PictureKind[]).find((kind) => mimeOf[kind] === bareType(type)) ?? null;

/** The smallest format in `Accept`; null when none improves on the original's. */
export const acceptedKind = (accept: string): 'avif' | 'webp' | null =>
  accept.includes('image/avif') ? 'avif' : accept.includes('image/webp') ? 'webp' : null;

const HEAD = 512;

export async function kindOfFile(path: string): Promise<PictureKind | null> {
  const head = await firstBytes(path);
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.slice(4, 8) === 'ftyp' && brands(head).some((brand) => brand === 'avif' || brand === 'avis')) return 'avif';
  return null;
}

export async function guessedMime(path: string): Promise<string> {
  const text = (await firstBytes(path))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (/^<svg[\s>]/i.test(text) || (/^<(\?xml|!--|!doctype svg)/i.test(text) && /<svg[\s>]/i.test(text)))
    return 'image/svg+xml';
  if (/^<(!doctype html|html|head|body|script)/i.test(text)) return 'text/html';
  if (text.startsWith('<?xml')) return 'application/xml';
  if (text.startsWith('%PDF-')) return 'application/pdf';
  if (text.startsWith('BM')) return 'image/bmp';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'image/tiff';
  if (/^....ftyp(heic|heix|mif1)/s.test(text)) return 'image/heic';
  return 'application/octet-stream';
}

function brands(head: Buffer): string[] {
  const length = Math.min(head.readUInt32BE(0), head.length);
  const found = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= length; at += 4) found.push(head.toString('latin1', at, at + 4));
  return found;
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
