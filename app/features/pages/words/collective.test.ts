import { expect, it } from 'vitest';
import { shares, unallocated } from './collective.ts';

it('CONST-36: the ten percent that the six shares leave over stand in a line of their own', () => {
  expect(shares.map(({ percent }) => percent)).toEqual([15, 15, 5, 25, 25, 5]);
  expect(unallocated.percent).toBe(10);
});
