import { expect, it } from 'vitest';
import { previewOf } from './table.ts';

it('CONST-13, MANAGE-09: cuts previews after 50 characters, not after 50 code units', () => {
  expect(previewOf('x'.repeat(50))).toBe('x'.repeat(50));
  expect(previewOf('x'.repeat(51))).toBe(`${'x'.repeat(50)}…`);
  expect(previewOf('🎛'.repeat(50))).toBe('🎛'.repeat(50));
});
