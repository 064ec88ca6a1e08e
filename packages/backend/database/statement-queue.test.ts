import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DatabaseError, DatabaseTimeExceeded, DatabaseUnavailable, EngineRestarted } from './database.ts';
import { type QueueLimits, StatementQueue } from './statement-queue.ts';

const LIMITS: QueueLimits = { sessions: 1, maxWaiting: 256, maxWaitMs: 10_000 };
const from = (address: string, heavy = false) => ({ client: { address, limited: true, heavy } });

/** A queue whose work meter is advanced by `works`. */
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

describe('the statement queue', () => {
  it('serves addresses in turn regardless of their number of calls, and the server as one of them (H1, TM-45)', async () => {
    const { queue } = createQueue();
    const first = pendingWork();
    const served: string[] = [];
    const enqueue = (name: string, options = {}) => queue.run(async () => void served.push(name), options);
    const running = queue.run(first.work, from('greedy'));
    const all = [1, 2, 3, 4, 5].map((n) => enqueue(`greedy ${n}`, from('greedy')));
    for (const n of [1, 2]) all.push(enqueue(`other ${n}`, from('other')), enqueue(`server ${n}`));
    first.end();
    await Promise.all([running, ...all]);
    const turns = 'greedy 1, other 1, server 1, greedy 2, other 2, server 2, greedy 3, greedy 4, greedy 5';
    expect(served.join(', ')).toBe(turns);
  });

  it('when full, evicts the last call of the longest queue in favour of a shorter one (TM-45)', async () => {
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

  it('pipelines one message, but none behind a transaction, a heavy turn or a long turn', async () => {
    const { queue } = createQueue();
    const started: string[] = [];
    const enqueue = (name: string, options = {}) => {
      const { work, end } = pendingWork();
      const run = () => {
        started.push(name);
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
    expect(started).toEqual(['a', 'b']);
    await a.end();
    expect(started).toEqual(['a', 'b', 'c']);
    const transaction = enqueue('transaction');
    await b.end();
    expect(started).toHaveLength(3);
    await c.end();
    const d = enqueue('d', single);
    await sleep(0);
    expect(started).toEqual(['a', 'b', 'c', 'transaction']);
    await transaction.end();
    const heavy = enqueue('heavy', { ...single, ...from('greedy', true) });
    await sleep(0);
    expect(started.slice(4)).toEqual(['d']);
    await d.end();
    await expect.poll(() => started.slice(5)).toEqual(['heavy']);
    await heavy.end();
  });

  it('rejects new and queued calls of an address without time left, and no others (H1)', async () => {
    const { queue, works } = createQueue({ allowedMs: 5_000 });
    const first = pendingWork();
    const running = queue.run(first.work, from('greedy'));
    const waiting = queue.run(async () => 'served', from('greedy'));
    const other = queue.run(async () => 'served', from('other'));
    await sleep(0);
    works(5_000);
    first.end();
    await running;
    const error = await waiting.catch((error) => error);
    expect(error).toBeInstanceOf(DatabaseTimeExceeded);
    expect(error.seconds).toBeGreaterThan(50);
    expect(error.seconds).toBeLessThanOrEqual(60);
    await expect(queue.run(async () => 1, from('greedy'))).rejects.toBeInstanceOf(DatabaseTimeExceeded);
    expect(await other).toBe('served');
    // The limit does not apply to an admin at the same address.
    const unlimited = { client: { address: 'greedy', limited: false, heavy: false } };
    expect(await queue.run(async () => 'served', unlimited)).toBe('served');
  });

  it('blocks an address for a minute after it caused an engine restart, then for two (C1)', async () => {
    const { queue } = createQueue({ allowedMs: 5_000 });
    const lost = () => queue.run(() => Promise.reject(new EngineRestarted({ code: '57014', message: '' })), from('a'));
    await expect(lost()).rejects.toBeInstanceOf(DatabaseError);
    const error = await lost().catch((error) => error);
    expect(error).toMatchObject({ seconds: 60 });
    queue.time.penalize('a');
    expect(queue.time.secondsBlocked('a')).toBe(120);
    expect(queue.time.secondsBlocked('b')).toBe(0);
  });

  it('keeps blocked addresses when it evicts, and evicts the oldest of the others (C1)', () => {
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

  it('makes a heavy turn yield only when another client waits (H1)', async () => {
    const { queue } = createQueue();
    let yieldRequests = 0;
    const heavy = pendingWork();
    const running = queue.run(heavy.work, { ...from('greedy', true), onYield: () => yieldRequests++ });
    const same = queue.run(async () => {}, from('greedy', true));
    await sleep(300);
    expect(yieldRequests).toBe(0);
    const other = queue.run(async () => {}, from('other'));
    await expect.poll(() => yieldRequests).toBe(1);
    heavy.end();
    await Promise.all([running, same, other]);
    expect(yieldRequests).toBe(1);
  });

  it('limits an address to half of the sessions, and a heavy address to one session (H1)', async () => {
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
    const brief = async () => {
      most = Math.max(most, ++at);
      await sleep(5);
      at--;
    };
    await Promise.all(Array.from({ length: 5 }, () => queue.run(brief, from('other', true))));
    expect(most).toBe(1);
  });

  it('closes after all queued calls are served', async () => {
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
