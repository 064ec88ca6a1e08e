import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from './api-error.ts';
import { addressOf, LISTED } from './project.ts';
import { xmlText } from './xml.ts';

/** An address for search engines. */
export interface Listed {
  path: string;
  /** Moment or day of the last change, where we know it. */
  changed?: string;
}

/** Addresses in one file. The protocol allows ten times as many; a file of this size is made in a moment. */
export const PART_SIZE = 5_000;
/** What a data service hands out at once. */
const ROWS_AT_ONCE = 1_000;

/** How many experiments everybody may find. @throws ApiError */
export async function countListed(client: PostgrestClient): Promise<number> {
  const { count, error } = await client
    .from('projects')
    .select('id', { count: 'exact', head: true })
    .in('status', LISTED);
  if (error || count === null) throw new ApiError(error?.message ?? '', error?.code ?? '');
  return count;
}

interface Row {
  id: string;
  title: string;
  created_at: string;
  updated_at: string | null;
}

/**
 * The addresses of one part of the experiments, oldest first, so that a new one changes only the last part.
 * @param part from 0
 * @throws ApiError
 */
export async function listAddresses(client: PostgrestClient, part: number): Promise<Listed[]> {
  const found: Listed[] = [];
  while (found.length < PART_SIZE) {
    const from = part * PART_SIZE + found.length;
    const { data, error } = await client
      .from('projects')
      .select('id,title,created_at,updated_at')
      .in('status', LISTED)
      .order('created_at')
      .order('id')
      .range(from, from + ROWS_AT_ONCE - 1)
      .overrideTypes<Row[], { merge: false }>();
    if (error) throw new ApiError(error.message, error.code);
    found.push(...data.map((row) => ({ path: addressOf(row), changed: row.updated_at ?? row.created_at })));
    if (data.length < ROWS_AT_ONCE) break;
  }
  return found;
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const entry = (element: string, origin: string) =>
  function entryOf({ path, changed }: Listed): string {
    return `<${element}><loc>${xmlText(origin + path)}</loc>${changed ? `<lastmod>${xmlText(changed)}</lastmod>` : ''}</${element}>`;
  };

/** A sitemap of addresses. */
export const sitemap = (origin: string, addresses: Listed[]): string =>
  `${XML}\n<urlset xmlns="${NAMESPACE}">\n${addresses.map(entry('url', origin)).join('\n')}\n</urlset>\n`;

/** A sitemap that names other sitemaps. */
export const sitemapIndex = (origin: string, parts: Listed[]): string =>
  `${XML}\n<sitemapindex xmlns="${NAMESPACE}">\n${parts.map(entry('sitemap', origin)).join('\n')}\n</sitemapindex>\n`;
