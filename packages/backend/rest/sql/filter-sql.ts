import type { Parameters } from '../parse/parameters.ts';
import { PATTERNS } from '../parse/request.ts';
import type { PlannedField, PlannedFilter } from '../plan/plan.ts';

const COMPARE: Record<string, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  isdistinct: 'is distinct from',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};
const SEARCH_FUNCTIONS: Record<string, string> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};
const TEXT = '"pg_catalog"."text"';
const JSONB = '"pg_catalog"."jsonb"';

export type RowReference = { alias: string; wholeRow: string };

export function fieldSql({ column, computed, path }: PlannedField, row: RowReference, parameters: Parameters): string {
  const base = computed ? `${computed}(${row.wholeRow})` : `${row.alias}.${column.sql}`;
  if (path.length === 0) return base;
  const json = column.baseName === 'json' || column.baseName === 'jsonb' ? base : `to_jsonb(${base})`;
  const steps = path.map(({ asText, key }) => {
    const arrow = asText ? '->>' : '->';
    return typeof key === 'number' ? `${arrow}(${key})` : `${arrow}${parameters.text(key)}`;
  });
  return `(${json}${steps.join('')})`;
}

/** The value is converted to the column's type, never the column to the value's. */
export function filterSql(filter: PlannedFilter, row: RowReference, parameters: Parameters): string {
  const condition = conditionSql(filter, fieldSql(filter.field, row, parameters), parameters);
  return filter.negated ? `not (${condition})` : condition;
}

function conditionSql(filter: PlannedFilter, left: string, parameters: Parameters): string {
  const { operator, value, list, quantifier } = filter;
  const type = valueType(filter.field);
  if (operator === 'in') return `${left} = any(${parameters.list(type, list ?? [])})`;
  if (operator === 'is') return `${left} is ${value.replace('_', ' ')}`;
  const search = SEARCH_FUNCTIONS[operator];
  if (search) return textSearch(filter, search, left, parameters);
  const operatorSql = COMPARE[operator];
  const pattern = operator === 'like' || operator === 'ilike' ? value.replaceAll('*', '%') : value;
  const target = PATTERNS.has(operator) ? TEXT : type;
  if (quantifier) return `${left} ${operatorSql} ${quantifier}(${parameters.as(`${target}[]`, pattern)})`;
  return `${left} ${operatorSql} ${parameters.as(target, pattern)}`;
}

function textSearch({ field, config, value }: PlannedFilter, search: string, left: string, parameters: Parameters) {
  const language = config === null ? '' : `${parameters.as('"pg_catalog"."regconfig"', config)}, `;
  const isVector = field.path.length === 0 && field.column.baseName === 'tsvector';
  const vector = isVector ? left : `to_tsvector(${language}${left})`;
  return `${vector} @@ ${search}(${language}${parameters.text(value)})`;
}

const valueType = ({ column, path }: PlannedField) =>
  path.length === 0 ? column.baseType : path.at(-1)!.asText ? TEXT : JSONB;
