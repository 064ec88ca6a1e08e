export interface Piece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/**
 * The most words that may differ before texts count as rewritten. Myers' search keeps a row per difference, each one
 * word longer: 600 are some 360,000 numbers, fast enough on a phone.
 */
const MOST_DIFFERENCES = 600;

const WORDS = /\s+|[^\s\p{L}\p{M}\p{N}]|[\p{L}\p{M}\p{N}]+/gu;

/** A rewritten sentence is one removed and one added piece, even when a small word in it is the same. */
export const wordDiff = (before: string, after: string): Piece[] => readable(shortestDiff(before, after));

/** Myers' shortest edit script. Texts with too little in common become two pieces, which bounds the cost. */
export function shortestDiff(before: string, after: string): Piece[] {
  const was = before.match(WORDS) ?? [];
  const is = after.match(WORDS) ?? [];
  let start = 0;
  while (start < was.length && start < is.length && was[start] === is[start]) start++;
  let end = 0;
  while (end < was.length - start && end < is.length - start && was.at(-1 - end) === is.at(-1 - end)) end++;

  const pieces: Piece[] = [];
  const add = (kind: Piece['kind'], words: readonly string[]) => {
    if (words.length === 0) return;
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += words.join('');
    else pieces.push({ kind, text: words.join('') });
  };
  add('same', was.slice(0, start));
  for (const [kind, words] of between(was.slice(start, was.length - end), is.slice(start, is.length - end)))
    add(kind, words);
  add('same', was.slice(was.length - end));
  return pieces;
}

/** Unchanged text between two changes counts as changed when it is shorter than the change on both sides. */
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

function between(was: string[], is: string[]): [Piece['kind'], string[]][] {
  const rows = was.length > 0 && is.length > 0 ? searched(was, is) : null;
  if (!rows) {
    return [
      ['gone', was],
      ['new', is],
    ];
  }
  const steps: [Piece['kind'], string[]][] = [];
  let x = was.length;
  let y = is.length;
  for (let depth = rows.length - 1; depth >= 0; depth--) {
    const row = rows[depth]!;
    const line = x - y;
    const down = line === -depth || (line !== depth && at(row, depth, line - 1) < at(row, depth, line + 1));
    const from = depth === 0 ? 0 : at(row, depth, down ? line + 1 : line - 1);
    const fromY = depth === 0 ? 0 : from - (down ? line + 1 : line - 1);
    for (; x > from && y > fromY; y--) steps.push(['same', [was[--x]!]]);
    if (depth === 0) break;
    steps.push(down ? ['new', [is[--y]!]] : ['gone', [was[--x]!]]);
  }
  return steps.reverse();
}

/** The furthest positions for each number of differences; null when there are too many. */
function searched(was: string[], is: string[]): Int32Array[] | null {
  const rows: Int32Array[] = [];
  let reached = new Int32Array(1);
  const most = Math.min(MOST_DIFFERENCES, was.length + is.length);
  for (let depth = 0; depth <= most; depth++) {
    const known = reached;
    rows.push(known);
    reached = new Int32Array(2 * depth + 1);
    for (let line = -depth; line <= depth; line += 2) {
      const down = line === -depth || (line !== depth && at(known, depth, line - 1) < at(known, depth, line + 1));
      let x = depth === 0 ? 0 : down ? at(known, depth, line + 1) : at(known, depth, line - 1) + 1;
      while (x < was.length && x - line < is.length && was[x] === is[x - line]) x++;
      if (x >= was.length && x - line >= is.length) return rows;
      reached[line + depth] = x;
    }
  }
  return null;
}

const at = (row: Int32Array, depth: number, line: number): number => row[line + depth - 1] ?? -1;
