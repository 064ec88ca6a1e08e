import { expect, it } from 'vitest';
import { digitsOf, isPasted } from './typed-code.ts';

it('extracts the digits of a code with spaces, hyphens or surrounding words', () => {
  for (const typed of ['123456', '123 456', '123-456', ' 1 2 3 4 5 6 ', 'Your code: 123456'])
    expect(digitsOf(typed)).toBe('123456');
  expect(digitsOf('12345678901234')).toBe('1234567890');
  expect(digitsOf('abc')).toBe('');
});

it('distinguishes a pasted code from a typed one', () => {
  const pasted = [isPasted('', '123456'), isPasted('12', '12345678'), isPasted('123456', '654321')];
  expect(pasted).toEqual([true, true, true]);
  const typed = [isPasted('12345', '123456'), isPasted('123456', '123457'), isPasted('1234567', '123456')];
  expect([...typed, isPasted('', '1234')]).toEqual([false, false, false, false]);
});
