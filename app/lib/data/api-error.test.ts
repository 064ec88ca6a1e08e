import { expect, it } from 'vitest';
import { ApiError, messageOf } from './api-error.ts';

it('is formatted as "API Error: {message}" (ERR-01)', () => {
  expect(new ApiError('permission denied', '42501').message).toBe('API Error: permission denied');
});

it('has no message when the service was unreachable or returned none', () => {
  expect(messageOf(new ApiError('no'), 'Failed to load project')).toBe('API Error: no');
  expect(messageOf(new ApiError(''), 'Failed to load project')).toBe('Failed to load project');
  expect(messageOf(new ApiError('TypeError: Failed to fetch'), 'Failed to load project')).toBe(
    'Failed to load project',
  );
  expect(messageOf('odd', 'Failed to load project')).toBe('Failed to load project');
});
