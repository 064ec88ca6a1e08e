import { expect, it } from 'vitest';
import { shares, unallocated } from './collective.ts';

it('shows the unallocated ten percent on a line of its own (CONST-36)', () => {
  expect(shares.map(({ percent }) => percent)).toEqual([15, 15, 5, 25, 25, 5]);
  expect(unallocated.percent).toBe(10);
});
