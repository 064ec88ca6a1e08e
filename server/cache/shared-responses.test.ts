import { describe, expect, it } from 'vitest';
import { store } from '../files.ts';
import { ResponseCache } from './response-cache.ts';
import { RenderSlots, SharedResponses } from './shared-responses.ts';

const answer = () => store(200, {}, Buffer.from('made'));

describe('answers under way', () => {
  it('B6: are shared by all who ask while they are made', async () => {
    const shared = new SharedResponses(new ResponseCache('key', Number.POSITIVE_INFINITY));
    expect(shared.find('/about')).toBeNull();
    const tell = shared.begin('/about');
    const readers = [shared.find('/about'), shared.find('/about')];
    const made = await answer();
    tell(made);
    expect(await Promise.all(readers)).toEqual([made, made]);
    expect(shared.find('/about')).toBeNull();
  });

  it('B6: never reach a reader who may have seen a write end since they were begun', async () => {
    const cache = new ResponseCache('key', Number.POSITIVE_INFINITY);
    const shared = new SharedResponses(cache);
    const tellOld = shared.begin('/about');
    cache.clear();
    expect(shared.find('/about')).toBeNull();
    const tellNew = shared.begin('/about');
    const reader = shared.find('/about');
    tellOld(await answer());
    const made = await answer();
    tellNew(made);
    expect(await reader).toBe(made);
  });

  it('B9: are nobody else’s while nothing would be heard of a change', () => {
    const cache = new ResponseCache('key', Number.POSITIVE_INFINITY);
    const shared = new SharedResponses(cache);
    shared.begin('/about');
    cache.pause();
    expect(shared.find('/about')).toBeNull();
    shared.begin('/about');
    expect(shared.find('/about')).toBeNull();
  });
});

it('B6: a crowd waits for places in which pages are made, in its order, and a page that fails gives its place back', async () => {
  const places = new RenderSlots();
  let atOnce = 0;
  let most = 0;
  const order: number[] = [];
  const make = (number: number) =>
    places.run(async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((done) => setImmediate(done));
      order.push(number);
      atOnce--;
      if (number % 7 === 0) throw new Error('no page');
      return number;
    });
  const made = await Promise.allSettled(Array.from({ length: 200 }, (_, number) => make(number)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(171);
  expect(order).toEqual(Array.from({ length: 200 }, (_, number) => number));
  expect(most).toBe(32);
});
