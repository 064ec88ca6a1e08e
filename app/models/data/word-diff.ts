/** A stretch of text that stayed, went or came. */
export interface Piece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/**
 * The most words that may differ before two texts count as rewritten. Myers' search keeps a row for every word that
 * differs, each a word longer than the last: 600 are some 360,000 numbers, found in a blink also on a phone.
 */
const MOST_DIFFERENCES = 600;

const WORDS = /\s+|[^\s\p{L}\p{M}\p{N}]|[\p{L}\p{M}\p{N}]+/gu;

/**
 * What differs between two plain texts, word by word, the way people read it: a sentence that was rewritten is one gone
 * and one new piece, also when a small word in it happens to be the same.
 */
export const wordDiff = (before: string, after: string): Piece[] => readable(shortestDiff(before, after));

/**
 * The shortest way from one text to the other after Myers, which is what people know from version control. Texts that
 * have too little in common are given as one gone and one new piece, so the cost is bounded whatever the texts are.
 */
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

/** What stayed between two changes counts as changed when it is shorter than what changed on both sides of it. */
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

/** How long the change is that begins at a place; 0 when there is none. */
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
  // From the end back to the start, along the rows of the search.
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

/** The furthest places reached with each number of differences, before that difference is made; null when there are too many. */
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

/** A row of one depth holds the lines of the depth before: from -(depth - 1) to depth - 1. */
const at = (row: Int32Array, depth: number, line: number): number => row[line + depth - 1] ?? -1;
