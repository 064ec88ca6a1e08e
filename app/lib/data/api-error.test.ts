import { expect, it } from 'vitest';
import { ApiError, messageOf } from './api-error.ts';

it('is formatted as "API Error: {message}" (ERR-01)', () => {
  expect(new ApiError('permission denied', '42501').message).toBe('API Error: permission denied');
});

it('has no message when the service was unreachable or returned none', () => {
  expect(messageOf(new ApiError('no'), 'Failed')).toBe('API Error: no');
  for (const error of [new ApiError(''), new ApiError('TypeError: Failed to fetch'), 'odd'])
    expect(messageOf(error, 'Failed')).toBe('Failed');
});
