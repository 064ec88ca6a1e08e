import { describe, expect, it } from 'vitest';
import { csvFile, csvOf } from './csv.ts';

describe('a file for spreadsheets', () => {
  it('quotes what would break a row, and keeps numbers numbers', () => {
    expect(
      csvOf([
        ['Name', 'Amount'],
        ['Rao, "Mad" Asha', '-12.50'],
        ['two\nlines', ' 7'],
      ]),
    ).toBe('Name,Amount\r\n"Rao, ""Mad"" Asha",-12.50\r\n"two\nlines"," 7"\r\n');
  });

  it.each(['=1+1', '+cmd', '-2+3', '@sum(a1)', '\t=1', ' =1', '|calc', '%0A=1', '\r=1'])('runs nothing: %j', (text) => {
    expect(csvOf([[text]])).toMatch(/^"'/);
  });

  it('says that it is UTF-8', async () => {
    const bytes = new Uint8Array(await csvFile([['₹']]).arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });
});
