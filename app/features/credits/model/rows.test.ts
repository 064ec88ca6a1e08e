import { describe, expect, it } from 'vitest';
import { storedCredits } from './credits.ts';
import { type CreditRow, creditsOf, creditsProblem, newRow, rowsOf, sharesSoFar } from './rows.ts';

type Made = CreditRow['made'];
const row = (part: string, made: Made, more: Partial<CreditRow> = {}) => ({ ...newRow(part, part), made, ...more });

describe('credit rows of the form', () => {
  it('include names that were typed but not added', () => {
    const rows = [
      row(' Film ', 'together', { people: ['Asha Rao'], person: ' Ben Okafor ', tool: 'A model' }),
      row('Code', 'machine', { tools: ['Vim'], tool: 'Vim' }),
      row('', ''),
      row('Sound', ''),
    ];
    expect(storedCredits(creditsOf(rows))).toEqual([
      { part: 'Film', made: 'together', people: ['Asha Rao', 'Ben Okafor'], tools: ['A model'] },
      { part: 'Code', made: 'machine', tools: ['Vim'] },
    ]);
  });

  it('restore stored credits unchanged', () => {
    const credits = creditsOf([row('Idea', 'hand', { people: ['Asha Rao'] }), row('Code', 'machine')]);
    expect(creditsOf(rowsOf(credits))).toEqual(credits);
  });

  it.each<[string, CreditRow[], string | null, string | null]>([
    ['nothing', [], null, null],
    ['blank rows', [row('', ''), row(' ', '')], null, null],
    ['a part without an answer', [row('Idea', 'hand'), row('Film', '')], 'Film', 'made'],
    ['an answer without a part', [row('', 'machine')], '', 'part'],
    ['names without a part', [row('', '', { tool: 'A model' })], '', 'part'],
    ['sixty-one letters', [row('é'.repeat(61), 'hand')], 'é'.repeat(61), 'part'],
    ['a name of 121 letters', [row('Idea', 'hand', { person: 'x'.repeat(121) })], 'Idea', 'people'],
    ['21 tools', [row('Idea', 'hand', { tools: Array.from({ length: 21 }, (_, n) => `${n}`) })], 'Idea', 'tools'],
    ['21 parts', Array.from({ length: 21 }, (_, n) => row(`Part ${n}`, 'hand')), 'Part 20', 'part'],
    ['20 parts', Array.from({ length: 20 }, (_, n) => row(`Part ${n}`, 'hand')), null, null],
  ])('report the error in %s', (_, rows, key, at) => {
    expect(creditsProblem(rows)).toEqual(key === null ? null : { key, at, message: expect.stringMatching(/\w/) });
  });

  it('compute the credit strip as the database does', () => {
    const made = (...all: CreditRow['made'][]) => sharesSoFar(all.map((one) => row('x', one)));
    expect(made()).toBeNull();
    expect(made('')).toBeNull();
    expect(made('hand', 'machine', 'together', 'hand')).toEqual({ hand: 63, together: 25 });
    expect(made('machine', 'machine', '')).toEqual({ hand: 0, together: 0 });
    expect(made('hand', 'hand', 'machine')).toEqual({ hand: 67, together: 0 });
    expect(made(...Array<'hand'>(7).fill('hand'), 'machine')).toEqual({ hand: 88, together: 0 });
  });
});
