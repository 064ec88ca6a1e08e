/** How like a name must be to be suggested as a table or function. */
export const CLOSE = 0.75;
/** The same of a list of parameters, which tells of a function that was named already. */
export const ALIKE = 0.33;

/** Longer texts are not compared; names have 63 letters. */
const LONGEST = 500;
/** Groups of so many letters are looked for in common, the longer ones first. */
const GROUPS = [3, 2];

/**
 * The candidate most like `text`, or null when none is near: among those that share a group of letters with it, by the
 * number of letters to change, as PostgREST's hints are found.
 * @param least likeness between 0 and 1
 */
export function nearest(text: string, candidates: Iterable<string>, least: number): string | null {
  if (text.length > LONGEST) return null;
  const wanted = text.toLowerCase();
  const known = [...candidates].map((name) => ({ name, lower: name.toLowerCase() }));
  for (const size of GROUPS) {
    const groups = groupsOf(wanted, size);
    let best: string | null = null;
    let most = least;
    for (const { name, lower } of known) {
      if (lower.length > LONGEST || groups.isDisjointFrom(groupsOf(lower, size))) continue;
      const likeness = 1 - changes(wanted, lower) / Math.max(wanted.length, lower.length);
      if (likeness > most || (likeness === most && best === null)) {
        best = name;
        most = likeness;
      }
    }
    if (best !== null) return best;
  }
  return null;
}

/** Groups of letters of a word between hyphens; punctuation but commas is left out. */
function groupsOf(word: string, size: number): Set<string> {
  const text = `-${word.replace(/[^\p{L}\p{N}\s,]/gu, '')}-`;
  return new Set(Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) => text.slice(at, at + size)));
}

/** Letters to put in, take out or replace until `a` is `b` (Levenshtein). */
function changes(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + same));
    }
    row = next;
  }
  return row[b.length]!;
}
