import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Takes so many places, each eight of them from an address of their own. */
async function fill(inFlight: ConcurrencyLimit, places: number) {
  const leave: (() => void)[] = [];
  for (let at = 0; at < places; at++) leave.push((await inFlight.enter(`filler ${at >> 3}`)) as () => void);
  return leave;
}

describe('request slots', () => {
  it('H2: are 32 per address and are released', async () => {
    const inFlight = new ConcurrencyLimit();
    const mine = await Promise.all(Array.from({ length: 32 }, () => inFlight.enter('me')));
    expect(await inFlight.enter('me')).toBe(429);
    expect(await inFlight.enter('another')).toBeInstanceOf(Function);
    (mine[0] as () => void)();
    expect(await inFlight.enter('me')).toBeInstanceOf(Function);
    expect(await inFlight.enter('me')).toBe(429);
  });

  it('H2: are 256 in all: further requests wait, and are refused when none is released', async () => {
    const inFlight = new ConcurrencyLimit();
    const leave = await fill(inFlight, 256);
    const first = inFlight.enter('first');
    const second = inFlight.enter('second');
    leave[0]!();
    expect(await first).toBeInstanceOf(Function);
    expect(await second).toBe(503);
    leave[1]!();
    expect(await inFlight.enter('third')).toBeInstanceOf(Function);
  });

  it('H2: stay 256 after some were occupied above the limit', async () => {
    const inFlight = new ConcurrencyLimit();
    await fill(inFlight, 256);
    const upload = inFlight.take('upload');
    const waiting = inFlight.enter('waiting');
    upload();
    expect(await waiting).toBe(503);
  });
});
