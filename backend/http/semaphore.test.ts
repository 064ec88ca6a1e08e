import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

const busy = () => new Error('busy');

/** A job that ends when it is told to. */
function job(places: Semaphore, who: string, begun: string[]) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const done = places.run(
    async () => {
      begun.push(who);
      await promise;
    },
    busy,
    who,
  );
  return { end, done };
}

it('runs so many at once and serves those who wait in turn, one job of each', async () => {
  const begun: string[] = [];
  const places = new Semaphore(1);
  const jobs = ['greedy', 'greedy', 'greedy', 'greedy', 'one', 'one', 'two'].map((who) => job(places, who, begun));
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(begun).toEqual(['greedy', 'greedy', 'one', 'two', 'greedy', 'one', 'greedy']);
});

it('tells who has too many waiting to come back, and nobody else', async () => {
  const begun: string[] = [];
  const places = new Semaphore(1, { maxWaiting: 2 });
  const jobs = ['a', 'a', 'a'].map((who) => job(places, who, begun));
  await expect(places.run(async () => {}, busy, 'a')).rejects.toThrow('busy');
  jobs.push(job(places, 'b', begun));
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(begun).toEqual(['a', 'a', 'b', 'a']);
  // All places are free again.
  expect(await places.run(async () => 'ran', busy, 'a')).toBe('ran');
});

it('keeps nobody waiting for ever', async () => {
  const places = new Semaphore(1, { waitMs: 5 });
  expect(await places.acquire()).toBe(true);
  expect(await places.acquire()).toBe(false);
  places.release();
  expect(await places.acquire()).toBe(true);
});
