/** Spreadsheets run what begins like this as a formula, whoever wrote it. */
const FORMULA = /^[\s]*[=+\-@|%]|^[\t\r\n]/;
/** Some split at `;` or tabs, and then know no quotes but those a cell begins with: there the next cell would begin like that. */
const FORMULA_INSIDE = /[;\t\r\n](?=[\s"]*[=+\-@|%])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * A text as spreadsheets read it: every cell quoted, lines ended by CRLF, and nothing in it runs, also where it is not split
 * at commas. The first row is the heading.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

function cell(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${harmless.replace(FORMULA_INSIDE, "$&'").replaceAll('"', '""')}"`;
}

/** A file for the browser to save; the mark at its beginning tells spreadsheets that it is UTF-8. */
export const csvFile = (rows: readonly (readonly string[])[]): Blob =>
  new Blob([`\ufeff${csvOf(rows)}`], { type: 'text/csv;charset=utf-8' });
