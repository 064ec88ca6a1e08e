import { expect, it } from 'vitest';
import { copyLine, readCopyLine } from './copy-text.ts';

it('reads back what it writes, whatever the letters', () => {
  const values = ['plain', '', null, 'tab\tand\nlines\r\n', 'back\\slash', '\\N', '\\.', 'ü 🥁', '\b\f\v'];
  expect(readCopyLine(copyLine(values))).toEqual(values);
});

it('writes truth, numbers and objects as PostgreSQL does', () => {
  expect(copyLine([true, false, 12, { a: 'x\ny' }])).toBe('t\tf\t12\t{"a":"x\\\\ny"}');
});

it('reads the escapes that pg_dump may write', () => {
  expect(readCopyLine('\\x41\\101\\q\t\\N')).toEqual(['AAq', null]);
});
