import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { damagedPng, newPath, quarters, sidewaysJpeg } from './files.ts';
import { openStorageServer } from './storage-server.ts';

const server = forAllTests(() => openStorageServer());
beforeAll(() => server.service.createBucket('drawer', { public: false }));

const drawer = () => server.service.from('drawer');
const asService = () => ({ authorization: `Bearer ${server.keys.secret}` });
const render = (path: string, query: string) =>
  fetch(`${server.url}/render/image/authenticated/drawer/${path}?${query}`, { headers: asService() });
const measured = async (answer: Response) => sharp(await answer.arrayBuffer()).metadata();

const colourOf = ([r = 0, g = 0, b = 0]: Buffer) =>
  r > 99 ? (g > 99 ? 'yellow' : 'red') : g > 99 ? 'green' : b > 99 ? 'blue' : 'none';

describe('picture declared with another type', () => {
  it('is transformed by the type of its bytes', async () => {
    const path = newPath('bin');
    // A Buffer without a type is sent as text.
    expect((await drawer().upload(path, await sidewaysJpeg())).error).toBeNull();
    const answer = await render(path, 'width=160');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(await measured(answer)).toMatchObject({ format: 'jpeg', width: 40, height: 60 });
    expect(await measured(await render(path, 'width=160&format=webp'))).toMatchObject({ width: 40, height: 60 });
    const posing = newPath('png');
    await drawer().upload(posing, await sidewaysJpeg(), { contentType: 'image/png' });
    expect((await render(posing, 'width=160')).headers.get('content-type')).toBe('image/jpeg');
    const text = newPath('jpg');
    await drawer().upload(text, 'no picture', { contentType: 'image/jpeg' });
    const message = 'The source image is invalid or unsupported for rendering';
    expect(await (await render(text, 'width=160')).json()).toMatchObject({ statusCode: '400', message });
  });

  it('is shown as far as it can be decoded', async () => {
    const path = newPath();
    await drawer().upload(path, await damagedPng(), { contentType: 'image/png' });
    const answer = await render(path, 'width=160');
    expect([answer.status, (await measured(answer)).width]).toEqual([200, 40]);
  });
});

describe('image transformation', () => {
  const path = newPath();
  beforeAll(async () => drawer().upload(path, await quarters(), { contentType: 'image/png' }));

  it.each([
    ['width=200&height=200&quality=60', 'height:200,width:200,resizing_type:fill,quality:60'],
    ['width=200', 'width:200,resizing_type:fill'],
    ['height=100&resize=contain&format=webp', 'height:100,resizing_type:fit,format:webp'],
    ['width=3000&height=100&resize=fill&format=origin', 'height:100,width:2000,resizing_type:force'],
    ['width=100&gravity=fp&x_offset=0&y_offset=1', 'width:100,resizing_type:fill,gravity:fp:0:1'],
    ['width=100&gravity=no', 'width:100,resizing_type:fill,gravity:no'],
    ['width=100&gravity=sowe&x_offset=5', 'width:100,resizing_type:fill,gravity:sowe:5:0'],
    ['width=100&gravity=sm&x_offset=5', 'width:100,resizing_type:fill,gravity:sm'],
    ['', null],
  ])('reports %j in x-transformations', async (query, expected) => {
    const answer = await render(path, query);
    expect([answer.status, answer.headers.get('x-transformations')]).toEqual([200, expected]);
  });

  it('is reported for a signed address too', async () => {
    const { data } = await drawer().createSignedUrl(path, 60, { transform: { width: 200 } });
    expect((await fetch(data!.signedUrl)).headers.get('x-transformations')).toBe('width:200,resizing_type:fill');
  });

  // A square in four colours, cropped to a strip: colours of its first and last corner.
  it.each([
    ['width=160&height=80&gravity=no', 'red green'],
    ['width=160&height=80&gravity=so', 'blue yellow'],
    ['width=160&height=80&gravity=ce', 'red yellow'],
    ['width=160&height=80', 'red yellow'],
    ['width=160&height=80&gravity=fp&x_offset=0&y_offset=1', 'blue yellow'],
    ['width=160&height=80&gravity=fp&x_offset=0.5&y_offset=0', 'red green'],
    ['width=160&height=80&gravity=no&y_offset=0.5', 'blue yellow'],
    ['width=80&height=160&gravity=sowe', 'red blue'],
    ['width=80&height=160&gravity=noea', 'green yellow'],
    ['width=80&height=160&gravity=fp&x_offset=1&y_offset=0', 'green yellow'],
    ['width=80&height=160&gravity=we&x_offset=80', 'green yellow'],
  ])('of %s keeps %s', async (query, kept) => {
    const picture = sharp(await (await render(path, `${query}&format=origin`)).arrayBuffer());
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const corners = [data.subarray(0, 3), data.subarray(-info.channels)];
    const params = new URLSearchParams(query);
    expect(info.width / info.height).toBe(Number(params.get('width')) / Number(params.get('height')));
    expect(corners.map(colourOf).join(' ')).toBe(kept);
  });

  it.each(['gravity=fp', 'gravity=fp&x_offset=0&y_offset=2', 'gravity=up', 'gravity=no&x_offset=x'])(
    'rejects %s',
    async (query) => {
      expect(await (await render(path, `width=100&${query}`)).json()).toMatchObject({ code: 'InvalidParameter' });
    },
  );
});

describe('object metadata', () => {
  it.each([
    ['text/plain;charset=UTF-8', 'text/plain;charset=UTF-8'],
    ['Text/CSV; header=present; charset="utf-8"', 'text/csv; header=present; charset="utf-8"'],
    ['text/plain; charset=', 'text/plain'],
    ['text/html; charset=utf-8', 'text/html; charset=utf-8', 'text/plain'],
  ])('keeps the parameters of %j', async (declared, kept, served = kept) => {
    const path = newPath('txt');
    const headers = { ...asService(), 'content-type': declared };
    expect((await server.post(`drawer/${path}`, 'Grüße', { headers })).status).toBe(200);
    expect((await drawer().info(path)).data).toMatchObject({ contentType: kept });
    const got = await fetch(`${server.url}/object/authenticated/drawer/${path}`, { headers: asService() });
    expect([got.headers.get('content-type'), await got.text()]).toEqual([served, 'Grüße']);
  });

  it('has the ETag of its bytes, also for HEAD', async () => {
    const path = newPath('txt');
    await drawer().upload(path, 'one');
    const headers = asService();
    const stored = await fetch(`${server.url}/object/authenticated/drawer/${path}`, { headers });
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${server.url}/object/info/drawer/${path}`, { method, headers });
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, stored.headers.get('etag')]);
      expect((await answer.text()) === '').toBe(method === 'HEAD');
    }
  });

  it('is replaced by a copy that sends metadata', async () => {
    const path = newPath('txt');
    await drawer().upload(path, 'one', { contentType: 'text/plain', metadata: { mine: true } });
    const copy = async (body: object, sentMetadata?: object) => {
      const destinationKey = newPath('txt');
      const sent = sentMetadata && { 'x-metadata': Buffer.from(JSON.stringify(sentMetadata)).toString('base64') };
      const headers = { ...asService(), 'content-type': 'application/json', ...sent };
      const json = JSON.stringify({ bucketId: 'drawer', sourceKey: path, destinationKey, ...body });
      expect((await server.post('copy', json, { headers })).status).toBe(200);
      return (await drawer().info(destinationKey)).data;
    };
    expect(await copy({ copyMetadata: false }, { copied: 'yes' })).toMatchObject({ metadata: { copied: 'yes' } });
    expect((await copy({ copyMetadata: false }))!.metadata).toEqual({});
    expect((await copy({}, { copied: 'yes' }))!.metadata).toEqual({ mine: true });
    const metadata = { cacheControl: 'max-age=7', mimetype: 'text/csv;charset=utf-8' };
    const { cacheControl, mimetype } = metadata;
    expect(await copy({ copyMetadata: false, metadata })).toMatchObject({ cacheControl, contentType: mimetype });
    // As text that a header can contain.
    const injected = await copy({ copyMetadata: false, metadata: { cacheControl: 'max-age=1\nx: ☃' } });
    expect(injected).toMatchObject({ cacheControl: 'max-age=1x: ' });
  });
});

describe('bucket', () => {
  it.each([
    ['20mb', 20_000_000],
    ['1.5KB', 1500],
    ['1234b', 1230],
    ['2GB', 2_000_000_000],
    ['1000', 1000],
    [1024, 1024],
  ])('with the limit %j accepts %i bytes', async (fileSizeLimit, bytes) => {
    expect((await server.service.updateBucket('drawer', { public: false, fileSizeLimit })).error).toBeNull();
    expect((await server.service.getBucket('drawer')).data).toMatchObject({ file_size_limit: bytes });
    await server.service.updateBucket('drawer', { public: false, fileSizeLimit: null });
  });

  it('returns its type only in the list', async () => {
    expect((await server.service.getBucket('drawer')).data).not.toHaveProperty('type');
    expect((await server.service.listBuckets({ search: 'drawer' })).data).toMatchObject([{ type: 'STANDARD' }]);
  });
});
