import { describe, expect, it } from 'vitest';
import { splitProblems } from '../words/terms.ts';
import {
  allocate,
  answerTo,
  exampleForm,
  formIn,
  havePaise,
  inRupees,
  percentages,
  percentOfWhole,
  type SplitForm,
  sumOfLines,
} from './calculator.ts';

const linesOf = (form: Partial<SplitForm>) => answerTo({ ...exampleForm, roles: [], ...form }).lines!;
const amounts = (form: Partial<SplitForm>) =>
  Object.fromEntries(linesOf(form).map(({ cut, amount }) => [cut, Number(amount) / 100]));
const mine = (form: Partial<SplitForm>) => Number(sumOfLines(linesOf({ profit: '10000', ...form }), 'mine')) / 100;
const problem = (profit: string) => answerTo({ ...exampleForm, profit }).problems.profit;

describe('split of one project’s profit', () => {
  it('has these lines, including the unallocated tenth (ENT-37, CONST-30, CONST-31, CONST-32, CONST-33, CONST-34, CONST-35, CONST-36)', () => {
    const people = { referrer: 500, closer: 1000, manager: 1500, idea: 500, team: 2500, investors: 2500 };
    const pools = { companyPool: 200, goalsPool: 200, crisisFund: 100, unallocated: 1000 };
    expect(amounts({ profit: '10000', investors: '25' })).toEqual({ ...people, ...pools });
  });

  it('assigns what investors do not use to the work team, and the unallocated tenth to no one (CONST-34)', () => {
    for (let investors = 0; investors <= 25; investors++) {
      const percent = percentages(investors);
      expect(percent).toMatchObject({ investors, team: 50 - investors, unallocated: 10, manager: 15 });
      expect(Object.values(percent).reduce((sum, one) => sum + one)).toBe(100);
    }
    for (const wrong of [-1, 26, 0.5, Number.NaN]) expect(() => percentages(wrong)).toThrow(RangeError);
  });

  it('adds up to the exact total for any amount', () => {
    const sums = [0n, 1n, 2n, 3n, 7n, 99n, 100n, 101n, 33_333n, 9_999_999n, 10n ** 40n + 7n];
    for (const sum of sums) {
      for (const investors of [0, 1, 7, 13, 25]) {
        const weights = Object.values(percentages(investors));
        const parts = allocate(sum, weights);
        expect(parts.reduce((total, part) => total + part)).toBe(sum);
        for (const [at, part] of parts.entries()) {
          // No part is more than a paisa away from its exact share.
          const exact = sum * BigInt(weights[at]!);
          expect(part * 100n - exact).toBeLessThan(100n);
          expect(exact - part * 100n).toBeLessThan(100n);
          if (weights[at] === 0) expect(part).toBe(0n);
        }
      }
    }
    expect(() => allocate(-1n, [1])).toThrow(RangeError);
  });

  it('distributes rounding remainders by largest remainder', () => {
    expect(allocate(100n, [1, 1, 1])).toEqual([34n, 33n, 33n]);
    expect(allocate(10n, [55, 27, 18])).toEqual([5n, 3n, 2n]);
  });
});

describe('my share', () => {
  it('assigns the idea share to its author, else to the manager (CONST-32)', () => {
    const ideas = (['me', 'other', 'nobody'] as const).map((idea) => [
      mine({ idea }),
      mine({ idea, roles: ['manager'] }),
    ]);
    expect(ideas.join(' ')).toBe('500,2000 0,1500 0,2000');
  });

  it('includes each of my roles, and my part of the team’s and investors’ shares only in those I selected', () => {
    expect(mine({ roles: ['referrer', 'closer', 'manager'] })).toBe(3000);
    expect(mine({ roles: ['team'], teamPart: '20', investors: '25' })).toBe(500);
    expect(mine({ roles: ['team'], teamPart: '20', investors: '0' })).toBe(1000);
    expect(mine({ roles: ['investor'], investorPart: '12.5', investors: '10' })).toBe(125);
    expect(mine({ roles: ['investor'], investors: '0' })).toBe(0);
    expect(mine({ teamPart: '100', investorPart: '100' })).toBe(0);
  });

  it('never exceeds the line it belongs to', () => {
    const lines = linesOf({ profit: '0.07', roles: ['team', 'investor'], teamPart: '33.33', investorPart: '66.67' });
    expect(sumOfLines(lines, 'amount')).toBe(7n);
    for (const line of lines) expect(line.mine).toBeLessThanOrEqual(line.amount);
  });
});

describe('calculator form', () => {
  it('parses amounts in Indian and international notation', () => {
    const paise = (profit: string) => sumOfLines(linesOf({ profit }), 'amount');
    const amounts = ['500000', '5,00,000', '500,000', ' ₹ 5,00,000.5 '];
    expect(amounts.map(paise).join()).toBe('50000000,50000000,50000000,50000050');
    const unusual = ['Rs. 1250.50', '0', '-0', '000012', '999999999999.99'];
    expect(unusual.map(paise).join()).toBe('125050,0,0,1200,99999999999999');
  });

  it('reports amounts that cannot be shared', () => {
    for (const typed of ['', ' ', 'a lot', 'NaN', 'Infinity', '1e6', '12,5', '1.234', '1.250,50', '₹', '.5', '0x10'])
      expect(problem(typed), typed).toBe(splitProblems.notANumber);
    for (const typed of ['-1', '−5,00,000', '-₹0.01']) expect(problem(typed), typed).toBe(splitProblems.negative);
    expect(problem('1000000000000')).toBe(splitProblems.tooLarge(12));
    expect(answerTo({ ...exampleForm, profit: 'x' }).lines).toBeNull();
  });

  it('reports invalid parts and investor percentages', () => {
    const wrong = { teamPart: '101', investorPart: 'half', investors: '26' };
    const { problems } = answerTo({ ...exampleForm, roles: ['team', 'investor'], ...wrong });
    const { part, investors } = splitProblems;
    expect(problems).toEqual({ teamPart: part, investorPart: part, investors: investors(25) });
    const accepts = (field: 'investors' | 'teamPart') => (typed: string) =>
      answerTo({ ...exampleForm, [field]: typed }).problems[field] === undefined;
    expect(['-1', '1.5', '', 'all'].filter(accepts('investors'))).toEqual([]);
    expect(['', '-1', '1.234', '100.01'].filter(accepts('teamPart'))).toEqual([]);
  });

  it('reads its values from the address, else shows the example', () => {
    expect(formIn(new URLSearchParams('from=somewhere'))).toEqual(exampleForm);
    expect(
      formIn(new URLSearchParams('profit=12&role=closer&role=king&idea=muse&investors=3&teamPart=7&investorPart=8')),
    ).toEqual({ profit: '12', roles: ['closer'], idea: 'other', investors: '3', teamPart: '7', investorPart: '8' });
    expect(formIn(new URLSearchParams('profit=12')).roles).toEqual([]);
  });
});

describe('formatted money', () => {
  it('uses rupees with Indian grouping, and paise when a line has some', () => {
    expect(inRupees(50_000_000n, false)).toBe('₹5,00,000');
    expect(inRupees(10_000_005n, true)).toBe('₹1,00,000.05');
    expect(havePaise(linesOf({ profit: '100' }))).toBe(false);
    expect(havePaise(linesOf({ profit: '99' }))).toBe(true);
    expect(inRupees(10n ** 19n, false)).toBe('₹1,00,00,00,00,00,00,00,000');
  });

  it('shows the percentage beside the amount', () => {
    expect(percentOfWhole(linesOf({ profit: '100', roles: ['team'], teamPart: '33.3' }))).toBe('8.33%');
    const percents = ['100', '0'].map((profit) => percentOfWhole(linesOf({ profit, roles: ['manager'] })));
    expect(percents).toEqual(['15%', '0%']);
  });
});
