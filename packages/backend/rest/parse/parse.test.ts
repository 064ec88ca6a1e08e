import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cpuTimeOf } from '../../../../tests/cpu-time.ts';
import { readProject } from '../../config/supabase-config.ts';
import { limitsFor } from '../plan/limits.ts';
import { looksLikeFilter } from './filter.ts';
import { parseQuery } from './query.ts';
import { parseSelect } from './select.ts';

// The contract tests of the data service prove what requests mean; here are refusals, lists and the time of parsing.
const { api } = await readProject(join(import.meta.dirname, '..', '..', '..', '..', 'supabase'));
const limits = limitsFor(api);
const parse = (text: string) => parseQuery(text, limits, false);

it.each([
  ['a=in.(1,"b,c","d\\"e",f g,)', ['1', 'b,c', 'd"e', 'f g', '']],
  ['a=in.("")', []],
  // F5: spaces and tabs around the brackets are ignored; those beside a comma belong to the value.
  ['a=in.( ,3, 4)', ['', '3', ' 4']],
  ['a=in. (\t"b" ,c )\t', ['"b" ', 'c ']],
])('the list of %j is %j', (text, list) => expect(parse(text).root.filters[0]).toMatchObject({ list }));

it('columns may begin with a logic operator', () => {
  const parts = [{ field: { name: 'order' } }, { field: { name: 'android' } }];
  expect(parse('or=(order.eq.1,android.eq.2)').root.filters[0]).toMatchObject({ parts });
});

it.each([
  ...['a=1', 'a=eq', 'a=eqq.1', 'a=in.1', 'a=in.(1', 'a=in.(1)x', 'a=is.maybe', 'a=not.not.eq.1', 'or=a.eq.1', 'or=()'],
  ...['or=(a.eq.1', 'or=(a.eq.1))', 'a=eq(some).1', 'a=fts().x', '=eq.1', 'limit=ten', 'limit=1e3'],
])('the query %s is rejected', (text) => expect(() => parse(text)).toThrow(/failed to parse/));

it.each([
  ...['a,', ',a', 'a b)', 'a(', 'a(b', 'a)', '(a)', 'a:', ':a', 'a::', 'a->', '"a', 'a!(b)', '...a', 'a.sum', 'a:b:c'],
  ...['a.median()', '*a', 'a;b', "a'b", 'a->>-78xy'],
])('the select list %s is rejected', (text) =>
  expect(() => parseSelect(text, limits)).toThrow(/failed to parse select parameter/),
);

it('whole numbers in JSON paths are array indices, anything else is a key', () => {
  const keys = parseSelect('a->0,a->-1,a->>78xy,a->"1",a-b->c-d,a->2024-01', limits).map(
    (item) => item.kind === 'column' && item.field.path.map(({ key }) => key),
  );
  expect(keys).toEqual([[0], [-1], ['78xy'], ['1'], ['c-d'], ['2024-01']]);
});

it('function arguments are parameters that do not look like a filter', () => {
  const filters = ['eq.1', 'not.in.(1)', 'like(any).{a}', 'fts(english).a'];
  expect(filters.filter((text) => !looksLikeFilter(text))).toEqual([]);
  expect(['equal.1', 'hello', '', 'not.hello', 'mail@example.com'].filter(looksLikeFilter)).toEqual([]);
});

it('malicious text is parsed in linear time', async () => {
  const hostile = [
    `or=${'('.repeat(8000)}`,
    `or=(${'a.eq.{'.repeat(1300)})`,
    `a=in.(${'"'.repeat(8000)}`,
    `a=in.(${'"x"y,'.repeat(100)})`,
    `order=${'a->'.repeat(2500)}`,
  ];
  const pieces = ['"', '\\"', 'a:', 'a->', '((', '!a', '...', 'a-('];
  const parseAll = () => {
    for (const text of hostile) {
      try {
        parse(text);
      } catch (error) {
        expect(String(error)).toMatch(/RestError/);
      }
    }
    for (const piece of pieces) expect(() => parseSelect(piece.repeat(4000), limits)).toThrow();
  };
  expect(await cpuTimeOf(parseAll)).toBeLessThan(1000);
});
