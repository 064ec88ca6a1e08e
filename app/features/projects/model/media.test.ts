import { describe, expect, it } from 'vitest';
import { nextOrder } from '#features/media/model/media.ts';
import { inOrderOf } from './media.ts';

const inOrder = (...ids: string[]) => ids.map((id, order) => ({ id, order }));
const media = inOrder('a', 'b', 'c');

describe('order of media', () => {
  it('is sent as consecutive positions; unlisted media come last', () => {
    expect(inOrderOf(media, ['c', 'a', 'b'])).toEqual(inOrder('c', 'a', 'b'));
    expect(inOrderOf(media, ['c']).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(nextOrder([])).toBe(0);
    expect(nextOrder([{ order: 7 }, { order: 2 }])).toBe(8);
  });
});
