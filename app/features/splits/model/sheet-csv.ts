import { splitSheet as words } from '../words/split-sheet.ts';
import { type IssuedShare, type IssuedSheet, type IssuedStatement, instalmentsOf } from './records.ts';
import { inDigits } from './sheet.ts';

const HEADING = ['Sheet', 'Statement', 'Name', 'Share', 'Input', 'Due', 'When', 'Currency', 'Amount', 'Paid'];

export function sheetRows(sheet: IssuedSheet, statements: IssuedStatement[], pools: IssuedShare[]): string[][] {
  const row = (given: Partial<Record<(typeof HEADING)[number], string>>, amount: number) =>
    HEADING.map((column) => {
      if (column === 'Sheet') return String(sheet.number);
      if (column === 'Currency') return sheet.currency;
      return column === 'Amount' ? inDigits(BigInt(amount)) : (given[column] ?? '');
    });
  const shares = statements.flatMap(({ number, name, split_shares }) =>
    split_shares.map(({ words: Share, weight, amount }) =>
      row({ Statement: number, Name: name, Share, Input: String(weight / 100) }, amount),
    ),
  );
  const payments = statements.flatMap((statement) =>
    instalmentsOf(statement).map(({ due: Due, words: When, amount, paidOn }) =>
      row({ Statement: statement.number, Name: statement.name, Due, When, Paid: paidOn ?? '' }, amount),
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
