import { type FileReader, incomplete } from './file-reader.ts';
import type { VideoTrack } from './inspect-video.ts';

/** ISO/IEC 14496-12. Positions are those of the content, after the header. */
type Box = { type: string; start: number; end: number };

const MATRIX = 36;

export async function readMp4Tracks(file: FileReader): Promise<VideoTrack[]> {
  const boxes = await Array.fromAsync(boxesIn(file, { start: 0, end: file.size }));
  const index = boxes.find(({ type }) => type === 'moov');
  if (!index || !boxes.some(({ type }) => type === 'mdat')) throw incomplete();
  const tracks: VideoTrack[] = [];
  for await (const box of boxesIn(file, index)) if (box.type === 'trak') tracks.push(await readTrack(file, box));
  return tracks;
}

async function readTrack(file: FileReader, track: Box): Promise<VideoTrack> {
  const handler = await find(file, track, ['mdia', 'hdlr']);
  const samples = await find(file, track, ['mdia', 'minf', 'stbl', 'stsd']);
  const header = await find(file, track, ['tkhd']);
  const kind = handler && (await file.read(handler.start + 8, 4)).toString('latin1');
  const codec = samples ? (await file.read(samples.start + 12, 4)).toString('latin1') : '';
  if (kind !== 'vide') return { kind: kind === 'soun' ? 'audio' : 'other', codec };
  const bytes = header
    ? await file.read(header.start, Math.min(header.end - header.start, 52 + MATRIX + 8))
    : Buffer.alloc(0);
  const at = bytes[0] === 1 ? 52 : 40;
  if (bytes.length < at + MATRIX + 8) throw incomplete();
  // A phone held upright stores landscape frames and a matrix that rotates them by 90°.
  const isTurned = bytes.readInt32BE(at) === 0 && bytes.readInt32BE(at + 4) !== 0;
  const sides = [bytes.readUInt16BE(at + MATRIX), bytes.readUInt16BE(at + MATRIX + 4)] as const;
  const [width, height] = isTurned ? [sides[1], sides[0]] : sides;
  return { kind: 'video', codec, width, height };
}

async function find(file: FileReader, within: Box, [type, ...inner]: string[]): Promise<Box | null> {
  if (!type) return within;
  for await (const box of boxesIn(file, within)) if (box.type === type) return find(file, box, inner);
  return null;
}

async function* boxesIn(file: FileReader, { start, end }: Pick<Box, 'start' | 'end'>): AsyncGenerator<Box> {
  for (let at = start; at < end; ) {
    const header = await file.read(at, 16);
    if (header.length < 8) throw incomplete();
    const short = header.readUInt32BE(0);
    const isLong = short === 1 && header.length === 16;
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    const content = at + (isLong ? 16 : 8);
    if (at + size < content || at + size > end) throw incomplete();
    yield { type: header.toString('latin1', 4, 8), start: content, end: at + size };
    at += size;
  }
}
