import { describe, expect, it } from 'vitest';
import { nextOrder } from '#features/media/model/media.ts';
import { inOrderOf } from './media.ts';

const media = ['a', 'b', 'c'].map((id, order) => ({ id, order }));

describe('order of media', () => {
  it('is sent as consecutive positions; unlisted media come last', () => {
    expect(inOrderOf(media, ['c', 'a', 'b'])).toEqual([
      { id: 'c', order: 0 },
      { id: 'a', order: 1 },
      { id: 'b', order: 2 },
    ]);
    expect(inOrderOf(media, ['c']).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(nextOrder([])).toBe(0);
    expect(nextOrder([{ order: 7 }, { order: 2 }])).toBe(8);
  });
});
