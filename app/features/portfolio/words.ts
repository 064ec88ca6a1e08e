import { creditWords, type Lead } from '#lib/words/credits.ts';

export function resultLine(
  { count, exact }: { count: number; exact: boolean },
  { words, made, category, fact }: { words: string; made: Lead | null; category: string | null; fact: string | null },
): string {
  const amount = count === 0 ? 'No' : `${count.toLocaleString('en')}${exact ? '' : ' or more'}`;
  const noun = count === 1 && exact ? 'experiment' : 'experiments';
  const filters = [words && `for “${words}”`, category && `in ${category}`, fact && `with ${fact}`];
  return [amount, made && creditWords.ledBy[made], noun, ...filters].filter(Boolean).join(' ');
}

export const rangeLine = (first: number, last: number, { count, exact }: { count: number; exact: boolean }): string =>
  `Experiments ${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${count.toLocaleString('en')}${exact ? '' : ' or more'}`;
