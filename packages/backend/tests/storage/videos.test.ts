import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { fileOf, shortFilm } from './files.ts';
import { openStorageServer } from './storage-server.ts';
import { tusClient } from './tus-client.ts';

const server = forAllTests(() => openStorageServer());
const [mp4, webm, vtt] = await Promise.all([shortFilm('mp4'), shortFilm('webm'), shortFilm('vtt')]);

const admin = async () => server.client((await server.person({ admin: true })).token);
const addressOf = (bucket: string, name: string) => `${server.url}/object/public/${bucket}/${name}`;

async function upload(bytes: Uint8Array, extension: string) {
  const name = `${randomUUID()}.${extension}`;
  const { error } = await (await admin()).from('films').upload(name, fileOf(bytes, `video/${extension}`));
  const [row] = await server.rowsOf(name);
  expect(row === undefined, 'a refused file is not stored').toBe(error !== null);
  return error ? { statusCode: (error as unknown as { statusCode: string }).statusCode, message: error.message } : row!;
}

function changed(bytes: Buffer, at: number, text: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(text, at, 'latin1');
  return copy;
}

const codecAt = (track: number) =>
  Array.from({ length: track }).reduce<number>((from) => mp4.indexOf('stsd', from + 1), 0) + 16;

/** As recorded by a phone held upright: the matrix of the track rotates by 90°. */
function upright(): Buffer {
  const copy = Buffer.from(mp4);
  const matrix = copy.indexOf('tkhd') + 4 + 40;
  for (const [place, value] of [0, 0x10000, 0, -0x10000, 0, 0].entries()) copy.writeInt32BE(value, matrix + place * 4);
  return copy;
}

function crumbs(): Buffer {
  const box = Buffer.from('\0\0\0\x08free', 'latin1');
  return Buffer.concat([mp4.subarray(0, mp4.readUInt32BE(0)), Buffer.alloc(box.length * 50_000, box)]);
}

describe('a film', () => {
  it.each([
    ['mp4', mp4, 160, 90],
    ['webm', webm, 160, 90],
    ['mp4', upright(), 90, 160],
  ])('is stored as %s with the size of its picture', async (extension, bytes, width, height) => {
    const metadata = { mimetype: `video/${extension}`, width, height, size: bytes.length };
    expect(await upload(bytes, extension)).toMatchObject({ metadata });
  });

  it.each<[what: string, bytes: Buffer, extension: string, message: RegExp]>([
    ['text', Buffer.from('no film at all'), 'mp4', /neither an MP4 nor a WebM video\. Export it/],
    ['no bytes', Buffer.alloc(0), 'mp4', /neither an MP4 nor a WebM video/],
    ['Matroska', changed(webm, webm.indexOf('webm'), 'matr'), 'webm', /neither an MP4 nor a WebM video/],
    ['QuickTime', changed(mp4, 8, 'qt  '), 'mp4', /QuickTime \(MOV\), .* Export it as MP4/],
    ['MP4 under the name of WebM', mp4, 'webm', /is MP4, so its name must end in \.mp4/],
    ['WebM under the name of MP4', webm, 'mp4', /is WebM, so its name must end in \.webm/],
    ['a truncated MP4', mp4.subarray(0, -100), 'mp4', /ends before it is complete\. Export it again/],
    ['a truncated WebM', webm.subarray(0, -100), 'webm', /ends before it is complete/],
    ['an MP4 without its index', mp4.subarray(0, mp4.indexOf('moov') - 4), 'mp4', /ends before it is complete/],
    ['HEVC', changed(mp4, codecAt(1), 'hvc1'), 'mp4', /HEVC \(H\.265\), .* Export it as H\.264 \(MP4\)/],
    ['Theora', changed(webm, webm.indexOf('V_VP9'), 'V_TH9'), 'webm', /encoded as V_TH9, .* Export it as H\.264/],
    ['Dolby sound', changed(mp4, codecAt(2), 'ac-3'), 'mp4', /Dolby Digital, .* Export it with AAC sound/],
    ['no picture', changed(mp4, mp4.indexOf('hdlr') + 12, 'meta'), 'mp4', /no moving picture\. Choose a video/],
    ['many tiny parts', crumbs(), 'mp4', /damaged and cannot be read/],
  ])('is refused as %s, with what to do', async (_, bytes, extension, message) => {
    const refused = { statusCode: '422', message: expect.stringMatching(message) };
    expect(await upload(bytes, extension)).toMatchObject(refused);
  });

  it('is checked at the end of an upload in pieces, whose refusal is a plain sentence', async () => {
    const { token } = await server.person({ admin: true });
    const headers = { authorization: `Bearer ${token}` };
    const { send } = tusClient(() => server);
    const upload = (objectName: string, bytes: Buffer) => {
      const metadata = { bucketName: 'films', objectName, contentType: 'video/mp4' };
      return send({ headers, chunkSize: 6_000, metadata }, bytes);
    };
    const [good, bad] = [`${randomUUID()}.mp4`, `${randomUUID()}.mp4`];
    await upload(good, mp4);
    expect(Buffer.from(await (await fetch(addressOf('films', good))).arrayBuffer())).toEqual(mp4);
    await expect(upload(bad, changed(mp4, codecAt(1), 'hev1'))).rejects.toThrow(/HEVC \(H\.265\)/);
    expect(await server.rowsOf(bad)).toEqual([]);
  });

  it('is rejected from guests and users', async () => {
    for (const client of [server.client(), server.client((await server.person()).token)]) {
      const { error } = await client.from('films').upload(`${randomUUID()}.mp4`, fileOf(mp4, 'video/mp4'));
      expect(error).toMatchObject({ statusCode: '403' });
    }
  });
});

describe('captions', () => {
  it.each<[what: string, text: string, message: RegExp]>([
    ['text', 'hello', /^Line 1 .* begins with WEBVTT/],
    ['SubRip', '1\n00:00:01,000 --> 00:00:02,000\nHello', /^Line 1 .* begins with WEBVTT/],
    ['no cue', 'WEBVTT\n\nNOTE nothing yet', /there is no caption/],
    ['a comma in a time', 'WEBVTT\n\n1\n00:01,000 --> 00:02.000\nHello', /^Line 4 .* times such as/],
    ['an end before its beginning', 'WEBVTT\n\n00:02.000 --> 00:01.000\nHello', /^Line 3 .* ends after it begins/],
    ['two cues in one', 'WEBVTT\n\n00:01.000 --> 00:02.000\nA\n00:02.000 --> 00:03.000\nB', /^Line 5 .* empty line/],
    ['an unknown setting', 'WEBVTT\n\n00:01.000 --> 00:02.000 color:red\nHello', /^Line 3 .* only settings/],
    ['a long line', `WEBVTT\n\n00:01.000${' '.repeat(500_000)}--> x`, /^Line 3 .* times such as/],
    ['another encoding', 'WEBVTT\n\n00:01.000 --> 00:02.000\n\xe9', /UTF-8/],
  ])('are refused as %s, with the line', async (_, text, message) => {
    const captions = (await admin()).from('captions');
    const { error } = await captions.upload(`${randomUUID()}.vtt`, fileOf(Buffer.from(text, 'latin1'), 'text/vtt'));
    expect(error).toMatchObject({ statusCode: '422', message: expect.stringMatching(message) });
  });

  it('are replaced by a valid file, and kept when the new one is rejected', async () => {
    const captions = (await admin()).from('captions');
    const name = `${randomUUID()}.vtt`;
    const save = (body: Uint8Array | string) =>
      captions.upload(name, fileOf(body, 'text/vtt'), { upsert: true, cacheControl: '0' });
    expect((await save(vtt)).error).toBeNull();
    expect((await save('WEBVTT')).error).not.toBeNull();
    const served = await fetch(addressOf('captions', name));
    expect(served.headers.get('content-type')).toBe('text/vtt');
    expect(served.headers.get('cache-control')).toBe('public, max-age=0');
    expect(Buffer.from(await served.arrayBuffer())).toEqual(vtt);
    expect((await save('\ufeffWEBVTT - title\r\n\r\n01:00:01.000 --> 01:00:02.000\r\nOther\r\n')).error).toBeNull();
    expect(await (await fetch(addressOf('captions', name))).text()).toContain('Other');
  });
});
