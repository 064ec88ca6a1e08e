import { diffArrays } from 'diff';

export type Piece = { kind: 'same' | 'gone' | 'new'; text: string };

/** With more differences the text counts as rewritten, because the search is quadratic in time and memory. */
const MAX_DIFFERENCES = 600;

const WORDS = /\s+|[^\s\p{L}\p{M}\p{N}]|[\p{L}\p{M}\p{N}]+/gu;

/** A rewritten sentence is one removed and one added piece, even when a small word in it is the same. */
export const wordDiff = (before: string, after: string): Piece[] => readable(shortestDiff(before, after));

export function shortestDiff(before: string, after: string): Piece[] {
  const options = { maxEditLength: MAX_DIFFERENCES };
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
  const result: Piece[] = [];
  let removed = '';
  let added = '';
  const change = () => {
    if (removed) result.push({ kind: 'gone', text: removed });
    if (added) result.push({ kind: 'new', text: added });
    removed = '';
    added = '';
  };
  for (const [at, { kind, text }] of pieces.entries()) {
    if (kind === 'gone') removed += text;
    else if (kind === 'new') added += text;
    else if (text.length <= Math.max(removed.length, added.length) && text.length <= lengthOfChange(pieces, at + 1)) {
      removed += text;
      added += text;
    } else {
      change();
      result.push({ kind, text });
    }
  }
  change();
  return result;
}

function lengthOfChange(pieces: Piece[], from: number): number {
  let [gone, fresh] = [0, 0];
  for (let at = from; at < pieces.length && pieces[at]!.kind !== 'same'; at++) {
    if (pieces[at]!.kind === 'gone') gone += pieces[at]!.text.length;
    else fresh += pieces[at]!.text.length;
  }
  return Math.max(gone, fresh);
}
