import { expect, it } from 'vitest';
import { splitStatements } from './sql-statements.ts';

const texts = (script: string) => splitStatements(script).map(({ text }) => text);

it('splits at semicolons, and returns the first line of each statement', () => {
  expect(splitStatements('select 1;\n\n  select\n 2;\nselect 3')).toEqual([
    { text: 'select 1', line: 1 },
    { text: 'select\n 2', line: 3 },
    { text: 'select 3', line: 5 },
  ]);
});

it.each([
  ['a string', "select 'a;''b;' || E'c\\';d'"],
  ['a quoted name', 'select 1 as "a;""b"'],
  ['a line comment', 'select 1 -- a;b\n + 1'],
  ['a nested comment', 'select /* a; /* b; */ c; */ 1'],
  ['a dollar quote', 'create function f() returns int language plpgsql as $$ begin return 1; end $$'],
  ['a tagged dollar quote', 'do $body$ begin perform $$a;b$$; end $body$'],
  ['parentheses', 'create rule r as on insert to t do also (select 1; select 2)'],
  [
    'a body in standard SQL',
    'create or replace function f(a int) returns int begin atomic select case when a > 1 then 1 else 2 end; select a; end',
  ],
])('keeps %s whole', (_, statement) => expect(texts(`${statement}; select 2;`)).toEqual([statement, 'select 2']));

it('accepts dollar signs in names and parameters', () =>
  expect(texts('select a$b from t; select $1; select a$b')).toEqual(['select a$b from t', 'select $1', 'select a$b']));

it('omits comments and empty statements', () =>
  expect(texts('-- nothing\n;;\n/* at all */ ;\nselect 1;\n-- the end\n')).toEqual(['select 1']));

it('splits the statements inside a transaction', () =>
  expect(texts('begin; select 1; end;')).toEqual(['begin', 'select 1', 'end']));
