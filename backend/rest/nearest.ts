const MIN_LIKENESS = 0.5;
const LONGEST = 63;

/** The candidate most like `name` by shared pairs of letters, or null when none is near. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST) return null;
  let best: string | null = null;
  let bestLikeness = MIN_LIKENESS;
  for (const candidate of candidates) {
    const likeness = dice(pairsOf(name), pairsOf(candidate));
    if (likeness > bestLikeness) {
      best = candidate;
      bestLikeness = likeness;
    }
  }
  return best;
}

function pairsOf(word: string): Set<string> {
  const padded = `-${word.toLowerCase()}-`;
  return new Set(Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2)));
}

const dice = (a: Set<string>, b: Set<string>) => (2 * a.intersection(b).size) / (a.size + b.size);
