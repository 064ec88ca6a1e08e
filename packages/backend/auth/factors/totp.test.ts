import { describe, expect, it } from 'vitest';
import { codeOf, createSeed, stepOf } from './totp.ts';

/** The key of the test values in RFC 6238, `12345678901234567890` in base32. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a time-based code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('equals the RFC 6238 test vector at %i s', (seconds, code) => {
    expect(codeOf(SEED, Math.floor(seconds / 30))).toBe(code);
  });

  it('is accepted one step early or late, and rejected beyond', () => {
    const seed = createSeed();
    const now = Math.floor(Date.now() / 30_000);
    expect([-1, 0, 1].map((skew) => stepOf(seed, codeOf(seed, now + skew)))).toEqual([now - 1, now, now + 1]);
    expect([-3, 3].map((skew) => stepOf(seed, codeOf(seed, now + skew)))).toEqual([null, null]);
  });

  it.each(['', '12345', '1234567', '٠١٢٣٤٥', 'abcdef'])('is rejected when malformed: %j', (code) => {
    expect(stepOf(SEED, code)).toBeNull();
  });

  it('has a random seed of 160 bits in base32', () => {
    const seeds = Array.from({ length: 20 }, createSeed);
    expect(new Set(seeds).size).toBe(20);
    for (const seed of seeds) expect(seed).toMatch(/^[A-Z2-7]{32}$/);
  });
});
