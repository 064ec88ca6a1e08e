import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { engines, silent, type TestDatabase } from '../../../tests/database.ts';
import { runHourly, runIfDue } from './schedule.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = 10 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

describe.each(engines)('work that is done every hour, on $name', ({ name: engine, open }) => {
  let database: TestDatabase;
  let done: string[];
  beforeAll(async () => {
    database = await open({ migrated: true });
  });
  afterAll(() => database?.end());
  beforeEach(async () => {
    done = [];
    await database.db.script('delete from internal.schedule');
  });

  const job = () => ({ db: database.db, name: 'sweep', log: silent });
  /** One process checks whether the job is due. @returns milliseconds until its next check */
  const look = (process: string, immediately = false, work: () => Promise<unknown> = async () => done.push(process)) =>
    runIfDue(work, { ...job(), immediately });
  const makeDue = () => database.db.script("update internal.schedule set due_at = now() - interval '1 second'");
  const within = (wait: number, ms: number) => {
    expect(wait).toBeGreaterThan(ms - MINUTE_MS);
    // The clock of the statement that reads it may be earlier than that of the one that wrote it.
    expect(wait).toBeLessThan(ms + MINUTE_MS);
  };

  it('runs for the first time an hour after it was registered', async () => {
    within(await look('one'), HOUR_MS);
    expect(done).toEqual([]);
  });

  it('runs when its row was written while the clock was far ahead', async () => {
    await look('one');
    await database.db.script("update internal.schedule set due_at = now() + interval '40 days'");
    within(await look('two'), HOUR_MS);
    expect(done).toEqual(['two']);
  });

  it('runs once when due, whatever the number of processes, and again an hour later', async () => {
    await look('first');
    for (let hour = 1; hour <= 2; hour++) {
      await makeDue();
      const slow = async () => {
        done.push('slow');
        await database.db.query('select pg_sleep(0.05)');
      };
      const waits = await Promise.all(Array.from({ length: 6 }, () => look('any', false, slow)));
      expect(done).toHaveLength(hour);
      within(Math.max(...waits), HOUR_MS);
      within(await look('late'), HOUR_MS);
      expect(done).toHaveLength(hour);
    }
  });

  it('runs at a start and is awaited on close', async () => {
    const work = async () => {
      await database.db.query('select pg_sleep(0.05)');
      done.push('whole');
    };
    const stop = runHourly(work, { ...job(), immediately: true });
    await stop();
    expect(done).toEqual(['whole']);
  });

  it('runs again an hour after a failure, which is logged', async () => {
    const warn = vi.spyOn(silent, 'warn');
    const failing = async () => {
      done.push('tried');
      throw new Error('not today');
    };
    within(await look('failing', true, failing), HOUR_MS);
    expect(done).toEqual(['tried']);
    expect(warn).toHaveBeenCalledWith({ err: expect.any(Error), job: 'sweep' }, 'hourly job failed');
    warn.mockRestore();
  });

  it.skipIf(engine !== 'PostgreSQL')('is restarted once the lease of a crashed process has expired', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const dying = look('dying', true, () => promise);
    await expect.poll(async () => (await database.db.query('select from internal.schedule')).rows.length).toBe(1);
    for (const immediately of [false, true]) within(await look('other', immediately), LEASE_MS);
    expect(done).toEqual([]);
    await makeDue();
    within(await look('other'), HOUR_MS);
    expect(done).toEqual(['other']);
    // The slow process is still alive; the claim of the next one stays valid.
    const claim = "update internal.schedule set claimed_by = gen_random_uuid(), due_at = now() + interval '5 minutes'";
    await database.db.script(claim);
    resolve();
    within(await dying, 5 * MINUTE_MS);
  });

  it.skipIf(engine === 'PostgreSQL')(
    'is restarted immediately by an embedded installation that was killed',
    async () => {
      const claim = "insert into internal.schedule values ('sweep', now() + interval '9 minutes', gen_random_uuid())";
      await database.db.script(claim);
      await look('next', true);
      expect(done).toEqual(['next']);
    },
  );
});
