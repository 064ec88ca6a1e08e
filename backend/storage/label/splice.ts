import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { PictureKind } from '../pictures/kinds.ts';
import type { Opened } from '../store.ts';
import { spliceAvif, u32 } from './splice-avif.ts';

/** What stands before and after the bytes of a file from `from` on, when a packet is in it. */
export interface Splice {
  before: Buffer;
  from: number;
  after: Buffer;
}

/** The places we look for lie well within these first bytes. */
const HEAD = 64 * 1024;
/** Parts up to this size are sent at once; larger ones are streamed. */
const AT_ONCE = 512 * 1024;
const NOTHING = Buffer.alloc(0);

/** The same picture with an XMP packet in it; not one of its own bytes is decoded, so nothing of it is lost. */
export async function withPacket(opened: Opened, kind: PictureKind, packet: string): Promise<Opened> {
  const head = await opened.head(Math.min(HEAD, opened.size));
  const splice = splicers[kind](head, Buffer.from(packet), opened.size);
  return splice ? spliced(opened, splice) : opened;
}

/** Where a packet goes in each kind of file that our picture library writes; null for one it would not have written. */
export const splicers: Record<PictureKind, (head: Buffer, packet: Buffer, size: number) => Splice | null> = {
  jpeg: spliceJpeg,
  png: splicePng,
  webp: spliceWebp,
  gif: spliceGif,
  avif: spliceAvif,
};

function spliceJpeg(head: Buffer, packet: Buffer): Splice | null {
  if (head.readUInt16BE(0) !== 0xffd8) return null;
  // The header of JFIF wants to stay the first.
  const from = head.readUInt16BE(2) === 0xffe0 ? 4 + head.readUInt16BE(4) : 2;
  const name = Buffer.from('http://ns.adobe.com/xap/1.0/\0');
  const start = Buffer.from([0xff, 0xe1, 0, 0]);
  start.writeUInt16BE(2 + name.length + packet.length, 2);
  return { before: Buffer.concat([head.subarray(0, from), start, name, packet]), from, after: NOTHING };
}

function splicePng(head: Buffer, packet: Buffer): Splice | null {
  // Signature, then a first chunk of 13 bytes.
  const from = 33;
  if (head.toString('latin1', 12, 16) !== 'IHDR') return null;
  const body = Buffer.concat([Buffer.from('iTXtXML:com.adobe.xmp\0\0\0\0\0'), packet]);
  return {
    before: Buffer.concat([head.subarray(0, from), u32(body.length - 4), body, u32(crc32(body))]),
    from,
    after: NOTHING,
  };
}

const XMP_FLAG = 0x04;
const ALPHA_FLAG = 0x10;

function spliceWebp(head: Buffer, packet: Buffer, size: number): Splice | null {
  const extended = head.toString('latin1', 12, 16) === 'VP8X';
  const first = extended ? Buffer.from(head.subarray(12, 30)) : extendedHeader(head);
  if (!first) return null;
  first[8]! |= XMP_FLAG;
  const from = extended ? 30 : 12;
  const pad = (length: number) => Buffer.alloc(length % 2);
  const after = Buffer.concat([
    pad(size),
    Buffer.from('XMP '),
    littleEndian(packet.length),
    packet,
    pad(packet.length),
  ]);
  const whole = 12 + first.length + (size - from) + after.length;
  const before = Buffer.concat([Buffer.from('RIFF'), littleEndian(whole - 8), Buffer.from('WEBP'), first]);
  return { before, from, after };
}

/** What a WebP without any extras has to begin with before it may have some. */
function extendedHeader(head: Buffer): Buffer | null {
  const kind = head.toString('latin1', 12, 16);
  const bits = head.readUInt32LE(21);
  const [width, height, flags] =
    kind === 'VP8 '
      ? [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff, 0]
      : [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, (bits >>> 28) & 1 ? ALPHA_FLAG : 0];
  if (kind !== 'VP8 ' && kind !== 'VP8L') return null;
  const header = Buffer.concat([Buffer.from('VP8X'), littleEndian(10), Buffer.alloc(10)]);
  header[8] = flags;
  header.writeUIntLE(width - 1, 12, 3);
  header.writeUIntLE(height - 1, 15, 3);
  return header;
}

function spliceGif(head: Buffer, packet: Buffer): Splice | null {
  if (head.toString('latin1', 0, 6) !== 'GIF89a') return null;
  const screen = head[10]!;
  const from = 13 + (screen & 0x80 ? 3 * 2 ** ((screen & 7) + 1) : 0);
  // The packet stands bare among blocks that tell their length: the trailer leads a reader out of it from any byte.
  const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0]);
  const start = Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from('XMP DataXMP')]);
  return { before: Buffer.concat([head.subarray(0, from), start, packet, trailer]), from, after: NOTHING };
}

function littleEndian(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function spliced(opened: Opened, { before, from, after }: Splice): Opened {
  const middle = opened.size - from;
  const size = before.length + middle + after.length;
  return {
    size,
    head: async (length) => {
      const own =
        length > before.length ? await opened.head(Math.min(opened.size, from + length - before.length)) : NOTHING;
      return Buffer.concat([before, own.subarray(from), after]).subarray(0, length);
    },
    close: () => opened.close(),
    async read({ start, end } = { start: 0, end: size - 1 }) {
      const first = before.subarray(start, end + 1);
      const last = after.subarray(
        Math.max(0, start - before.length - middle),
        Math.max(0, end + 1 - before.length - middle),
      );
      const inner = {
        start: Math.max(0, start - before.length) + from,
        end: Math.min(middle - 1, end - before.length) + from,
      };
      if (inner.start > inner.end) {
        await opened.close();
        return bytesOf([first, last]);
      }
      const own = await opened.read(inner);
      return own instanceof ArrayBuffer ? bytesOf([first, Buffer.from(own), last]) : inOrder(first, own, last);
    },
  };
}

const bytesOf = (parts: Buffer[]): ArrayBuffer => new Uint8Array(Buffer.concat(parts)).buffer;

function inOrder(first: Buffer, own: Readable, last: Buffer): Readable {
  const all = Readable.from(
    (async function* () {
      yield first;
      yield* own;
      yield last;
    })(),
    { objectMode: false, highWaterMark: AT_ONCE },
  );
  // Also when the reader went away before the first byte was asked for.
  return all.once('close', () => own.destroy());
}
