import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from './api-error.ts';
import { isStatus, type Status } from './project-status.ts';

export const PAGE_SIZE = 10;
const PREVIEW = 50;
const LONGEST_SEARCH = 100;
const BEYOND_THE_END = 'PGRST103';

export interface TableRow {
  id: string;
  title: string;
  client: string | null;
  description: string | null;
  status: string;
  /** A draft without it was begun but not finished by its sender. */
  submitted_at: string | null;
  created_at: string;
}

/** What the table shows; the address holds the same. */
export interface TableQuestion {
  search: string;
  /** From 1. */
  page: number;
  status: Status | null;
}

export interface TablePage {
  rows: TableRow[];
  /** Rows that match, on all pages. */
  total: number;
  /** The page that was read: the last one when the asked one lies beyond the end. */
  page: number;
}

/** Reads `?search=…&page=…&status=…`; what makes no sense counts as not given. */
export function questionFrom(address: URLSearchParams): TableQuestion {
  const page = Number(address.get('page') ?? 1);
  const status = address.get('status');
  return {
    search: (address.get('search') ?? '').slice(0, LONGEST_SEARCH),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    status: isStatus(status) ? status : null,
  };
}

/** The address of a question; what is usual is left out. */
export function addressOf({ search, page, status }: TableQuestion): string {
  const address = new URLSearchParams();
  if (search) address.set('search', search);
  if (status) address.set('status', status);
  if (page > 1) address.set('page', String(page));
  return address.size > 0 ? `?${address}` : '?';
}

/**
 * One page of all experiments, newest first.
 * @throws ApiError
 */
export async function readTable(data: PostgrestClient, question: TableQuestion): Promise<TablePage> {
  const from = (question.page - 1) * PAGE_SIZE;
  let query = data
    .from('projects')
    .select('id,title,client,description,status,submitted_at,created_at', { count: 'exact' })
    .order('created_at', { ascending: false })
    .order('id')
    .range(from, from + PAGE_SIZE - 1);
  if (question.status) query = query.eq('status', question.status);
  const search = question.search.trim();
  if (search) query = query.or(searchFilter(search));
  const { data: rows, error, count } = await query;
  if (error && error.code !== BEYOND_THE_END) throw new ApiError(error.message, error.code);
  const total = count ?? 0;
  if (question.page > 1 && (error || rows.length === 0)) {
    // The last row of the last page was deleted, or the address is old. A refusal tells no total, the first page does.
    const known = total || (await readTable(data, { ...question, page: 1 })).total;
    return readTable(data, { ...question, page: Math.max(1, Math.ceil(known / PAGE_SIZE)) });
  }
  return { rows: (rows ?? []) as TableRow[], total, page: question.page };
}

/** Case-insensitive substring over title, description and client, as one `or` filter of the data service. */
export function searchFilter(search: string): string {
  // Descriptions are HTML, so a typed "R&D" is stored as "R&amp;D".
  const inHtml = search.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    `title.ilike.${quoted(search)}`,
    `description.ilike.${quoted(inHtml)}`,
    `client.ilike.${quoted(search)}`,
  ].join(',');
}

/** `%…%` with the text taken literally by LIKE, then quoted so that commas, brackets and quotes stay text. */
function quoted(text: string): string {
  const literal = text
    .replace(/[\\%_]/g, '\\$&')
    // The service reads every star as %, and nothing can escape it: "any one character" is the nearest.
    .replaceAll('*', '_');
  return `"%${literal.replace(/[\\"]/g, '\\$&')}%"`;
}

/** `Showing X to Y of Z results`, with real numbers. */
export function rangeText({ rows, total, page }: TablePage): string {
  const first = rows.length === 0 ? 0 : (page - 1) * PAGE_SIZE + 1;
  const last = rows.length === 0 ? 0 : first + rows.length - 1;
  return `Showing ${first} to ${last} of ${total} results`;
}

/** Every page number, from 1. */
export const pagesOf = (total: number): number[] =>
  Array.from({ length: Math.ceil(total / PAGE_SIZE) }, (_, index) => index + 1);

/** The first 50 characters of a text, plus an ellipsis when something was cut. */
export function previewOf(text: string): string {
  const characters = [...text];
  return characters.length > PREVIEW ? `${characters.slice(0, PREVIEW).join('').trimEnd()}…` : text;
}
