import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exiftoolPath } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { animatedGif, fileOf, heavyJpeg, newPath, png } from './files.ts';
import { type House, openHouse, type TestStore } from './house.ts';

export function labelTests(store: TestStore): void {
  let house: House;
  let folder: string;
  beforeAll(async () => {
    house = await openHouse({ store });
    folder = await mkdtemp(join(tmpdir(), 'madhouse-label-'));
  });
  afterAll(async () => {
    await house.close();
    await rm(folder, { recursive: true, force: true });
  });

  const BUCKET = 'case-studies';
  const MACHINE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
  const TOGETHER = 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';
  const HAND = 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCreation';
  const KINDS = ['png', 'jpg', 'gif', 'webp', 'avif'] as const;

  const original = (path: string, query = '') => `${house.url}/object/public/${BUCKET}/${path}${query}`;
  const render = (path: string, query: string) => `${house.url}/render/image/public/${BUCKET}/${path}?${query}`;
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

  /** What a reader that is not ours finds in a file, warnings included. */
  async function read(bytes: Buffer): Promise<Record<string, unknown>> {
    const file = join(folder, `${crypto.randomUUID()}.bin`);
    await writeFile(file, bytes);
    const asked = ['-json', '-n', '-G1', '-a', '-validate', '-warning', '-error', '-FileType', '-all', file];
    const { stdout } = await promisify(execFile)(await exiftoolPath(), asked);
    return JSON.parse(stdout)[0];
  }
  const toldBy = async (answer: Response) => (await read(await bytesOf(answer)))['XMP-iptcExt:DigitalSourceType'];

  const drawn = async (kind: string, width = 70, height = 50) =>
    kind === 'gif'
      ? animatedGif()
      : sharp(await png(width, height))
          .toFormat((kind === 'jpg' ? 'jpeg' : kind) as 'png')
          .toBuffer();

  async function stored(bytes: Buffer, kind: string): Promise<string> {
    const path = newPath(kind);
    const type = `image/${kind === 'jpg' ? 'jpeg' : kind}`;
    const { error } = await house.client().from(BUCKET).upload(path, fileOf(bytes, type), { cacheControl: '3600' });
    expect(error).toBeNull();
    return path;
  }

  /** A record that shows a file. @returns its id */
  async function shows(path: string, made: string | null, status = 'active'): Promise<string> {
    const { rows } = await house.db.query<{ id: string }>(
      `with project as (insert into public.projects (title, status) values ('Label', $1) returning id)
     insert into public.project_media (project_id, url, made) select id, $2, $3 from project returning id`,
      [status, original(path), made],
    );
    return rows[0]!.id;
  }
  const mark = (id: string, made: string | null) =>
    house.db.query('update public.project_media set made = $2 where id = $1', [id, made]);

  describe('a served picture', () => {
    it.each(KINDS)(
      'tells who made it to exiftool: a %s as it was uploaded, byte for byte beside the label',
      async (kind) => {
        const path = await stored(await drawn(kind), kind);
        const plain = await bytesOf(await fetch(original(path)));
        expect(await read(plain)).not.toHaveProperty('XMP-iptcExt:DigitalSourceType');
        await shows(path, 'machine');
        const answer = await fetch(original(path));
        const labelled = await bytesOf(answer);
        expect(Number(answer.headers.get('content-length'))).toBe(labelled.length);
        const found = await read(labelled);
        expect(found['XMP-iptcExt:DigitalSourceType']).toBe(MACHINE);
        expect([found['ExifTool:Warning'], found['ExifTool:Error']]).toEqual([undefined, undefined]);
        const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer();
        expect((await pixels(labelled)).equals(await pixels(plain))).toBe(true);
        expect((await sharp(labelled, { animated: true }).metadata()).pages).toBe(
          (await sharp(plain, { animated: true }).metadata()).pages,
        );
      },
    );

    it.each(['avif', 'webp', 'origin'])('tells it in every rendered width, as %s', async (format) => {
      for (const kind of KINDS) {
        const path = await stored(await drawn(kind, 400, 300), kind);
        await shows(path, 'together');
        for (const query of [
          `width=160&format=${format}`,
          `width=320&height=100&format=${format}`,
          `format=${format}`,
        ]) {
          const answer = await fetch(render(path, query));
          expect(answer.status).toBe(200);
          const bytes = await bytesOf(answer);
          const found = await read(bytes);
          expect(found['XMP-iptcExt:DigitalSourceType'], `${kind} ${query}`).toBe(TOGETHER);
          expect([found['ExifTool:Warning'], found['ExifTool:Error']]).toEqual([undefined, undefined]);
          expect((await sharp(bytes).raw().toBuffer()).length).toBeGreaterThan(0);
        }
      }
    });

    it.each(['png', 'webp', 'avif'])('tells it also where one can see through it: %s', async (kind) => {
      const clear = sharp({
        create: { width: 60, height: 40, channels: 4, background: { r: 9, g: 99, b: 199, alpha: 0.4 } },
      });
      for (const lossless of [false, true]) {
        const bytes = await (kind === 'png'
          ? clear.png()
          : kind === 'webp'
            ? clear.webp({ lossless })
            : clear.avif({ lossless })
        ).toBuffer();
        const path = await stored(bytes, kind);
        const plain = await bytesOf(await fetch(original(path)));
        await shows(path, 'hand');
        const labelled = await bytesOf(await fetch(original(path)));
        const found = await read(labelled);
        expect([found['XMP-iptcExt:DigitalSourceType'], found['ExifTool:Warning']]).toEqual([HAND, undefined]);
        expect((await sharp(labelled).raw().toBuffer()).equals(await sharp(plain).raw().toBuffer())).toBe(true);
      }
    });

    it('tells it in ranges, to HEAD, signed, to who is signed in, and when it is too large to be sent at once', async () => {
      const path = await stored(await heavyJpeg(4), 'jpg');
      await shows(path, 'machine');
      const whole = await bytesOf(await fetch(original(path)));
      expect(whole.length).toBeGreaterThan(600_000);
      expect((await read(whole))['XMP-iptcExt:DigitalSourceType']).toBe(MACHINE);
      const head = await fetch(original(path), { method: 'HEAD' });
      expect(Number(head.headers.get('content-length'))).toBe(whole.length);
      for (const [start, end] of [
        [0, 9],
        [10, 700],
        [0, whole.length - 1],
        [600, 601],
        [whole.length - 9, whole.length - 1],
        [100, 600_000],
      ] as const) {
        const part = await bytesOf(await fetch(original(path), { headers: { range: `bytes=${start}-${end}` } }));
        expect(part.equals(whole.subarray(start, end + 1)), `${start} to ${end}`).toBe(true);
      }
      const signed = await house.service.from(BUCKET).createSignedUrl(path, 60);
      expect(await toldBy(await fetch(signed.data!.signedUrl))).toBe(MACHINE);
      const headers = { authorization: `Bearer ${(await house.person({ admin: true })).token}` };
      expect(await toldBy(await fetch(`${house.url}/object/authenticated/${BUCKET}/${path}`, { headers }))).toBe(
        MACHINE,
      );
      const small = `${house.url}/render/image/authenticated/${BUCKET}/${path}?width=160&format=webp`;
      expect(await toldBy(await fetch(small, { headers }))).toBe(MACHINE);
    });

    it('changes with the mark, and no copy that was kept outlives it', async () => {
      const path = await stored(await drawn('jpg', 400, 300), 'jpg');
      const address = render(path, 'width=160&format=webp');
      const id = await shows(path, null);
      const first = await fetch(address);
      expect(await toldBy(first.clone())).toBeUndefined();
      expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const tags = [first.headers.get('etag')!];
      for (const [made, told] of [
        ['machine', MACHINE],
        ['hand', HAND],
        ['together', TOGETHER],
      ] as const) {
        await mark(id, made);
        const unnamed = await fetch(address, { headers: { 'if-none-match': tags.join(', ') } });
        expect([unnamed.status, unnamed.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
        expect(await toldBy(unnamed)).toBe(told);
        // As pages write it.
        const named = await fetch(`${address}&made=${made}`);
        expect([named.headers.get('cache-control'), named.headers.get('last-modified')]).toEqual([
          'public, max-age=31536000, immutable',
          null,
        ]);
        expect(await toldBy(named.clone())).toBe(told);
        const again = await fetch(`${address}&made=${made}`, {
          headers: { 'if-none-match': named.headers.get('etag')! },
        });
        expect(again.status).toBe(304);
        tags.push(named.headers.get('etag')!);
        const whole = await fetch(original(path, `?made=${made}`));
        expect([whole.headers.get('cache-control'), await toldBy(whole)]).toEqual(['public, max-age=3600', told]);
      }
      expect(new Set(tags).size).toBe(4);
      const stale = await fetch(`${address}&made=machine`, {
        headers: { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() },
      });
      expect([stale.status, stale.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
      await mark(id, null);
      expect(await toldBy(await fetch(address))).toBeUndefined();
    });

    it('is told by what is published, and the one of several marks that admits most', async () => {
      const path = await stored(await drawn('png'), 'png');
      const told = async () => toldBy(await fetch(original(path)));
      const draft = await shows(path, 'hand', 'draft');
      expect(await told()).toBe(HAND);
      await shows(path, 'together', 'active');
      await mark(draft, 'machine');
      expect(await told()).toBe(TOGETHER);
      await shows(path, 'machine', 'archived');
      expect(await told()).toBe(MACHINE);
    });
  });

  describe('a label that was in the uploaded file', () => {
    const xmp = (inside: string) =>
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
     <rdf:Description rdf:about="" xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
       xmlns:dc="http://purl.org/dc/elements/1.1/" ${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`;
    const carrying = async (kind: string, inside: string) =>
      sharp(await png(70, 50))
        .withXmp(xmp(inside))
        .withExif({ IFD0: { Artist: 'private person' } })
        .toFormat((kind === 'jpg' ? 'jpeg' : kind) as 'png')
        .toBuffer();

    it.each(['png', 'jpg', 'webp', 'avif'])('stays with it, with its credit and nothing else: %s', async (kind) => {
      const path = await stored(
        await carrying(
          kind,
          `ext:DigitalSourceType="${MACHINE}"><photoshop:Credit>Asha &amp; Söhne</photoshop:Credit>
        <photoshop:City>Pune</photoshop:City><dc:rights>private person</dc:rights>`,
        ),
        kind,
      );
      for (const address of [original(path), render(path, 'width=160&format=avif')]) {
        const bytes = await bytesOf(await fetch(address));
        const found = await read(bytes);
        expect([found['XMP-iptcExt:DigitalSourceType'], found['XMP-photoshop:Credit']]).toEqual([
          MACHINE,
          'Asha & Söhne',
        ]);
        expect(JSON.stringify(found)).not.toMatch(/private person|Pune/);
      }
      const id = await shows(path, 'together');
      expect((await read(await bytesOf(await fetch(original(path)))))['XMP-iptcExt:DigitalSourceType']).toBe(TOGETHER);
      await mark(id, null);
      expect(await toldBy(await fetch(original(path)))).toBe(MACHINE);
    });

    it('is not passed on when it is no word of the vocabulary, or more than a credit', async () => {
      const path = await stored(
        await carrying(
          'jpg',
          `ext:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/madeUp" photoshop:Credit="${'&lt;b&gt;'.repeat(90)}&#x1F600;">`,
        ),
        'jpg',
      );
      const found = await read(await bytesOf(await fetch(original(path))));
      expect(found).not.toHaveProperty('XMP-iptcExt:DigitalSourceType');
      expect(String(found['XMP-photoshop:Credit']).length).toBeLessThanOrEqual(200);
    });
  });
}
