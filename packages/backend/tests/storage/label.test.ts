import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { folderForTests } from '../../../../tests/operator/folder-for-tests.ts';
import { ExifTool } from '../../../../tests/packages/packages.ts';
import { perlReadsPng } from '../../../../tests/programs/perl.ts';
import { animatedGif, newPath, png } from './files.ts';
import { openStorageServer } from './storage-server.ts';

const folder = folderForTests();
const exiftool = new ExifTool();
afterAll(() => exiftool.end());
const instance = forAllTests(() => openStorageServer());

const BUCKET = 'case-studies';
const MACHINE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const TOGETHER = 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';
const HAND = 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCreation';
const SOURCE = 'XMP-iptcExt:DigitalSourceType';
const KINDS = [...(perlReadsPng() ? ['png'] : []), 'jpg', 'gif', 'webp', 'avif'];

const original = (path: string) => `${instance.url}/object/public/${BUCKET}/${path}`;
const render = (path: string, query: string) => `${instance.url}/render/image/public/${BUCKET}/${path}?${query}`;
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function read(bytes: Buffer): Promise<Record<string, unknown>> {
  const file = join(folder, `${crypto.randomUUID()}.bin`);
  await writeFile(file, bytes);
  const readArgs = ['-json', '-n', '-G1', '-a', '-validate', '-warning', '-error', '-FileType', '-all'];
  return { ...(await exiftool.readRaw(file, { readArgs })) };
}
const sourceIn = async (response: Response) => (await read(await bytesOf(response)))[SOURCE];

const drawn = async (kind: string, width = 70, height = 50) =>
  kind === 'gif'
    ? animatedGif()
    : sharp(await png(width, height))
        .toFormat((kind === 'jpg' ? 'jpeg' : kind) as 'png')
        .toBuffer();

async function stored(bytes: Buffer, kind: string): Promise<string> {
  const path = newPath(kind);
  await instance.upload(bytes, path, `image/${kind === 'jpg' ? 'jpeg' : kind}`);
  return path;
}

/** Creates a media row that shows a file. @returns its id */
async function addRecord(path: string, made: string | null, status = 'active'): Promise<string> {
  const insert = `with project as (insert into public.projects (title, status) values ('Label', $1) returning id)
    insert into public.project_media (project_id, url, made) select id, $2, $3 from project returning id`;
  const { rows } = await instance.db.query<{ id: string }>(insert, [status, original(path), made]);
  return rows[0]!.id;
}
const mark = (id: string, made: string | null) =>
  instance.db.query('update public.project_media set made = $2 where id = $1', [id, made]);

describe('image variant of a picture with an AI label', () => {
  it.each(['avif', 'webp', 'origin'])('has the label in every size, as %s', async (format) => {
    for (const kind of KINDS) {
      const path = await stored(await drawn(kind, 400, 300), kind);
      await addRecord(path, 'together');
      for (const query of [`width=160&format=${format}`, `width=320&height=100&format=${format}`, `format=${format}`]) {
        const response = await fetch(render(path, query));
        expect(response.status).toBe(200);
        const bytes = await bytesOf(response);
        const found = await read(bytes);
        // The encoder writes no XMP into GIF.
        expect(found[SOURCE], `${kind} ${query}`).toBe(kind === 'gif' && format === 'origin' ? undefined : TOGETHER);
        expect([found['ExifTool:Warning'], found['ExifTool:Error']]).toEqual([undefined, undefined]);
        expect((await sharp(bytes).raw().toBuffer()).length).toBeGreaterThan(0);
      }
    }
  });

  it.each(KINDS.filter((kind) => kind !== 'jpg' && kind !== 'gif'))(
    'has the label when the picture is transparent: %s',
    async (kind) => {
      const background = { r: 9, g: 99, b: 199, alpha: 0.4 };
      const clear = sharp({ create: { width: 60, height: 40, channels: 4, background } });
      const path = await stored(await clear.toFormat(kind as 'png').toBuffer(), kind);
      await addRecord(path, 'hand');
      const found = await read(await bytesOf(await fetch(render(path, 'width=160&format=origin'))));
      expect([found[SOURCE], found['ExifTool:Warning']]).toEqual([HAND, undefined]);
    },
  );

  it('has the label when its address is signed, and for signed-in callers', async () => {
    const path = await stored(await drawn('jpg', 400, 300), 'jpg');
    await addRecord(path, 'machine');
    const transform = { width: 160, format: 'origin' } as const;
    const signed = await instance.service.from(BUCKET).createSignedUrl(path, 60, { transform });
    expect(await sourceIn(await fetch(signed.data!.signedUrl))).toBe(MACHINE);
    const headers = { authorization: `Bearer ${(await instance.person({ admin: true })).token}` };
    const small = `${instance.url}/render/image/authenticated/${BUCKET}/${path}?width=160&format=webp`;
    expect(await sourceIn(await fetch(small, { headers }))).toBe(MACHINE);
  });

  it('changes with the label, and so do cached copies', async () => {
    const path = await stored(await drawn('jpg', 400, 300), 'jpg');
    const address = render(path, 'width=160&format=webp');
    const id = await addRecord(path, null);
    const first = await fetch(address);
    expect(await sourceIn(first.clone())).toBeUndefined();
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const tags = [first.headers.get('etag')!];
    for (const [made, source] of [
      ['machine', MACHINE],
      ['hand', HAND],
      ['together', TOGETHER],
    ] as const) {
      await mark(id, made);
      const unnamed = await fetch(address, { headers: { 'if-none-match': tags.join(', ') } });
      expect([unnamed.status, unnamed.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
      expect(await sourceIn(unnamed)).toBe(source);
      const named = await fetch(`${address}&made=${made}`);
      expect(named.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(named.headers.get('last-modified')).toBeNull();
      expect(await sourceIn(named.clone())).toBe(source);
      const headers = { 'if-none-match': named.headers.get('etag')! };
      expect((await fetch(`${address}&made=${made}`, { headers })).status).toBe(304);
      tags.push(named.headers.get('etag')!);
    }
    expect(new Set(tags).size).toBe(4);
    const headers = { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() };
    const stale = await fetch(`${address}&made=machine`, { headers });
    expect([stale.status, stale.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    await mark(id, null);
    expect(await sourceIn(await fetch(address))).toBeUndefined();
  });

  it('is labelled by published records, and by the strongest of several labels', async () => {
    const path = await stored(await drawn('png'), 'png');
    const source = async () => sourceIn(await fetch(render(path, 'width=160&format=webp')));
    await addRecord(path, 'machine', 'draft');
    expect(await source()).toBeUndefined();
    await addRecord(path, 'together', 'active');
    expect(await source()).toBe(TOGETHER);
    await addRecord(path, 'machine', 'archived');
    expect(await source()).toBe(MACHINE);
  });

  it.each(KINDS)('leaves the original as it was stored: %s', async (kind) => {
    const path = await stored(await drawn(kind), kind);
    const before = await bytesOf(await fetch(original(path)));
    await addRecord(path, 'machine');
    const response = await fetch(original(path));
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    const bytes = await bytesOf(response);
    expect(bytes.equals(before)).toBe(true);
    const found = await read(bytes);
    for (const name of [SOURCE, 'ExifTool:Warning', 'ExifTool:Error']) expect(found).not.toHaveProperty([name]);
  });
});

describe('label in an uploaded file', () => {
  const xmp = (inside: string) =>
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
   <rdf:Description rdf:about="" xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
     xmlns:dc="http://purl.org/dc/elements/1.1/" ${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`;
  const pictureWithXmp = async (kind: string, inside: string) =>
    sharp(await png(70, 50))
      .withXmp(xmp(inside))
      .withExif({ IFD0: { Artist: 'private person' } })
      .toFormat((kind === 'jpg' ? 'jpeg' : kind) as 'png')
      .toBuffer();

  it.each(KINDS.filter((kind) => kind !== 'gif'))(
    'is kept in original and variants with its credit, without other metadata: %s',
    async (kind) => {
      const packet = `ext:DigitalSourceType="${MACHINE}"><photoshop:Credit>Asha &amp; Söhne</photoshop:Credit>
      <photoshop:City>Pune</photoshop:City><dc:rights>private person</dc:rights>`;
      const path = await stored(await pictureWithXmp(kind, packet), kind);
      const variant = render(path, 'width=160&format=avif');
      for (const address of [original(path), variant]) {
        const found = await read(await bytesOf(await fetch(address)));
        expect([found[SOURCE], found['XMP-photoshop:Credit']]).toEqual([MACHINE, 'Asha & Söhne']);
        expect(found).not.toHaveProperty(['ExifTool:Warning']);
        expect(JSON.stringify(found)).not.toMatch(/private person|Pune/);
      }
      // The label of a record takes precedence, and the credit is kept.
      const id = await addRecord(path, 'together');
      const marked = await read(await bytesOf(await fetch(variant)));
      expect([marked[SOURCE], marked['XMP-photoshop:Credit']]).toEqual([TOGETHER, 'Asha & Söhne']);
      await mark(id, null);
      expect(await sourceIn(await fetch(variant))).toBe(MACHINE);
    },
  );

  it('is dropped when it is not a term of the vocabulary, and a long credit is cut', async () => {
    const packet = `ext:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/madeUp" photoshop:Credit="${'&lt;b&gt;'.repeat(90)}&#x1F600;">`;
    const path = await stored(await pictureWithXmp('jpg', packet), 'jpg');
    for (const address of [original(path), render(path, 'width=160&format=webp')]) {
      const found = await read(await bytesOf(await fetch(address)));
      expect(found).not.toHaveProperty(SOURCE);
      expect(String(found['XMP-photoshop:Credit']).length).toBeLessThanOrEqual(200);
    }
  });
});
