import { MAX_INSTALMENTS, MAX_PEOPLE_PER_SHEET } from '#lib/data/limits.ts';
import { inCurrency } from '#lib/data/money.ts';
import { splitSheetProblems, termsText, splitSheet as words } from '../words/split-sheet.ts';
import { cutNames, splitProblems } from '../words/terms.ts';
import type { Cut, Paise } from './calculator.ts';
import { allocate, allocateCuts, hundredthsIn, MAX_INVESTORS_PERCENT, readProfit, WHOLE_PART } from './calculator.ts';
import { byInput, type Currency, PEOPLE_CUTS, type PeopleCut, type SplitPlan, secondMonth } from './plan.ts';
import type { IssuedShare, IssuedSheet, IssuedStatement } from './records.ts';

/** `weight`: recorded input in hundredths, as weight within the cut. */
export type Share = { cut: Cut; words: string; weight: number; amount: Paise };

export type DraftStatement = { name: string; member: string | null; shares: Share[]; amount: Paise; payments: Paise[] };

export interface ComputedSheet {
  currency: Currency;
  amount: Paise;
  investors: number;
  payment: SplitPlan['payment'];
  instalments: { due: string; words: string; percent: number }[];
  statements: DraftStatement[];
  pools: Share[];
  terms: string;
}

/** Errors by place: `amount`, `people.3.input`, `cut.manager`, `instalments.0.due`. */
export type PlanProblems = Record<string, string>;

type SheetResult = { problems: PlanProblems; result: null } | { problems: null; result: ComputedSheet };

/** Computes a plan by the terms, or returns its problems. @param start first day of the project, if known */
export function computeSheet(plan: SplitPlan, start: string | null): SheetResult {
  const problems: PlanProblems = {};
  const amount = readProfit(plan.amount.replace(/^\s*([$€£])/, ''));
  if (typeof amount === 'string') problems['amount'] = amount;
  else if (amount === 0n) problems['amount'] = splitSheetProblems.nothing;
  const investors = /^\d{1,2}$/.test(plan.investors.trim()) ? Number(plan.investors) : -1;
  if (investors < 0 || investors > MAX_INVESTORS_PERCENT)
    problems['investors'] = splitProblems.investors(MAX_INVESTORS_PERCENT);
  const people = readPeople(plan, investors, problems);
  const instalments = readInstalments(plan, start, problems);
  if (Object.keys(problems).length > 0 || typeof amount === 'string') return { problems, result: null };

  const pools: Share[] = [];
  const statementOf = new Map<string, DraftStatement>();
  for (const { cut, percent, amount: total } of allocateCuts(amount, investors)) {
    if (percent === 0) continue;
    if (!isPeopleCut(cut)) {
      pools.push({ cut, words: cutNames[cut], weight: 1, amount: total });
      continue;
    }
    // Without an idea person their share goes to the manager (CONST-32).
    const named = people[cut].length > 0 ? people[cut] : people.manager;
    const weights = named.map(({ weight }) => weight);
    const amounts = allocate(total, weights);
    for (const [place, { name, member, weight }] of named.entries()) {
      const key = member ?? name.toLowerCase();
      const own = statementOf.get(key) ?? { name, member, shares: [], amount: 0n, payments: [] };
      own.shares.push({ cut, words: `${cutNames[cut]}, ${percent}%`, weight, amount: amounts[place]! });
      own.amount += amounts[place]!;
      statementOf.set(key, own);
    }
  }
  const percents = instalments.map((instalment) => instalment.percent);
  const statements = [...statementOf.values()];
  for (const statement of statements) statement.payments = allocate(statement.amount, percents);
  const { currency, payment } = plan;
  const terms = termsText(investors, payment);
  return { problems: null, result: { currency, amount, investors, payment, instalments, statements, pools, terms } };
}

export function namedProblems(problems: PlanProblems, plan: SplitPlan): { place: string; problem: string }[] {
  const placeOf = (key: string): { place: string; order: number } => {
    const [part, which = ''] = key.split('.');
    if (part === 'amount') return { place: words.amount, order: 0 };
    if (part === 'investors') return { place: words.investors, order: 1 };
    const cut = part === 'cut' ? (which as PeopleCut) : part === 'people' ? plan.people[Number(which)]?.cut : undefined;
    if (cut) return { place: cutNames[cut], order: 2 + PEOPLE_CUTS.indexOf(cut) };
    return { place: which ? `Instalment ${Number(which) + 1}` : words.instalments, order: 100 + Number(which) };
  };
  return Object.entries(problems)
    .map(([key, problem]) => ({ ...placeOf(key), problem }))
    .sort((one, other) => one.order - other.order);
}

const isPeopleCut = (cut: Cut): cut is PeopleCut => (PEOPLE_CUTS as readonly string[]).includes(cut);

type NamedPerson = { name: string; member: string | null; weight: number };

type PeopleByCut = Record<PeopleCut, NamedPerson[]>;

function readPeople(plan: SplitPlan, investors: number, problems: PlanProblems): PeopleByCut {
  const peopleByCut = Object.fromEntries(PEOPLE_CUTS.map((cut) => [cut, [] as NamedPerson[]])) as PeopleByCut;
  for (const [at, { cut, name, member, input }] of plan.people.entries()) {
    if (cut === 'investors' && investors === 0) continue;
    const blank = name.trim() === '';
    if (blank && input.trim() === '') continue;
    if (blank) problems[`people.${at}.name`] = 'Please write a name';
    const weight = byInput(cut) ? hundredthsIn(input) : 1;
    if (!weight) problems[`people.${at}.input`] = splitSheetProblems.input;
    peopleByCut[cut].push({ name: name.trim(), member, weight: weight || 1 });
  }
  for (const cut of PEOPLE_CUTS) {
    const isRequired = cut !== 'idea' && (cut !== 'investors' || investors > 0);
    if (isRequired && peopleByCut[cut].length === 0) problems[`cut.${cut}`] = splitSheetProblems.nobody;
  }
  if (plan.people.length > MAX_PEOPLE_PER_SHEET)
    problems['cut.team'] = splitSheetProblems.tooMany(MAX_PEOPLE_PER_SHEET);
  return peopleByCut;
}

function readInstalments(plan: SplitPlan, start: string | null, problems: PlanProblems): ComputedSheet['instalments'] {
  const instalments = plan.instalments.map(({ due, words, percent }, at) => {
    const part = hundredthsIn(percent);
    const before = plan.instalments[at - 1]?.due ?? '';
    if (!isDay(due)) problems[`instalments.${at}.due`] = 'Please choose a day';
    else if (due < before) problems[`instalments.${at}.due`] = splitSheetProblems.order;
    if (words.trim() === '') problems[`instalments.${at}.words`] = 'Please say when this is paid';
    if (!part || part > WHOLE_PART) problems[`instalments.${at}.percent`] = 'Please type a percentage of more than 0';
    return { due, words: words.trim(), percent: part ?? 0 };
  });
  const sum = instalments.reduce((total, { percent }) => total + percent, 0);
  if (instalments.length === 0) problems['instalments'] = 'Please add an instalment';
  else if (instalments.length > MAX_INSTALMENTS) problems['instalments'] = splitSheetProblems.tooMany(MAX_INSTALMENTS);
  else if (sum !== WHOLE_PART) problems['instalments'] = splitSheetProblems.whole(String(sum / 100));
  else if (plan.payment === 'short' && (instalments.length !== 2 || instalments[0]!.percent !== WHOLE_PART / 2))
    problems['instalments'] = splitSheetProblems.halves;
  const first = plan.payment === 'monthly' && start ? secondMonth(start) : '';
  if (instalments[0] && isDay(instalments[0].due) && instalments[0].due < first)
    problems['instalments.0.due'] = splitSheetProblems.monthTwo(first);
  return instalments;
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

export const inMoney = (amount: Paise | number, currency: string): string => inCurrency(inDigits(amount), currency);

/** Digits with two decimals, for spreadsheets. */
export function inDigits(amount: Paise | number): `${number}` {
  const units = String(amount).padStart(3, '0');
  return `${units.slice(0, -2)}.${units.slice(-2)}` as `${number}`;
}

const HEADING = ['Sheet', 'Statement', 'Name', 'Share', 'Input', 'Due', 'When', 'Currency', 'Amount', 'Paid'] as const;

export function sheetRows(sheet: IssuedSheet, statements: IssuedStatement[], pools: IssuedShare[]): string[][] {
  const row = (given: Partial<Record<(typeof HEADING)[number], string>>, amount: number) => {
    const cells = { ...given, Sheet: String(sheet.number), Currency: sheet.currency, Amount: inDigits(amount) };
    return HEADING.map((column) => cells[column] ?? '');
  };
  const shares = statements.flatMap(({ number: Statement, name: Name, split_shares }) =>
    split_shares.map(({ words: Share, cut, weight, amount }) =>
      row({ Statement, Name, Share, Input: byInput(cut) ? String(weight / 100) : '' }, amount),
    ),
  );
  const payments = statements.flatMap(({ number: Statement, name: Name, paid_before, instalments }) => [
    ...(paid_before > 0 ? [row({ Statement, Name, When: 'Paid on replaced sheets' }, paid_before)] : []),
    ...instalments.map(({ due: Due, words: When, open, paid_on }) =>
      row({ Statement, Name, Due, When, Paid: paid_on ?? '' }, open),
    ),
  ]);
  return [
    [...HEADING],
    ...shares,
    ...pools.map(({ words: Share, amount }) => row({ Share }, amount)),
    row({ Share: words.total }, sheet.amount),
    ...payments,
  ];
}
