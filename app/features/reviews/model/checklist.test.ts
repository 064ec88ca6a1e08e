import { expect, it } from 'vitest';
import { checklistOf } from './checklist.ts';

const none = { rights_cleared: false, client_agreed: false };

it('checks that a client is named, or that an unnamed client cannot be recognised', () => {
  const label = (client: string | null) =>
    checklistOf({ client }, none).find(({ id }) => id === 'client_agreed')?.label;
  expect(label('Nova Foods')).toBe('Nova Foods agreed to be named');
  expect(label(' ')).toBe(label(null));
  expect(label(null)).toContain('confidential');
});

it('requires a manual tick for checks that cannot be computed', () => {
  const ticked = checklistOf({ client: null }, { rights_cleared: true, client_agreed: false });
  expect(ticked.map(({ id, done }) => `${id} ${done}`)).toEqual(['rights_cleared true', 'client_agreed false']);
});
