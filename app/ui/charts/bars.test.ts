import { expect, it } from 'vitest';
import { axisEnd } from './bars.tsx';

it('ends an axis at an even leading number, whose half is a whole number', () => {
  expect([0, 1, 2, 3, 9, 10, 11, 25].map(axisEnd)).toEqual([2, 2, 2, 4, 10, 10, 20, 40]);
  expect([100, 101, 1234].map(axisEnd)).toEqual([100, 200, 2000]);
});
