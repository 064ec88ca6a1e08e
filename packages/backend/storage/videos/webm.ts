import { type FileReader, incomplete } from './file-reader.ts';
import type { VideoTrack } from './inspect-video.ts';

/** RFC 8794 and RFC 9559. Ids with their length marker. */
const ID = {
  head: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  displayWidth: 0x54b0,
  displayHeight: 0x54ba,
  displayUnit: 0x54b2,
};

interface Element {
  id: number;
  start: number;
  /** Infinite for a live recording, whose writer did not know the size. */
  end: number;
}

const MAX_VALUE_BYTES = 256;

export async function readWebmTracks(file: FileReader): Promise<VideoTrack[] | null> {
  const [head, segment] = await Array.fromAsync(elementsIn(file, { start: 0, end: file.size }));
  if (head?.id !== ID.head || (await textOf(file, head, ID.docType)) !== 'webm') return null;
  if (segment?.id !== ID.segment) throw incomplete();
  let tracks: Element | null = null;
  let hasSamples = false;
  for await (const element of elementsIn(file, { start: segment.start, end: Math.min(segment.end, file.size) })) {
    if (element.id === ID.tracks) tracks = element;
    if (element.id === ID.cluster) hasSamples = true;
  }
  if (!tracks || !hasSamples) throw incomplete();
  const found: VideoTrack[] = [];
  for await (const element of elementsIn(file, tracks))
    if (element.id === ID.track) found.push(await readTrack(file, element));
  return found;
}

async function readTrack(file: FileReader, track: Element): Promise<VideoTrack> {
  const type = await numberOf(file, track, ID.trackType);
  const codec = await textOf(file, track, ID.codec);
  if (type !== 1) return { kind: type === 2 ? 'audio' : 'other', codec };
  const video = await find(file, track, ID.video);
  if (!video) throw incomplete();
  const isShownInPixels = (await numberOf(file, video, ID.displayUnit)) === 0;
  const side = async (shown: number, stored: number) =>
    (isShownInPixels && (await numberOf(file, video, shown))) || numberOf(file, video, stored);
  return {
    kind: 'video',
    codec,
    width: await side(ID.displayWidth, ID.pixelWidth),
    height: await side(ID.displayHeight, ID.pixelHeight),
  };
}

async function find(file: FileReader, within: Element, id: number): Promise<Element | null> {
  for await (const element of elementsIn(file, within)) if (element.id === id) return element;
  return null;
}

async function bytesOf(file: FileReader, within: Element, id: number): Promise<Buffer> {
  const found = await find(file, within, id);
  return found ? file.read(found.start, Math.min(found.end - found.start, MAX_VALUE_BYTES)) : Buffer.alloc(0);
}

const textOf = async (file: FileReader, within: Element, id: number) =>
  (await bytesOf(file, within, id)).toString('latin1').replace(/\0+$/, '');

const numberOf = async (file: FileReader, within: Element, id: number) =>
  (await bytesOf(file, within, id)).reduce((sum, byte) => sum * 256 + byte, 0);

async function* elementsIn(file: FileReader, { start, end }: Pick<Element, 'start' | 'end'>) {
  for (let at = start; at < end; ) {
    const header = await file.read(at, 12);
    const idLength = lengthOf(header[0]);
    const sizeLength = lengthOf(header[idLength]);
    const content = at + idLength + sizeLength;
    if (!idLength || idLength > 4 || !sizeLength || header.length < idLength + sizeLength) throw incomplete();
    const size = sizeIn(header.subarray(idLength, idLength + sizeLength));
    if (content + size > end && size !== Number.POSITIVE_INFINITY) throw incomplete();
    yield { id: header.readUIntBE(0, idLength), start: content, end: content + size };
    at = content + size;
  }
}

/** Bytes of a number from its first byte: its leading zero bits plus one; 0 if invalid. */
const lengthOf = (byte = 0): number => (byte ? Math.clz32(byte) - 23 : 0);

function sizeIn(bytes: Buffer): number {
  const marker = 0x80 >> (bytes.length - 1);
  const digits = [bytes[0]! & (marker - 1), ...bytes.subarray(1)];
  const isUnknown = digits.every((digit, place) => digit === (place ? 0xff : marker - 1));
  return isUnknown ? Number.POSITIVE_INFINITY : digits.reduce((sum, digit) => sum * 256 + digit, 0);
}
