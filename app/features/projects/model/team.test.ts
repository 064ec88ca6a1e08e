import { describe, expect, it } from 'vitest';
import { nameOfMember, problemWithShare, standOf, sumOfShares, typedShare } from './team.ts';

describe('team shares', () => {
  it('are summed in hundredths', () => {
    expect(sumOfShares([0.1, 0.2, null])).toBe(0.3);
    expect(sumOfShares([33.33, 33.33, 33.34])).toBe(100);
    expect(sumOfShares([])).toBe(0);
  });

  it('accept decimal commas and percent signs', () => {
    expect([' 12.5 ', '12,5', '12.5 %', '0', ''].map(typedShare)).toEqual([12.5, 12.5, 12.5, 0, null]);
    for (const text of ['-1', '1.234', 'half', '1e1', '1000']) expect(typedShare(text)).toBeNaN();
  });

  it('are rejected above 100 percent, with the sum and the excess', () => {
    expect(problemWithShare('42', [70])).toBe('The shares together would make 112%; 12% too much');
    expect(problemWithShare('0.03', [99.98])).toBe('The shares together would make 100.01%; 0.01% too much');
    expect(problemWithShare('30', [70])).toBeNull();
    expect(problemWithShare('', [170])).toBeNull();
    for (const share of ['101', '-1', 'x']) expect(problemWithShare(share, [])).toMatch(/^A share is a number/);
  });

  it.each([
    [[60, 12.5, null], '72.5% given, 27.5% left'],
    [[60, 40], 'All 100% are given'],
    [[60, 52], 'The shares make 112%; 12% too much'],
    [[], '0% given, 100% left'],
  ])('show the remaining percentage: %j', (shares, stand) => expect(standOf(shares)).toBe(stand));
});

it('shows a member’s name, else the account’s name, else the email address', () => {
  expect(nameOfMember({ name: 'Ash', user: { email: 'a@example.com', name: 'Asha' } })).toBe('Ash');
  expect(nameOfMember({ name: null, user: { email: 'a@example.com', name: null } })).toBe('a@example.com');
  expect(nameOfMember({ name: null, user: null })).toBe('Unnamed person');
});
