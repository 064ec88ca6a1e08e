import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Asker, DatabaseError, DatabaseTimeUsed, DatabaseUnavailable, EngineReplaced } from './database.ts';
import { type QueueLimits, StatementQueue } from './statement-queue.ts';

const LIMITS: QueueLimits = { sessions: 1, waiting: 256, waitMs: 10_000 };
const from = (address: string, heavy = false): { asker: Asker } => ({ asker: { address, limited: true, heavy } });

/** Turns whose use is what the test says, and one turn of somebody that lasts until `end`. */
function line(limits: Partial<QueueLimits> = {}) {
  let workedMs = 0;
  const turns = new StatementQueue({ ...LIMITS, meter: () => workedMs, ...limits });
  return { turns, works: (ms: number) => (workedMs += ms) };
}

function lasting() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

describe('the line in front of the database', () => {
  it('H1, TM-45: serves addresses in turn, however many one of them sends, and the house like any of them', async () => {
    const { turns } = line();
    const first = lasting();
    const served: string[] = [];
    const ask = (name: string, options = {}) => turns.run(async () => void served.push(name), options);
    const running = turns.run(first.work, from('greedy'));
    const all = [1, 2, 3, 4, 5].map((n) => ask(`greedy ${n}`, from('greedy')));
    all.push(ask('other 1', from('other')), ask('house 1'), ask('other 2', from('other')), ask('house 2'));
    first.end();
    await Promise.all([running, ...all]);
    expect(served).toEqual([
      'greedy 1',
      'other 1',
      'house 1',
      'greedy 2',
      'other 2',
      'house 2',
      'greedy 3',
      'greedy 4',
      'greedy 5',
    ]);
  });

  it('TM-45: gives the place of who waits with the most to who waits with less, when there is no more', async () => {
    const { turns } = line({ waiting: 4 });
    const first = lasting();
    const running = turns.run(first.work, from('greedy'));
    const greedy = [1, 2, 3, 4].map((n) => turns.run(async () => n, from('greedy')));
    const fifth = turns.run(async () => 5, from('greedy'));
    await expect(fifth).rejects.toBeInstanceOf(DatabaseUnavailable);
    const other = turns.run(async () => 'served', from('other'));
    await expect(greedy[3]).rejects.toBeInstanceOf(DatabaseUnavailable);
    first.end();
    expect(await other).toBe('served');
    expect(await Promise.all(greedy.slice(0, 3))).toEqual([1, 2, 3]);
    await running;
  });

  it('lets one message go ahead of the turn before it, none behind a longer turn, a costly or a long one', async () => {
    const { turns } = line();
    const begun: string[] = [];
    const ask = (name: string, options = {}) => {
      const { work, end } = lasting();
      const run = () => {
        begun.push(name);
        return work();
      };
      const done = turns.run(run, options);
      return {
        end: async () => {
          end();
          await done;
          await sleep(0);
        },
      };
    };
    const single = { single: true };
    const [a, b, c] = [ask('a', single), ask('b', single), ask('c', single)];
    await sleep(0);
    expect(begun).toEqual(['a', 'b']);
    await a.end();
    expect(begun).toEqual(['a', 'b', 'c']);
    const transaction = ask('transaction');
    await b.end();
    expect(begun).toHaveLength(3);
    await c.end();
    const d = ask('d', single);
    await sleep(0);
    expect(begun).toEqual(['a', 'b', 'c', 'transaction']);
    await transaction.end();
    const costly = ask('costly', { ...single, ...from('greedy', true) });
    await sleep(0);
    expect(begun.slice(4)).toEqual(['d']);
    await d.end();
    await expect.poll(() => begun.slice(5)).toEqual(['costly']);
    await costly.end();
  });

  it('H1: refuses an address whose time is used up, those of it who wait too, and nobody else', async () => {
    const { turns, works } = line({ allowedMs: 5_000 });
    const first = lasting();
    const running = turns.run(first.work, from('greedy'));
    const waiting = turns.run(async () => 'served', from('greedy'));
    const other = turns.run(async () => 'served', from('other'));
    // Its turn has begun by then.
    await sleep(0);
    works(5_000);
    first.end();
    await running;
    const refusal = await waiting.catch((error) => error);
    expect(refusal).toBeInstanceOf(DatabaseTimeUsed);
    expect(refusal.seconds).toBeGreaterThan(50);
    expect(refusal.seconds).toBeLessThanOrEqual(60);
    await expect(turns.run(async () => 1, from('greedy'))).rejects.toBeInstanceOf(DatabaseTimeUsed);
    expect(await other).toBe('served');
    // An admin at the same address is not held to it.
    const unlimited = { asker: { address: 'greedy', limited: false, heavy: false } };
    expect(await turns.run(async () => 'served', unlimited)).toBe('served');
  });

  it('C1: makes an address wait a minute for an engine that was lost to it, then two', async () => {
    const { turns } = line({ allowedMs: 5_000 });
    const lost = () => turns.run(() => Promise.reject(new EngineReplaced({ code: '57014', message: '' })), from('a'));
    await expect(lost()).rejects.toBeInstanceOf(DatabaseError);
    const refusal = await lost().catch((error) => error);
    expect(refusal).toMatchObject({ seconds: 60 });
    turns.time.punish('a');
    expect(turns.time.wait('a')).toBe(120);
    expect(turns.time.wait('b')).toBe(0);
  });

  it('C1: remembers whom it blocked however many others come, and forgets of those whose minute began first', () => {
    const { time } = line({ allowedMs: 5_000 }).turns;
    time.charge('greedy', 5_000);
    time.charge('first', 100);
    for (let at = 0; at < 9_998; at++) time.charge(`a${at}`, 100);
    expect(time.untilHeavy('first')).toBe(400);
    time.charge('one too many', 100);
    expect(time.untilHeavy('first')).toBe(500);
    expect(time.untilHeavy('a9997')).toBe(400);
    expect(time.wait('greedy')).toBeGreaterThan(50);
    for (let at = 0; at < 12_000; at++) time.punish(`p${at}`);
    expect(time.wait('greedy')).toBe(0);
    expect(time.wait('p11999')).toBeGreaterThan(50);
  });

  it('H1: asks a costly turn to give way when somebody else waits, and lets it be when nobody does', async () => {
    const { turns } = line();
    let asked = 0;
    const costly = lasting();
    const running = turns.run(costly.work, { ...from('greedy', true), giveWay: () => asked++ });
    const same = turns.run(async () => {}, from('greedy', true));
    await sleep(300);
    expect(asked).toBe(0);
    const other = turns.run(async () => {}, from('other'));
    await expect.poll(() => asked).toBe(1);
    costly.end();
    await Promise.all([running, same, other]);
    expect(asked).toBe(1);
  });

  it('H1: leaves one address half of several sessions, and one when it asks much', async () => {
    const { turns } = line({ sessions: 10 });
    let at = 0;
    let most = 0;
    const first = lasting();
    const work = async () => {
      most = Math.max(most, ++at);
      await first.work();
      at--;
    };
    const light = Array.from({ length: 20 }, () => turns.run(work, from('greedy')));
    await sleep(20);
    expect(most).toBe(5);
    expect(await turns.run(async () => 'served', from('other'))).toBe('served');
    first.end();
    await Promise.all(light);
    most = 0;
    const second = Array.from({ length: 5 }, () =>
      turns.run(
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
    const { turns } = line();
    const first = lasting();
    const running = turns.run(first.work);
    const waiting = turns.run(async () => 'served', from('a', true));
    const closed = turns.close();
    first.end();
    expect(await waiting).toBe('served');
    await Promise.all([running, closed]);
    await expect(turns.run(async () => {})).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
