import { readFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { limits } from '../../config/config.ts';
import { errors, StorageError } from '../errors.ts';
import type { ImageFormat } from './image-format.ts';
import { type Provenance, readProvenance, withProvenance } from './provenance.ts';

const MAX_MEGAPIXELS = limits.imageMegapixels.value;
export const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000;
const MAX_SIDE = limits.imageSide.value;
const MAX_FRAMES = limits.imageFrames.value;
/** Pixels. Above this AVIF is encoded with the least effort, to stay within the time limit. */
const LARGE_AVIF_PIXELS = 8_000_000;

export interface ImageInfo {
  width: number;
  height: number;
  animated: boolean;
  /** At most 200 characters: a `data:image/webp` URL, else `#rrggbb`. Null for transparency: it would show through. */
  placeholder: string | null;
  provenance?: Provenance;
}

/** @throws InvalidRequest (422) above the limits, with a message for the user */
export const measure = async (path: string) => {
  const metadata = await readMetadata(path);
  const { width, height, channels, depth } = metadata;
  return { pixels: width * height, bytes: width * height * channels * (depth === 'ushort' ? 2 : 1) };
};

/** Removes metadata, such as where the photo was taken, and anything hidden. @throws InvalidRequest (422), InsufficientStorage (507) */
export async function rewrite(
  { from, to }: { from: string; to: string },
  sourceFormat: ImageFormat,
  format: ImageFormat,
): Promise<{ image: ImageInfo; bytes: number }> {
  const metadata = await readMetadata(from);
  const animated = (metadata.pages ?? 1) > 1 && (format === 'gif' || format === 'webp');
  return withImageErrors(async () => {
    const source = openImage(from, animated);
    const upright = animated ? source : source.autoOrient();
    const provenance = readProvenance(metadata.xmp);
    const output = await withProvenance(encode(upright, format, metadata, sourceFormat), null, provenance).toFile(to);
    const size = { width: output.width, height: output.pageHeight ?? output.height };
    const placeholder = await createPlaceholder(to);
    const image = { ...size, animated, placeholder, ...(Object.keys(provenance).length > 0 && { provenance }) };
    return { image, bytes: output.size };
  });
}

async function readMetadata(path: string): Promise<Metadata> {
  await limitFrames(path);
  const metadata = await withImageErrors(() => openImage(path, true, Number.MAX_SAFE_INTEGER).metadata());
  const { width, pages = 1 } = metadata;
  const height = metadata.pageHeight ?? metadata.height;
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw errors.invalidFile(`The picture is ${width} × ${height} pixels; the limit is ${MAX_SIDE} on a side.`);
  if (pages > MAX_FRAMES) throw errors.tooManyFrames(pages, MAX_FRAMES);
  const pixels = width * height * pages;
  if (pixels > MAX_PIXELS)
    throw errors.invalidFile(
      `The picture has ${Math.ceil(pixels / 1_000_000)} megapixels${pages > 1 ? ` in its ${pages} frames` : ''}; the limit is ${MAX_MEGAPIXELS}.`,
    );
  return metadata;
}

const [RIFF, WEBP, ANMF] = [0x52494646, 0x57454250, 0x414e4d46];

/** Counts chunks: the image library takes minutes for the 190,000 frames that fit into 10 MB. @throws InvalidRequest */
export async function limitFrames(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < 12 || bytes.readUInt32BE(0) !== RIFF || bytes.readUInt32BE(8) !== WEBP) return;
  let frames = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    if (bytes.readUInt32BE(at) === ANMF) frames++;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  if (frames > MAX_FRAMES) throw errors.tooManyFrames(frames, MAX_FRAMES);
}

const openImage = (path: string, animated: boolean, limitInputPixels = MAX_PIXELS) =>
  sharp(path, { animated, limitInputPixels, failOn: 'error', sequentialRead: true });

function encode(
  source: Sharp,
  format: ImageFormat,
  { width, height, isPalette, delay, loop }: Metadata,
  sourceFormat: ImageFormat,
) {
  switch (format) {
    case 'jpeg':
      // JPEG has no transparency: fill with white, not black.
      return source.flatten({ background: '#fff' }).jpeg({ quality: 90 });
    case 'png':
      return source.png({ compressionLevel: 8, palette: isPalette && sourceFormat === 'png' });
    case 'gif':
      return source.gif({ ...(delay ? { delay } : {}), loop: loop ?? 0, reuse: true });
    case 'webp':
      return source.webp({ quality: 90, ...(delay ? { delay } : {}), loop: loop ?? 0 });
    case 'avif':
      return source.avif({ quality: 70, effort: width * height > LARGE_AVIF_PIXELS ? 0 : 2 });
  }
}

async function createPlaceholder(path: string): Promise<string | null> {
  for (const side of [16, 10, 6]) {
    const tiny = await sharp(path)
      .resize(side, side, { fit: 'inside' })
      .webp({ quality: 20, alphaQuality: 20 })
      .toBuffer();
    if (hasAlpha(tiny)) return null;
    const dataUrl = `data:image/webp;base64,${tiny.toString('base64')}`;
    if (dataUrl.length <= 200) return dataUrl;
  }
  const [r, g, b] = await sharp(path).resize(1, 1).removeAlpha().toColourspace('srgb').raw().toBuffer();
  return `#${[r, g, b].map((channel) => (channel ?? 0).toString(16).padStart(2, '0')).join('')}`;
}

/** The VP8X header flags alpha, and the encoder drops an opaque channel. */
const hasAlpha = (webp: Buffer) => webp.toString('latin1', 12, 16) === 'VP8X' && (webp[20]! & 0x10) !== 0;

async function withImageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    if (/no space left|write error/i.test((error as Error).message)) throw errors.insufficientStorage();
    throw errors.invalidFile('The picture is damaged or incomplete and cannot be read.');
  }
}
