import { describe, expect, it } from 'vitest';
import { indexAt, moveTo } from './sorting.ts';

describe('list order', () => {
  it('moves one item and keeps the order of the others', () => {
    expect(moveTo(['a', 'b', 'c', 'd'], 'd', 1)).toEqual(['a', 'd', 'b', 'c']);
    expect(moveTo(['a', 'b', 'c', 'd'], 'a', 3)).toEqual(['b', 'c', 'd', 'a']);
  });

  it('returns the same array when nothing moves', () => {
    const ids = ['a', 'b'];
    const moved = [moveTo(ids, 'a', 0), moveTo(ids, 'a', -1), moveTo(ids, 'b', 2), moveTo(ids, 'x', 0)];
    for (const same of moved) expect(same).toBe(ids);
  });

  it('finds the target row below the pointer', () => {
    const middles = [50, 150, 250];
    expect([0, 49, 51, 200, 900].map((y) => indexAt(middles, y))).toEqual([0, 0, 1, 2, 3]);
  });
});
