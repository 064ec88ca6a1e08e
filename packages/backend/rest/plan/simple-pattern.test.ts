import { describe, expect, it } from 'vitest';
import { RestError } from '../errors.ts';
import { requireSimplePattern } from './simple-pattern.ts';

function refusalOf(pattern: string): string | null {
  try {
    requireSimplePattern(pattern);
    return null;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    expect([error.status, error.body.code, error.body.hint]).toEqual([400, 'PGRST127', expect.stringMatching(/ilike/)]);
    return error.body.details as string;
  }
}

/** Patterns by the reason of their refusal. */
const REFUSED: Record<string, string[]> = {
  'longer than 64 characters': ['a'.repeat(65)],
  'a repetition inside a repetition': ['(a+)+', '(a*b)*', '((a{2}))*'],
  'more than 100 characters with its bounds written out': [
    ...['(x{1,200}){1,200}', 'a{101}', 'a{60}b{41}', '(abcde){20,}'],
  ],
  'a bound that is not a number': ['a{1', 'a{,3}', 'a{1000}'],
  '\\1': ['(a)\\1'],
  '\\m': ['\\mword'],
  '\\x': ['\\x41'],
  '\\b': ['[\\b]'],
  'look-around or options': ['(?=a)', '(?!a)', '(?<=a)b', '(?i)a'],
  '* where a character is expected': ['***:a', 'a**', 'a|*', '^*'],
  '} where a character is expected': ['a}'],
  '] where a character is expected': ['a]', '[]a]'],
  '^ anywhere but at the ends': ['a^b', '(^a)'],
  '$ anywhere but at the ends': ['a$b'],
  'an empty alternative': ['', 'a||b', '()'],
  'brackets nested more than 3 deep': ['((((a))))'],
  'a bracket that is not closed': ['(a'],
  'a closing bracket without an opening one': ['a)'],
  'its end is missing': ['[a', 'a\\'],
  '[ inside square brackets': ['[[.a.]]', '[[=a=]]', '[[:<:]]'],
};

describe('a simple pattern', () => {
  it.each([
    ...['summer', '^Summer', 'film$', '^$', '^a|b$|c', '.*', 'a+?b*?c??', '^(?:film|poster) \\d{4}$', '((a|b)c)?d'],
    ...['(ab*)?c', '(a|b)+', '(abc){2,20}', 'x{3}y{2,}z{0,9}', '[a-z][^0-9][[:alpha:]_.-][\\w\\]]'],
    ...['[$^.*+?(){}|]', '\\.\\*\\[\\(\\\\\\$', '\\d\\s\\w\\D\\S\\W', 'Zürich|मुंबई|東京'],
    ...['a'.repeat(64), '(a.{48}|b.{48})z'],
  ])('accepts %s', (pattern) => expect(refusalOf(pattern)).toBeNull());

  it.each(
    Object.entries(REFUSED).flatMap(([reason, patterns]) => patterns.map((pattern) => [pattern, reason] as const)),
  )('is not %s: the refusal says why', (pattern, reason) => {
    expect(refusalOf(pattern)).toBe(`The embedded database does not match this regular expression: ${reason}`);
  });
});
