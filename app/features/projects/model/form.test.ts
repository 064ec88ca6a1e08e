import { describe, expect, it } from 'vitest';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import { dollars, dollarsAndCents } from '#lib/data/money.ts';
import { checkFields, fieldsOf, valuesOf } from './form.ts';

const filled = { ...fieldsOf(), title: '  Chai  ' };

describe('the project form', () => {
  it('starts a new project as a draft', () => {
    expect(fieldsOf()).toMatchObject({ status: 'draft', title: '', budget: '', show_budget: true });
  });

  it('requires a title and one of the four statuses', () => {
    expect(checkFields({ ...filled, title: '   ' })).toEqual({ title: 'Title is required' });
    expect(checkFields({ ...filled, status: 'lost' })).toEqual({ status: 'Status is required' });
    for (const status of ['draft', 'active', 'completed', 'archived'])
      expect(checkFields({ ...filled, status })).toEqual({});
  });

  it('accepts budgets of 0 or more with at most two decimals', () => {
    for (const budget of ['', '0', '0.5', '12.34', '1000000000'])
      expect(checkFields({ ...filled, budget })).toEqual({});
    for (const budget of ['-1', '1.234', '1e9', 'ten', '1000000000.01', 'NaN']) {
      expect(checkFields({ ...filled, budget }).budget).toBeDefined();
    }
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
    expect(valuesOf(filled)).toEqual({
      title: 'Chai',
      description: null,
      client: null,
      status: 'draft',
      budget: null,
      show_budget: true,
      start_date: null,
      end_date: null,
      understanding: null,
      actions: null,
      impact: null,
      category: null,
      tags: [],
      credits: [],
      facts: {},
    });
    expect(valuesOf({ ...filled, budget: '0' }).budget).toBe(0);
  });
});

it('formats budgets as currency in detail and with a dollar sign in lists', () => {
  expect(dollarsAndCents(1250.5)).toBe('$1,250.50');
  expect(dollars(1250)).toBe('$1,250');
  expect(dollars(1250.5)).toBe('$1,250.50');
});
