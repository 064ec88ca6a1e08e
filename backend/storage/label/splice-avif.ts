import type { Splice } from './splice.ts';

/** A box of the file: where it begins, where its content does, where it ends. */
interface Box {
  type: string;
  start: number;
  body: number;
  end: number;
}

/**
 * Adds a packet to an AVIF as an item that describes the picture. The item is listed in three tables at the front; what
 * they point to moves back by as much as they grow, and the packet itself stands at the end.
 * @returns null for a film, and for a file whose tables are not written as ours are
 */
export function spliceAvif(head: Buffer, packet: Buffer, size: number): Splice | null {
  const outside = boxes(head, 0, head.length);
  const meta = outside.find(({ type }) => type === 'meta');
  const isStill = outside.some(({ type }) => type === 'mdat') && outside.every(({ type }) => type !== 'moov');
  if (!meta || meta.end > head.length || !isStill) return null;
  const inside = boxes(head, meta.body + 4, meta.end);
  const find = (wanted: string) => inside.find(({ type }) => type === wanted);
  const [items, places, links, main] = [find('iinf'), find('iloc'), find('iref'), find('pitm')];
  if (!items || !places || !main || head[main.body] !== 0 || head[items.body] !== 0) return null;
  const table = readPlaces(head, places);
  if (!table) return null;
  const id = Math.max(...table.map(({ id }) => id)) + 1;
  const picture = head.readUInt16BE(main.body + 4);

  const listed = box('infe', [u32(0x02000000), u16(id), u16(0), Buffer.from('mime\0application/rdf+xml\0')]);
  const described = box('cdsc', [u16(id), u16(1), u16(picture)]);
  const placed = (by: number, at: number) =>
    writePlaces([
      ...table.map((item) => moved(item, by)),
      { id, method: 0, source: 0, extents: [{ offset: at, length: packet.length }] },
    ]);
  const grown = (by: number, at: number) =>
    inside.map((old) => {
      const own = head.subarray(old.body, old.end);
      if (old === items) return box('iinf', [u32(0), u16(own.readUInt16BE(4) + 1), own.subarray(6), listed]);
      if (old === places) return placed(by, at);
      if (old === links) return box('iref', [own, described]);
      return head.subarray(old.start, old.end);
    });
  const whole = (by: number, at: number) =>
    box('meta', [
      head.subarray(meta.body, meta.body + 4),
      ...grown(by, at),
      ...(links ? [] : [box('iref', [u32(0), described])]),
    ]);

  // Every number has its fixed width, so the tables are as long with the right ones as with none.
  const by = whole(0, 0).length - (meta.end - meta.start);
  const tables = whole(by, size + by + 8);
  return {
    before: Buffer.concat([head.subarray(0, meta.start), tables]),
    from: meta.end,
    after: box('mdat', [packet]),
  };
}

interface Item {
  id: number;
  /** 0: offsets count from the start of the file. */
  method: number;
  source: number;
  extents: { offset: number; length: number }[];
}

const moved = (item: Item, by: number): Item =>
  item.method === 0
    ? { ...item, extents: item.extents.map(({ offset, length }) => ({ offset: offset + by, length })) }
    : item;

/** Reads where the items lie; null for a table with wider numbers than we write. */
function readPlaces(file: Buffer, { body, end }: Box): Item[] | null {
  const version = file[body]!;
  const [widths, more] = [file[body + 4]!, file[body + 5]!];
  const [offsetSize, lengthSize, baseSize, indexSize] = [widths >> 4, widths & 15, more >> 4, more & 15];
  if (version > 1 || offsetSize !== 4 || lengthSize !== 4 || (baseSize !== 0 && baseSize !== 4) || indexSize)
    return null;
  let at = body + 6;
  const next = (width: 2 | 4) => {
    at += width;
    return width === 2 ? file.readUInt16BE(at - 2) : file.readUInt32BE(at - 4);
  };
  const found: Item[] = [];
  for (let left = next(2); left > 0; left--) {
    if (at >= end) return null;
    const id = next(2);
    const method = version === 1 ? next(2) & 15 : 0;
    const source = next(2);
    const base = baseSize ? next(4) : 0;
    const extents = Array.from({ length: next(2) }, () => ({ offset: base + next(4), length: next(4) }));
    found.push({ id, method, source, extents });
  }
  return found.length && method0or1(found) ? found : null;
}

const method0or1 = (items: Item[]) => items.every(({ method, source }) => method <= 1 && source === 0);

const writePlaces = (items: Item[]): Buffer =>
  box('iloc', [
    u32(0x01000000),
    u16(0x4400),
    u16(items.length),
    ...items.flatMap(({ id, method, source, extents }) => [
      u16(id),
      u16(method),
      u16(source),
      u16(extents.length),
      ...extents.flatMap(({ offset, length }) => [u32(offset), u32(length)]),
    ]),
  ]);

/** The boxes from `start` to `end`; one whose length makes no sense ends the list. */
function boxes(file: Buffer, start: number, end: number): Box[] {
  const found: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const length = file.readUInt32BE(at);
    if (length < 8) break;
    found.push({ type: file.toString('latin1', at + 4, at + 8), start: at, body: at + 8, end: at + length });
    at += length;
  }
  return found;
}

function box(type: string, parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
}

function u16(number: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(number);
  return bytes;
}

/** 32 bits, the largest first. */
export function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}
