import { expect, it } from 'vitest';
import { digitsOf, isPasted } from './typed-code.ts';

it('extracts the digits of a code with spaces, hyphens or surrounding words', () => {
  for (const typed of ['123456', '123 456', '123-456', ' 1 2 3 4 5 6 ', 'Your code: 123456'])
    expect(digitsOf(typed)).toBe('123456');
  expect(digitsOf('12345678901234')).toBe('1234567890');
  expect(digitsOf('abc')).toBe('');
});

it('distinguishes a pasted code from a typed one', () => {
  expect(isPasted('', '123456')).toBe(true);
  expect(isPasted('12', '12345678')).toBe(true);
  expect(isPasted('123456', '654321')).toBe(true);
  expect(isPasted('12345', '123456')).toBe(false);
  expect(isPasted('123456', '123457')).toBe(false);
  expect(isPasted('1234567', '123456')).toBe(false);
  expect(isPasted('', '1234')).toBe(false);
});
