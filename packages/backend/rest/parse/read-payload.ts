import { errors } from '../errors.ts';
import type { Exchange } from '../exchange.ts';

/** The body as JSON text. @throws RestError 415 for another type, 400 PGRST102 for malformed CSV */
export async function readPayload({ contentType, body }: Pick<Exchange, 'contentType' | 'body'>): Promise<string> {
  if (contentType === '' || contentType === 'application/json' || contentType.endsWith('+json')) return body.text();
  if (contentType === 'text/csv') return JSON.stringify(csvRows(await body.text()));
  if (contentType === 'application/x-www-form-urlencoded') {
    return JSON.stringify(Object.fromEntries(new URLSearchParams(await body.text())));
  }
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
