import { expect, it } from 'vitest';
import { Slots } from './slots.ts';

/** A job that ends when it is told to. */
function job(slots: Slots, who: string, begun: string[]) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const done = slots.run(who, async () => {
    begun.push(who);
    await promise;
  });
  return { end, done };
}

it('runs so many at once and serves those who wait in turn, one job of each', async () => {
  const begun: string[] = [];
  const slots = new Slots(1, 10);
  const jobs = ['greedy', 'greedy', 'greedy', 'greedy', 'one', 'one', 'two'].map((who) => job(slots, who, begun));
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(begun).toEqual(['greedy', 'greedy', 'one', 'two', 'greedy', 'one', 'greedy']);
});

it('tells who has too many waiting to come back, and nobody else', async () => {
  const begun: string[] = [];
  const slots = new Slots(1, 2);
  const jobs = ['a', 'a', 'a'].map((who) => job(slots, who, begun));
  await expect(slots.run('a', async () => {})).rejects.toMatchObject({ statusCode: 503, retryAfter: 5 });
  jobs.push(job(slots, 'b', begun));
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(begun).toEqual(['a', 'a', 'b', 'a']);
  // All slots are free again.
  expect(await slots.run('a', async () => 'ran')).toBe('ran');
});
