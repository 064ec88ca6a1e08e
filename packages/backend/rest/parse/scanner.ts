import { errors } from '../errors.ts';

export const FIELD_NAME = 'field name (* or [a..z0..9_$])';

/** Letters, digits, `_`, `$`, space and non-ASCII characters are allowed without quotes. */
const isNameCharacter = (character: string): boolean => /[\w$ \u0080-\uffff]/.test(character);

/** Never backtracks over more than a name, so parsing is linear. */
export class Scanner {
  readonly text: string;
  at = 0;
  readonly #what: string;
  readonly #before: number;
  /** @param before characters before the text, for the column in errors */
  constructor(text: string, what: string, before = 0) {
    this.text = text;
    this.#what = what;
    this.#before = before;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  take(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  expect(word: string): void {
    if (!this.take(word)) this.fail(`expecting "${word}"`);
  }

  skipSpaces(): void {
    while (this.peek() === ' ' || this.peek() === '\t') this.at++;
  }

  startsName(): boolean {
    return !this.done && (this.peek() === '"' || isNameCharacter(this.peek()));
  }

  name(): string {
    if (this.peek() === '"') return this.quoted();
    const start = this.at;
    while (this.peek() === '-' ? this.text[this.at + 1] !== '>' : isNameCharacter(this.peek())) this.at++;
    const name = this.text.slice(start, this.at).trim();
    if (!name) this.fail(`expecting ${FIELD_NAME}`);
    return name;
  }

  word(expecting: string): string {
    const start = this.at;
    while (isNameCharacter(this.peek())) this.at++;
    return this.text.slice(start, this.at).trim() || this.fail(`expecting ${expecting}`);
  }

  quoted(): string {
    this.expect('"');
    let unquoted = '';
    for (;;) {
      if (this.done) this.fail('expecting "\\""');
      const character = this.text[this.at++]!;
      if (character === '"') return unquoted;
      if (character !== '\\') unquoted += character;
      else if (this.done) this.fail('unexpected end of input');
      else unquoted += this.text[this.at++]!;
    }
  }

  until(stops: string): string {
    const start = this.at;
    while (!this.done && !stops.includes(this.text[this.at]!)) this.at++;
    return this.text.slice(start, this.at);
  }

  rest(): string {
    const rest = this.text.slice(this.at);
    this.at = this.text.length;
    return rest;
  }

  end(): void {
    if (!this.done) this.fail('expecting end of input');
  }

  fail(expecting: string, unexpected = JSON.stringify(this.peek())): never {
    const found = this.done ? 'end of input' : unexpected;
    throw errors.unparsable(this.#what, this.text, this.#before + this.at + 1, `unexpected ${found} ${expecting}`);
  }

  /** Rejects as PostgREST does: the column is that of the first character that differs from the first word. */
  failAtWord(words: readonly string[]): never {
    const rest = this.text.slice(this.at);
    let same = 0;
    while (same < rest.length && rest[same] === words[0]![same]) same++;
    const quoted = words.map((word) => `"${word}"`);
    const listed = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
    this.fail(`expecting ${listed}`, same < rest.length ? JSON.stringify(rest[same]) : 'end of input');
  }
}
