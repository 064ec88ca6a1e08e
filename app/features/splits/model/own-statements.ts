import type { PostgrestClient } from '@supabase/postgrest-js';
import { readPage, type TablePage } from '#lib/data/page.ts';
import { rows } from '#lib/data/rows.ts';
import { type IssuedStatement, selectStatements } from './records.ts';

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

export const readOwnStatements = (
  data: PostgrestClient,
  user: string,
  page: number,
): Promise<TablePage<IssuedStatement>> =>
  readPage(
    (from, to) =>
      selectStatements(data).eq('user_id', user).order('issued_at', { ascending: false }).order('id').range(from, to),
    page,
  );
