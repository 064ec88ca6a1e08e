import { expect, it } from 'vitest';
import { viewColumns } from './load-catalog.ts';

const entry = (name: string, table: string, column: number, junk = false) =>
  `{TARGETENTRY :expr {VAR :varno 1 :varattno ${column}} :resno 1 :resname ${name} :ressortgroupref 0 :resorigtbl ${table} :resorigcol ${column} :resjunk ${junk}}`;

it('reads plain columns of the outer query and skips expressions, system columns and inner queries', () => {
  const query = (name: string) => `{QUERY :targetList (${entry(name, '9', 1)})}`;
  const rule = `({QUERY :commandType 1 :cteList ({COMMONTABLEEXPR :ctequery ${query('cte')}}) :quals {SUBLINK :subselect ${query('condition')}} :targetList (${entry('book_no', '42', 1)} ${entry('sum', '0', 0)} ${entry('sorted', '42', 3, true)} ${entry('odd\\ \\{name', '42', 2)}) :rtable ({RTE :subquery ${query('inner')}})})`;
  expect(viewColumns(rule)).toEqual([
    { name: 'book_no', relation: '42', number: 1 },
    { name: 'odd {name', relation: '42', number: 2 },
  ]);
});

it('returns no columns for text that is not a rewrite rule', () => {
  expect(viewColumns('')).toEqual([]);
  expect(viewColumns('({QUERY :targetList <>})')).toEqual([]);
});
