import { LEADS, type Lead, type Made, creditWords as words } from '#lib/words/credits.ts';

export type Credit = { part: string; made: Made; people: string[]; tools: string[] };

export type StoredCredit = Pick<Credit, 'part' | 'made'> & Partial<Pick<Credit, 'people' | 'tools'>>;

/** In percent of the parts. */
export type Shares = { hand: number; together: number };

export type StoredShares = { hand_share: number | null; together_share: number | null };

export const creditsIn = (stored: readonly StoredCredit[] | null | undefined): Credit[] =>
  (stored ?? []).map(({ part, made, people = [], tools = [] }) => ({ part, made, people, tools }));

export const storedCredits = (credits: readonly Credit[]): StoredCredit[] =>
  credits.map(({ part, made, people, tools }) => ({
    part,
    made,
    ...(people.length > 0 && { people }),
    ...(tools.length > 0 && { tools }),
  }));

export function sharesOf(parts: readonly Made[]): Shares | null {
  if (parts.length === 0) return null;
  const count = (wanted: Made) => parts.filter((made) => made === wanted).length;
  const percent = (parted: number) => Math.round((100 * parted) / parts.length);
  return { hand: percent(count('hand') + count('together') / 2), together: percent(count('together')) };
}

export const sharesIn = (stored: StoredShares | null | undefined): Shares | null =>
  stored?.hand_share == null ? null : { hand: stored.hand_share, together: stored.together_share ?? 0 };

export const isLead = (value: unknown): value is Lead => LEADS.some((lead) => lead === value);

/** `by hand and machine together: Asha Rao, Ben Okafor, with Figma` */
export const creditLine = ({ made, people, tools }: Credit): string =>
  words.madeHow[made] +
  (people.length > 0 ? `: ${people.join(', ')}` : '') +
  (tools.length > 0 ? `, ${words.tools(tools)}` : '');
