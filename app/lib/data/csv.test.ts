import { describe, expect, it } from 'vitest';
import { csvFile, csvOf } from './csv.ts';

/** The cells of a text, as a spreadsheet reads it that splits where it is told and knows quotes at the beginning of a cell. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(text.slice(at));
    const rest = text.slice(at + (quoted?.[0].length ?? 0));
    const end = rest.search(new RegExp(`[${separator}\\r]`));
    cells.push((quoted?.[1]?.replaceAll('""', '"') ?? '') + rest.slice(0, end));
    at = text.length - rest.length + end + (rest[end] === '\r' ? 2 : 1);
  }
  return cells;
}

describe('CSV export', () => {
  it('quotes cells that would break a row, and keeps numbers unquoted', () => {
    const table = [
      ['Name', 'Amount'],
      ['Rao, "Mad" Asha', '-12.50'],
      ['two\nlines', ' 7'],
    ];
    expect(csvOf(table)).toBe('"Name","Amount"\r\n"Rao, ""Mad"" Asha","-12.50"\r\n"two\nlines"," 7"\r\n');
  });

  it.each([';', '\t', ','])('escapes formulas, also where a spreadsheet splits at %j (L9)', (separator) => {
    const rows = [
      ['x;=1+1', 'plain\t=2+2', 'a,=3+3', '"=4+4', '";=5+5;"', ';"=6+6"', 'two\n=7+7'],
      ['Name', '-12.50', '', '1', '2'],
    ];
    for (const cell of cellsOf(csvOf(rows), separator)) expect(cell).not.toMatch(/^\s*[=+@]/);
    expect(cellsOf(csvOf(rows), ',').map((cell) => cell.replaceAll(/(^|[;\t\n])'/g, '$1'))).toEqual(rows.flat());
  });

  it.each(['=1+1', '+cmd', '-2+3', '@sum(a1)', '\t=1', ' =1', '|calc', '%0A=1', '\r=1'])(
    'escapes the formula %j',
    (text) => {
      expect(csvOf([[text]])).toMatch(/^"'/);
    },
  );

  it('starts with a UTF-8 byte order mark', async () => {
    const bytes = new Uint8Array(await csvFile([['₹']]).arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });
});
