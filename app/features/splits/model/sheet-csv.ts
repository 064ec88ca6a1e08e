import { splitSheet as words } from '../words/split-sheet.ts';
import type { IssuedShare, IssuedSheet, IssuedStatement } from './records.ts';
import { inDigits } from './sheet.ts';

const HEADING = ['Sheet', 'Statement', 'Name', 'Share', 'Input', 'Due', 'When', 'Currency', 'Amount', 'Paid'];

export function sheetRows(sheet: IssuedSheet, statements: IssuedStatement[], pools: IssuedShare[]): string[][] {
  const row = (given: Partial<Record<(typeof HEADING)[number], string>>, amount: number) =>
    HEADING.map((column) => {
      if (column === 'Sheet') return String(sheet.number);
      if (column === 'Currency') return sheet.currency;
      return column === 'Amount' ? inDigits(amount) : (given[column] ?? '');
    });
  const shares = statements.flatMap(({ number, name, split_shares }) =>
    split_shares.map(({ words: Share, weight, amount }) =>
      row({ Statement: number, Name: name, Share, Input: String(weight / 100) }, amount),
    ),
  );
  const payments = statements.flatMap(({ number, name, instalments }) =>
    instalments.map(({ due: Due, words: When, amount, paid_on }) =>
      row({ Statement: number, Name: name, Due, When, Paid: paid_on ?? '' }, amount),
    ),
  );
  return [
    HEADING,
    ...shares,
    ...pools.map(({ words: Share, amount }) => row({ Share }, amount)),
    row({ Share: words.total }, sheet.amount),
    ...payments,
  ];
}
