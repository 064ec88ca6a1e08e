import { errors } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Limits } from '../plan/limits.ts';
import { parseField, parseJsonPath } from './field.ts';
import { type FilterBudget, looksLikeFilter, parseFilter, parseLogic } from './filter.ts';
import type { Field, OrderTerm, Query, Scope } from './request.ts';
import { Scanner } from './scanner.ts';
import { parseSelect } from './select.ts';

/** @param withArguments for GET functions: `name=value` without an operator is an argument @throws RestError 400 */
export function parseQuery(text: string, limits: Limits, withArguments = false): Query {
  const parameters = [...new URLSearchParams(text)];
  if (parameters.length > limits.parameters) throw errors.overLimit(`More than ${limits.parameters} parameters`);
  const root = emptyScope([]);
  const query = {
    select: parseSelect('*', limits),
    root,
    embeds: [] as Scope[],
    columns: null as string[] | null,
    onConflict: null as string[] | null,
    args: [] as [string, string][],
  };
  const scopes = new Map<string, Scope>([['', root]]);
  const scopeAt = (path: string[]): Scope => {
    const key = path.join('\0');
    const existing = scopes.get(key);
    if (existing) return existing;
    if (path.length > limits.embedDepth)
      throw errors.overLimit(`Embeds are nested more than ${limits.embedDepth} deep`);
    const created = emptyScope(path);
    scopes.set(key, created);
    query.embeds.push(created);
    return created;
  };
  const budget: FilterBudget = { limits, used: 0 };
  for (const [key, value] of parameters) {
    if (key === 'select') query.select = parseSelect(value, limits);
    else if (key === 'columns') query.columns = parseNames(value, 'columns parameter', limits);
    else if (key === 'on_conflict') query.onConflict = parseNames(value, 'on_conflict parameter', limits);
    else if (!readParameter(key, value, scopeAt, budget)) {
      if (withArguments && !looksLikeFilter(value)) query.args.push([key, value]);
      else {
        const { path, field } = treePath(key);
        scopeAt(path).filters.push(parseFilter(field, value, budget));
      }
    }
  }
  return query;
}

/** @returns false when it is a filter or an argument of a function */
function readParameter(key: string, value: string, scopeAt: (path: string[]) => Scope, budget: FilterBudget): boolean {
  const { limits } = budget;
  const dot = key.lastIndexOf('.');
  const last = key.slice(dot + 1);
  if (last === 'order') {
    if (value) scopeAt(pathBefore(key, dot)).order = parseOrder(value, limits);
  } else if (last === 'limit') scopeAt(pathBefore(key, dot)).limit = parseLimit(value, limits);
  else if (last === 'offset') scopeAt(pathBefore(key, dot)).offset = parseOffset(value, limits);
  else if (last === 'and' || last === 'or') {
    const path = pathBefore(key, dot);
    const negated = path.at(-1) === 'not';
    if (negated) path.pop();
    scopeAt(path).filters.push(parseLogic(last, negated, value, budget));
  } else return false;
  return true;
}

const emptyScope = (path: readonly string[]): Scope => ({ path, filters: [], order: [], limit: null, offset: 0 });

const pathBefore = (key: string, dot: number): string[] => {
  if (dot < 0) return [];
  const { path, field } = treePath(key.slice(0, dot));
  return [...path, field.name];
};

function treePath(key: string): { path: string[]; field: Field } {
  const scan = new Scanner(key, 'tree path');
  const path: string[] = [];
  for (;;) {
    const field = parseField(scan);
    if (scan.done) return { path, field };
    if (field.path.length) scan.fail('expecting end of input');
    scan.expect('.');
    path.push(field.name);
  }
}

function parseNames(text: string, what: string, limits: Limits): string[] {
  const scan = new Scanner(text, what);
  const names = new Set<string>();
  do {
    scan.skipSpaces();
    names.add(scan.name());
    scan.skipSpaces();
    if (names.size > limits.keys) throw errors.overLimit(`More than ${limits.keys} names in ${what}`);
  } while (scan.take(','));
  scan.end();
  return [...names];
}

function parseLimit(text: string, limits: Limits): number {
  const limit = wholeNumber(text, 'limit');
  if (limit < 0) throw errors.range('Limit should be greater than or equal to zero.');
  if (limit > limits.limit) throw errors.overLimit(`The limit is above ${limits.limit}`);
  return limit;
}

function parseOffset(text: string, limits: Limits): number {
  const offset = wholeNumber(text, 'offset');
  if (offset > limits.offset) throw errors.overLimit(`The offset is above ${limits.offset}`);
  return Math.max(0, offset);
}

/** Applies `Range: 0-9` of GET requests; any other value is ignored. */
export function applyRange({ method, range }: Exchange, root: Scope): void {
  if (method !== 'GET' || range === null) return;
  const match = /^(\d{1,9})-(\d{0,9})$/.exec(range.trim());
  if (!match) return;
  const first = Number(match[1]);
  const last = match[2] === '' ? null : Number(match[2]);
  if (last !== null && last < first)
    throw errors.range('The lower boundary must be lower than or equal to the upper boundary in the Range header.');
  const { offset, limit } = root;
  root.offset = Math.max(offset, first);
  const ends = [limit === null ? null : offset + limit, last === null ? null : last + 1].filter((end) => end !== null);
  root.limit = ends.length ? Math.max(0, Math.min(...ends) - root.offset) : null;
}

function wholeNumber(text: string, what: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw errors.unparsable(what, text, 1, 'expecting a whole number');
  return Number(text);
}

/** `a.desc.nullslast,relation(b).asc,data->>c`. */
function parseOrder(text: string, limits: Limits): OrderTerm[] {
  const scan = new Scanner(text, 'order');
  const terms: OrderTerm[] = [];
  do {
    if (terms.length >= limits.order) throw errors.overLimit(`More than ${limits.order} terms in order`);
    scan.skipSpaces();
    terms.push(parseTerm(scan));
    scan.skipSpaces();
  } while (scan.take(','));
  scan.end();
  return terms;
}

function parseTerm(scan: Scanner): OrderTerm {
  const name = scan.name();
  let relation: string | null = null;
  let field = { name, path: parseJsonPath(scan) };
  if (scan.peek() === '(' && field.path.length === 0) {
    scan.at++;
    relation = name;
    field = parseField(scan) as typeof field;
    scan.expect(')');
  }
  const direction = scan.take('.asc') ? 'asc' : scan.take('.desc') ? 'desc' : null;
  const nulls = scan.take('.nullsfirst') ? 'first' : scan.take('.nullslast') ? 'last' : null;
  if (!scan.done && scan.peek() !== ',' && scan.peek() !== ' ') failAfter(scan, direction !== null, nulls !== null);
  return { relation, field, direction, nulls };
}

function failAfter(scan: Scanner, hasDirection: boolean, hasNulls: boolean): never {
  if (scan.peek() === '.' && !hasNulls) {
    scan.at++;
    scan.failAtWord([...(hasDirection ? [] : ['asc', 'desc']), 'nullsfirst', 'nullslast']);
  }
  const before = hasNulls ? '' : hasDirection ? 'delimiter (.), ' : 'letter, digit, "-", "->>", "->", delimiter (.), ';
  scan.fail(`expecting ${before}"," or end of input`, `'${scan.peek()}'`);
}
