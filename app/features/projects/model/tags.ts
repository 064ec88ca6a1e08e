import { submissionWords as words } from '#features/submissions/words/submission.ts';
import { LONGEST_LABEL, lengthOf, MOST_TAGS } from '#lib/data/limits.ts';

export function tagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MOST_TAGS) return words.tooManyTags(tags.length, MOST_TAGS);
  const long = tags.find((tag) => lengthOf(tag) > LONGEST_LABEL);
  return long === undefined ? null : words.tagTooLong(shortened(long), lengthOf(long), LONGEST_LABEL);
}

const shortened = (tag: string) => `${[...tag].slice(0, 20).join('')}…`;

export function withTag(tags: string[], typed: string): string[] {
  const tag = typed.trim();
  return tag === '' || tags.includes(tag) ? tags : [...tags, tag];
}
