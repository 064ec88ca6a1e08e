import { bareType } from '../../http/limits.ts';
import { withReader } from '../videos/file-reader.ts';

const FORMATS = ['png', 'jpeg', 'gif', 'webp', 'avif'] as const;
/** Accepted image formats: detected by their first bytes, never by name or declared type (TM-35). */
export type ImageFormat = (typeof FORMATS)[number];

export const mimeTypeOf = (format: ImageFormat) => `image/${format}`;

export const formatOfExtension = (extension: string): ImageFormat | null =>
  FORMATS.find((format) => format === extension.replace(/^jpg$/, 'jpeg')) ?? null;

export const formatOfMime = (type: string): ImageFormat | null =>
  FORMATS.find((format) => mimeTypeOf(format) === bareType(type)) ?? null;

/** The smallest format in `Accept`; null when none improves on the original's. */
export const acceptedFormat = (accept: string): 'avif' | 'webp' | null =>
  accept.includes('image/avif') ? 'avif' : accept.includes('image/webp') ? 'webp' : null;

const HEAD_BYTES = 512;

export async function detectFormat(path: string): Promise<ImageFormat | null> {
  const header = await readHead(path);
  const text = header.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.slice(4, 8) === 'ftyp' && readBrands(header).some((brand) => brand === 'avif' || brand === 'avis'))
    return 'avif';
  return null;
}

export async function guessMimeType(path: string): Promise<string> {
  const head = (await readHead(path)).toString('latin1');
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart();
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

function readBrands(header: Buffer): string[] {
  const length = Math.min(header.readUInt32BE(0), header.length);
  const brands = [header.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= length; at += 4) brands.push(header.toString('latin1', at, at + 4));
  return brands;
}

const readHead = (path: string) => withReader(path, (file) => file.read(0, HEAD_BYTES));

export const VARIANT_WIDTHS = [160, 320, 640, 960, 1280, 1920] as const;

// No escapes or dot segments, so that the service decodes the URL to this same file.
const IMAGE_URL =
  /^\/storage\/v1\/(object|render\/image)\/public\/([\w-]+\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*)(?:\?(.+))?$/;
const METHOD_PARAMETER = 'made=(?:hand|machine|together)';
const OBJECT_QUERY = new RegExp(`^${METHOD_PARAMETER}$`);
const RENDER_QUERY = new RegExp(
  `^(?:${METHOD_PARAMETER}&)?(?:still=1&)?width=(?:${VARIANT_WIDTHS.join('|')})(&format=(?:avif|webp|origin))?$`,
);

/** Null also for spellings that no page writes, so that a file has few cache keys. @param url raw `/path?query` */
export function parsePublicImageUrl(url: string) {
  const [, endpoint, file, query] = IMAGE_URL.exec(url) ?? [];
  if (!file) return null;
  if (endpoint === 'object')
    return query === undefined || OBJECT_QUERY.test(query) ? { file, isNegotiated: false } : null;
  const variant = RENDER_QUERY.exec(query ?? '');
  return variant && { file, isNegotiated: variant[1] === undefined };
}
