import { describe, expect, it } from 'vitest';
import { pageFrom, pagesOf, readPage, shownPages } from './page.ts';

const address = (text: string) => new URLSearchParams(text);

/** So many rows; beyond their end it refuses as the data service does, or answers nothing as a procedure does. */
const table = (total: number, refuses: boolean) => async (from: number, to: number) =>
  from > total && refuses
    ? { data: null, error: { message: 'Requested range not satisfiable', code: 'PGRST103' }, count: null }
    : {
        data: Array.from({ length: Math.max(0, Math.min(to + 1, total) - from) }, (_, index) => from + index),
        error: null,
        count: total,
      };

describe('page of a table', () => {
  it('is the first page for an invalid page number', () => {
    expect(pageFrom(address('page=3'))).toBe(3);
    for (const text of ['', 'page=', 'page=0', 'page=-1', 'page=2.5', 'page=1e400', 'page=x'])
      expect(pageFrom(address(text))).toBe(1);
  });

  it.each([true, false])('is the last page when the requested one is beyond the end (refused: %s)', async (refuses) => {
    expect(await readPage(table(25, refuses), 9)).toEqual({ rows: [20, 21, 22, 23, 24], total: 25, page: 3 });
    expect(await readPage(table(20, refuses), 3)).toMatchObject({ page: 2, total: 20 });
    expect(await readPage(table(0, refuses), 9)).toEqual({ rows: [], total: 0, page: 1 });
    expect(await readPage(table(45, refuses), 9, 20)).toMatchObject({ rows: [40, 41, 42, 43, 44], page: 3 });
  });

  it('throws a readable message when the service fails (ERR-01)', async () => {
    const refused = async () => ({ data: null, error: { message: 'permission denied', code: '42501' }, count: null });
    await expect(readPage(refused, 1)).rejects.toThrow('API Error: permission denied');
  });
});

describe('page numbers', () => {
  it('cover all rows', () => {
    expect([0, 10, 11].map((total) => pagesOf(total))).toEqual([0, 1, 2]);
    expect(pagesOf(41, 20)).toBe(3);
  });

  it.each([
    [3, 2, '1,2,3'],
    [5000, 2500, '1,2497,2498,2499,2500,2501,2502,2503,5000'],
    [5000, 1, '1,2,3,4,5000'],
    [5000, 4999, '1,4996,4997,4998,4999,5000'],
  ])('are the first, the last and those near the current one: of %i at %i', (pages, current, shown) => {
    expect(shownPages(pages, current).join()).toBe(shown);
  });

  it('are all shown for up to a hundred pages', () => expect(shownPages(100, 50)).toHaveLength(100));
});
