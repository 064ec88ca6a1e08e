import { answered, type DataQuery } from './rows.ts';

export const PAGE_SIZE = 10;
const RANGE_NOT_SATISFIABLE = 'PGRST103';

export const MAX_SEARCH_LENGTH = 100;

/** For `or`: one of the columns contains the text. It is escaped and quoted, because `or` reads every star as %. */
export function anyContains(columns: readonly string[], text: string): string {
  const part = text
    .trim()
    .slice(0, MAX_SEARCH_LENGTH)
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '_')
    .replace(/[\\"]/g, '\\$&');
  return columns.map((column) => `${column}.ilike."%${part}%"`).join();
}

export interface TablePage<Row> {
  rows: Row[];
  total: number;
  /** Number of the returned page: the last one when the requested one is beyond the end. */
  page: number;
}

/** Reads `?page=…`; an invalid value is page 1. */
export function pageFrom(address: URLSearchParams): number {
  const page = Number(address.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** Reads a page, or the last one. @param ask queries rows by first and last position, with the exact count */
export async function readPage<Row>(
  ask: (from: number, to: number) => DataQuery,
  page: number,
  size = PAGE_SIZE,
): Promise<TablePage<Row>> {
  const from = (page - 1) * size;
  const answer = await ask(from, from + size - 1);
  const isBeyondEnd = answer.error?.code === RANGE_NOT_SATISFIABLE;
  const pageRows = isBeyondEnd ? [] : (answered(answer).data as Row[]);
  const total = answer.count ?? 0;
  if (page > 1 && pageRows.length === 0) {
    const rowCount = total || (await readPage(ask, 1, size)).total;
    return readPage(ask, Math.max(1, Math.ceil(rowCount / size)), size);
  }
  return { rows: pageRows, total, page };
}

export const pagesOf = (total: number, size = PAGE_SIZE): number => Math.ceil(total / size);

const ALL_SHOWN = 100;
const NEIGHBOURS = 3;

/** Page numbers to show: all, or above a hundred pages the first, the last and the neighbours of the current one. */
export function shownPages(pages: number, current: number): number[] {
  const all = Array.from({ length: Math.min(pages, ALL_SHOWN) }, (_, index) => index + 1);
  if (pages <= ALL_SHOWN) return all;
  const nearby = Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, index) => current - NEIGHBOURS + index);
  return [...new Set([1, ...nearby, pages])].filter((page) => page >= 1 && page <= pages);
}
