import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { store } from '../files.ts';
import { ResponseCache } from './response-cache.ts';

const KEY = 'sb_publishable_test';
const requestFor = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  ({ method, url, headers }) as unknown as IncomingMessage;
let cache: ResponseCache;
beforeEach(() => {
  cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
});
const keyOf = (request: IncomingMessage) => cache.keyOf(request, (path) => path.startsWith('/case-studies/'));
const html = { 'content-type': 'text/html; charset=utf-8' };
const picture = { 'content-type': 'image/jpeg' };
const storeBody = async (key: string, body: string | Buffer, headers: Record<string, string> = html) =>
  cache.store(key, cache.generation, await store(200, headers, Buffer.from(body)));

describe('cached responses', () => {
  it('are served until data changes', async () => {
    const key = keyOf(requestFor('/case-studies'))!;
    await storeBody(key, 'one');
    expect(cache.find(key)?.plain.toString()).toBe('one');
    cache.clear();
    expect(cache.find(key)).toBeNull();
  });

  it('are discarded when data changed while they were rendered', async () => {
    const before = cache.generation;
    cache.clear();
    cache.store('/case-studies', before, await store(200, html, Buffer.from('old')));
    expect(cache.find('/case-studies')).toBeNull();
  });

  it('are not stored for requests with a credential, the draft cookie or a secret', () => {
    for (const name of ['authorization', 'x-draft-secret', 'x-setup-key'])
      expect(keyOf(requestFor('/case-studies', { [name]: 'x' })), name).toBeNull();
    for (const cookie of ['drafts=x', '__Host-drafts=x', 'a=b; drafts=x', 'a=b;__Host-drafts=x'])
      expect(keyOf(requestFor('/case-studies/one?x', { cookie })), cookie).toBeNull();
    expect(keyOf(requestFor('/case-studies', {}, 'POST'))).toBeNull();
  });

  it('ignore other cookies for pages, but not for data, because database functions may read them', () => {
    for (const cookie of ['theme=dark', 'xdrafts=1; a=drafts=', ''])
      expect(keyOf(requestFor('/case-studies', { cookie })), cookie).toBe('/case-studies');
    // This page ignores the draft cookie, too.
    const search = requestFor('/case-studies?q=a', { cookie: '__Host-drafts=x' });
    expect(keyOf(search)).toBe('/case-studies?q=a');
    expect(keyOf(requestFor('/rest/v1/projects', { apikey: KEY, cookie: 'theme=dark' }))).toBeNull();
  });

  it('require the publishable key for data, and vary by Accept', () => {
    const url = '/rest/v1/projects?select=id';
    expect(keyOf(requestFor(url))).toBeNull();
    expect(keyOf(requestFor(url, { apikey: 'sb_secret_other' }))).toBeNull();
    const list = keyOf(requestFor(url, { apikey: KEY, authorization: `Bearer ${KEY}` }));
    expect(list).not.toBeNull();
    expect(keyOf(requestFor(url, { apikey: KEY, accept: 'application/vnd.pgrst.object+json' }))).not.toBe(list);
    expect(keyOf(requestFor(url, { apikey: KEY, prefer: 'count=exact' }))).not.toBe(list);
    expect(keyOf(requestFor('/rest/v1/rpc/is_admin', { apikey: KEY }))).toBeNull();
  });

  it('are limited in bytes, and the least recently used are evicted first', async () => {
    const body = Buffer.alloc(100_000, 7);
    cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY, 450_000);
    const storeBytes = (key: string) => storeBody(key, body, picture);
    const cachedKeys = () => ['/1', '/2', '/3', '/4', '/5', '/6'].filter((key) => cache.find(key) !== null);
    for (const key of ['/1', '/2', '/3', '/4']) await storeBytes(key);
    cache.find('/1');
    await storeBytes('/5');
    expect(cachedKeys()).toEqual(['/1', '/3', '/4', '/5']);
    await storeBytes('/6');
    expect(cachedKeys()).toHaveLength(4);
    expect(cachedKeys()).toContain('/6');
    for (let repeated = 0; repeated < 20; repeated++) await storeBytes('/6');
    expect(cachedKeys()).toHaveLength(4);
    cache.clear();
    for (const key of ['/1', '/2', '/3', '/4']) await storeBytes(key);
    expect(cachedKeys()).toHaveLength(4);
  });

  it('are not stored when one is larger than the whole limit', async () => {
    cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY, 50_000);
    await storeBody('/', Buffer.alloc(60_000), picture);
    expect(cache.find('/')).toBeNull();
  });

  it('are limited to 2,000 entries', async () => {
    for (let number = 0; number <= 2_000; number++) await storeBody(`/${number}`, 'x');
    expect(cache.find('/0')).toBeNull();
    expect(cache.find('/1')).not.toBeNull();
    expect(cache.find('/2000')).not.toBeNull();
  });

  it('expire with a hosted backend', async () => {
    cache = new ResponseCache(KEY, 0);
    await storeBody('/', 'one');
    expect(cache.find('/')).toBeNull();
  });

  it('expire when the page declares an expiry time', async () => {
    vi.useFakeTimers({ now: new Date('2027-05-10T13:29:59Z') });
    await storeBody('/', 'before', { ...html, expires: 'Mon, 10 May 2027 13:30:00 GMT' });
    expect(cache.find('/')?.plain.toString()).toBe('before');
    vi.advanceTimersByTime(1_000);
    expect(cache.find('/')).toBeNull();
    vi.useRealTimers();
  });

  it('are served stale for a day while a hosted backend is down (B7)', async () => {
    cache = new ResponseCache(KEY, 0);
    await storeBody('/', 'one');
    vi.useFakeTimers({ now: Date.now() + 23 * 60 * 60 * 1000, toFake: ['Date'] });
    try {
      expect(cache.find('/')).toBeNull();
      expect(cache.findStale('/')?.plain.toString()).toBe('one');
      expect(cache.find('/')?.plain.toString()).toBe('one');
      vi.setSystemTime(Date.now() + 2 * 60 * 60 * 1000);
      expect(cache.find('/')).toBeNull();
      expect(cache.findStale('/')).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('are neither stored nor served while notifications are lost (B9)', async () => {
    await storeBody('/', 'one');
    const before = cache.generation;
    cache.pause();
    expect(cache.find('/')).toBeNull();
    await storeBody('/', 'two');
    expect(cache.find('/')).toBeNull();
    cache.clear();
    cache.store('/', before, await store(200, html, Buffer.from('one')));
    expect(cache.find('/')).toBeNull();
    await storeBody('/', 'three');
    expect(cache.find('/')?.plain.toString()).toBe('three');
  });
});
