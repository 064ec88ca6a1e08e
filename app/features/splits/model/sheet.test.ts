import { describe, expect, it } from 'vitest';
import { splitSheetProblems } from '../words/split-sheet.ts';
import { instalmentsFor, type PlannedProject, paymentFor, planFor, planFrom, type SplitPlan } from './plan.ts';
import { computeSheet, inDigits, inMoney, sheetRows } from './sheet.ts';

const project: PlannedProject = {
  title: 'Kiosk',
  client: 'Rao',
  budget: 1000.01,
  start_date: '2027-01-31',
  end_date: '2027-03-15',
  members: [
    { name: 'Asha', role: 'Project Manager', member: 'm-asha', share: null },
    { name: 'Ben', role: 'Referrer', member: null, share: null },
    { name: 'Cai', role: 'Deal closer', member: null, share: null },
    { name: 'Dev', role: 'Animator', member: 'm-dev', share: 60 },
    { name: 'Eli', role: null, member: null, share: 40 },
  ],
};
const amount = '1000.01';
const plan = (more: Partial<SplitPlan> = {}): SplitPlan => ({ ...planFor(project, '2027-01-01'), amount, ...more });
const worked = (more: Partial<SplitPlan> = {}) => computeSheet(plan(more), project.start_date).result!;
const problems = (more: Partial<SplitPlan>) => computeSheet(plan(more), project.start_date).problems;
const sum = (amounts: bigint[]) => amounts.reduce((total, one) => total + one, 0n);

/** The same numbers every time. */
function* numbers(seed = 7): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

describe('split sheet draft', () => {
  it('starts without an amount, with the team’s roles and shares, and two instalments for a short project (D17)', () => {
    const { people, instalments, ...fee } = planFor(project, '2027-01-01');
    expect(fee).toEqual({ amount: '', currency: 'USD', investors: '0', payment: 'short' });
    expect(people.map(({ cut, name, member, input }) => [cut, name, member, input].join())).toEqual([
      ...['manager,Asha,m-asha,', 'referrer,Ben,,', 'closer,Cai,,'],
      ...['team,Dev,m-dev,60', 'team,Eli,,40', 'idea,,,'],
    ]);
    expect(instalments.map(({ due, percent }) => `${due} ${percent}%`)).toEqual(['2027-01-31 50%', '2027-03-15 50%']);
  });

  it('assigns the idea share to the manager when it has no author, and divides the team share by input (CONST-32, CONST-33, CONST-34)', () => {
    const { statements, pools } = worked();
    const amounts = Object.fromEntries(statements.map(({ name, amount }) => [name, Number(amount)]));
    expect(amounts).toEqual({ Ben: 5_000, Cai: 10_000, Asha: 20_000, Dev: 30_001, Eli: 20_000 });
    const pooled = Object.fromEntries(pools.map(({ cut, amount }) => [cut, Number(amount)]));
    expect(pooled).toEqual({ companyPool: 2_000, goalsPool: 2_000, crisisFund: 1_000, unallocated: 10_000 });
  });

  it('adds up to the smallest unit for people, pools and instalments, whatever is typed (CONST-36)', () => {
    const next = numbers();
    const random = (most: number) => next.next().value % most;
    for (let round = 0; round < 400; round++) {
      const amount = `${random(10 ** (1 + random(9)))}.${String(1 + random(99)).padStart(2, '0')}`;
      const team = Array.from({ length: 1 + random(9) }, (_, at) => ({
        ...{ cut: 'team' as const, name: `Worker ${random(5)} ${at % 3}`, member: null },
        input: `${random(1000)}.${1 + random(9)}`,
      }));
      const fund = { cut: 'investors' as const, name: 'Worker 1 1', member: null, input: '3' };
      const parts = 1 + random(12);
      const instalments = instalmentsFor('long', project, '2027-01-01').slice(0, 1);
      const even = Array.from({ length: parts }, (_, at) => ({
        ...instalments[0]!,
        percent: String(at === parts - 1 ? Number((100 - at * 7.31).toFixed(2)) : 7.31),
      }));
      const result = worked({
        amount,
        investors: String(random(26)),
        payment: 'long',
        people: [...plan().people.filter(({ cut }) => cut !== 'team'), ...team, fund],
        instalments: even,
      });
      const paid = result.statements.map((one) => {
        expect(sum(one.shares.map((share) => share.amount))).toBe(one.amount);
        expect(sum(one.payments)).toBe(one.amount);
        return one.amount;
      });
      expect(sum([...paid, ...result.pools.map((pool) => pool.amount)])).toBe(result.amount);
      expect(result.pools.filter(({ cut }) => cut === 'unallocated')).toHaveLength(1);
    }
  });

  it('combines several shares of a person into one statement', () => {
    const people = plan().people.map((person) =>
      person.cut === 'team' ? person : { ...person, name: 'Asha', member: 'm-asha' },
    );
    const asha = worked({ people }).statements.filter(({ name }) => name === 'Asha');
    expect(asha).toHaveLength(1);
    expect(asha[0]!.shares.map(({ cut }) => cut)).toEqual(['referrer', 'closer', 'manager', 'idea']);
  });

  it('reports each missing value at its field', () => {
    expect(problems({ amount: '0' })).toEqual({ amount: splitSheetProblems.nothing });
    expect(problems({ amount: 'a lot', investors: '26' })).toHaveProperty('investors');
    const missing = splitSheetProblems.nobody;
    expect(problems({ people: [] })).toMatchObject({ 'cut.referrer': missing, 'cut.team': missing });
    expect(problems({ people: [] })).not.toHaveProperty('cut.idea');
    expect(problems({ investors: '10' })).toEqual({ 'cut.investors': splitSheetProblems.nobody });
    const dev = plan().people.map((person) => (person.name === 'Dev' ? { ...person, input: '0' } : person));
    expect(problems({ people: dev })).toEqual({ 'people.3.input': splitSheetProblems.input });
    const [first, last] = plan().instalments as [SplitPlan['instalments'][number], SplitPlan['instalments'][number]];
    const early = { ...last, due: '2026-01-01' };
    expect(problems({ instalments: [first, early] })).toEqual({ 'instalments.1.due': splitSheetProblems.order });
    const small = { ...last, percent: '40' };
    expect(problems({ instalments: [first, small] })).toEqual({ instalments: splitSheetProblems.whole('90') });
  });

  it('is paid in halves, monthly from month 2, or at start, milestone and end (CONST-37, CONST-38, CONST-39)', () => {
    const dates = { start_date: '2027-01-31', end_date: '2027-06-30' };
    const days = (payment: SplitPlan['payment']) => instalmentsFor(payment, dates, '2026-01-01').map(({ due }) => due);
    expect(days('short')).toEqual(['2027-01-31', '2027-06-30']);
    expect(days('monthly')).toEqual(['2027-02-01', '2027-03-01', '2027-04-01', '2027-05-01', '2027-06-01']);
    expect(days('long')).toEqual(['2027-01-31', '2027-04-16', '2027-06-30']);
    for (const payment of ['short', 'monthly', 'long'] as const)
      expect(problems({ payment, instalments: instalmentsFor(payment, dates, '2026-01-01') })).toBeNull();
    const thirds = instalmentsFor('long', dates, '2026-01-01');
    expect(problems({ payment: 'short', instalments: thirds })).toEqual({ instalments: splitSheetProblems.halves });
    const due = splitSheetProblems.monthTwo('2027-02-01');
    expect(problems({ payment: 'monthly', instalments: thirds })).toEqual({ 'instalments.0.due': due });
    const paymentUntil = (end_date: string | null) => paymentFor({ start_date: '2027-01-31', end_date });
    expect(['2027-04-29', '2027-04-30', null].map(paymentUntil)).toEqual(['short', 'long', 'short']);
  });

  it('parses any stored plan without throwing', () => {
    expect(planFrom(plan())).toEqual(plan());
    const { amount, people, currency } = planFrom({ amount: 7, people: [{ cut: 'king' }], currency: 'XXX' });
    expect({ amount, people, currency }).toEqual({ amount: '', people: [], currency: 'USD' });
    expect(planFrom(null).instalments).toEqual([]);
  });

  it('formats amounts in the notation of their currency', () => {
    const amounts = [inMoney(123_456_789n, 'USD'), inMoney(123_456_789n, 'INR'), inMoney(5n, 'EUR')];
    expect(amounts).toEqual(['$1,234,567.89', '₹12,34,567.89', '€0.05']);
    expect(inDigits(90_071_992_547_409_93n)).toBe('90071992547409.93');
  });

  it('exports shares, total and what is left to pay after payments on replaced sheets to a file', () => {
    const share = { id: 1, cut: 'team' as const, words: 'Work team, 50%', weight: 1250, amount: 500 };
    const idea = { id: 2, cut: 'idea' as const, words: 'Idea person, 5%', weight: 1, amount: 50 };
    const instalments = [
      { due: '2027-01-31', words: 'Start', amount: 275, open: 75, paid_on: '2027-02-01' },
      { due: '2027-03-31', words: 'End', amount: 275, open: 275, paid_on: null },
    ];
    const statement = { number: '3-1', name: '=Dev', paid_before: 200, split_shares: [share, idea], instalments };
    const eli = { number: '3-2', name: 'Eli', paid_before: 0, split_shares: [], instalments: instalments.slice(1) };
    const splitPlan = { number: 3, currency: 'USD', amount: 1000 } as never;
    const rows = sheetRows(splitPlan, [statement, eli] as never, [{ ...share, words: 'Company pool' }]);
    expect(rows.slice(1)).toEqual([
      ['3', '3-1', '=Dev', 'Work team, 50%', '12.5', '', '', 'USD', '5.00', ''],
      ['3', '3-1', '=Dev', 'Idea person, 5%', '', '', '', 'USD', '0.50', ''],
      ['3', '', '', 'Company pool', '', '', '', 'USD', '5.00', ''],
      ['3', '', '', 'Total', '', '', '', 'USD', '10.00', ''],
      ['3', '3-1', '=Dev', '', '', '', 'Paid on replaced sheets', 'USD', '2.00', ''],
      ['3', '3-1', '=Dev', '', '', '2027-01-31', 'Start', 'USD', '0.75', '2027-02-01'],
      ['3', '3-1', '=Dev', '', '', '2027-03-31', 'End', 'USD', '2.75', ''],
      ['3', '3-2', 'Eli', '', '', '2027-03-31', 'End', 'USD', '2.75', ''],
    ]);
  });
});
