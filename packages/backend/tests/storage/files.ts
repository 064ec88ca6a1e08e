import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

export const newPath = (extension = 'png') => `images/${randomUUID()}.${extension}`;

export const fileOf = (bytes: Uint8Array | string, type: string, name = 'picture') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type });

const plain = (width: number, height: number, background = '#EE3A12') =>
  sharp({ create: { width, height, channels: 3, background } });

export const png = (width = 40, height = 30) => plain(width, height).png().toBuffer();
const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;

/** A JPEG of about this size; noise does not compress. */
export async function heavyJpeg(megabytes: number): Promise<Buffer> {
  const side = Math.ceil(Math.sqrt((megabytes * 1024 ** 2) / 3)) + 40;
  return sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** A small picture that takes minutes to convert to WebP. */
export async function endlessJpeg(): Promise<Buffer> {
  const tile = sharp({ create: { width: 512, height: 512, channels: 3, background: '#000', noise } });
  const tiles = [{ input: await tile.png().toBuffer(), tile: true }];
  return plain(7_900, 5_000, '#000').composite(tiles).jpeg({ quality: 20 }).toBuffer();
}

/** A JPEG with an orientation tag and GPS coordinates. */
export const sidewaysJpeg = () =>
  plain(60, 40)
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Copyright: 'private person' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '18/1 55/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '72/1 50/1 0/1' },
    })
    .toBuffer();

export async function animatedGif(frames = 3): Promise<Buffer> {
  const [width, height] = [20, 20];
  const raw = Buffer.alloc(width * height * frames * 3);
  for (let frame = 0; frame < frames; frame++)
    raw.fill((frame * 77) % 256, frame * width * height * 3, (frame + 1) * width * height * 3);
  return sharp(raw, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ delay: Array.from({ length: frames }, () => 100), loop: 0 })
    .toBuffer();
}

export const pictureWithPage = async () =>
  Buffer.concat([await png(), Buffer.from('<html><script>alert(1)</script></html>')]);

/** The header of a PNG of 30,000 × 30,000 pixels, without its data. */
export async function announcedBomb(width = 30_000, height = 30_000): Promise<Buffer> {
  const bytes = await png();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

export const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>';

/** A PNG whose last block of pixels has a wrong checksum. */
export async function damagedPng(): Promise<Buffer> {
  const bytes = await png();
  const end = bytes.lastIndexOf('IEND') - 4;
  bytes.writeUInt32BE((bytes.readUInt32BE(end - 4) ^ 1) >>> 0, end - 4);
  return bytes;
}

/** A square in four colours: red and green above, blue and yellow below. */
export async function quarters(): Promise<Buffer> {
  const quarter = (background: string) => plain(200, 200, background).png().toBuffer();
  const inputs = await Promise.all(['#f00', '#0f0', '#00f', '#ff0'].map(quarter));
  const placed = inputs.map((input, at) => ({ input, left: (at % 2) * 200, top: at < 2 ? 0 : 200 }));
  return plain(400, 400, '#000').composite(placed).png().toBuffer();
}

/** Three seconds: black, then a test pattern with a tone, in H.264 and AAC or in VP9 and Opus; or their captions. */
export const shortFilm = (format: 'mp4' | 'webm' | 'vtt') =>
  readFile(join(import.meta.dirname, 'films', `short.${format}`));

export const uploadMetadata = (named: Record<string, string>): string =>
  Object.entries(named)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
