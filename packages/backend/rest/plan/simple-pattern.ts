import { errors } from '../errors.ts';

const MAX_LENGTH = 64;
/** NFA positions: characters of the pattern with bounded repetitions expanded. */
const MAX_POSITIONS = 100;
const MAX_DEPTH = 3;

interface Part {
  positions: number;
  repeats: boolean;
}

/**
 * Only what compiles without deep recursion and matches in linear time (decision 063).
 * @param quantifier array literals of several patterns are rejected
 * @throws RestError 400 PGRST127
 */
export function requireSimplePattern(pattern: string, quantifier: 'any' | 'all' | null = null): void {
  if (quantifier) reject(`several in one filter (${quantifier}), write one filter for each`);
  const characters = [...pattern];
  if (characters.length > MAX_LENGTH) reject(`longer than ${MAX_LENGTH} characters`);
  new PatternReader(characters).read();
}

function reject(reason: string): never {
  throw errors.notOffered(
    `The embedded database does not match this regular expression: ${reason}`,
    'Use like, ilike or a text search such as plfts, or run this server on PostgreSQL',
  );
}

class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  read(): void {
    this.#alternatives(0);
    if (this.#at < this.#characters.length) reject('a closing bracket without an opening one');
  }

  #alternatives(depth: number): Part {
    if (depth > MAX_DEPTH) reject(`brackets nested more than ${MAX_DEPTH} deep`);
    const parts = [this.#branch(depth)];
    while (this.#take('|')) parts.push(this.#branch(depth));
    return combine(parts);
  }

  #branch(depth: number): Part {
    let isAnchored = depth === 0 && this.#take('^');
    const parts: Part[] = [];
    for (;;) {
      const next = this.#peek();
      if (depth === 0 && next === '$' && [undefined, '|'].includes(this.#peek(1))) {
        isAnchored = this.#take('$');
        break;
      }
      if (next === undefined || next === '|' || next === ')') break;
      parts.push(this.#repetition(this.#atom(depth)));
    }
    if (parts.length === 0 && !isAnchored) reject('an empty alternative');
    return combine(parts);
  }

  #atom(depth: number): Part {
    const character = this.#next();
    switch (character) {
      case '(': {
        if (this.#take('?') && !this.#take(':')) reject('look-around or options');
        const group = this.#alternatives(depth + 1);
        if (!this.#take(')')) reject('a bracket that is not closed');
        return group;
      }
      case '[':
        this.#characterClass();
        break;
      case '\\':
        this.#escape();
        break;
      case '^':
      case '$':
        reject(`${character} anywhere but at the ends`);
        break;
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
        reject(`${character} where a character is expected`);
    }
    return { positions: 1, repeats: false };
  }

  #repetition(part: Part): Part {
    const bounds = this.#bounds();
    if (!bounds) return part;
    this.#take('?');
    if (part.repeats && bounds !== OPTIONAL) reject('a repetition inside a repetition');
    return combine([{ positions: part.positions * bounds.copies, repeats: true }]);
  }

  #bounds(): { copies: number } | null {
    if (this.#take('?')) return OPTIONAL;
    if (this.#take('*') || this.#take('+')) return { copies: 1 };
    if (this.#peek() !== '{') return null;
    const end = this.#characters.indexOf('}', this.#at);
    const text = this.#characters.slice(this.#at, end + 1).join('');
    const [, minimum, isOpen, maximum] =
      /^\{(\d{1,3})(?:(,)|,(\d{1,3}))?\}$/.exec(text) ?? reject('a bound that is not a number');
    this.#at = end + 1;
    return { copies: Math.max(1, Number(maximum ?? minimum) + (isOpen ? 1 : 0)) };
  }

  #characterClass(): void {
    this.#take('^');
    if (this.#peek() === ']') reject('] where a character is expected');
    for (;;) {
      const character = this.#next();
      if (character === ']') return;
      if (character === '\\') this.#escape();
      else if (character === '[') {
        const end = this.#characters.indexOf(']', this.#at);
        if (!/^:[a-z]+:$/.test(this.#characters.slice(this.#at, end).join(''))) reject('[ inside square brackets');
        this.#at = end + 1;
      }
    }
  }

  #escape(): void {
    const character = this.#next();
    if (/[^\W_]/.test(character) && !'dDsSwW'.includes(character)) reject(`\\${character}`);
  }

  #peek(ahead = 0): string | undefined {
    return this.#characters[this.#at + ahead];
  }

  #next(): string {
    const character = this.#peek() ?? reject('its end is missing');
    this.#at++;
    return character;
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }
}

const OPTIONAL = { copies: 1 };

function combine(parts: readonly Part[]): Part {
  const positions = parts.reduce((sum, part) => sum + part.positions, 0);
  if (positions > MAX_POSITIONS) reject(`more than ${MAX_POSITIONS} characters with its bounds written out`);
  return { positions, repeats: parts.some(({ repeats }) => repeats) };
}
