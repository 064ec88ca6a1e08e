import sharp, { type Sharp } from 'sharp';
import { errors } from '../errors.ts';
import type { Gravity } from './gravity.ts';
import type { PictureKind } from './image-format.ts';
import type { Render } from './image-variants.ts';
import { labelled } from './provenance.ts';
import { limitFrames, MAX_PIXELS } from './rewrite.ts';

interface Size {
  width: number;
  height: number;
}

/** @throws InvalidRequest */
export async function makeVariant(
  path: string,
  { width, height, resize, quality, kind, still, gravity, made, provenance }: Render,
): Promise<Uint8Array<ArrayBuffer>> {
  await limitFrames(path);
  try {
    const animated = !still && (kind === 'webp' || kind === 'gif');
    // A file stored unchanged may be damaged or have an orientation tag; render what can be decoded.
    const opened = sharp(path, { animated, limitInputPixels: MAX_PIXELS, failOn: 'none' });
    const picture = animated ? opened : opened.autoOrient();
    const fit = resize === 'contain' ? 'inside' : resize;
    const resized =
      width === null && height === null
        ? picture
        : gravity && fit === 'cover' && width !== null && height !== null
          ? await cutAt(picture, { width, height }, gravity)
          : picture.resize(width, height, { fit, withoutEnlargement: true });
    return new Uint8Array(await labelled(encoded(resized, kind, quality), made, provenance).toBuffer());
  } catch (error) {
    throw /pixel limit/i.test((error as Error).message) ? errors.sourceTooLarge('resolution') : errors.unrenderable();
  }
}

function encoded(picture: Sharp, kind: PictureKind, quality: number | null): Sharp {
  switch (kind) {
    case 'webp':
      return picture.webp({ quality: quality ?? 78 });
    case 'avif':
      return picture.avif({ quality: quality ?? 55, effort: 2 });
    case 'jpeg':
      return picture.jpeg({ quality: quality ?? 80, mozjpeg: true });
    case 'png':
      return picture.png({ compressionLevel: 8 });
    case 'gif':
      return picture.gif();
  }
}

export async function cutAt(picture: Sharp, frame: Size, gravity: Gravity): Promise<Sharp> {
  if (gravity.to === 'sm')
    return picture.resize(frame.width, frame.height, {
      fit: 'cover',
      position: sharp.strategy.attention,
      withoutEnlargement: true,
    });
  const { autoOrient, pageHeight } = await picture.metadata();
  const { width, height } = { ...autoOrient, ...(pageHeight && { height: pageHeight }) };
  const scale = Math.min(1, Math.max(frame.width / width, frame.height / height));
  const scaled = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  const cut = { width: Math.min(frame.width, scaled.width), height: Math.min(frame.height, scaled.height) };
  return picture.resize(scaled.width, scaled.height, { fit: 'fill' }).extract({
    ...cut,
    left: start(gravity, 'x', scaled.width, cut.width),
    top: start(gravity, 'y', scaled.height, cut.height),
  });
}

function start({ to, ...at }: Gravity, axis: 'x' | 'y', whole: number, kept: number): number {
  const given = at[axis] ?? 0;
  const room = whole - kept;
  const offset = Math.abs(given) < 1 ? given * whole : given;
  const [low, high] = axis === 'x' ? ['we', 'ea'] : ['no', 'so'];
  const begin =
    to === 'fp'
      ? given * whole - kept / 2
      : to.includes(low!)
        ? offset
        : to.includes(high!)
          ? room - offset
          : room / 2 + offset;
  return Math.round(Math.min(room, Math.max(0, begin)));
}
