import type { Field, JsonStep } from './request.ts';
import type { Scanner } from './scanner.ts';

const KEY_STOPS = '(-:.,>)';

/** `name`, then any number of `->key`, `->>key`, `->0`. */
export function parseField(scan: Scanner): Field {
  scan.skipSpaces();
  const name = scan.name();
  const path = parseJsonPath(scan);
  scan.skipSpaces();
  return { name, path };
}

export function parseJsonPath(scan: Scanner): JsonStep[] {
  const steps: JsonStep[] = [];
  for (;;) {
    const asText = scan.take('->>');
    if (!asText && !scan.take('->')) return steps;
    steps.push({ asText, key: jsonIndex(scan) ?? jsonKey(scan) });
  }
}

/** An integer up to a delimiter; `-78xy` is an error, `78xy` is a key. */
function jsonIndex(scan: Scanner): number | null {
  const start = scan.at;
  const negative = scan.take('-');
  while (scan.peek() >= '0' && scan.peek() <= '9') scan.at++;
  const digits = scan.at - start - (negative ? 1 : 0);
  if (digits > 0 && digits < 10 && (scan.done || /^(->|[:.,)])/.test(scan.text.slice(scan.at, scan.at + 2))))
    return Number(scan.text.slice(start, scan.at));
  if (negative) {
    if (digits === 0) scan.fail('expecting digit');
    scan.fail('expecting digit, "->", "::", ".", "," or end of input', `'${scan.peek()}'`);
  }
  scan.at = start;
  return null;
}

function jsonKey(scan: Scanner): string {
  if (scan.peek() === '"') return scan.quoted();
  let key = '';
  for (;;) {
    key += scan.until(KEY_STOPS);
    // A dash is part of the key unless it begins the next arrow.
    if (scan.peek() !== '-' || scan.text[scan.at + 1] === '>') break;
    key += scan.peek();
    scan.at++;
  }
  if (!key.trim()) scan.fail('expecting any non reserved character different from: .,>()');
  return key.trim();
}
