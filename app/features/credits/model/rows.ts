import { lengthOf, MAX_CREDIT_NAME_LENGTH, MAX_CREDIT_NAMES, MAX_CREDITS, MAX_LABEL_LENGTH } from '#lib/data/limits.ts';
import type { Made } from '#lib/words/credits.ts';
import { type Credit, sharesOf } from './credits.ts';

export interface CreditRow {
  /** Identifies the row while rows move; not stored. */
  key: string;
  part: string;
  made: Made | '';
  people: string[];
  tools: string[];
  /** Typed but not added name, which is saved like an added one. */
  person: string;
  tool: string;
}

export const rowsOf = (credits: readonly Credit[]): CreditRow[] =>
  credits.map((credit, place) => ({ key: `stored-${place}`, ...credit, person: '', tool: '' }));

export const nameOfRow = ({ part }: CreditRow, place: number): string => part.trim() || `part ${place + 1}`;

export function newRow(key: string, part: string): CreditRow {
  return { key, part, made: '', people: [], tools: [], person: '', tool: '' };
}

const names = (added: string[], typed: string) => (typed.trim() ? [...new Set([...added, typed.trim()])] : added);

const isBlank = ({ key: _, people, tools, ...texts }: CreditRow): boolean =>
  people.length + tools.length === 0 && Object.values(texts).every((text) => text.trim() === '');

/** The rows in stored form; empty and incomplete rows are left out. */
export const creditsOf = (rows: readonly CreditRow[]): Credit[] =>
  rows.flatMap(({ part, made, people, person, tools, tool }) =>
    part.trim() && made ? [{ part: part.trim(), made, people: names(people, person), tools: names(tools, tool) }] : [],
  );

export type CreditProblem = { key: string; at: 'part' | 'made' | 'people' | 'tools'; message: string };

const SHORTEN = 'Shorten it, and nothing else is lost.';
const REMOVE = 'Remove some, and nothing else is lost.';

function problemOf(row: CreditRow, place: number): Omit<CreditProblem, 'key'> | null {
  if (place >= MAX_CREDITS)
    return { at: 'part', message: `At most ${MAX_CREDITS} parts are kept. Remove this one, or put two into one.` };
  if (row.part.trim() === '') return { at: 'part', message: 'Name this part of the work, or remove it.' };
  if (lengthOf(row.part) > MAX_LABEL_LENGTH)
    return { at: 'part', message: `The name of a part has at most ${MAX_LABEL_LENGTH} characters. ${SHORTEN}` };
  if (row.made === '') return { at: 'made', message: 'Choose how this part was made, or remove it.' };
  for (const field of ['people', 'tools'] as const) {
    const all = names(row[field], field === 'people' ? row.person : row.tool);
    if (all.length > MAX_CREDIT_NAMES)
      return { at: field, message: `At most ${MAX_CREDIT_NAMES} names are kept here. ${REMOVE}` };
    if (all.some((name) => lengthOf(name) > MAX_CREDIT_NAME_LENGTH))
      return { at: field, message: `A name has at most ${MAX_CREDIT_NAME_LENGTH} characters. ${SHORTEN}` };
  }
  return null;
}

export function creditsProblem(rows: readonly CreditRow[]): CreditProblem | null {
  for (const [place, row] of rows.filter((each) => !isBlank(each)).entries()) {
    const problem = problemOf(row, place);
    if (problem) return { key: row.key, ...problem };
  }
  return null;
}

export const hasNoCredits = (rows: readonly CreditRow[]): boolean => rows.every(isBlank);

export const sharesSoFar = (rows: readonly CreditRow[]) => sharesOf(rows.flatMap(({ made }) => made || []));
