import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Acquires `slots` slots, eight per address. */
async function fill(inFlight: ConcurrencyLimit, slots: number) {
  const releases: (() => void)[] = [];
  for (let slot = 0; slot < slots; slot++) releases.push((await inFlight.acquire(`filler ${slot >> 3}`)) as () => void);
  return releases;
}

describe('request slots', () => {
  it('H2: are limited to 32 per address until released', async () => {
    const inFlight = new ConcurrencyLimit();
    const mine = await Promise.all(Array.from({ length: 32 }, () => inFlight.acquire('me')));
    expect(await inFlight.acquire('me')).toBe(429);
    expect(await inFlight.acquire('another')).toBeInstanceOf(Function);
    (mine[0] as () => void)();
    expect(await inFlight.acquire('me')).toBeInstanceOf(Function);
    expect(await inFlight.acquire('me')).toBe(429);
  });

  it('H2: are limited to 256 in all; further requests wait, and are rejected when none is released', async () => {
    const inFlight = new ConcurrencyLimit();
    const releases = await fill(inFlight, 256);
    const first = inFlight.acquire('first');
    const second = inFlight.acquire('second');
    releases[0]!();
    expect(await first).toBeInstanceOf(Function);
    expect(await second).toBe(503);
    releases[1]!();
    expect(await inFlight.acquire('third')).toBeInstanceOf(Function);
  });

  it('H2: stay limited to 256 after some were occupied above the limit', async () => {
    const inFlight = new ConcurrencyLimit();
    await fill(inFlight, 256);
    const upload = inFlight.take('upload');
    const waiting = inFlight.acquire('waiting');
    upload();
    expect(await waiting).toBe(503);
  });
});
