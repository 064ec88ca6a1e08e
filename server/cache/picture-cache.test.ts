import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { PictureCache } from './picture-cache.ts';

const FOLDER = '/storage/v1/object/public/case-studies/images';
const RENDERS = '/storage/v1/render/image/public/case-studies/images';
const request = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  ({ method, url, headers }) as unknown as IncomingMessage;
const picture = (bytes: number, headers: Record<string, string> = {}) =>
  new Response(new Uint8Array(bytes), {
    headers: { 'content-type': 'image/webp', 'content-length': String(bytes), etag: '"one"', ...headers },
  });

let cache: PictureCache;
beforeEach(() => {
  cache = new PictureCache(1_000_000);
});

function statusFromCache(url: string, headers: Record<string, string> = {}): number | null {
  let status: number | null = null;
  const message = request(url, headers);
  const response = {
    writeHead(code: number) {
      status = code;
      return response;
    },
    end: () => response,
  };
  const key = cache.keyOf(message);
  return key && cache.send(key, message, response as never) ? status : null;
}

async function store(url: string, bytes = 1_000, response = picture(bytes)) {
  const message = request(url);
  return cache.store(cache.keyOf(message)!, cache.generation, message, response);
}

describe('the picture cache', () => {
  it('has a cache key for the image URLs of pages only', () => {
    const queries = ['width=640', 'made=hand&still=1&width=320', 'width=640&format=webp'];
    const renders = (all: string[]) => all.map((query) => `${RENDERS}/a.png?${query}`);
    for (const url of [`${FOLDER}/a.png`, `${FOLDER}/a.png?made=machine`, ...renders(queries)])
      expect(cache.keyOf(request(url)), url).not.toBeNull();
    for (const url of [
      ...['a.png?t=1', 'a.png?download=', '../a.png', '%2e%2e/a.png', '/a.png'].map((path) => `${FOLDER}/${path}`),
      ...renders(['', 'width=641', 'width=640&height=10', 'width=640&width=640']),
      '/storage/v1/object/case-studies/images/a.png',
      '/storage/v1/object/authenticated/case-studies/images/a.png',
      '/storage/v1/object/sign/case-studies/images/a.png?token=a',
      '/about',
    ])
      expect(cache.keyOf(request(url)), url).toBeNull();
  });

  it('has no cache key for writes, range requests or requests with a credential (TM-41)', () => {
    const url = `${FOLDER}/a.png`;
    expect(cache.keyOf(request(url, {}, 'DELETE'))).toBeNull();
    for (const name of ['authorization', 'x-draft-secret', 'x-setup-key', 'range'])
      expect(cache.keyOf(request(url, { [name]: 'x' })), name).toBeNull();
  });

  it('stores one response per negotiated format, and one when the URL names the format', async () => {
    const key = (query: string, accept: string) => cache.keyOf(request(`${RENDERS}/a.png?${query}`, { accept }))!.key;
    expect(key('width=640', 'image/avif,image/webp,*/*')).toBe(key('width=640', 'image/avif'));
    expect(new Set(['image/avif', 'image/webp', '*/*'].map((accept) => key('width=640', accept))).size).toBe(3);
    expect(key('width=640&format=webp', '*/*')).toBe(key('width=640&format=webp', 'image/avif'));
  });

  it('serves from memory until the file changes', async () => {
    const urls = [`${FOLDER}/a.png`, `${RENDERS}/a.png?width=640`, `${FOLDER}/b.png`];
    for (const url of urls) await store(url);
    expect(urls.map((url) => statusFromCache(url))).toEqual([200, 200, 200]);
    expect(statusFromCache(urls[0]!, { 'if-none-match': 'W/"one"' })).toBe(304);
    cache.evict('case-studies/images/a.png');
    expect(urls.map((url) => statusFromCache(url))).toEqual([null, null, 200]);
    cache.evict('');
    expect(statusFromCache(urls[2]!)).toBeNull();
    expect(cache.counts).toMatchObject({ hits: 5, misses: 3, bytes: 0 });
  });

  it('does not store a response that started before a change', async () => {
    const message = request(`${FOLDER}/a.png`);
    const { generation } = cache;
    cache.evict('case-studies/images/a.png');
    const response = await cache.store(cache.keyOf(message)!, generation, message, picture(1_000));
    expect((await response.arrayBuffer()).byteLength).toBe(1_000);
    expect(statusFromCache(message.url!)).toBeNull();
  });

  it('neither stores nor serves responses while notifications are lost', async () => {
    await store(`${FOLDER}/a.png`);
    cache.pause();
    cache.evict('case-studies/images/b.png');
    expect(statusFromCache(`${FOLDER}/a.png`)).toBeNull();
    await store(`${FOLDER}/a.png`);
    expect(statusFromCache(`${FOLDER}/a.png`)).toBeNull();
    cache.evict('');
    await store(`${FOLDER}/a.png`);
    expect(statusFromCache(`${FOLDER}/a.png`)).toBe(200);
  });

  it('stores only complete images of at most 1 MiB', async () => {
    cache = new PictureCache(10_000_000);
    const url = `${FOLDER}/a.png`;
    await store(url, 1_000, picture(1024 ** 2 + 1));
    await store(url, 1_000, new Response('none', { status: 404 }));
    await store(url, 1_000, picture(1_000, { 'content-type': 'text/plain' }));
    const conditional = request(url, { 'if-none-match': '"two"' });
    await cache.store(cache.keyOf(conditional)!, cache.generation, conditional, picture(1_000));
    const head = request(url, {}, 'HEAD');
    await cache.store(cache.keyOf(head)!, cache.generation, head, picture(1_000));
    expect(cache.counts.bytes).toBe(0);
  });

  it('stays within its size limit', async () => {
    cache = new PictureCache(100_000);
    for (let number = 0; number < 500; number++) {
      await store(`${FOLDER}/${number}.png`, 7_000);
      expect(cache.counts.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(cache.counts.evictions).toBeGreaterThan(480);
    expect(statusFromCache(`${FOLDER}/499.png`)).toBe(200);
    expect(statusFromCache(`${FOLDER}/0.png`)).toBeNull();
    cache.evict('case-studies/images/0.png');
    await store(`${FOLDER}/large.png`, 101_000);
    expect(statusFromCache(`${FOLDER}/large.png`)).toBeNull();
  });
});
