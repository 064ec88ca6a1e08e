import { lengthOf, MAX_LABEL_LENGTH, MAX_TAGS } from '#lib/data/limits.ts';

export function tagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MAX_TAGS)
    return `${tags.length} tags are more than the ${MAX_TAGS} that are kept. Remove ${tags.length - MAX_TAGS}, and nothing else is lost.`;
  const long = tags.find((tag) => lengthOf(tag) > MAX_LABEL_LENGTH);
  return long === undefined
    ? null
    : `The tag “${shortened(long)}” has ${lengthOf(long)} characters; a tag has at most ${MAX_LABEL_LENGTH}. Shorten it, and nothing else is lost.`;
}

const shortened = (tag: string) => `${[...tag].slice(0, 20).join('')}…`;

export function withTag(tags: string[], typed: string): string[] {
  const tag = typed.trim();
  return tag === '' || tags.includes(tag) ? tags : [...tags, tag];
}
