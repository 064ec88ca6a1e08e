import { describe, expect, it } from 'vitest';
import { nameOfMember, problemWithShare, standOf, sumOfShares, typedShare } from './team.ts';

const team = (...shares: (number | null)[]) => shares.map((contribution_percentage) => ({ contribution_percentage }));

describe('the shares of a team', () => {
  it('add up in hundredths', () => {
    expect(sumOfShares([0.1, 0.2, null])).toBe(0.3);
    expect(sumOfShares([33.33, 33.33, 33.34])).toBe(100);
    expect(sumOfShares([])).toBe(0);
  });

  it('are read as people type them', () => {
    expect([' 12.5 ', '12,5', '12.5 %', '0', ''].map(typedShare)).toEqual([12.5, 12.5, 12.5, 0, null]);
    for (const text of ['-1', '1.234', 'half', '1e1', '1000']) expect(typedShare(text)).toBeNaN();
  });

  it('are refused with the sum they would make, and by how much it is too much', () => {
    expect(problemWithShare('42', [70])).toBe('The shares together would make 112%; 12% too much');
    expect(problemWithShare('0.03', [99.98])).toBe('The shares together would make 100.01%; 0.01% too much');
    expect(problemWithShare('30', [70])).toBeNull();
    expect(problemWithShare('', [170])).toBeNull();
    for (const share of ['101', '-1', 'x']) expect(problemWithShare(share, [])).toMatch(/^A share is a number/);
  });

  it('say what is left', () => {
    expect(standOf(team(60, 12.5, null))).toBe('72.5% given, 27.5% left');
    expect(standOf(team(60, 40))).toBe('All 100% are given');
    expect(standOf(team(60, 52))).toBe('The shares make 112%; 12% too much');
    expect(standOf([])).toBe('0% given, 100% left');
  });
});

it('calls a member by the given name, the account’s name or its address', () => {
  expect(nameOfMember({ name: 'Ash', user: { email: 'a@example.com', name: 'Asha' } })).toBe('Ash');
  expect(nameOfMember({ name: null, user: { email: 'a@example.com', name: null } })).toBe('a@example.com');
  expect(nameOfMember({ name: null, user: null })).toBe('Unnamed person');
});
