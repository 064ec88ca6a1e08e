import { describe, expect, it } from 'vitest';
import { ApiError, EditConflict } from './api-error.ts';
import { added, embedded, first, readCount, readOne, requireChange, rows, writeRow } from './rows.ts';

const answers = async (data: unknown, count: number | null = null) => ({ data, error: null, count });
const refuses = async (code: string) => ({ data: null, error: { message: 'permission denied', code } });

describe('response of the data service', () => {
  it('returns the requested data', async () => {
    expect(await rows(answers([1, 2]))).toEqual([1, 2]);
    expect(await first(answers([1, 2]))).toBe(1);
    expect(await first(answers([]))).toBeNull();
    expect(await readOne(answers('id'))).toBe('id');
    expect(await readCount(answers(null, 3))).toBe(3);
    expect(await writeRow(answers([{ id: 1 }]))).toEqual({ id: 1 });
  });

  it.each([rows, first, readOne, readCount, requireChange, added, writeRow])(
    'throws an ApiError for a refusal (ERR-01)',
    async (ask) => {
      const error = { name: 'ApiError', reason: 'permission denied', code: '42501' };
      await expect(ask(refuses('42501'))).rejects.toMatchObject(error);
    },
  );

  it('reports that no row was changed', async () => {
    await expect(requireChange(answers(null, 0), 'It is gone.')).rejects.toThrow(new ApiError('It is gone.'));
    await requireChange(answers(null, 1), 'It is gone.');
    await requireChange(answers(null));
  });

  it('reports a conflict after a concurrent change, and none when both values are equal', async () => {
    await expect(writeRow(answers([]))).rejects.toThrow(EditConflict);
    await expect(writeRow(refuses('23505'))).rejects.toThrow(EditConflict);
    await added(refuses('23505'));
  });
});

it('returns a to-one embed sent as an object, a list or nothing', () => {
  expect([embedded({ a: 1 }), embedded([{ a: 2 }])]).toEqual([{ a: 1 }, { a: 2 }]);
  expect([embedded([]), embedded(null), embedded(undefined)]).toEqual([null, null, null]);
});
