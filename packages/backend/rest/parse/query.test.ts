import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../../tests/cpu-time.ts';
import { readProject } from '../../config/supabase-config.ts';
import { limitsFor } from '../plan/limits.ts';
import { looksLikeFilter } from './filter.ts';
import { parseQuery } from './query.ts';

const { api } = await readProject(join(import.meta.dirname, '..', '..', '..', '..', 'supabase'));
const limits = limitsFor(api);
const parse = (text: string, withArguments = false) => parseQuery(text, limits, withArguments);
const only = (text: string) => parse(text).root.filters[0];

describe('filters', () => {
  it('consist of column, operator and the remaining text as value', () => {
    expect(only('a=eq.b.c,(d)')).toMatchObject({
      field: { name: 'a' },
      operator: 'eq',
      negated: false,
      value: 'b.c,(d)',
    });
    expect(only('a=not.is.NULL')).toMatchObject({ operator: 'is', negated: true, value: 'null' });
    expect(only('a=like(any).{x*,y}')).toMatchObject({ operator: 'like', quantifier: 'any', value: '{x*,y}' });
    expect(only('a=wfts(english).x')).toMatchObject({ operator: 'wfts', config: 'english', value: 'x' });
    expect(only('a->>b=gt.1')).toMatchObject({ field: { name: 'a', path: [{ asText: true, key: 'b' }] } });
  });

  it('parse lists with quoted values', () => {
    expect(only('a=in.(1,"b,c","d\\"e",f g,)')).toMatchObject({ list: ['1', 'b,c', 'd"e', 'f g', ''] });
    expect(only('a=in.()')).toMatchObject({ list: [] });
    expect(only('a=in.("")')).toMatchObject({ list: [] });
    // F5: spaces and tabs around the brackets are ignored; those beside a comma belong to the value.
    expect(only('a=in.( ,3, 4)')).toMatchObject({ list: ['', '3', ' 4'] });
    expect(only('a=in. (\t"b" ,c )\t')).toMatchObject({ list: ['"b" ', 'c '] });
    expect(only('a=in.( )')).toMatchObject({ list: [] });
    expect(only('or=(a.in.( 1,2))')).toMatchObject({ parts: [{ list: ['1', '2'] }] });
  });

  it('parse logic with nesting, negation, quoted values and arrays', () => {
    expect(only('or=(a.eq."x,y",not.and(b.is.null,c.cs.{1,2}),d.not.in.(1,2))')).toMatchObject({
      kind: 'or',
      parts: [
        { field: { name: 'a' }, value: 'x,y' },
        { kind: 'and', negated: true, parts: [{ operator: 'is' }, { operator: 'cs', value: '{1,2}' }] },
        { operator: 'in', negated: true, list: ['1', '2'] },
      ],
    });
    expect(only('not.and=(a.eq.1)')).toMatchObject({ kind: 'and', negated: true });
  });

  it('accept columns whose names begin with a logic operator', () => {
    expect(only('or=(order.eq.1,android.eq.2)')).toMatchObject({
      parts: [{ field: { name: 'order' } }, { field: { name: 'android' } }],
    });
  });

  it.each([
    'a=1',
    'a=eq',
    'a=eqq.1',
    'a=in.1',
    'a=in.(1',
    'a=in.(1)x',
    'a=is.maybe',
    'a=not.not.eq.1',
    'or=a.eq.1',
    'or=()',
    'or=(a.eq.1',
    'or=(a.eq.1))',
    'a=eq(some).1',
    'a=fts().x',
    '=eq.1',
  ])('reject %s', (text) => {
    expect(() => parse(text)).toThrow(/failed to parse/);
  });
});

describe('scopes', () => {
  it('apply to the root or to an embed at any depth', () => {
    const query = parse(
      'limit=5&offset=2&order=a.desc.nullslast&b.limit=1&b.c.order=x(y).asc&b.c.d=eq.1&b.not.or=(e.eq.1)',
    );
    expect(query.root).toMatchObject({
      limit: 5,
      offset: 2,
      order: [{ field: { name: 'a' }, direction: 'desc', nulls: 'last' }],
    });
    expect(query.embeds).toMatchObject([
      { path: ['b'], limit: 1, filters: [{ kind: 'or', negated: true }] },
      { path: ['b', 'c'], order: [{ relation: 'x', field: { name: 'y' } }], filters: [{ field: { name: 'd' } }] },
    ]);
  });

  it('raise negative offsets to zero and reject negative limits', () => {
    expect(parse('offset=-3').root.offset).toBe(0);
    expect(() => parse('limit=-1')).toThrow('Requested range not satisfiable');
    expect(() => parse('limit=ten')).toThrow(/failed to parse limit/);
    expect(() => parse('limit=1e3')).toThrow(/failed to parse limit/);
  });
});

describe('arguments', () => {
  it('are parameters that do not look like a filter', () => {
    const query = parse('a=1&b=eq.2&c={x}&select=d', true);
    expect(query.args).toEqual([
      ['a', '1'],
      ['c', '{x}'],
    ]);
    expect(query.root.filters).toMatchObject([{ field: { name: 'b' } }]);
  });

  it.each([
    ['eq.1', true],
    ['not.in.(1)', true],
    ['like(any).{a}', true],
    ['fts(english).a', true],
    ['equal.1', false],
    ['hello', false],
    ['', false],
    ['not.hello', false],
    ['mail@example.com', false],
  ])('%s: %s', (text, expected) => {
    expect(looksLikeFilter(text)).toBe(expected);
  });
});

it('parses column lists and conflict targets', () => {
  expect(parse('columns="a","b c",a&on_conflict=d,e')).toMatchObject({ columns: ['a', 'b c'], onConflict: ['d', 'e'] });
});

it('parses malicious text in linear time', async () => {
  const hostile = [
    `or=${'('.repeat(8000)}`,
    `or=(${'a.eq.{'.repeat(1300)})`,
    `a=in.(${'"'.repeat(8000)}`,
    `a=in.(${'"x"y,'.repeat(100)})`,
    `order=${'a->'.repeat(2500)}`,
  ];
  const parseAll = () => {
    for (const text of hostile) {
      try {
        parse(text);
      } catch (error) {
        expect(String(error)).toMatch(/RestError/);
      }
    }
  };
  expect(await cpuTimeOf(parseAll)).toBeLessThan(500);
});
