import { expect, it } from 'vitest';
import { networkOf } from './network.ts';

it('C19: 256 networks of one customer are one, and no more', () => {
  const of = (last: number) => networkOf(`2001:db8:1:${last.toString(16)}::/64`);
  expect(new Set(Array.from({ length: 256 }, (_, n) => of(0x1200 + n))).size).toBe(1);
  expect(of(0x12ff)).not.toBe(of(0x1300));
  expect(of(0)).toBe('2001:db8:1:0::/56');
  expect(['203.0.113.9', '', 'unknown'].map(networkOf)).toEqual(['203.0.113.9', '', 'unknown']);
});
