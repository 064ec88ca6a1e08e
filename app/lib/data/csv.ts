/** Spreadsheets run a cell that begins like this as a formula. */
const FORMULA = /^[\s]*[=+\-@|%]|^[\t\r\n]/;
/** Start of a cell in spreadsheets that split at `;` or tabs and accept quotes only at the start of a cell. */
const FORMULA_INSIDE = /[;\t\r\n](?=[\s"]*[=+\-@|%])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Quotes every cell; no cell runs as a formula, even where other separators are used. The first row is the heading. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

function cell(text: string): string {
  const escaped = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${escaped.replace(FORMULA_INSIDE, "$&'").replaceAll('"', '""')}"`;
}

/** A file to save; the byte order mark marks it as UTF-8 for spreadsheets. */
export const csvFile = (rows: readonly (readonly string[])[]): Blob =>
  new Blob([`\ufeff${csvOf(rows)}`], { type: 'text/csv;charset=utf-8' });
