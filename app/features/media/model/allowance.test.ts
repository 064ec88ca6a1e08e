import { describe, expect, it } from 'vitest';
import { isNearlyUsedUp, type UploadsAhead, withoutRoom } from './allowance.ts';

const MB = 1024 ** 2;
/** Of 50 files and 500 MB. */
const ahead = (files: number, megabytes: number, sizes: number[]): UploadsAhead => ({
  allowance: { files: { limit: 50, left: files }, bytes: { limit: 500 * MB, left: megabytes * MB }, resetsAt: null },
  sizes: sizes.map((size) => size * MB),
  isPaused: false,
});

describe('files that exceed the upload quota', () => {
  it.each([
    ['nothing', ahead(0, 0, []), 0],
    ['a full form', ahead(50, 500, Array(50).fill(10)), 0],
    ['one file more than is left', ahead(2, 500, [1, 1, 1]), 1],
    ['more bytes than are left', ahead(50, 20, [8, 8, 8, 1]), 2],
    ['nothing left', ahead(0, 100, [1, 1]), 2],
  ])('counts files above the remaining quota: %s', (_, files, count) => expect(withoutRoom(files)).toBe(count));

  it.each([
    ['plenty is left', ahead(50, 500, [10, 10]), false],
    ['a fifth is left after them', ahead(20, 500, Array(10).fill(1)), false],
    ['less than a fifth of the files is left after them', ahead(20, 500, Array(11).fill(1)), true],
    ['less than a fifth of the bytes is left after them', ahead(50, 120, [10, 10, 1]), true],
  ])('warns when little quota is left: %s', (_, files, is) => expect(isNearlyUsedUp(files)).toBe(is));
});
