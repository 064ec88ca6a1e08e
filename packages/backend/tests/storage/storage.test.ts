import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { childrenOf, commandOf } from '../../../../tests/child-processes.ts';
import { withMethods } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { shared } from '../../../../tests/two-machines/shared.ts';
import { type Database, DatabaseError } from '../../database/database.ts';
import {
  animatedGif,
  announcedBomb,
  endlessJpeg,
  fileOf,
  heavyJpeg,
  newPath,
  pictureWithPage,
  png,
  sidewaysJpeg,
  svg,
} from './files.ts';
import { newAddress, openStorageServer, type StorageServer } from './storage-server.ts';
import { tusClient } from './tus-client.ts';

/** Skipped with two machines: decoding takes seconds per process. */
const decodingOnly = it.skipIf(shared);
const server = forAllTests(() => openStorageServer());

const BUCKET = 'case-studies';
const guest = () => server.client().from(BUCKET);
const { create, serviceHeaders } = tusClient(() => server);

describe('picture upload by a guest', () => {
  it.each(['png', 'webp', 'avif'] as const)('stores no blurred placeholder for a transparent %s (D8)', async (kind) => {
    for (const alpha of [1, 0.5]) {
      const background = { r: 9, g: 99, b: 199, alpha };
      const drawn = sharp({ create: { width: 60, height: 40, channels: 4, background } }).toFormat(kind);
      const path = newPath(kind);
      await server.upload(await drawn.toBuffer(), path, `image/${kind}`);
      const { placeholder } = (await server.rowsOf(path))[0]!.metadata;
      if (alpha === 1) expect(placeholder).toMatch(/^data:image/);
      else expect(placeholder).toBeNull();
    }
  });

  it('accepts fields after the file', async () => {
    const path = newPath();
    const form = new FormData();
    form.append('', fileOf(await png(), 'image/png'));
    form.append('cacheControl', '77');
    form.append('metadata', '{"by":"hand"}');
    expect((await guest().upload(path, form)).error).toBeNull();
    const [row] = (await server.db.query('select * from storage.objects where name = $1', [path])).rows;
    expect(row).toMatchObject({ metadata: { cacheControl: 'max-age=77' }, user_metadata: { by: 'hand' } });
  });

  it('never replaces an object, with or without x-upsert', async () => {
    const path = newPath();
    const before = Buffer.from(await (await server.upload(await png(), path)).arrayBuffer());
    const other = fileOf(await png(99, 99), 'image/png');
    const exists = { statusCode: '409', code: 'KeyAlreadyExists', message: 'The resource already exists' };
    expect((await guest().upload(path, other)).error).toMatchObject({ status: 400, ...exists });
    const upsert = await guest().upload(path, other, { upsert: true });
    expect(upsert.error).toMatchObject({ statusCode: '403', code: 'AccessDenied' });
    expect((await guest().update(path, other)).error).toMatchObject({ statusCode: '404' });
    expect(Buffer.from(await (await fetch(server.publicUrl(path))).arrayBuffer())).toEqual(before);
  });

  it('allows no other file operation', async () => {
    const path = await server.uploadPicture();
    const files = guest();
    expect((await files.list('images')).data).toEqual([]);
    expect((await files.remove([path])).data).toEqual([]);
    expect((await server.guest.listBuckets()).data).toEqual([]);
    expect((await server.guest.createBucket('mine')).error).toMatchObject({ statusCode: '403' });
    for (const answer of await Promise.all([
      files.info(path),
      files.createSignedUrl(path, 60),
      files.copy(path, newPath()),
      files.move(path, newPath()),
      server.guest.updateBucket(BUCKET, { public: false }),
      server.guest.emptyBucket(BUCKET),
      server.guest.deleteBucket(BUCKET),
    ]))
      expect(answer.error).toMatchObject({ statusCode: '404' });
    expect((await fetch(server.publicUrl(path))).status).toBe(200);
  });

  it('is rejected outside of the folder, under other names and in other buckets', async () => {
    const picture = fileOf(await png(), 'image/png');
    const outside = ['other/', '', 'images/x/'].map((folder) => `${folder}${randomUUID()}.png`);
    for (const path of [...outside, 'images/mine.png', newPath('svg'), newPath('html')])
      expect((await guest().upload(path, picture)).error, path).toMatchObject({ statusCode: '403' });
    const { error } = await server.client().from('nowhere').upload(newPath(), picture);
    expect(error).toMatchObject({ statusCode: '404', message: 'Bucket not found' });
  });
});

describe('uploaded content', () => {
  const refused = async (bytes: Uint8Array | string, type: string, path = newPath()) => {
    const { error } = await guest().upload(path, fileOf(bytes, type));
    expect(error, 'refused').not.toBeNull();
    expect((await fetch(server.publicUrl(path))).status).toBe(400);
    expect(await server.rowsOf(path)).toEqual([]);
    return error as unknown as { status: number; statusCode: string; code: string; message: string };
  };

  it('is limited to 10 MB, and to 200 MB where a bucket sets no limit of its own (section 8, SUBMIT-32)', async () => {
    await server.service.createBucket('limitless', { public: false });
    const sent = async (bytes: number) => (await server.post(`${BUCKET}/${newPath()}`, new Uint8Array(bytes))).json();
    const announced = (bytes: number) => create('zeroes.jpg', bytes, serviceHeaders(), { bucketName: 'limitless' });
    // Zeroes are not a picture, but within the size limit.
    expect(await sent(10 * 1024 ** 2)).toMatchObject({ statusCode: '415' });
    expect(await sent(10 * 1024 ** 2 + 1)).toMatchObject({ statusCode: '413', code: 'EntityTooLarge' });
    expect((await announced(200 * 1024 ** 2)).status).toBe(201);
    expect((await announced(200 * 1024 ** 2 + 1)).status).toBe(413);
  });

  it('is rejected above 10 MB when the size was not announced', async () => {
    const path = newPath();
    const chunk = new Uint8Array(1024 ** 2);
    let sent = 0;
    const pull = (controller: ReadableStreamDefaultController) =>
      sent++ < 12 ? controller.enqueue(chunk) : controller.close();
    const answer = await server.post(`${BUCKET}/${path}`, new ReadableStream({ pull }));
    const tooLarge = { statusCode: '413', message: 'The object exceeded the maximum allowed size' };
    expect([answer.status, await answer.json()]).toMatchObject([400, tooLarge]);
  });

  it('has the type of its bytes, not of its name or declaration (SUBMIT-34)', async () => {
    const html = '<!doctype html><script>alert(1)</script>';
    for (const [bytes, type, found] of [
      [html, 'image/png', 'text/html'],
      [svg, 'image/png', 'image/svg+xml'],
      [svg, 'image/svg+xml', 'image/svg+xml'],
    ] as const) {
      const message = `mime type ${found} is not supported`;
      expect(await refused(bytes, type)).toMatchObject({ statusCode: '415', code: 'InvalidMimeType', message });
    }
    expect(await refused('%PDF-1.7', 'image/jpeg', newPath('jpg'))).toMatchObject({ statusCode: '415' });
    expect(await refused('', 'image/png')).toMatchObject({ statusCode: '415' });
    await server.storage.whenIdle();
    expect(await server.incoming(), 'nothing is left behind').toEqual([]);
  });

  it('has the type of its bytes also when it comes from another bucket (SUBMIT-34)', async () => {
    await server.service.createBucket('drawer', { public: false });
    const drawer = server.service.from('drawer');
    const path = newPath();
    await drawer.upload(path, '<script>alert(1)</script>', { contentType: 'image/png' });
    const message = `The bucket checks the content of its files: upload it to ${BUCKET} instead`;
    for (const act of ['copy', 'move'] as const)
      expect((await drawer[act](path, path, { destinationBucket: BUCKET })).error?.message).toBe(message);
  });

  it('loses data appended to the picture (SUBMIT-34)', async () => {
    const answer = await server.upload(await pictureWithPage(), newPath());
    expect(Buffer.from(await answer.arrayBuffer()).includes('<script>')).toBe(false);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('is upright and without GPS coordinates', async () => {
    const source = await sidewaysJpeg();
    expect(await sharp(source).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });
    const answer = await server.upload(source, newPath('jpg'), 'image/jpeg');
    const metadata = await sharp(await answer.arrayBuffer()).metadata();
    expect(metadata).toMatchObject({ format: 'jpeg', width: 40, height: 60 });
    for (const name of ['exif', 'orientation', 'xmp', 'iptc']) expect(metadata).not.toHaveProperty(name);
  });

  it('stays animated', async () => {
    const answer = await server.upload(await animatedGif(), newPath('gif'), 'image/gif');
    const metadata = await sharp(await answer.arrayBuffer(), { animated: true }).metadata();
    expect(metadata).toMatchObject({ format: 'gif', pages: 3, width: 20, pageHeight: 20 });
  });

  it.each([
    ...(['png', 'jpeg', 'gif', 'webp', 'avif'] as const).map((kind) => [kind, kind, kind] as const),
    ...(['jpeg', 'webp'] as const).map((source) => ['jpg', 'jpeg', source] as const),
  ])('.%s is stored as %s, also when sent as %s', async (extension, kind, source) => {
    const drawn = sharp(await png(70, 50)).toFormat(source);
    const answer = await server.upload(await drawn.toBuffer(), newPath(extension), `image/${kind}`);
    expect(answer.headers.get('content-type')).toBe(`image/${kind}`);
    const { format, width } = await sharp(await answer.arrayBuffer()).metadata();
    expect([format === 'heif' ? 'avif' : format, width]).toEqual([kind, 70]);
  });

  it('is rejected when broken or too large to decode, with a message', async () => {
    const picture = sharp(await png(600, 400));
    const jpeg = await picture.jpeg().toBuffer();
    const half = await refused(jpeg.subarray(0, jpeg.length / 2), 'image/jpeg', newPath('jpg'));
    expect(half.message).toBe('The picture is damaged or incomplete and cannot be read.');
    for (const [width, height, message] of [
      [10_001, 30, 'The picture is 10001 × 30 pixels; the limit is 10000 on a side.'],
      [30, 10_001, 'The picture is 30 × 10001 pixels; the limit is 10000 on a side.'],
      [8_001, 5_000, 'The picture has 41 megapixels; the limit is 40.'],
    ] as const) {
      const tooLarge = await refused(await announcedBomb(width, height), 'image/png');
      expect(tooLarge).toMatchObject({ statusCode: '422', message });
    }
    for (const [width, height] of [
      [10_000, 30],
      [30, 10_000],
      [8_000, 5_000],
    ])
      expect((await server.upload(await png(width, height), newPath())).status).toBe(200);
  });

  it('has at most 200 animation frames (section 8)', async () => {
    expect((await server.upload(await animatedGif(200), newPath('gif'), 'image/gif')).status).toBe(200);
    const message = 'The animation has 201 frames; the limit is 200.';
    const tooMany = await refused(await animatedGif(201), 'image/gif', newPath('gif'));
    expect(tooMany).toMatchObject({ statusCode: '422', message });
  });

  decodingOnly('section 8: is given up after ten seconds of reading', async () => {
    const message = 'The picture takes longer than 10 seconds to read; send a simpler or smaller one.';
    const endless = await refused(await endlessJpeg(), 'image/webp', newPath('webp'));
    expect(endless).toMatchObject({ statusCode: '422', message });
  });
});

describe('path traversal in names', () => {
  const traversals = [
    '..%2f..%2fetc%2fpasswd',
    'images%2f..%2f..%2fx.png',
    '%2e%2e%2fx.png',
    'images/%5c..%5cx.png',
    'images/x%00.png',
    'images/%c3%a9.png',
    'images/%ff.png',
  ];

  it('is rejected in plain and multipart uploads', async () => {
    const picture = await png();
    const form = new FormData();
    form.append('', fileOf(picture, 'image/png'));
    const headers = serviceHeaders();
    for (const name of traversals) {
      const address = `${server.url}/object/${BUCKET}/${name}`;
      const plain = { body: new Uint8Array(picture), headers: { ...headers, 'content-type': 'image/png' } };
      const refused = { statusCode: '400', code: 'InvalidKey' };
      for (const init of [plain, { body: form, headers }])
        expect(await (await fetch(address, { method: 'POST', ...init })).json(), name).toMatchObject(refused);
    }
  });

  it('is rejected in signed and resumable uploads', async () => {
    const headers = serviceHeaders();
    for (const name of traversals) {
      const signed = await fetch(`${server.url}/object/upload/sign/${BUCKET}/${name}`, { method: 'POST', headers });
      expect(await signed.json(), name).toMatchObject({ code: 'InvalidKey' });
    }
    for (const name of ['../../etc/passwd', 'images/../x.png', '/x.png', 'images/\\..\\x.png', 'images/x\0.png', '']) {
      const answer = await create(name, 10, headers);
      expect(answer.status, name).toBe(400);
      expect(await answer.text()).toMatch(/^Invalid key/);
    }
    expect(await server.stored('unfinished')).toEqual([]);
  });
});

describe('downloads', () => {
  it('set the file name when requested', async () => {
    const path = await server.uploadPicture();
    const named = await fetch(`${server.publicUrl(path)}?download=${encodeURIComponent('Grün "1".png')}`);
    const disposition = `attachment; filename="Gr_n _1_.png"; filename*=UTF-8''Gr%C3%BCn%20%221%22.png`;
    expect(named.headers.get('content-disposition')).toBe(disposition);
    const own = await fetch(`${server.publicUrl(path)}?download=`);
    expect(own.headers.get('content-disposition')).toContain(path.split('/')[1]);
  });

  it('of a public object work even with an invalid token; of a private one they report the error', async () => {
    const path = await server.uploadPicture();
    const headers = { authorization: 'Bearer a.b.c' };
    expect((await fetch(server.publicUrl(path), { headers })).status).toBe(200);
    expect((await fetch(`${server.url}/object/${BUCKET}/${path}`, { headers })).status).toBe(200);
    const secret = await fetch(`${server.url}/object/authenticated/${BUCKET}/${path}`, { headers });
    const refused = { statusCode: '403', error: 'Unauthorized', message: 'invalid signature', code: 'AccessDenied' };
    expect([secret.status, await secret.json()]).toEqual([400, refused]);
    const without = await fetch(`${server.url}/object/authenticated/${BUCKET}/${path}`);
    expect(await without.json()).toMatchObject({ message: "headers must have required property 'authorization'" });
  });

  it('execute no active content (SUBMIT-34)', async () => {
    await server.service.createBucket('anything', { public: true });
    for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript', 'text/xml']) {
      await server.service.from('anything').upload('page', svg, { contentType: type, upsert: true });
      const answer = await fetch(`${server.url}/object/public/anything/page`);
      expect(answer.headers.get('content-type'), type).toBe('text/plain');
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    }
    const contentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    await server.service.from('anything').upload('offer.docx', 'PK', { contentType });
    const document = await fetch(`${server.url}/object/public/anything/offer.docx`);
    expect(document.headers.get('content-type')).toBe('application/octet-stream');
  });

  it('allow every origin, and expose the required headers', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const answer = await fetch(`${server.url}/object/public/${BUCKET}/${newPath()}`, { headers });
    const missing = { statusCode: '404', error: 'not_found', message: 'Object not found', code: 'NoSuchKey' };
    expect([answer.status, await answer.json()]).toEqual([400, missing]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('Upload-Offset');
    const requested = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-upsert' };
    const init = { method: 'OPTIONS', headers: { ...headers, ...requested } };
    const preflight = await fetch(`${server.url}/object/${BUCKET}/x`, init);
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-upsert');
  });
});

describe('image variants', () => {
  const render = (path: string, query: string, accept = '*/*', more: Record<string, string> = {}) =>
    fetch(`${server.url}/render/image/public/${BUCKET}/${path}?${query}`, { headers: { accept, ...more } });

  it('have the widths of the ladder and the best format the browser accepts', async () => {
    const path = newPath('jpg');
    const jpeg = sharp(await png(1500, 1000)).jpeg();
    await server.upload(await jpeg.toBuffer(), path, 'image/jpeg');
    const avif = await render(path, 'width=300', 'image/avif,image/webp,*/*');
    expect([avif.headers.get('content-type'), avif.headers.get('vary')]).toEqual(['image/avif', 'Accept']);
    expect(avif.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await sharp(await avif.arrayBuffer()).metadata()).width).toBe(320);
    for (const [query, accept, metadata] of [
      ['width=961', 'image/webp', { format: 'webp', width: 1280 }],
      ['width=100&height=100&format=origin', 'image/avif', { format: 'jpeg', width: 160, height: 160 }],
      ['width=160&height=160&resize=contain&format=webp', '*/*', { width: 160, height: 107 }],
      ['width=1900&format=webp', '*/*', { width: 1500 }],
    ] as const) {
      const response = await render(path, query, accept);
      expect(await sharp(await response.arrayBuffer()).metadata(), query).toMatchObject(metadata);
    }
  });

  decodingOnly(
    'are rendered at most 600 times per address in ten minutes; stored variants do not count (C2)',
    async () => {
      const path = await server.uploadPicture();
      await server.storage.whenIdle();
      const address = newAddress();
      const fetchFrom = (query: string, from = address) =>
        render(path, query, 'image/webp', { 'x-test-address': from });
      for (const made of [0, 570]) {
        const add = `update internal.limits set points = points + $1 where key like 'renders %'`;
        if (made) await server.db.query(add, [made - 30]);
        const batch = Array.from({ length: 30 }, (_, at) => fetchFrom(`width=20&height=${made + at + 1}`));
        expect(new Set((await Promise.all(batch)).map(({ status }) => status))).toEqual(new Set([200]));
        expect((await fetchFrom('width=320')).status).toBe(200);
      }
      const refused = await fetchFrom('width=20&height=1000');
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(await refused.json()).toMatchObject({ statusCode: '429', code: 'SlowDown' });
      expect((await fetchFrom('width=320')).status).toBe(200);
      expect((await fetchFrom('width=20&height=1000', newAddress())).status).toBe(200);
    },
  );

  it('requested by one address as fast as possible do not block other addresses (C2)', async () => {
    const large = newPath('jpg');
    await server.upload(await heavyJpeg(0.5), large, 'image/jpeg');
    const small = await server.uploadPicture();
    await server.storage.whenIdle();
    const greedy = { 'x-test-address': newAddress() };
    let done = 0;
    const all = Array.from({ length: 16 }, async (_, at) => {
      await (await render(large, `width=1900&height=${1500 - at}`, 'image/webp', greedy)).arrayBuffer();
      done++;
    });
    await vi.waitUntil(() => done > 0, { timeout: 60_000 });
    const before = done;
    for (const width of [160, 1920])
      expect((await render(small, `width=${width}&format=webp`)).status, `${width}`).toBe(200);
    await server.uploadPicture();
    expect(done - before, 'of 15 that were requested earlier').toBeLessThan(12);
    await Promise.all(all);
  });

  it('of other files, or with invalid sizes, are rejected', async () => {
    await server.service.createBucket('texts', { public: true });
    await server.service.from('texts').upload('a.txt', 'hello', { contentType: 'text/plain' });
    const text = await fetch(`${server.url}/render/image/public/texts/a.txt?width=100`);
    const message = 'The source image is invalid or unsupported for rendering';
    expect([text.status, await text.json()]).toMatchObject([400, { code: 'InvalidRequest', message }]);
    const path = await server.uploadPicture();
    for (const query of ['width=-1', 'width=abc', 'quality=5', 'resize=bend', 'height=99999'])
      expect(await (await render(path, query)).json(), query).toMatchObject({ code: 'InvalidParameter' });
  });
});

describe('service and admins', () => {
  it('set limits of buckets', async () => {
    const settings = { public: false, fileSizeLimit: '1KB', allowedMimeTypes: ['text/*', 'image/jpg'] };
    expect((await server.service.createBucket('small', settings)).error).toBeNull();
    expect((await server.service.createBucket('small')).error).toMatchObject({ statusCode: '409' });
    expect((await server.service.createBucket('a/b')).error).toMatchObject({ code: 'InvalidBucketName' });
    const bucket = async () => (await server.service.getBucket('small')).data;
    const limits = { file_size_limit: 1000, allowed_mime_types: settings.allowedMimeTypes };
    expect(await bucket()).toMatchObject({ public: false, ...limits });
    const files = server.service.from('small');
    for (const [body, contentType, statusCode, message] of [
      ['x'.repeat(2000), 'text/plain', '413', 'The object exceeded the maximum allowed size'],
      ['x', 'image/png', '415', 'mime type image/png is not supported'],
    ] as const)
      expect((await files.upload('a', body, { contentType })).error).toMatchObject({ statusCode, message });
    const form = new FormData();
    form.append('', new Blob(['x'], { type: 'text/plain' }), 'a');
    form.append('contentType', 'application/pdf');
    expect((await files.upload('photo', 'x', { contentType: 'image/jpeg' })).error).toBeNull();
    for (const body of [form, new Blob(['x'], { type: 'application/octet-stream' })])
      expect((await files.upload('a', body)).error).toMatchObject({ statusCode: '415' });
    const open = { public: true, fileSizeLimit: null, allowedMimeTypes: null };
    expect((await server.service.updateBucket('small', open)).error).toBeNull();
    expect(await bucket()).toMatchObject({ public: true, file_size_limit: null, allowed_mime_types: null });
    expect((await server.service.listBuckets({ search: 'sma' })).data!.map(({ id }) => id)).toEqual(['small']);
  });

  it('sign addresses that open one object for a limited time', async () => {
    await server.service.createBucket('secret', { public: false });
    const files = server.service.from('secret');
    await files.upload('a b.txt', 'psst', { contentType: 'text/plain' });
    expect((await fetch(`${server.url}/object/public/secret/a%20b.txt`)).status).toBe(400);
    const { data } = await files.createSignedUrl('a b.txt', 60, { download: 'x.txt' });
    const answer = await fetch(data!.signedUrl);
    expect([answer.status, await answer.text()]).toEqual([200, 'psst']);
    const disposition = `attachment; filename="x.txt"; filename*=UTF-8''x.txt`;
    expect(answer.headers.get('content-disposition')).toBe(disposition);
    const many = await files.createSignedUrls(['a b.txt', 'none'], 60);
    const missing = 'Either the object does not exist or you do not have access to it';
    expect(many.data!.map(({ error }) => error)).toEqual([null, missing]);
    const token = new URL(data!.signedUrl).searchParams.get('token')!;
    await files.upload('other.txt', 'no', { contentType: 'text/plain' });
    const error = async (address: string, method = 'GET') =>
      (await (await fetch(`${server.url}${address}`, { method })).json()).code;
    expect(await error(`/object/sign/secret/other.txt?token=${token}`)).toBe('InvalidSignature');
    expect(await error(`/object/sign/secret/a%20b.txt?token=${token.slice(0, -4)}AAAA`)).toBe('InvalidSignature');
    expect(await error('/object/sign/secret/a%20b.txt?token=nonsense')).toBe('InvalidJWT');
    expect(await error(`/object/upload/sign/secret/a%20b.txt?token=${token}`, 'PUT')).toBe('InvalidSignature');
    const brief = await files.createSignedUrl('a b.txt', 1);
    await new Promise((done) => setTimeout(done, 2100));
    expect(await (await fetch(brief.data!.signedUrl)).json()).toMatchObject({ code: 'ExpiredToken' });
  });

  it('an admin lists and removes pictures, another member cannot', async () => {
    const path = await server.uploadPicture();
    const member = server.client((await server.person()).token).from(BUCKET);
    const adminClient = server.client((await server.person({ admin: true })).token);
    const admin = adminClient.from(BUCKET);
    expect((await adminClient.emptyBucket(BUCKET)).error).toMatchObject({ statusCode: '403' });
    expect((await member.list('images')).data).toEqual([]);
    expect((await member.remove([path])).data).toEqual([]);
    expect((await admin.list('images', { search: path.split('/')[1]! })).data).toHaveLength(1);
    expect((await admin.remove([path])).data).toHaveLength(1);
    expect((await fetch(server.publicUrl(path))).status).toBe(400);
  });
});

it('an upload with missing bytes gets 400, stores nothing and is not logged as our error (L2)', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await using own = await openStorageServer({ log });
  const path = newPath();
  const boundary = 'cut-off';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name=""; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const send = (body: Uint8Array) => own.post(`${BUCKET}/${path}`, new Uint8Array(body), { headers });
  const complete = Buffer.concat([Buffer.from(head), await png(), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  for (const left of [complete.length - 8, head.length + 20, head.length, 40, 3]) {
    const answer = await send(complete.subarray(0, left));
    expect([answer.status, (await answer.json()).code], `${left} bytes`).toEqual([400, 'InvalidRequest']);
  }
  const { rows } = await own.db.query('select from storage.objects where name = $1', [path]);
  expect([rows, await own.incoming(), lines]).toEqual([[], [], []]);
  expect((await send(complete)).status).toBe(200);
});

it.each(['57014', 'XX000'])('an upload whose commit may have succeeded keeps its bytes (%s, C16)', async (code) => {
  // The engine commits but ends before its response.
  const lost = (db: Database) =>
    withMethods(db, {
      async transaction(work, options) {
        await db.transaction(work, options);
        throw new DatabaseError({ code, message: 'the engine was ended' });
      },
    });
  await using own = await openStorageServer({ database: lost });
  const path = newPath();
  const files = own.client().from(BUCKET);
  expect((await files.upload(path, fileOf(await png(), 'image/png'))).error).not.toBeNull();
  expect((await own.db.query('select from storage.objects where name = $1', [path])).rows).toHaveLength(1);
  expect((await fetch(files.getPublicUrl(path).data.publicUrl)).status).toBe(200);
});

it('a missing row in the index of file references is repaired weekly, before the file is treated as unused', async () => {
  await using own = await openStorageServer();
  const path = await own.uploadPicture();
  const use = `insert into public.site_settings (name, value) values ('picture', to_jsonb($1::text))`;
  await own.db.query(use, [own.publicUrl(path)]);
  await own.db.script(`
    delete from private.object_references;
    update storage.objects set created_at = now() - interval '25 hours';
    update storage.sent_objects set sent_at = now() - interval '25 hours';
    update storage.compared_shelves set compared_at = now() - interval '8 days'`);
  expect(await own.storage.sweep()).toMatchObject({ correctedReferences: 1, orphans: 0 });
  expect((await own.guest.from(BUCKET).download(path)).error).toBeNull();
  await own.db.query('delete from private.object_references');
  expect(await own.storage.sweep()).toMatchObject({ correctedReferences: 0, orphans: 1 });
  // The sender is recorded only as long as the file may stay unused.
  expect((await own.db.query('select from storage.sent_objects')).rows).toEqual([]);
});

describe('limits', () => {
  const enlarge = ({ db }: StorageServer, size: number) =>
    db.query(`update storage.objects set metadata = metadata || jsonb_build_object('size', $1::int)`, [size]);

  it('stop all uploads at 2 GB of unused files (section 8)', async () => {
    await using own = await openStorageServer();
    const send = async () => {
      const files = own.client().from(BUCKET);
      return (await files.upload(newPath(), fileOf(await png(), 'image/png'))).error;
    };
    for (let count = 0; count < 5; count++) expect(await send()).toBeNull();
    // Each of five senders stays within its own share.
    const bytes = (2 * 1024 ** 3) / 5;
    await enlarge(own, Math.floor(bytes));
    expect(await send()).toBeNull();
    await enlarge(own, Math.ceil(bytes));
    expect(await send()).toMatchObject({ status: 507 });
    await own.db.script(`insert into public.site_settings (name, value)
      select 'pictures', to_jsonb(array_agg('/case-studies/' || name)) from storage.objects`);
    expect(await send()).toBeNull();
  });

  it('stop an address with 1000 MB of unused files, in any process, and no other (C11)', async () => {
    await using own = await openStorageServer();
    await using other = await own.another();
    const address = newAddress();
    const picture = fileOf(await png(), 'image/png');
    const send = (from: string, fetchFrom = fetch) =>
      own.client(undefined, from, fetchFrom).from(BUCKET).upload(newPath(), picture);
    expect((await send(address)).error).toBeNull();
    expect((await send(address, other.fetch)).error).toBeNull();
    // The images of a full form may grow when they are encoded.
    await enlarge(own, 500 * 1024 ** 2);
    expect((await send(address)).error).toBeNull();
    await enlarge(own, 334 * 1024 ** 2);
    for (const fetchFrom of [fetch, other.fetch]) {
      const message = expect.stringMatching(/^1000 MB of your uploads/);
      expect((await send(address, fetchFrom)).error).toMatchObject({ status: 429, message });
      expect((await send(newAddress(), fetchFrom)).error).toBeNull();
    }
  });

  // Not with two machines: the limit is per process.
  it.skipIf(shared || process.platform !== 'linux')('decode pictures in at most two processes', async () => {
    const heavy = await heavyJpeg(2);
    await server.storage.whenIdle();
    let most = 0;
    const looking = setInterval(() => {
      const decoders = childrenOf(process.pid).filter((pid) => commandOf(pid).includes('decoder-worker'));
      most = Math.max(most, decoders.length);
    }, 20);
    const uploads = Array.from({ length: 5 }, () => guest().upload(newPath('jpg'), fileOf(heavy, 'image/jpeg')));
    const all = await Promise.all(uploads);
    clearInterval(looking);
    expect(all.filter(({ error }) => error)).toEqual([]);
    expect(most).toBe(2);
  });
});
