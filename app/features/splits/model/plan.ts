import * as z from 'zod/mini';
import { MAX_LINE_LENGTH } from '#lib/data/limits.ts';
import type { Payment } from '../words/split-sheet.ts';
import { cuts } from '../words/terms.ts';
import { allocate, type Cut } from './calculator.ts';

export const CURRENCIES = ['USD', 'INR', 'EUR', 'GBP'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const PEOPLE_CUTS = ['referrer', 'closer', 'manager', 'idea', 'team', 'investors'] as const;
export type PeopleCut = (typeof PEOPLE_CUTS)[number];

export const byInput = (cut: Cut): boolean => cut === 'team' || cut === 'investors';

export const MAX_PLAN_LENGTHS = { amount: 40, investors: 4, name: MAX_LINE_LENGTH, input: 20, words: 120, percent: 10 };

const text = (most: number) => z.catch(z.string().check(z.maxLength(most)), '');

const Person = z.object({
  cut: z.enum(PEOPLE_CUTS),
  name: text(MAX_PLAN_LENGTHS.name),
  member: z.catch(z.nullable(z.string()), null),
  input: text(MAX_PLAN_LENGTHS.input),
});
const Instalment = z.object({
  due: text(10),
  words: text(MAX_PLAN_LENGTHS.words),
  percent: text(MAX_PLAN_LENGTHS.percent),
});
const Plan = z.object({
  amount: text(MAX_PLAN_LENGTHS.amount),
  currency: z.catch(z.enum(CURRENCIES), 'USD'),
  investors: text(MAX_PLAN_LENGTHS.investors),
  payment: z.catch(z.enum(['short', 'monthly', 'long']), 'short'),
  people: z.catch(z.array(Person), []),
  instalments: z.catch(z.array(Instalment), []),
});

export type SplitPlan = z.infer<typeof Plan>;
export type PlanPerson = SplitPlan['people'][number];
export type PlanInstalment = SplitPlan['instalments'][number];

export const planFrom = (stored: unknown): SplitPlan => Plan.parse(stored ?? {});

export const byCut = <Line extends PlanPerson>(people: readonly Line[]): Line[] =>
  people.toSorted((a, b) => PEOPLE_CUTS.indexOf(a.cut) - PEOPLE_CUTS.indexOf(b.cut));

export interface PlannedProject {
  title: string;
  client: string | null;
  budget: number | null;
  start_date: string | null;
  end_date: string | null;
  members: { name: string; role: string | null; member: string | null; share: number | null }[];
}

const ROLES: [RegExp, PeopleCut][] = [
  [/referr|finder/i, 'referrer'],
  [/clos/i, 'closer'],
  [/manag/i, 'manager'],
  [/\bidea/i, 'idea'],
  [/invest/i, 'investors'],
];

export function planFor(project: PlannedProject, today: string): SplitPlan {
  const named = project.members.map(({ name, role, member, share }): PlanPerson => {
    const matchingCut = ROLES.find(([words]) => words.test(role ?? ''))?.[1] ?? 'team';
    return { cut: matchingCut, name, member, input: byInput(matchingCut) && share ? String(share) : '' };
  });
  const empty = (cut: PeopleCut): PlanPerson => ({ cut, name: '', member: null, input: '' });
  const missing = PEOPLE_CUTS.filter((cut) => cut !== 'investors' && !named.some((person) => person.cut === cut));
  const payment = paymentFor(project);
  return {
    amount: '',
    currency: 'USD',
    investors: named.some(({ cut }) => cut === 'investors') ? String(cuts.investors) : '0',
    payment,
    people: [...named, ...missing.map(empty)],
    instalments: instalmentsFor(payment, project, today),
  };
}

type Dates = Pick<PlannedProject, 'start_date' | 'end_date'>;

export const paymentFor = ({ start_date, end_date }: Dates): Payment =>
  start_date && end_date && end_date >= monthsAfter(start_date, 3) ? 'long' : 'short';

const MAX_MONTHS = 24;

export function instalmentsFor(payment: Payment, { start_date, end_date }: Dates, today: string): PlanInstalment[] {
  const start = start_date ?? today;
  if (payment === 'monthly') {
    const last = end_date && end_date > start ? end_date : monthsAfter(start, 3);
    const days = [secondMonth(start)];
    while (days.length < MAX_MONTHS && monthsAfter(days[0]!, days.length) <= last)
      days.push(monthsAfter(days[0]!, days.length));
    return parts(days.map((due, at) => [due, `Month ${at + 2}`]));
  }
  const end = end_date && end_date >= start ? end_date : monthsAfter(start, payment === 'short' ? 1 : 6);
  if (payment === 'short') {
    return parts([
      [start, 'After the client’s first payment'],
      [end, 'After the client’s final payment'],
    ]);
  }
  const middle = dayIn((Date.parse(start) + Date.parse(end)) / 2);
  return parts([
    [start, 'At the start'],
    [middle, 'At the milestone'],
    [end, 'At the end'],
  ]);
}

export const secondMonth = (start: string): string => monthsAfter(`${start.slice(0, 7)}-01`, 1);

function parts(days: (readonly [due: string, words: string])[]): PlanInstalment[] {
  const equalWeights = days.map(() => 1);
  const percents = allocate(10_000n, equalWeights);
  return days.map(([due, words], at) => ({ due, words, percent: String(Number(percents[at]) / 100) }));
}

/** The same day some months later, or that month's last day. */
function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayIn(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

const dayIn = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Of this device, as ISO date. */
export const today = () => new Intl.DateTimeFormat('sv-SE').format();
