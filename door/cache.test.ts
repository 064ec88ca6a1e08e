import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { AnswerCache } from './cache.ts';

const KEY = 'sb_publishable_test';
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  ({ method, url, headers }) as unknown as IncomingMessage;
const html = { 'content-type': 'text/html; charset=utf-8' };

describe('kept answers', () => {
  it('are found again until something changes', async () => {
    const cache = new AnswerCache(KEY, Number.POSITIVE_INFINITY);
    const key = cache.keyOf(ask('/case-studies'))!;
    await cache.keep(key, cache.generation, 200, html, Buffer.from('one'));
    expect(cache.find(key)?.plain.toString()).toBe('one');
    cache.clear();
    expect(cache.find(key)).toBeNull();
  });

  it('are thrown away when something changed while they were made', async () => {
    const cache = new AnswerCache(KEY, Number.POSITIVE_INFINITY);
    const before = cache.generation;
    cache.clear();
    expect(await cache.keep('/case-studies', before, 200, html, Buffer.from('old'))).toBeNull();
    expect(cache.find('/case-studies')).toBeNull();
  });

  it('are never made for somebody who shows a credential, a cookie or a secret', () => {
    const cache = new AnswerCache(KEY, Number.POSITIVE_INFINITY);
    for (const name of ['authorization', 'cookie', 'x-draft-secret', 'x-setup-key'])
      expect(cache.keyOf(ask('/case-studies', { [name]: 'x' })), name).toBeNull();
    expect(cache.keyOf(ask('/case-studies', {}, 'POST'))).toBeNull();
  });

  it('of data need the publishable key, and differ by what the caller accepts', () => {
    const cache = new AnswerCache(KEY, Number.POSITIVE_INFINITY);
    const url = '/rest/v1/projects?select=id';
    expect(cache.keyOf(ask(url))).toBeNull();
    expect(cache.keyOf(ask(url, { apikey: 'sb_secret_other' }))).toBeNull();
    const list = cache.keyOf(ask(url, { apikey: KEY, authorization: `Bearer ${KEY}` }));
    expect(list).not.toBeNull();
    expect(cache.keyOf(ask(url, { apikey: KEY, accept: 'application/vnd.pgrst.object+json' }))).not.toBe(list);
    expect(cache.keyOf(ask(url, { apikey: KEY, prefer: 'count=exact' }))).not.toBe(list);
    expect(cache.keyOf(ask('/rest/v1/rpc/is_admin', { apikey: KEY }))).toBeNull();
  });

  it('are bounded by their bytes: those that nobody asked for lately go first', async () => {
    const answer = Buffer.alloc(100_000, 7);
    const cache = new AnswerCache(KEY, Number.POSITIVE_INFINITY, 450_000);
    const keep = (key: string) => cache.keep(key, cache.generation, 200, { 'content-type': 'image/jpeg' }, answer);
    const kept = () => ['/1', '/2', '/3', '/4', '/5', '/6'].filter((key) => cache.find(key) !== null);
    for (const key of ['/1', '/2', '/3', '/4']) await keep(key);
    cache.find('/1');
    await keep('/5');
    expect(kept()).toEqual(['/1', '/3', '/4', '/5']);
    await keep('/6');
    expect(kept()).toHaveLength(4);
    expect(kept()).toContain('/6');
    // The same key again takes no second place.
    for (let again = 0; again < 20; again++) await keep('/6');
    expect(kept()).toHaveLength(4);
    cache.clear();
    for (const key of ['/1', '/2', '/3', '/4']) await keep(key);
    expect(kept()).toHaveLength(4);
  });

  it('are never one that is larger than all of them may be', async () => {
    const cache = new AnswerCache(KEY, Number.POSITIVE_INFINITY, 50_000);
    expect(await cache.keep('/', cache.generation, 200, {}, Buffer.alloc(60_000))).toBeNull();
    expect(cache.find('/')).toBeNull();
  });

  it('are at most two thousand', async () => {
    const cache = new AnswerCache(KEY, Number.POSITIVE_INFINITY);
    for (let number = 0; number <= 2_000; number++)
      await cache.keep(`/${number}`, cache.generation, 200, {}, Buffer.from('x'));
    expect(cache.find('/0')).toBeNull();
    expect(cache.find('/1')).not.toBeNull();
    expect(cache.find('/2000')).not.toBeNull();
  });

  it('of a hosted backend end by themselves', async () => {
    const cache = new AnswerCache(KEY, 0);
    await cache.keep('/', cache.generation, 200, html, Buffer.from('one'));
    expect(cache.find('/')).toBeNull();
  });
});
