import type { CleanRichText } from '../../context.ts';
import { jsonDepth, tooWide } from '../../http/limits.ts';
import type { Column } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Limits } from '../plan/limits.ts';

/** The original text goes to the database unchanged, so numbers keep every digit. */
export interface JsonBody {
  text: string;
  rows: readonly Record<string, unknown>[];
  isArray: boolean;
  keys: readonly string[];
}

/** @param maxRows rows this caller may send at once @throws RestError 400 PGRST102 */
export function readRows(text: string, limits: Limits, maxRows: number): JsonBody {
  const value = parseJson(text, limits);
  const isArray = Array.isArray(value);
  const rows = (isArray ? value : [value]) as Record<string, unknown>[];
  if (rows.length > maxRows) throw errors.body(`More than ${maxRows} ${maxRows === 1 ? 'row' : 'rows'} in one request`);
  for (const row of rows) {
    if (!isObject(row)) throw errors.body('Empty or invalid json');
    requireBreadth(row, limits);
  }
  return { text, rows, isArray, keys: Object.keys(rows[0] ?? {}) };
}

export function requireEqualKeys({ rows, keys }: Pick<JsonBody, 'rows' | 'keys'>): void {
  const expected = new Set(keys);
  for (const row of rows) {
    const own = Object.keys(row);
    if (own.length !== expected.size || !own.every((key) => expected.has(key)))
      throw errors.body('All object keys must match');
  }
}

/** @param hasColumns the names are given elsewhere, so the objects may differ @throws RestError 400 PGRST102 */
export function argumentNames(text: string, hasColumns: boolean, limits: Limits): string[] {
  const value = parseJson(text, limits);
  requireBreadth(value, limits);
  const objects = (Array.isArray(value) ? value : [value]).filter(isObject);
  if (Array.isArray(value) && !hasColumns) {
    if (objects.length !== value.length) throw errors.body('All object keys must match');
    requireEqualKeys({ rows: objects, keys: Object.keys(objects[0] ?? {}) });
  }
  return Object.keys(objects[0] ?? {});
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function requireBreadth(value: unknown, limits: Limits): void {
  const problem = tooWide(value, limits);
  if (problem) throw errors.body(problem);
}

function parseJson(text: string, limits: Limits): unknown {
  if (jsonDepth(text) > limits.jsonDepth) throw errors.body(`JSON is nested more than ${limits.jsonDepth} deep`);
  try {
    return JSON.parse(text);
  } catch {
    throw errors.body('Empty or invalid json');
  }
}

const richNamesOf = (columns: readonly Column[]) =>
  columns.filter(({ isRichText }) => isRichText).map(({ name }) => name);

export function rowsText(body: JsonBody, columns: readonly Column[], cleanRichText: CleanRichText): string {
  const richNames = richNamesOf(columns);
  if (richNames.length === 0) return body.isArray ? body.text : `[${body.text}]`;
  // Serialised from the parsed value, so that a duplicate key cannot bypass the HTML sanitiser.
  const rows = body.isArray ? exactJson(body.text) : [exactJson(body.text)];
  return JSON.stringify((rows as Record<string, unknown>[]).map((row) => sanitizeRow(row, richNames, cleanRichText)));
}

/** Arguments as JSON text, the first of several, HTML sanitised where a parameter is rich text. */
export function argumentsText(text: string, columns: readonly Column[], cleanRichText: CleanRichText): string {
  const richNames = richNamesOf(columns);
  const isArray = text.trimStart().startsWith('[');
  if (richNames.length === 0 && !isArray) return text;
  const value = exactJson(text) as Record<string, unknown> | Record<string, unknown>[];
  return JSON.stringify(sanitizeRow(Array.isArray(value) ? (value[0] ?? {}) : value, richNames, cleanRichText));
}

function sanitizeRow(row: Record<string, unknown>, names: readonly string[], cleanRichText: CleanRichText) {
  const copy: Record<string, unknown> = Object.assign(Object.create(null), row);
  for (const name of names) {
    const value = copy[name];
    if (value === null || value === undefined) continue;
    copy[name] = cleanRichText(typeof value === 'string' ? value : JSON.stringify(value));
  }
  return copy;
}

const exactJson = (text: string): unknown =>
  JSON.parse(text, function (this: unknown, _key: string, value: unknown, context?: { source?: string }) {
    return typeof value === 'number' && context?.source !== undefined
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(context.source)
      : value;
  });

/** The body as JSON text. @throws RestError 415 for another type, 400 PGRST102 for malformed CSV */
export async function readPayload({ contentType, body }: Pick<Exchange, 'contentType' | 'body'>): Promise<string> {
  if (contentType === '' || contentType === 'application/json' || contentType.endsWith('+json')) return body.text();
  if (contentType === 'text/csv') return JSON.stringify(csvRows(await body.text()));
  if (contentType === 'application/x-www-form-urlencoded')
    return JSON.stringify(Object.fromEntries(new URLSearchParams(await body.text())));
  throw errors.contentType(contentType.slice(0, 100));
}

/** The first line names the fields; `NULL` is null. */
function csvRows(text: string): Record<string, string | null>[] {
  const [names, ...lines] = csvLines(text);
  if (!names) throw errors.body('Empty or invalid csv');
  return lines.map((fields) => {
    if (fields.length !== names.length) throw errors.body('All lines must have same number of fields');
    return Object.fromEntries(names.map((name, at) => [name, fields[at] === 'NULL' ? null : fields[at]!]));
  });
}

/** RFC 4180, without empty lines. */
function csvLines(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = text[at] === '"';
    let end = at;
    if (quoted) {
      do end = text.indexOf('"', end + 1) + 1;
      while (end > 0 && text[end] === '"');
      if (end === 0) throw errors.body('Empty or invalid csv');
    } else while (end < text.length && !',\r\n'.includes(text[end]!)) end++;
    const next = text[end] ?? '\n';
    if (!',\r\n'.includes(next)) throw errors.body('Empty or invalid csv');
    line.push(quoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end));
    at = end + (next === '\r' && text[end + 1] === '\n' ? 2 : 1);
    if (next === ',' && at < text.length) continue;
    if (next === ',') line.push('');
    if (line.length > 1 || quoted || line[0] !== '') lines.push(line);
    line = [];
  }
  return lines;
}
