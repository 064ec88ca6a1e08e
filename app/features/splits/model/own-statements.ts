import type { PostgrestClient } from '@supabase/postgrest-js';
import { readPage, type TablePage } from '#lib/data/page.ts';
import { rows } from '#lib/data/rows.ts';
import { type IssuedStatement, STATEMENT, sharesInOrder } from './records.ts';

export interface YearOfEarnings {
  year: number;
  currency: string;
  paid: number;
  due: number;
  instalments: {
    day: string;
    paid: boolean;
    amount: number;
    statement: string;
    place: number;
    project: string;
    words: string;
  }[];
}

export const readEarnings = (data: PostgrestClient): Promise<YearOfEarnings[]> =>
  rows<YearOfEarnings>(data.rpc('own_earnings'));

export interface OwnStatement extends IssuedStatement {
  replacedBy: number | null;
}

export async function readOwnStatements(
  data: PostgrestClient,
  user: string,
  page: number,
): Promise<TablePage<OwnStatement>> {
  const own = await readPage<IssuedStatement>(
    (from, to) =>
      data
        .from('split_statements')
        .select(STATEMENT, { count: 'exact' })
        .eq('user_id', user)
        .order('issued_at', { ascending: false })
        .order('id')
        .range(from, to),
    page,
  );
  if (own.rows.length === 0) return { ...own, rows: [] };
  const replaced = await rows<{ id: string; replaced_by: number }>(
    data.rpc('replaced_statements', { p_statements: own.rows.map(({ id }) => id) }),
  );
  const by = new Map(replaced.map(({ id, replaced_by }) => [id, replaced_by]));
  return {
    ...own,
    rows: own.rows.map((row) => ({ ...sharesInOrder(row), replacedBy: by.get(row.id) ?? null })),
  };
}
