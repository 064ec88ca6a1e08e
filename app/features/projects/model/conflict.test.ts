import { describe, expect, it } from 'vitest';
import { changedFields, merge, mergedFields } from './conflict.ts';
import { flatFields, nestedFields } from './fields.ts';
import { fieldsOf } from './form.ts';

const base = { ...fieldsOf(), title: 'Hats', client: 'Felt', impact: '<p>Warm</p>' };
const mine = { ...base, title: 'My hats', client: 'Wool', budget: '5' };
const theirs = { ...base, title: 'Their hats', client: 'Wool', impact: '<p>Warmer</p>' };

describe('concurrent changes of a project', () => {
  const meeting = merge(base, mine, theirs);

  it('conflict in fields that both users changed differently, in the order of the form', () => {
    expect(changedFields(base, mine)).toEqual(['title', 'client', 'budget']);
    expect(meeting).toMatchObject({ both: ['title'], onlyMine: ['budget'], onlyTheirs: ['impact'] });
  });

  it('keep fields that one user changed, whichever version is chosen', () => {
    const kept = { client: 'Wool', budget: '5', impact: '<p>Warmer</p>' };
    expect(mergedFields(meeting, () => 'mine')).toEqual({ ...base, ...kept, title: 'My hats' });
    expect(mergedFields(meeting, () => 'theirs')).toEqual({ ...base, ...kept, title: 'Their hats' });
  });

  it('do not conflict when different fields or equal values changed', () => {
    expect(merge(base, { ...base, budget: '5' }, { ...base, client: 'Wool' }).both).toEqual([]);
    expect(merge(base, { ...base, client: 'Wool' }, { ...base, client: 'Wool' }).both).toEqual([]);
  });
});

it('of facts conflict fact by fact', () => {
  const withFacts = (facts: Record<string, string>) => flatFields({ ...base, facts });
  const meeting = merge(
    withFacts({ material: 'Felt', year: '1' }),
    withFacts({ material: 'Wool', shop: 'Mine', year: '' }),
    withFacts({ material: 'Silk', year: '1', size: 'Theirs' }),
  );
  const onlyMine = ['facts.year', 'facts.shop'];
  expect(meeting).toMatchObject({ both: ['facts.material'], onlyMine, onlyTheirs: ['facts.size'] });
  const facts = { material: 'Silk', shop: 'Mine', size: 'Theirs' };
  expect(nestedFields(mergedFields(meeting, () => 'theirs'))).toEqual({ ...base, facts });
});
