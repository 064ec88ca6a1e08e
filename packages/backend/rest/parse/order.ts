import { errors } from '../errors.ts';
import type { Limits } from '../plan/limits.ts';
import { parseField, parseJsonPath } from './field.ts';
import type { OrderTerm } from './request.ts';
import { Scanner } from './scanner.ts';

/** `a.desc.nullslast,relation(b).asc,data->>c`. */
export function parseOrder(text: string, limits: Limits): OrderTerm[] {
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
