import { errors } from '../errors.ts';
import type { Limits } from '../plan/limits.ts';
import { parseField } from './field.ts';
import { type Field, type Filter, type Logic, type LogicGroup, PATTERNS, TEXT_SEARCH } from './request.ts';
import { FIELD_NAME, Scanner } from './scanner.ts';

const SIMPLE = new Set(['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj', 'isdistinct']);
const QUANTIFIABLE = new Set(['eq', 'gt', 'gte', 'lt', 'lte', ...PATTERNS]);
const IS_VALUES = new Set(['null', 'not_null', 'true', 'false', 'unknown']);
const MAX_OPERATOR_LENGTH = 10;

export type FilterBudget = { limits: Limits; used: number };

/** True for text like `eq.`, `not.in.`, `fts(english).`, as opposed to a function argument. */
export function looksLikeFilter(text: string): boolean {
  const start = text.startsWith('not.') ? 4 : 0;
  let end = start;
  while (end < text.length && end - start <= MAX_OPERATOR_LENGTH && /[a-z]/.test(text[end]!)) end++;
  if (!isOperator(text.slice(start, end))) return false;
  if (text[end] === '.') return true;
  return text[end] === '(' && text.slice(end, end + 64).includes(').');
}

const isOperator = (word: string) =>
  SIMPLE.has(word) || QUANTIFIABLE.has(word) || TEXT_SEARCH.has(word) || word === 'in' || word === 'is';

export const parseFilter = (field: Field, text: string, budget: FilterBudget): Filter =>
  operation(new Scanner(text, 'filter'), field, false, budget);

type Group = Pick<LogicGroup, 'kind' | 'negated'>;

export function parseLogic(kind: 'and' | 'or', negated: boolean, text: string, budget: FilterBudget): LogicGroup {
  const scan = new Scanner(text, 'logic tree', kind.length + (negated ? 'not.'.length : 0));
  const group = parseGroup(scan, { kind, negated }, 1, budget);
  scan.end();
  return group;
}

function parseGroup(scan: Scanner, group: Group, depth: number, budget: FilterBudget): LogicGroup {
  const { logicDepth } = budget.limits;
  if (depth > logicDepth) throw errors.overLimit(`Logic is nested more than ${logicDepth} deep`);
  scan.skipSpaces();
  scan.expect('(');
  const parts: Logic[] = [];
  do {
    scan.skipSpaces();
    parts.push(parsePart(scan, depth, budget));
    scan.skipSpaces();
  } while (scan.take(','));
  scan.expect(')');
  scan.skipSpaces();
  return { ...group, parts };
}

function parsePart(scan: Scanner, depth: number, budget: FilterBudget): Logic {
  const start = scan.at;
  const negated = scan.take('not.');
  for (const kind of ['and', 'or'] as const) {
    const position = scan.at;
    if (scan.take(kind)) {
      scan.skipSpaces();
      if (scan.peek() === '(') return parseGroup(scan, { kind, negated }, depth + 1, budget);
      scan.at = position;
    }
  }
  scan.at = start;
  if (!scan.startsName()) scan.fail(`expecting ${FIELD_NAME}, negation operator (not) or logic operator (and, or)`);
  const field = parseField(scan);
  scan.expect('.');
  return operation(scan, field, true, budget);
}

/** @param inLogic values end at `,` or `)` unless quoted, or are an array literal */
function operation(scan: Scanner, field: Field, inLogic: boolean, budget: FilterBudget): Filter {
  const { limits } = budget;
  if (++budget.used > limits.filters) throw errors.overLimit(`More than ${limits.filters} filters`);
  const negated = scan.take('not.');
  const start = scan.at;
  while (!scan.done && /[a-z]/.test(scan.peek()) && scan.at - start <= MAX_OPERATOR_LENGTH) scan.at++;
  const operator = scan.text.slice(start, scan.at);
  if (!isOperator(operator)) {
    scan.at = start;
    scan.fail('expecting "not" or operator (eq, gt, ...)');
  }
  const base = {
    kind: 'filter' as const,
    field,
    negated,
    operator,
    quantifier: QUANTIFIABLE.has(operator) ? quantifierAt(scan) : null,
    config: TEXT_SEARCH.has(operator) && scan.take('(') ? textSearchConfig(scan) : null,
    value: '',
    list: null,
  };
  scan.expect('.');
  if (operator === 'in') return { ...base, list: parseList(scan, inLogic, limits) };
  if (operator === 'is') {
    const at = scan.at;
    const value = (inLogic ? scan.until(',) ') : scan.rest()).toLowerCase();
    if (IS_VALUES.has(value)) return { ...base, value };
    scan.at = at;
    scan.fail('expecting isVal: (null, not_null, true, false, unknown)');
  }
  return { ...base, value: parseValue(scan, inLogic) };
}

const quantifierAt = (scan: Scanner): Filter['quantifier'] =>
  scan.take('(any)') ? 'any' : scan.take('(all)') ? 'all' : null;

function textSearchConfig(scan: Scanner): string {
  const config = scan.word('a text search configuration');
  scan.expect(')');
  return config;
}

function parseValue(scan: Scanner, inLogic: boolean): string {
  if (!inLogic) return scan.rest();
  const start = scan.at;
  if (scan.peek() === '{') {
    const end = scan.text.indexOf('}', start);
    if (end > start && !scan.text.slice(start + 1, end).includes('{')) {
      scan.at = end + 1;
      return scan.text.slice(start, scan.at);
    }
  }
  return parseElement(scan);
}

/** `(a,b,"c,d")`. An empty list matches nothing. */
function parseList(scan: Scanner, inLogic: boolean, limits: Limits): string[] {
  scan.skipSpaces();
  scan.expect('(');
  scan.skipSpaces();
  const list: string[] = [];
  do {
    if (list.length >= limits.list) throw errors.overLimit(`More than ${limits.list} values in a list`);
    list.push(parseElement(scan));
  } while (scan.take(','));
  scan.expect(')');
  scan.skipSpaces();
  if (!inLogic) scan.end();
  return list.length === 1 && list[0] === '' ? [] : list;
}

function parseElement(scan: Scanner): string {
  const start = scan.at;
  if (scan.peek() === '"') {
    const quoted = scan.quoted();
    if (scan.done || scan.peek() === ',' || scan.peek() === ')') return quoted;
    scan.at = start;
  }
  return scan.until(',)');
}
