import { describe, expect, it } from 'vitest';
import { fieldsOf } from './form.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved, startOf, type UnsavedFields } from './unsaved-fields.ts';

function place(room = Number.POSITIVE_INFINITY) {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      held.set(key, value);
    },
    removeItem: (key: string) => void held.delete(key),
  };
}
const kept: UnsavedFields = {
  ...startOf(),
  fields: { ...fieldsOf(), title: 'Typed' },
  seen: '2026-01-01T00:00:00Z',
  version: 7,
  media: [{ key: 'a', type: 'image', url: 'https://pictures.example/1.png', title: 'A', alt: null }],
  team: [{ key: 'b', user_id: null, name: 'Asha', email: null, role: null, contribution_percentage: 12.5 }],
};

describe('unsaved form fields', () => {
  it('survive a reload for the same project and user until they are saved', () => {
    const here = place();
    keepUnsaved(here, 'ann', 'one', kept);
    expect(readUnsaved(here, 'ann', 'one')).toEqual(kept);
    expect(readUnsaved(here, 'ann', 'two')).toBeNull();
    expect(readUnsaved(here, 'ben', 'one')).toBeNull();
    forgetUnsaved(here, 'ann', 'one');
    expect(readUnsaved(here, 'ann', 'one')).toBeNull();
  });

  it('are ignored when malformed or stored by another version of the form', () => {
    const here = place(10);
    keepUnsaved(here, 'ann', 'one', kept);
    expect(readUnsaved(here, 'ann', 'one')).toBeNull();
    const old = place();
    for (const text of ['{', '{"fields":{"title":"x"}}', 'null']) {
      old.setItem('madhouse-unsaved-ann-one', text);
      expect(readUnsaved(old, 'ann', 'one')).toBeNull();
    }
  });
});
