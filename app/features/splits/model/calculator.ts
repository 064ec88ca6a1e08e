import { rupees } from '#lib/data/money.ts';
import { cutNames, cuts, splitProblems, unallocatedPercent } from '../words/terms.ts';

/** Money in paise, the smallest unit, so that sums never round. */
export type Paise = bigint;

export type Cut = keyof typeof cuts | 'unallocated';

export const MAX_INVESTORS_PERCENT = cuts.investors;

const ROLES = ['referrer', 'closer', 'manager', 'team', 'investor'] as const;
const IDEAS = ['me', 'other', 'nobody'] as const;
const MAX_DIGITS = 12;
/** Parts of a share are counted in hundredths of a percent. */
export const WHOLE_PART = 10_000;

export type Role = (typeof ROLES)[number];

export type SplitField = 'profit' | 'investors' | 'teamPart' | 'investorPart';

export type SplitForm = Record<SplitField, string> & { roles: readonly Role[]; idea: (typeof IDEAS)[number] };

export type SplitLine = { cut: Cut; percent: number; amount: Paise; mine: Paise };

export type SplitAnswer = { problems: Partial<Record<SplitField, string>>; lines: SplitLine[] | null };

export const exampleForm: SplitForm = {
  profit: '5,00,000',
  roles: ['team'],
  idea: 'other',
  investors: String(MAX_INVESTORS_PERCENT),
  teamPart: '20',
  investorPart: '100',
};

export const splitParameters = ['profit', 'role', 'idea', 'investors', 'teamPart', 'investorPart'] as const;

export function formIn(query: URLSearchParams): SplitForm {
  const text = (name: SplitField) => query.get(name) ?? exampleForm[name];
  return {
    profit: text('profit'),
    roles: query.has('profit') ? ROLES.filter((role) => query.getAll('role').includes(role)) : exampleForm.roles,
    idea: IDEAS.find((idea) => idea === query.get('idea')) ?? exampleForm.idea,
    investors: text('investors'),
    teamPart: text('teamPart'),
    investorPart: text('investorPart'),
  };
}

/** The sum is always 100. @param investors whole percent from 0 to 25; the rest goes to the work team */
export function percentages(investors: number): Record<Cut, number> {
  if (!Number.isInteger(investors) || investors < 0 || investors > MAX_INVESTORS_PERCENT)
    throw new RangeError(`Investors take 0 to ${MAX_INVESTORS_PERCENT} percent, not ${investors}`);
  return { ...cuts, team: cuts.team + cuts.investors - investors, investors, unallocated: unallocatedPercent };
}

/** Largest remainder method: the parts add up exactly. */
export function allocate(sum: Paise, weights: readonly number[]): Paise[] {
  if (sum < 0n) throw new RangeError('Only a profit is shared');
  const whole = BigInt(weights.reduce((total, weight) => total + weight, 0));
  const parts = weights.map((weight) => (sum * BigInt(weight)) / whole);
  const remainders = weights.map((weight) => (sum * BigInt(weight)) % whole);
  const leftover = Number(sum - parts.reduce((total, part) => total + part, 0n));
  const byRemainder = remainders
    .map((_, at) => at)
    .sort((a, b) => (remainders[b]! > remainders[a]! ? 1 : remainders[b]! < remainders[a]! ? -1 : a - b));
  for (const at of byRemainder.slice(0, leftover)) parts[at]! += 1n;
  return parts;
}

/** In the order of the terms. @param investors as in `percentages` */
export function allocateCuts(sum: Paise, investors: number): Omit<SplitLine, 'mine'>[] {
  const percent = percentages(investors);
  const amounts = allocate(sum, Object.values(percent));
  return (Object.keys(percent) as Cut[]).map((cut, at) => ({ cut, percent: percent[cut], amount: amounts[at]! }));
}

export function answerTo(form: SplitForm): SplitAnswer {
  const profit = readProfit(form.profit);
  const investors = /^\d{1,2}$/.test(form.investors.trim()) ? Number(form.investors) : -1;
  const teamPart = form.roles.includes('team') ? readPart(form.teamPart) : 0;
  const investorPart = form.roles.includes('investor') ? readPart(form.investorPart) : 0;
  const problems: SplitAnswer['problems'] = {};
  if (typeof profit === 'string') problems.profit = profit;
  if (investors < 0 || investors > MAX_INVESTORS_PERCENT)
    problems.investors = splitProblems.investors(MAX_INVESTORS_PERCENT);
  if (teamPart === null) problems.teamPart = splitProblems.part;
  if (investorPart === null) problems.investorPart = splitProblems.part;
  if (typeof profit === 'string' || teamPart === null || investorPart === null || problems.investors)
    return { problems, lines: null };

  const part = (cut: Cut): number => {
    if (cut === 'team') return teamPart;
    if (cut === 'investors') return investorPart;
    if (cut === 'idea' && form.idea !== 'nobody') return form.idea === 'me' ? WHOLE_PART : 0;
    return (form.roles as readonly string[]).includes(cut === 'idea' ? 'manager' : cut) ? WHOLE_PART : 0;
  };
  return {
    problems,
    lines: allocateCuts(profit, investors).map((line) => {
      const [mine] = allocate(line.amount, [part(line.cut), WHOLE_PART - part(line.cut)]);
      return { ...line, mine: mine! };
    }),
  };
}

const AMOUNT = /^(\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.(\d{1,2}))?$/;

/** In paise, or an error message. */
export function readProfit(typed: string): Paise | string {
  const text = typed.replace(/^\s*([-−–]?)\s*(?:₹|rs\.?|inr)/i, '$1').replace(/\s/g, '');
  const [, rupees, paise = ''] = AMOUNT.exec(text.replace(/^[-−–]/, '')) ?? [];
  if (rupees === undefined) return splitProblems.notANumber;
  const digits = rupees.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  const sum = BigInt(digits + paise.padEnd(2, '0'));
  if (/^[-−–]/.test(text) && sum > 0n) return splitProblems.negative;
  return digits.length > MAX_DIGITS ? splitProblems.tooLarge(MAX_DIGITS) : sum;
}

function readPart(typed: string): number | null {
  const part = hundredthsIn(typed);
  return part !== null && part <= WHOLE_PART ? part : null;
}

/** `12.5` or `12.5%` as 1250; null when it is no number. */
export function hundredthsIn(typed: string): number | null {
  const [, whole, rest = ''] = /^\s*(\d{1,7})(?:\.(\d{1,2}))?\s*%?\s*$/.exec(typed) ?? [];
  return whole === undefined ? null : Number(whole + rest.padEnd(2, '0'));
}

export const sumOfLines = (lines: readonly SplitLine[], of: 'amount' | 'mine'): Paise =>
  lines.reduce((sum, line) => sum + line[of], 0n);

/** `₹5,00,000`, or `₹5,00,000.00` when any line of the result has paise. */
export function inRupees(sum: Paise, withPaise: boolean): string {
  const paise = withPaise ? `.${String(sum % 100n).padStart(2, '0')}` : '';
  return `₹${rupees(sum / 100n)}${paise}`;
}

export const havePaise = (lines: readonly SplitLine[]): boolean =>
  lines.some(({ amount, mine }) => amount % 100n !== 0n || mine % 100n !== 0n);

export function percentOfWhole(lines: readonly SplitLine[]): string {
  const whole = sumOfLines(lines, 'amount');
  const part = whole === 0n ? 0 : Number((sumOfLines(lines, 'mine') * 1_000_000n) / whole) / 10_000;
  return `${Number(part.toFixed(2))}%`;
}

const partOf = ({ amount, mine }: SplitLine): number => (amount > 0n ? Number((mine * 10_000n) / amount) / 100 : 0);

export const CUTS = Object.keys(cutNames) as Cut[];

/**
 * All that changes with the form: `texts` by `data-text`, custom properties of the calculator, and the user's own cuts.
 * The page renders it, and `live.ts` updates the page with it.
 */
export function resultOf(form: SplitForm, { lines, problems }: SplitAnswer) {
  const paise = lines !== null && havePaise(lines);
  const money = (sum: Paise | undefined) => (sum === undefined ? '–' : inRupees(sum, paise));
  const total = money(lines ? sumOfLines(lines, 'mine') : undefined);
  const widths = percentages(problems.investors ? MAX_INVESTORS_PERCENT : Number(form.investors));
  const texts: Record<string, string> = {
    total,
    amount: money(lines ? sumOfLines(lines, 'amount') : undefined),
    ofProfit: lines ? `${percentOfWhole(lines)} of the profit` : 'Type a profit to see it.',
    investors: `${form.investors}%`,
    toManager: form.idea === 'nobody' ? ', to the manager' : '',
  };
  const properties: Record<string, string> = { '--letters': String(total.length) };
  for (const cut of CUTS) {
    const line = lines?.find((one) => one.cut === cut);
    texts[`${cut} percent`] = line ? `${line.percent}%` : '–';
    texts[`${cut} amount`] = money(line?.amount);
    texts[`${cut} mine`] = money(line?.mine);
    properties[`--cut-${cut}`] = String(widths[cut]);
    properties[`--cut-${cut}-mine`] = `${line ? partOf(line) : 0}%`;
  }
  return { texts, properties, mine: CUTS.filter((cut) => lines?.some((line) => line.cut === cut && line.mine > 0n)) };
}

export type SplitResult = ReturnType<typeof resultOf>;
