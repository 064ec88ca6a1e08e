import { expect, it } from 'vitest';
import { ApiError, isLost, messageOf } from './api-error.ts';

it('is formatted as "API Error: {message}" (ERR-01)', () => {
  expect(new ApiError('permission denied', '42501').message).toBe('API Error: permission denied');
});

it('has no message when the service was unreachable, a proxy answered for it, or it returned none', () => {
  expect(messageOf(new ApiError('no'), 'Failed')).toBe('API Error: no');
  const lost = ['TypeError: Failed to fetch', '\n<html><h1>502 Bad Gateway</h1></html>'].map(
    (text) => new ApiError(text),
  );
  for (const error of [new ApiError(''), ...lost, 'odd']) expect(messageOf(error, 'Failed')).toBe('Failed');
  expect([...lost, new ApiError('a < b')].map(isLost)).toEqual([true, true, false]);
});
