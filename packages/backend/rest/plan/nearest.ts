export const MIN_NAME_SIMILARITY = 0.75;
export const MIN_HINT_SIMILARITY = 0.33;

/** Longer texts are not compared; names have at most 63 characters. */
const MAX_LENGTH = 500;
const NGRAM_SIZES = [3, 2];

/** As in PostgREST's hints: the smallest edit distance among candidates that share an n-gram. @param minimum 0 to 1 */
export function nearest(text: string, candidates: Iterable<string>, minimum: number): string | null {
  if (text.length > MAX_LENGTH) return null;
  const lowerText = text.toLowerCase();
  const lowered = [...candidates].map((name) => ({ name, lower: name.toLowerCase() }));
  for (const size of NGRAM_SIZES) {
    const ngrams = ngramsOf(lowerText, size);
    let best: string | null = null;
    let bestScore = minimum;
    for (const { name, lower } of lowered) {
      if (lower.length > MAX_LENGTH || ngrams.isDisjointFrom(ngramsOf(lower, size))) continue;
      const similarity = 1 - editDistance(lowerText, lower) / Math.max(lowerText.length, lower.length);
      if (similarity > bestScore || (similarity === bestScore && best === null)) {
        best = name;
        bestScore = similarity;
      }
    }
    if (best !== null) return best;
  }
  return null;
}

function ngramsOf(word: string, size: number): Set<string> {
  const text = `-${word.replace(/[^\p{L}\p{N}\s,]/gu, '')}-`;
  return new Set(Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) => text.slice(at, at + size)));
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + cost));
    }
    row = next;
  }
  return row[b.length]!;
}
