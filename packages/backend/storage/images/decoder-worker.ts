import { writeFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { errors, StorageError } from '../errors.ts';
import type { ImageFormat } from './image-format.ts';
import type { Gravity, ImageVariant } from './image-variants.ts';
import { withProvenance } from './provenance.ts';
import { limitFrames, MAX_PIXELS, measure, rewrite } from './rewrite.ts';

const jobs = { measure, rewrite, makeVariant };

export type DecoderJobs = typeof jobs;
export type JobResult = { result: unknown } | { error: ConstructorParameters<typeof StorageError> };

sharp.cache(false);
sharp.concurrency(1);
try {
  // When memory runs out, the kernel kills this process before the server and the database.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Linux only.
}

process.on('message', async ([name, ...args]: [keyof DecoderJobs, ...unknown[]]) => {
  process.send!('started');
  process.send!(await runJob(name, args));
});
// Not `exit`, which waits for the image library.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function runJob(name: keyof DecoderJobs, args: unknown[]): Promise<JobResult> {
  try {
    const job = jobs[name] as (...args: unknown[]) => Promise<unknown>;
    return { result: await job(...args) };
  } catch (error) {
    const { statusCode, code, message, ...rest } = error instanceof StorageError ? error : errors.invalidSourceImage();
    return { error: [statusCode, code, message, { error: rest.error, retryAfter: rest.retryAfter }] };
  }
}

/** @throws InvalidRequest */
async function makeVariant(
  path: string,
  { width, height, resize, quality, format, still, gravity, creationMethod, provenance }: ImageVariant,
): Promise<Uint8Array<ArrayBuffer>> {
  await limitFrames(path);
  try {
    const animated = !still && (format === 'webp' || format === 'gif');
    // A file stored unchanged may be damaged or have an orientation tag; render what can be decoded.
    const source = sharp(path, { animated, limitInputPixels: MAX_PIXELS, failOn: 'none' });
    // Frames cannot be turned.
    const image = animated && ((await source.metadata()).pages ?? 1) > 1 ? source : source.autoOrient();
    const fit = resize === 'contain' ? 'inside' : resize;
    const resized =
      width === null && height === null
        ? image
        : gravity && fit === 'cover' && width !== null && height !== null
          ? await crop(image, { width, height }, gravity)
          : image.resize(width, height, { fit, withoutEnlargement: true });
    const output = withProvenance(encode(resized, format, quality), creationMethod, provenance);
    return new Uint8Array(await output.toBuffer());
  } catch (error) {
    throw /pixel limit/i.test((error as Error).message)
      ? errors.sourceTooLarge('resolution')
      : errors.invalidSourceImage();
  }
}

function encode(image: Sharp, format: ImageFormat, quality: number | null): Sharp {
  switch (format) {
    case 'webp':
      return image.webp({ quality: quality ?? 78 });
    case 'avif':
      return image.avif({ quality: quality ?? 55, effort: 2 });
    case 'jpeg':
      return image.jpeg({ quality: quality ?? 80, mozjpeg: true });
    case 'png':
      return image.png({ compressionLevel: 8 });
    case 'gif':
      return image.gif();
  }
}

async function crop(image: Sharp, frame: { width: number; height: number }, gravity: Gravity): Promise<Sharp> {
  const toAttention = { fit: 'cover', position: sharp.strategy.attention, withoutEnlargement: true } as const;
  if (gravity.to === 'sm') return image.resize(frame.width, frame.height, toAttention);
  const { autoOrient, pageHeight } = await image.metadata();
  const { width, height } = { ...autoOrient, ...(pageHeight && { height: pageHeight }) };
  const scale = Math.min(1, Math.max(frame.width / width, frame.height / height));
  const scaled = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  const cut = { width: Math.min(frame.width, scaled.width), height: Math.min(frame.height, scaled.height) };
  const left = cropOffset(gravity, 'x', scaled.width, cut.width);
  const top = cropOffset(gravity, 'y', scaled.height, cut.height);
  return image.resize(scaled.width, scaled.height, { fit: 'fill' }).extract({ ...cut, left, top });
}

function cropOffset({ to, ...at }: Gravity, axis: 'x' | 'y', side: number, frameSide: number): number {
  const requested = at[axis] ?? 0;
  const slack = side - frameSide;
  const offset = Math.abs(requested) < 1 ? requested * side : requested;
  const [low, high] = axis === 'x' ? ['we', 'ea'] : ['no', 'so'];
  const position =
    to === 'fp'
      ? requested * side - frameSide / 2
      : to.includes(low!)
        ? offset
        : to.includes(high!)
          ? slack - offset
          : slack / 2 + offset;
  return Math.round(Math.min(slack, Math.max(0, position)));
}
