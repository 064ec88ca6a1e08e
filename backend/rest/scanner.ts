import { errors } from './errors.ts';

const DASH = 45;

/** Letters, digits, `_`, `$`, space and everything beyond ASCII: what a name may consist of without quotes. */
export function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code === 32 ||
    code > 127
  );
}

/** Walks over one parameter's text, one character at a time and never back over more than a name, so it is linear. */
export class Scanner {
  readonly text: string;
  at = 0;
  readonly #what: string;
  /** @param what names the text in refusals, such as `select parameter` */
  constructor(text: string, what: string) {
    this.text = text;
    this.#what = what;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  /** Steps over `word` if it comes next. */
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

  /** A name: quoted, or name characters joined by single dashes. */
  name(): string {
    if (this.peek() === '"') return this.quoted();
    const start = this.at;
    while (!this.done) {
      const code = this.text.charCodeAt(this.at);
      if (code === DASH ? this.text[this.at + 1] === '>' : !isNameCharacter(code)) break;
      this.at++;
    }
    const name = this.text.slice(start, this.at).trim();
    if (!name) this.fail('expecting field name (* or [a..z0..9_$])');
    return name;
  }

  /** Text between double quotes; a backslash takes the next character as it is. */
  quoted(): string {
    this.expect('"');
    let out = '';
    for (;;) {
      if (this.done) this.fail('expecting "\\""');
      const character = this.text[this.at++]!;
      if (character === '"') return out;
      if (character !== '\\') out += character;
      else if (this.done) this.fail('unexpected end of input');
      else out += this.text[this.at++]!;
    }
  }

  /** Everything up to (not including) the first of `stops`. */
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

  fail(expecting: string): never {
    const found = this.done ? 'unexpected end of input' : `unexpected ${JSON.stringify(this.peek())}`;
    throw errors.unparsable(this.#what, this.text, this.at + 1, `${found} ${expecting}`);
  }
}
