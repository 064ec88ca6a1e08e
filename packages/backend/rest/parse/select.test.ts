import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cpuTimeOf } from '../../../../tests/cpu-time.ts';
import { readProject } from '../../config/supabase-config.ts';
import { limitsFor } from '../plan/limits.ts';
import { parseSelect } from './select.ts';

const { api } = await readProject(join(import.meta.dirname, '..', '..', '..', '..', 'supabase'));
const limits = limitsFor(api);
const parse = (text: string) => parseSelect(text, limits);
const column = (name: string, more = {}) => ({
  kind: 'column',
  field: { name, path: [] },
  alias: null,
  cast: null,
  aggregate: null,
  aggregateCast: null,
  ...more,
});
const embed = (name: string, items: unknown[], more = {}) => ({
  kind: 'embed',
  name,
  alias: null,
  hint: null,
  inner: false,
  spread: false,
  items,
  ...more,
});

it('parses stars, columns, aliases and casts', () => {
  expect(parse('*, a , b:c,d::timestamp with time zone')).toEqual([
    column('*'),
    column('a'),
    column('c', { alias: 'b' }),
    column('d', { cast: 'timestamp with time zone' }),
  ]);
});

it('parses quoted names with escapes', () => {
  expect(parse('"a,b","c\\"d":"e\\\\f"')).toEqual([column('a,b'), column('e\\f', { alias: 'c"d' })]);
});

it('parses names with dashes followed by arrows', () => {
  expect(parse('a-b->c-d->>0')).toEqual([
    column('a-b', {
      field: {
        name: 'a-b',
        path: [
          { asText: false, key: 'c-d' },
          { asText: true, key: 0 },
        ],
      },
    }),
  ]);
});

it('treats whole numbers as array indices and anything else as keys', () => {
  const keys = (text: string) =>
    parse(text).map((item) => item.kind === 'column' && item.field.path.map(({ key }) => key));
  expect(keys('a->0,a->-1,a->>78xy,a->"1"')).toEqual([[0], [-1], ['78xy'], ['1']]);
  expect(() => parse('a->>-78xy')).toThrow(/failed to parse select parameter/);
});

it('parses embeds with alias, hint, join and nesting, and spreads', () => {
  expect(parse('x:rel!fk!inner(a,sub!left(*)),...one(b),none()')).toEqual([
    embed('rel', [column('a'), embed('sub', [column('*')])], { alias: 'x', hint: 'fk', inner: true }),
    embed('one', [column('b')], { spread: true }),
    embed('none', []),
  ]);
});

it('parses aggregates with casts before and after', () => {
  expect(parse('count(),n:count()::text,a::int.sum()::text')).toEqual([
    column('*', { aggregate: 'count' }),
    column('*', { alias: 'n', aggregate: 'count', aggregateCast: 'text' }),
    column('a', { cast: 'int', aggregate: 'sum', aggregateCast: 'text' }),
  ]);
});

it('parses an empty text as no columns', () => {
  expect(parse('')).toEqual([]);
});

it.each([
  'a,',
  ',a',
  'a b)',
  'a(',
  'a(b',
  'a)',
  '(a)',
  'a:',
  ':a',
  'a::',
  'a->',
  '"a',
  'a!(b)',
  '...a',
  'a.sum',
  'a.median()',
  '*a',
  'a;b',
  "a'b",
])('refuses %s', (text) => {
  expect(() => parse(text)).toThrow(/failed to parse select parameter/);
});

it('parses malicious text in linear time', async () => {
  const parseAll = () => {
    for (const piece of ['"', '\\"', 'a:', 'a->', '((', '!a', '...', 'a-('])
      expect(() => parse(piece.repeat(4000))).toThrow();
  };
  expect(await cpuTimeOf(parseAll)).toBeLessThan(500);
});
