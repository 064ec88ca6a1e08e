import { readCopyLine } from './copy-text.ts';
import { type Row, type TableName, tableNamed } from './tables.ts';

/** A row and where it stands, for messages. */
export interface Found {
  row: Row;
  /** Such as `line 12` or `users 3`. */
  place: string;
}

export type Rows = Record<TableName, Found[]>;

/** A file that is not understood at all. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/**
 * Reads the rows of accounts out of a file. It may be one JSON object (`{"users": […], "identities": […]}`), a line of JSON
 * for each row (`{"table": "users", "row": {…}}`), or the plain text of `pg_dump --data-only` with COPY. Other tables in it
 * are passed over.
 * @throws UnreadableFile with a sentence for the operator
 */
export function readRows(text: string): Rows {
  const rows: Rows = { users: [], identities: [], mfa_factors: [] };
  const start = text.trimStart();
  if (/^(COPY|INSERT INTO) /m.test(text) && !start.startsWith('{')) readDump(text, rows);
  else if (/^\{\s*"table"/.test(start)) readLines(text, rows);
  else readObject(text, rows);
  if (!Object.values(rows).some(({ length }) => length))
    throw new UnreadableFile('No rows of users, identities or mfa_factors were found in it.');
  return rows;
}

/** `auth.users`, `"auth"."users"` and `users` are one table. */
const plain = (name: string) => name.replaceAll('"', '').replace(/^auth\./, '');

function readObject(text: string, rows: Rows): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableFile('It is neither JSON, nor lines of JSON, nor a plain dump with COPY.');
  }
  if (!isObject(value))
    throw new UnreadableFile('It has to be an object with the lists users, identities, mfa_factors.');
  for (const [name, list] of Object.entries(value)) {
    const table = tableNamed(plain(name));
    if (!table) continue;
    if (!Array.isArray(list)) throw new UnreadableFile(`${name} has to be a list of rows.`);
    for (const [at, row] of list.entries()) {
      if (!isObject(row)) throw new UnreadableFile(`${name} ${at + 1} is not an object.`);
      rows[table.name].push({ row, place: `${name} ${at + 1}` });
    }
  }
}

function readLines(text: string, rows: Rows): void {
  for (const [at, line] of text.split('\n').entries()) {
    if (!line.trim()) continue;
    const place = `line ${at + 1}`;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new UnreadableFile(`${place} is not JSON.`);
    }
    if (!isObject(value) || typeof value['table'] !== 'string' || !isObject(value['row']))
      throw new UnreadableFile(`${place} has to be {"table": …, "row": {…}}.`);
    const table = tableNamed(plain(value['table']));
    if (table) rows[table.name].push({ row: value['row'], place });
  }
}

const COPY = /^COPY ([\w."]+) \(([^)]*)\) FROM stdin;/i;

function readDump(text: string, rows: Rows): void {
  let reading: { name: string; columns: string[] } | null = null;
  for (const [at, line] of text.split('\n').entries()) {
    const place = `line ${at + 1}`;
    if (reading) {
      if (line.replace(/\r$/, '') === '\\.') reading = null;
      else if (tableNamed(reading.name)) readCopied(line.replace(/\r$/, ''), place, reading, rows);
      continue;
    }
    const [, name, columns] = COPY.exec(line) ?? [];
    if (name) reading = { name: plain(name), columns: columns!.split(',').map((column) => plain(column.trim())) };
    else if (/^INSERT INTO "?auth"?\."?(users|identities|mfa_factors)/i.test(line))
      throw new UnreadableFile(`${place} is an INSERT. Dump with COPY: leave out --inserts, or add --use-copy.`);
  }
  if (reading) throw new UnreadableFile(`The dump ends within the rows of ${reading.name}.`);
}

function readCopied(line: string, place: string, { name, columns }: { name: string; columns: string[] }, rows: Rows) {
  const table = tableNamed(name)!;
  const values = readCopyLine(line);
  if (values.length !== columns.length)
    throw new UnreadableFile(`${place} has ${values.length} values instead of ${columns.length}.`);
  const row = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null])) as Row;
  for (const column of table.json) if (typeof row[column] === 'string') row[column] = jsonOf(row[column], place);
  rows[table.name].push({ row, place });
}

function jsonOf(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableFile(`${place} holds JSON that is broken.`);
  }
}

const isObject = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value);
