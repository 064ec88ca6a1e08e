import { expect, it } from 'vitest';
import { revisedFields } from './plans.ts';
import { startOf, unsavedIn } from './unsaved-fields.ts';

it('ignores unsaved input that is malformed or stored by another version of the form', () => {
  const start = startOf();
  const kept = { ...start, fields: { ...start.fields, title: 'Typed' }, seen: '2026-01-01T00:00:00Z', version: 7 };
  expect(unsavedIn(JSON.stringify(kept), start)).toEqual(kept);
  for (const text of [null, '{', '{"fields":{"title":"x"}}', 'null']) expect(unsavedIn(text, start)).toBeNull();
});

it('lets facts that a revision leaves as they were follow the live ones', () => {
  const plan = {
    fields: { title: 'New', facts: { wood: 'Teak', year: 1 } },
    base: { facts: { wood: 'Oak', year: 1, city: 'Pune' } },
  };
  const facts = { wood: 'Teak', year: 2 };
  expect(revisedFields(plan, { wood: 'Oak', year: 2, city: 'Pune' })).toEqual({ title: 'New', facts });
  expect(revisedFields({ fields: { title: 'New' }, base: {} }, { year: 2 })).toEqual({ title: 'New' });
});
