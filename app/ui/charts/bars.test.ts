import { expect, it } from 'vitest';
import { axisEnd } from './bars.tsx';

it.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [3, 4],
  [9, 10],
  [10, 10],
  [11, 20],
  [25, 40],
  [100, 100],
  [101, 200],
  [1234, 2000],
])('ends the axis for %i at %i, whose half is a whole number', (most, end) => {
  expect(axisEnd(most)).toBe(end);
});
