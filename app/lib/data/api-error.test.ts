import { expect, it } from 'vitest';
import { ApiError, messageOf } from './api-error.ts';

it('ERR-01: reads "API Error: {message}"', () => {
  expect(new ApiError('permission denied', '42501').message).toBe('API Error: permission denied');
});

it('leaves the word to the screen when the service said nothing or was not reached', () => {
  expect(messageOf(new ApiError('no'), 'Failed to load project')).toBe('API Error: no');
  expect(messageOf(new ApiError(''), 'Failed to load project')).toBe('Failed to load project');
  expect(messageOf(new ApiError('TypeError: Failed to fetch'), 'Failed to load project')).toBe(
    'Failed to load project',
  );
  expect(messageOf('odd', 'Failed to load project')).toBe('Failed to load project');
});
