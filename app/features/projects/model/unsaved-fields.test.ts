import { expect, it } from 'vitest';
import { startOf, unsavedIn } from './unsaved-fields.ts';

it('ignores unsaved input that is malformed or stored by another version of the form', () => {
  const start = startOf();
  const kept = { ...start, fields: { ...start.fields, title: 'Typed' }, seen: '2026-01-01T00:00:00Z', version: 7 };
  expect(unsavedIn(JSON.stringify(kept), start)).toEqual(kept);
  for (const text of [null, '{', '{"fields":{"title":"x"}}', 'null']) expect(unsavedIn(text, start)).toBeNull();
});
