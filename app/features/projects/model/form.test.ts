import { describe, expect, it } from 'vitest';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import { checkFields, fieldsOf, valuesOf } from './form.ts';

const filled = { ...fieldsOf(), title: '  Chai  ' };

describe('the project form', () => {
  it('starts a new project as a draft', () =>
    expect(fieldsOf()).toMatchObject({ status: 'draft', title: '', budget: '', show_budget: true }));

  it('has an empty text for a fact without a value', () =>
    expect(fieldsOf({ facts: { year: null } } as never).facts).toEqual({ year: '' }));

  it('requires a title and one of the four statuses', () => {
    expect(checkFields({ ...filled, title: '   ' })).toEqual({ title: 'Title is required' });
    expect(checkFields({ ...filled, status: 'lost' })).toEqual({ status: 'Status is required' });
    for (const status of ['draft', 'active', 'completed', 'archived'])
      expect(checkFields({ ...filled, status })).toEqual({});
  });

  it('accepts budgets of 0 or more with at most two decimals', () => {
    const isWrong = (budget: string) => checkFields({ ...filled, budget }).budget !== undefined;
    expect(['', '0', '0.5', '12.34', '1000000000'].filter(isWrong)).toEqual([]);
    expect(['-1', '1.234', '1e9', 'ten', '1000000000.01', 'NaN'].every(isWrong)).toBe(true);
  });

  it('rejects an end date before the start date, and accepts either alone', () => {
    expect(checkFields({ ...filled, start_date: '2026-03-02', end_date: '2026-03-01' }).end_date).toBeDefined();
    expect(checkFields({ ...filled, start_date: '2026-03-02', end_date: '2026-03-02' })).toEqual({});
    expect(checkFields({ ...filled, end_date: '2026-03-01' })).toEqual({});
  });

  it('checks facts by their kind, and required ones of what is published', () => {
    const fact = { help: '', required: false, shown: 'page' } as const;
    const defined: ProjectFact[] = [
      { ...fact, id: 'year', kind: 'number', name: 'Year' },
      { ...fact, id: 'shop', kind: 'link', name: 'Shop' },
      { ...fact, id: 'material', kind: 'text', name: 'Material', required: true },
    ];
    const check = (facts: Record<string, string>, status: string) => checkFields({ ...filled, status, facts }, defined);
    expect(Object.keys(check({ year: 'ten', shop: 'shop.example' }, 'draft'))).toEqual(['facts.year', 'facts.shop']);
    expect(check({ year: '-1.5', shop: 'https://shop.example/a' }, 'draft')).toEqual({});
    expect(Object.keys(check({ material: ' ' }, 'active'))).toEqual(['facts.material']);
  });

  it('stores empty fields as null and trims the title', () => {
    const { title, status, show_budget, tags, credits, facts, ...rest } = valuesOf(filled);
    const written = { title: 'Chai', status: 'draft', show_budget: true, tags: [], credits: [], facts: {} };
    expect({ title, status, show_budget, tags, credits, facts }).toEqual(written);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    expect(valuesOf({ ...filled, budget: '0' }).budget).toBe(0);
  });
});
