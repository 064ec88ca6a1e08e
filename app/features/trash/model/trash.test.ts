import { describe, expect, it } from 'vitest';
import { type DeletedThing, daysLeft, named, trashParams } from './trash.ts';

describe('trash', () => {
  it('stores its filters in the address', () => {
    const question = trashParams.read(new URLSearchParams('?search=chai&kind=media&page=3'));
    expect(question).toEqual({ search: 'chai', kind: 'media', page: 3 });
    expect(trashParams.write(question)).toBe('?search=chai&kind=media&page=3');
    expect(trashParams.read(new URLSearchParams('?kind=users&page=-1'))).toEqual({ search: '', kind: null, page: 1 });
  });

  it('never shows an address as a title (D12)', () => {
    const url = 'https://a.example/storage/v1/object/public/case-studies/images/1.png';
    const thing = (change: Partial<DeletedThing>) =>
      named({ kind: 'media', type: 'image', url, ...change } as DeletedThing);
    expect(thing({ title: url }).title).toBe('Picture without a title');
    expect(thing({ title: url, type: 'video' }).title).toBe('Video without a title');
    expect(thing({ title: 'Cup' }).title).toBe('Cup');
  });

  it('counts the remaining days', () => {
    const left = (until: string) => daysLeft(`2026-${until}:00Z`, new Date('2026-11-21T12:00:00Z'));
    expect(['11-23T13:00', '12-21T11:59', '11-21T13:00', '11-20T13:00'].map(left)).toEqual([2, 30, 0, 0]);
  });
});
