import { describe, expect, it } from 'vitest';
import { store } from '../files.ts';
import { ResponseCache } from './response-cache.ts';
import { RenderSlots, SharedResponses } from './shared-responses.ts';

const createResponse = () => store(200, {}, Buffer.from('made'));

describe('pending responses', () => {
  it('B6: are shared by concurrent requests', async () => {
    const shared = new SharedResponses(new ResponseCache('key', Number.POSITIVE_INFINITY));
    expect(shared.find('/about')).toBeNull();
    const invalidate = shared.begin('/about');
    const readers = [shared.find('/about'), shared.find('/about')];
    const response = await createResponse();
    invalidate(response);
    expect(await Promise.all(readers)).toEqual([response, response]);
    expect(shared.find('/about')).toBeNull();
  });

  it('B6: are not sent to a client that may have seen a later write', async () => {
    const cache = new ResponseCache('key', Number.POSITIVE_INFINITY);
    const shared = new SharedResponses(cache);
    const publishOld = shared.begin('/about');
    cache.clear();
    expect(shared.find('/about')).toBeNull();
    const publishNew = shared.begin('/about');
    const reader = shared.find('/about');
    publishOld(await createResponse());
    const response = await createResponse();
    publishNew(response);
    expect(await reader).toBe(response);
  });

  it('B9: are not shared while notifications are lost', () => {
    const cache = new ResponseCache('key', Number.POSITIVE_INFINITY);
    const shared = new SharedResponses(cache);
    shared.begin('/about');
    cache.pause();
    expect(shared.find('/about')).toBeNull();
    shared.begin('/about');
    expect(shared.find('/about')).toBeNull();
  });
});

it('B6: page renders wait for slots in order, and a failed render releases its slot', async () => {
  const slots = new RenderSlots();
  let active = 0;
  let maxActive = 0;
  const order: number[] = [];
  const render = (number: number) =>
    slots.run(async () => {
      maxActive = Math.max(maxActive, ++active);
      await new Promise((done) => setImmediate(done));
      order.push(number);
      active--;
      if (number % 7 === 0) throw new Error('no page');
      return number;
    });
  const results = await Promise.allSettled(Array.from({ length: 200 }, (_, number) => render(number)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(171);
  expect(order).toEqual(Array.from({ length: 200 }, (_, number) => number));
  expect(maxActive).toBe(32);
});
