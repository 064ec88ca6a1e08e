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

describe('a simple pattern', () => {
  it.each([
    'summer',
    '^Summer',
    'film$',
    '^$',
    '^a|b$|c',
    '.*',
    'a+?b*?c??',
    '^(?:film|poster) \\d{4}$',
    '((a|b)c)?d',
    '(ab*)?c',
    '(a|b)+',
    '(abc){2,20}',
    'x{3}y{2,}z{0,9}',
    '[a-z][^0-9][[:alpha:]_.-][\\w\\]]',
    '[$^.*+?(){}|]',
    '\\.\\*\\[\\(\\\\\\$',
    '\\d\\s\\w\\D\\S\\W',
    'Zürich|मुंबई|東京',
    'a'.repeat(64),
    '(a.{48}|b.{48})z',
  ])('accepts %s', (pattern) => expect(refusalOf(pattern)).toBeNull());

  it.each([
    ['a'.repeat(65), 'longer than 64 characters'],
    ['(a+)+', 'a repetition inside a repetition'],
    ['(a*b)*', 'a repetition inside a repetition'],
    ['((a{2}))*', 'a repetition inside a repetition'],
    ['(x{1,200}){1,200}', 'more than 100 characters with its bounds written out'],
    ['a{101}', 'more than 100 characters with its bounds written out'],
    ['a{60}b{41}', 'more than 100 characters with its bounds written out'],
    ['(abcde){20,}', 'more than 100 characters with its bounds written out'],
    ['a{1', 'a bound that is not a number'],
    ['a{,3}', 'a bound that is not a number'],
    ['a{1000}', 'a bound that is not a number'],
    ['(a)\\1', '\\1'],
    ['\\mword', '\\m'],
    ['\\x41', '\\x'],
    ['[\\b]', '\\b'],
    ['(?=a)', 'look-around or options'],
    ['(?!a)', 'look-around or options'],
    ['(?<=a)b', 'look-around or options'],
    ['(?i)a', 'look-around or options'],
    ['***:a', '* where a character is expected'],
    ['a**', '* where a character is expected'],
    ['a|*', '* where a character is expected'],
    ['a}', '} where a character is expected'],
    ['a]', '] where a character is expected'],
    ['a^b', '^ anywhere but at the ends'],
    ['a$b', '$ anywhere but at the ends'],
    ['(^a)', '^ anywhere but at the ends'],
    ['^*', '* where a character is expected'],
    ['', 'an empty alternative'],
    ['a||b', 'an empty alternative'],
    ['()', 'an empty alternative'],
    ['((((a))))', 'brackets nested more than 3 deep'],
    ['(a', 'a bracket that is not closed'],
    ['a)', 'a closing bracket without an opening one'],
    ['[a', 'its end is missing'],
    ['a\\', 'its end is missing'],
    ['[]a]', '] where a character is expected'],
    ['[[.a.]]', '[ inside square brackets'],
    ['[[=a=]]', '[ inside square brackets'],
    ['[[:<:]]', '[ inside square brackets'],
  ])('is not %s: the refusal says why', (pattern, reason) => {
    expect(refusalOf(pattern)).toBe(`The embedded database does not match this regular expression: ${reason}`);
  });
});
