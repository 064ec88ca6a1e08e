import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

const busy = () => new Error('busy');

function job(places: Semaphore, who: string, startedAt: string[]) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const done = places.run(
    async () => {
      startedAt.push(who);
      await promise;
    },
    busy,
    who,
  );
  return { end, done };
}

it('limits concurrency and serves waiting clients round-robin', async () => {
  const startedAt: string[] = [];
  const places = new Semaphore(1);
  const jobs = ['greedy', 'greedy', 'greedy', 'greedy', 'one', 'one', 'two'].map((who) => job(places, who, startedAt));
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(startedAt).toEqual(['greedy', 'greedy', 'one', 'two', 'greedy', 'one', 'greedy']);
});

it('rejects only the client with too many waiting jobs', async () => {
  const startedAt: string[] = [];
  const places = new Semaphore(1, { maxWaiting: 2 });
  const jobs = ['a', 'a', 'a'].map((who) => job(places, who, startedAt));
  await expect(places.run(async () => {}, busy, 'a')).rejects.toThrow('busy');
  jobs.push(job(places, 'b', startedAt));
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(startedAt).toEqual(['a', 'a', 'b', 'a']);
  expect(await places.run(async () => 'ran', busy, 'a')).toBe('ran');
});

it('rejects a job that waits too long', async () => {
  const places = new Semaphore(1, { waitMs: 5 });
  expect(await places.acquire()).toBe(true);
  expect(await places.acquire()).toBe(false);
  places.release();
  expect(await places.acquire()).toBe(true);
});
