import type { IncomingMessage } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { store } from '../files.ts';
import { ResponseCache } from './response-cache.ts';

const KEY = 'sb_publishable_test';
const requestFor = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  ({ method, url, headers }) as unknown as IncomingMessage;
const keyOf = (cache: ResponseCache, request: IncomingMessage) =>
  cache.keyOf(request, (path) => path.startsWith('/case-studies/'));
const html = { 'content-type': 'text/html; charset=utf-8' };
const picture = { 'content-type': 'image/jpeg' };
const storeIn = async (
  cache: ResponseCache,
  key: string,
  body: string | Buffer,
  headers: Record<string, string> = html,
) => cache.store(key, cache.generation, await store(200, headers, Buffer.from(body)));

describe('cached responses', () => {
  it('are returned until data changes', async () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    const key = keyOf(cache, requestFor('/case-studies'))!;
    await storeIn(cache, key, 'one');
    expect(cache.find(key)?.plain.toString()).toBe('one');
    cache.clear();
    expect(cache.find(key)).toBeNull();
  });

  it('are discarded when data changed while they were rendered', async () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    const before = cache.generation;
    cache.clear();
    cache.store('/case-studies', before, await store(200, html, Buffer.from('old')));
    expect(cache.find('/case-studies')).toBeNull();
  });

  it('are never stored for a request with a credential, the draft cookie or a secret', () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    for (const name of ['authorization', 'x-draft-secret', 'x-setup-key'])
      expect(keyOf(cache, requestFor('/case-studies', { [name]: 'x' })), name).toBeNull();
    for (const cookie of ['drafts=x', '__Host-drafts=x', 'a=b; drafts=x', 'a=b;__Host-drafts=x'])
      expect(keyOf(cache, requestFor('/case-studies/one?x', { cookie })), cookie).toBeNull();
    expect(keyOf(cache, requestFor('/case-studies', {}, 'POST'))).toBeNull();
  });

  it('of a page that does not read the draft cookie are also sent to requests with it', () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    expect(keyOf(cache, requestFor('/case-studies?q=a', { cookie: '__Host-drafts=x' }))).toBe('/case-studies?q=a');
  });

  it('of pages do not depend on other cookies; those of data do, because any function may read them', () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    for (const cookie of ['theme=dark', 'xdrafts=1; a=drafts=', ''])
      expect(keyOf(cache, requestFor('/case-studies', { cookie })), cookie).toBe('/case-studies');
    expect(keyOf(cache, requestFor('/rest/v1/projects', { apikey: KEY, cookie: 'theme=dark' }))).toBeNull();
  });

  it('of data need the publishable key and vary by Accept', () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    const url = '/rest/v1/projects?select=id';
    expect(keyOf(cache, requestFor(url))).toBeNull();
    expect(keyOf(cache, requestFor(url, { apikey: 'sb_secret_other' }))).toBeNull();
    const list = keyOf(cache, requestFor(url, { apikey: KEY, authorization: `Bearer ${KEY}` }));
    expect(list).not.toBeNull();
    expect(keyOf(cache, requestFor(url, { apikey: KEY, accept: 'application/vnd.pgrst.object+json' }))).not.toBe(list);
    expect(keyOf(cache, requestFor(url, { apikey: KEY, prefer: 'count=exact' }))).not.toBe(list);
    expect(keyOf(cache, requestFor('/rest/v1/rpc/is_admin', { apikey: KEY }))).toBeNull();
  });

  it('are limited in bytes: the least recently used are evicted first', async () => {
    const answer = Buffer.alloc(100_000, 7);
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY, 450_000);
    const keepOne = (key: string) => storeIn(cache, key, answer, picture);
    const kept = () => ['/1', '/2', '/3', '/4', '/5', '/6'].filter((key) => cache.find(key) !== null);
    for (const key of ['/1', '/2', '/3', '/4']) await keepOne(key);
    cache.find('/1');
    await keepOne('/5');
    expect(kept()).toEqual(['/1', '/3', '/4', '/5']);
    await keepOne('/6');
    expect(kept()).toHaveLength(4);
    expect(kept()).toContain('/6');
    // The same key again takes no second place.
    for (let again = 0; again < 20; again++) await keepOne('/6');
    expect(kept()).toHaveLength(4);
    cache.clear();
    for (const key of ['/1', '/2', '/3', '/4']) await keepOne(key);
    expect(kept()).toHaveLength(4);
  });

  it('are never larger than the whole limit', async () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY, 50_000);
    await storeIn(cache, '/', Buffer.alloc(60_000), picture);
    expect(cache.find('/')).toBeNull();
  });

  it('are at most 2,000', async () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    for (let number = 0; number <= 2_000; number++) await storeIn(cache, `/${number}`, 'x');
    expect(cache.find('/0')).toBeNull();
    expect(cache.find('/1')).not.toBeNull();
    expect(cache.find('/2000')).not.toBeNull();
  });

  it('of a hosted backend expire', async () => {
    const cache = new ResponseCache(KEY, 0);
    await storeIn(cache, '/', 'one');
    expect(cache.find('/')).toBeNull();
  });

  it('of a page that says when it expires are not found beyond that', async () => {
    vi.useFakeTimers({ now: new Date('2027-05-10T13:29:59Z') });
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    await storeIn(cache, '/', 'before', { ...html, expires: 'Mon, 10 May 2027 13:30:00 GMT' });
    expect(cache.find('/')?.plain.toString()).toBe('before');
    vi.advanceTimersByTime(1_000);
    expect(cache.find('/')).toBeNull();
    vi.useRealTimers();
  });

  it('B7: of a hosted backend are served stale for a day while it is down', async () => {
    const cache = new ResponseCache(KEY, 0);
    await storeIn(cache, '/', 'one');
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

  it('B9: are neither stored nor returned while notifications are lost', async () => {
    const cache = new ResponseCache(KEY, Number.POSITIVE_INFINITY);
    await storeIn(cache, '/', 'one');
    const before = cache.generation;
    cache.pause();
    expect(cache.find('/')).toBeNull();
    await storeIn(cache, '/', 'two');
    expect(cache.find('/')).toBeNull();
    cache.clear();
    cache.store('/', before, await store(200, html, Buffer.from('one')));
    expect(cache.find('/')).toBeNull();
    await storeIn(cache, '/', 'three');
    expect(cache.find('/')?.plain.toString()).toBe('three');
  });
});
