/** The text format of PostgreSQL's COPY, as pg_dump writes it and psql reads it. */

const LETTERS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** The values of one line; null where it says `\N`. */
export function readCopyLine(line: string): (string | null)[] {
  return line.split('\t').map((field) =>
    field === '\\N'
      ? null
      : field.replace(/\\(x[0-9a-f]{1,2}|[0-7]{1,3}|.)/gi, (_, code: string) => {
          if (/^x./i.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
          if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
          return LETTERS[code] ?? code;
        }),
  );
}

/** One line, without its end. Objects are written as JSON. */
export const copyLine = (values: readonly unknown[]): string => values.map(copyField).join('\t');

function copyField(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\\\b\f\n\r\t\v]/g, (letter) => ESCAPES[letter]!);
}
