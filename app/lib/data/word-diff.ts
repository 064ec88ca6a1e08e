import { diffArrays } from 'diff';

export interface Piece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** With more differences the text counts as rewritten, because the search is quadratic in time and memory. */
const MOST_DIFFERENCES = 600;

const WORDS = /\s+|[^\s\p{L}\p{M}\p{N}]|[\p{L}\p{M}\p{N}]+/gu;

/** A rewritten sentence is one removed and one added piece, even when a small word in it is the same. */
export const wordDiff = (before: string, after: string): Piece[] => readable(shortestDiff(before, after));

export function shortestDiff(before: string, after: string): Piece[] {
  const options = { maxEditLength: MOST_DIFFERENCES };
  const changes = diffArrays(before.match(WORDS) ?? [], after.match(WORDS) ?? [], options) ?? [
    { removed: true, added: false, value: [before] },
    { removed: false, added: true, value: [after] },
  ];
  return changes.map(({ removed, added, value }) => ({
    kind: removed ? 'gone' : added ? 'new' : 'same',
    text: value.join(''),
  }));
}

/** Merges two changes when the unchanged text between them is shorter than both. */
function readable(pieces: Piece[]): Piece[] {
  const found: Piece[] = [];
  let gone = '';
  let fresh = '';
  const change = () => {
    if (gone) found.push({ kind: 'gone', text: gone });
    if (fresh) found.push({ kind: 'new', text: fresh });
    gone = '';
    fresh = '';
  };
  for (const [at, { kind, text }] of pieces.entries()) {
    if (kind === 'gone') gone += text;
    else if (kind === 'new') fresh += text;
    else if (text.length <= Math.max(gone.length, fresh.length) && text.length <= lengthOfChange(pieces, at + 1)) {
      gone += text;
      fresh += text;
    } else {
      change();
      found.push({ kind, text });
    }
  }
  change();
  return found;
}

function lengthOfChange(pieces: Piece[], from: number): number {
  let [gone, fresh] = [0, 0];
  for (let at = from; at < pieces.length && pieces[at]!.kind !== 'same'; at++) {
    if (pieces[at]!.kind === 'gone') gone += pieces[at]!.text.length;
    else fresh += pieces[at]!.text.length;
  }
  return Math.max(gone, fresh);
}
