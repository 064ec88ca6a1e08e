import { creditWords, type Lead } from '#lib/words/credits.ts';

export const listWords = {
  searchLabel: 'Search experiments',
  search: 'Search',
  clear: 'Clear search',
  loadMore: 'Load more',
  newer: 'Newer experiments',
  showAll: 'Show all experiments',
  madeElsewhere: 'Other mixes:',
  filedElsewhere: 'In other categories:',
  oneWord: 'Search for just:',
  lookAround: 'Or browse:',
  start: 'Is there a mad idea on your desk?',
} as const;

export function resultLine(
  { count, exact }: { count: number; exact: boolean },
  { words, made, category }: { words: string; made: Lead | null; category: string | null },
): string {
  const many = count === 0 ? 'No' : `${count.toLocaleString('en')}${exact ? '' : ' or more'}`;
  const what = count === 1 && exact ? 'experiment' : 'experiments';
  return [many, made && creditWords.ledBy[made], what, words && `for “${words}”`, category && `in ${category}`]
    .filter(Boolean)
    .join(' ');
}

export const rangeLine = (first: number, last: number, { count, exact }: { count: number; exact: boolean }): string =>
  `Experiments ${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${count.toLocaleString('en')}${exact ? '' : ' or more'}`;
