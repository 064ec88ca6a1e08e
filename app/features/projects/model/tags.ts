import { submissionWords as words } from '#features/submissions/words/submission.ts';
import { lengthOf, MAX_LABEL_LENGTH, MAX_TAGS } from '#lib/data/limits.ts';

export function tagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MAX_TAGS) return words.tooManyTags(tags.length, MAX_TAGS);
  const long = tags.find((tag) => lengthOf(tag) > MAX_LABEL_LENGTH);
  return long === undefined ? null : words.tagTooLong(shortened(long), lengthOf(long), MAX_LABEL_LENGTH);
}

const shortened = (tag: string) => `${[...tag].slice(0, 20).join('')}…`;

export function withTag(tags: string[], typed: string): string[] {
  const tag = typed.trim();
  return tag === '' || tags.includes(tag) ? tags : [...tags, tag];
}
