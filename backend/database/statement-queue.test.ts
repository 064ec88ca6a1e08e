import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  DatabaseError,
  DatabaseTimeExceeded,
  DatabaseUnavailable,
  EngineRestarted,
  type QueryClient,
} from './database.ts';
import { type QueueLimits, StatementQueue } from './statement-queue.ts';

const LIMITS: QueueLimits = { sessions: 1, maxWaiting: 256, maxWaitMs: 10_000 };
const from = (address: string, heavy = false): { client: QueryClient } => ({
  client: { address, limited: true, heavy },
});

/** A queue whose meter advances by `works`. */
function createQueue(limits: Partial<QueueLimits> = {}) {
  let workedMs = 0;
  const queue = new StatementQueue({ ...LIMITS, meterMs: () => workedMs, ...limits });
  return { queue, works: (ms: number) => (workedMs += ms) };
}

/** Work that lasts until `end`. */
function pendingWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

describe('the line in front of the database', () => {
  it('H1, TM-45: serves addresses in turn, however many one of them sends, and the house like any of them', async () => {
    const { queue } = createQueue();
    const first = pendingWork();
    const served: string[] = [];
    const enqueue = (name: string, options = {}) => queue.run(async () => void served.push(name), options);
    const running = queue.run(first.work, from('greedy'));
    const all = [1, 2, 3, 4, 5].map((n) => enqueue(`greedy ${n}`, from('greedy')));
    all.push(
      enqueue('other 1', from('other')),
      enqueue('server 1'),
      enqueue('other 2', from('other')),
      enqueue('server 2'),
    );
    first.end();
    await Promise.all([running, ...all]);
    expect(served).toEqual([
      'greedy 1',
      'other 1',
      'server 1',
      'greedy 2',
      'other 2',
      'server 2',
      'greedy 3',
      'greedy 4',
      'greedy 5',
    ]);
  });

  it('TM-45: gives the place of who waits with the most to who waits with less, when there is no more', async () => {
    const { queue } = createQueue({ maxWaiting: 4 });
    const first = pendingWork();
    const running = queue.run(first.work, from('greedy'));
    const greedy = [1, 2, 3, 4].map((n) => queue.run(async () => n, from('greedy')));
    const fifth = queue.run(async () => 5, from('greedy'));
    await expect(fifth).rejects.toBeInstanceOf(DatabaseUnavailable);
    const other = queue.run(async () => 'served', from('other'));
    await expect(greedy[3]).rejects.toBeInstanceOf(DatabaseUnavailable);
    first.end();
    expect(await other).toBe('served');
    expect(await Promise.all(greedy.slice(0, 3))).toEqual([1, 2, 3]);
    await running;
  });

  it('lets one message go ahead of the turn before it, none behind a longer turn, a costly or a long one', async () => {
    const { queue } = createQueue();
    const begun: string[] = [];
    const enqueue = (name: string, options = {}) => {
      const { work, end } = pendingWork();
      const run = () => {
        begun.push(name);
        return work();
      };
      const done = queue.run(run, options);
      return {
        end: async () => {
          end();
          await done;
          await sleep(0);
        },
      };
    };
    const single = { isSingleMessage: true };
    const [a, b, c] = [enqueue('a', single), enqueue('b', single), enqueue('c', single)];
    await sleep(0);
    expect(begun).toEqual(['a', 'b']);
    await a.end();
    expect(begun).toEqual(['a', 'b', 'c']);
    const transaction = enqueue('transaction');
    await b.end();
    expect(begun).toHaveLength(3);
    await c.end();
    const d = enqueue('d', single);
    await sleep(0);
    expect(begun).toEqual(['a', 'b', 'c', 'transaction']);
    await transaction.end();
    const costly = enqueue('costly', { ...single, ...from('greedy', true) });
    await sleep(0);
    expect(begun.slice(4)).toEqual(['d']);
    await d.end();
    await expect.poll(() => begun.slice(5)).toEqual(['costly']);
    await costly.end();
  });

  it('H1: refuses an address whose time is used up, those of it who wait too, and nobody else', async () => {
    const { queue, works } = createQueue({ allowedMs: 5_000 });
    const first = pendingWork();
    const running = queue.run(first.work, from('greedy'));
    const waiting = queue.run(async () => 'served', from('greedy'));
    const other = queue.run(async () => 'served', from('other'));
    // Its turn has begun by then.
    await sleep(0);
    works(5_000);
    first.end();
    await running;
    const refusal = await waiting.catch((error) => error);
    expect(refusal).toBeInstanceOf(DatabaseTimeExceeded);
    expect(refusal.seconds).toBeGreaterThan(50);
    expect(refusal.seconds).toBeLessThanOrEqual(60);
    await expect(queue.run(async () => 1, from('greedy'))).rejects.toBeInstanceOf(DatabaseTimeExceeded);
    expect(await other).toBe('served');
    // An admin at the same address is not held to it.
    const unlimited = { client: { address: 'greedy', limited: false, heavy: false } };
    expect(await queue.run(async () => 'served', unlimited)).toBe('served');
  });

  it('C1: makes an address wait a minute for an engine that was lost to it, then two', async () => {
    const { queue } = createQueue({ allowedMs: 5_000 });
    const lost = () => queue.run(() => Promise.reject(new EngineRestarted({ code: '57014', message: '' })), from('a'));
    await expect(lost()).rejects.toBeInstanceOf(DatabaseError);
    const refusal = await lost().catch((error) => error);
    expect(refusal).toMatchObject({ seconds: 60 });
    queue.time.penalize('a');
    expect(queue.time.secondsBlocked('a')).toBe(120);
    expect(queue.time.secondsBlocked('b')).toBe(0);
  });

  it('C1: remembers whom it blocked however many others come, and forgets of those whose minute began first', () => {
    const { time } = createQueue({ allowedMs: 5_000 }).queue;
    time.charge('greedy', 5_000);
    time.charge('first', 100);
    for (let at = 0; at < 9_998; at++) time.charge(`a${at}`, 100);
    expect(time.msUntilHeavy('first')).toBe(400);
    time.charge('one too many', 100);
    expect(time.msUntilHeavy('first')).toBe(500);
    expect(time.msUntilHeavy('a9997')).toBe(400);
    expect(time.secondsBlocked('greedy')).toBeGreaterThan(50);
    for (let at = 0; at < 12_000; at++) time.penalize(`p${at}`);
    expect(time.secondsBlocked('greedy')).toBe(0);
    expect(time.secondsBlocked('p11999')).toBeGreaterThan(50);
  });

  it('H1: asks a costly turn to give way when somebody else waits, and lets it be when nobody does', async () => {
    const { queue } = createQueue();
    let yieldRequests = 0;
    const costly = pendingWork();
    const running = queue.run(costly.work, { ...from('greedy', true), onYield: () => yieldRequests++ });
    const same = queue.run(async () => {}, from('greedy', true));
    await sleep(300);
    expect(yieldRequests).toBe(0);
    const other = queue.run(async () => {}, from('other'));
    await expect.poll(() => yieldRequests).toBe(1);
    costly.end();
    await Promise.all([running, same, other]);
    expect(yieldRequests).toBe(1);
  });

  it('H1: leaves one address half of several sessions, and one when it asks much', async () => {
    const { queue } = createQueue({ sessions: 10 });
    let at = 0;
    let most = 0;
    const first = pendingWork();
    const work = async () => {
      most = Math.max(most, ++at);
      await first.work();
      at--;
    };
    const light = Array.from({ length: 20 }, () => queue.run(work, from('greedy')));
    await sleep(20);
    expect(most).toBe(5);
    expect(await queue.run(async () => 'served', from('other'))).toBe('served');
    first.end();
    await Promise.all(light);
    most = 0;
    const second = Array.from({ length: 5 }, () =>
      queue.run(
        async () => {
          most = Math.max(most, ++at);
          await sleep(5);
          at--;
        },
        from('other', true),
      ),
    );
    await Promise.all(second);
    expect(most).toBe(1);
  });

  it('closes when everybody who waits was served', async () => {
    const { queue } = createQueue();
    const first = pendingWork();
    const running = queue.run(first.work);
    const waiting = queue.run(async () => 'served', from('a', true));
    const closed = queue.close();
    first.end();
    expect(await waiting).toBe('served');
    await Promise.all([running, closed]);
    await expect(queue.run(async () => {})).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
