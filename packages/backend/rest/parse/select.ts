import { errors } from '../errors.ts';
import type { Limits } from '../plan/limits.ts';
import { parseJsonPath } from './field.ts';
import type { Aggregate, SelectColumn, SelectEmbed, SelectItem } from './request.ts';
import { Scanner } from './scanner.ts';

const AGGREGATES: readonly Aggregate[] = ['sum', 'avg', 'count', 'max', 'min'];

type SelectBudget = { limits: Limits; items: number; embeds: number };

/** `select=*,alias:column::type,relation!hint!inner(...)`. */
export function parseSelect(text: string, limits: Limits): SelectItem[] {
  const scan = new Scanner(text, 'select parameter');
  const items = parseItems(scan, 0, { limits, items: 0, embeds: 0 });
  scan.end();
  return items;
}

function parseItems(scan: Scanner, depth: number, budget: SelectBudget): SelectItem[] {
  const items: SelectItem[] = [];
  const { selectItems } = budget.limits;
  scan.skipSpaces();
  if (scan.done || scan.peek() === ')') return items;
  do {
    if (++budget.items > selectItems) throw errors.overLimit(`More than ${selectItems} items in select`);
    items.push(parseItem(scan, depth, budget));
  } while (scan.take(','));
  return items;
}

function parseItem(scan: Scanner, depth: number, budget: SelectBudget): SelectItem {
  const { limits } = budget;
  scan.skipSpaces();
  const spread = scan.take('...');
  if (!spread && scan.take('*')) {
    scan.skipSpaces();
    if (!atItemEnd(scan)) scan.fail('expecting ")", "," or end of input', `'${scan.peek()}'`);
    return column('*', null);
  }
  let name = scan.name();
  let alias: string | null = null;
  if (!spread && scan.peek() === ':' && scan.text[scan.at + 1] !== ':') {
    scan.at++;
    scan.skipSpaces();
    alias = name;
    name = scan.name();
  }
  if (!spread && name === 'count' && scan.take('()'))
    return { ...column('*', alias), aggregate: 'count', aggregateCast: castIn(scan) };
  if (spread || scan.peek() === '!' || scan.peek() === '(') {
    if (depth >= limits.embedDepth) throw errors.overLimit(`Embeds are nested more than ${limits.embedDepth} deep`);
    if (++budget.embeds > limits.embeds) throw errors.overLimit(`More than ${limits.embeds} embeds`);
    const { hint, inner } = embedParameters(scan);
    scan.expect('(');
    const items = parseItems(scan, depth + 1, budget);
    scan.expect(')');
    scan.skipSpaces();
    if (!atItemEnd(scan)) scan.fail('expecting "," or ")"');
    return { kind: 'embed', name, alias, hint, inner, spread, items } satisfies SelectEmbed;
  }
  return parseColumn(scan, name, alias);
}

function parseColumn(scan: Scanner, name: string, alias: string | null): SelectColumn {
  const item = column(name, alias);
  item.field = { name, path: parseJsonPath(scan) };
  item.cast = castIn(scan);
  if (scan.peek() === '.') {
    scan.at++;
    const aggregate = AGGREGATES.find((candidate) => scan.take(candidate));
    if (!aggregate) scan.fail('expecting an aggregate (sum, avg, count, max, min)');
    scan.expect('()');
    item.aggregate = aggregate;
    item.aggregateCast = castIn(scan);
  }
  scan.skipSpaces();
  if (!atItemEnd(scan))
    scan.fail('expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input', `'${scan.peek()}'`);
  return item;
}

function embedParameters(scan: Scanner): { hint: string | null; inner: boolean } {
  let hint: string | null = null;
  let inner = false;
  for (let count = 0; count < 2 && scan.take('!'); count++) {
    const word = scan.name();
    if (word === 'inner') inner = true;
    else if (word !== 'left') hint ??= word;
  }
  return { hint, inner };
}

const castIn = (scan: Scanner): string | null => (scan.take('::') ? scan.word('a type name') : null);

const column = (name: string, alias: string | null): SelectColumn => ({
  kind: 'column',
  field: { name, path: [] },
  alias,
  cast: null,
  aggregate: null,
  aggregateCast: null,
});

const atItemEnd = (scan: Scanner) => scan.done || scan.peek() === ',' || scan.peek() === ')';
