import { LONGEST_LABEL, lengthOf, MOST_TAGS } from '#lib/data/limits.ts';

export function tagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MOST_TAGS)
    return `${tags.length} tags are more than the ${MOST_TAGS} that are kept. Remove ${tags.length - MOST_TAGS}, and nothing else is lost.`;
  const long = tags.find((tag) => lengthOf(tag) > LONGEST_LABEL);
  return long === undefined
    ? null
    : `The tag “${shortened(long)}” has ${lengthOf(long)} characters; a tag has at most ${LONGEST_LABEL}. Shorten it, and nothing else is lost.`;
}

const shortened = (tag: string) => `${[...tag].slice(0, 20).join('')}…`;

export function withTag(tags: string[], typed: string): string[] {
  const tag = typed.trim();
  return tag === '' || tags.includes(tag) ? tags : [...tags, tag];
}
