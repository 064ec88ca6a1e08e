export const CLOSE = 0.75;
export const ALIKE = 0.33;

/** Longer texts are not compared; names have at most 63 characters. */
const LONGEST = 500;
const GROUPS = [3, 2];

/** As in PostgREST's hints: the smallest edit distance among candidates that share an n-gram. @param least 0 to 1 */
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

function groupsOf(word: string, size: number): Set<string> {
  const text = `-${word.replace(/[^\p{L}\p{N}\s,]/gu, '')}-`;
  return new Set(Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) => text.slice(at, at + size)));
}

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
