import { submissionWords as words } from '../../copy/submission.ts';
import { LONGEST_LABEL, lengthOf, MOST_TAGS } from '../data/limits.ts';

/** What the server would refuse about tags, in words; null when it takes them. As many as one likes can be typed. */
export function tagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MOST_TAGS) return words.tooManyTags(tags.length, MOST_TAGS);
  const long = tags.find((tag) => lengthOf(tag) > LONGEST_LABEL);
  return long === undefined ? null : words.tagTooLong(shortened(long), lengthOf(long), LONGEST_LABEL);
}

const shortened = (tag: string) => `${[...tag].slice(0, 20).join('')}…`;

/** The tags with one more; the same list when the text is blank or there already. */
export function withTag(tags: string[], typed: string): string[] {
  const tag = typed.trim();
  return tag === '' || tags.includes(tag) ? tags : [...tags, tag];
}
