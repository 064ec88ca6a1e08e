import type { PostgrestClient } from '@supabase/postgrest-js';
import { first, rows } from '../data/rows.ts';
import { addressOf } from '../project/labels.ts';
import { xmlText } from './xml.ts';

/** An address for search engines. */
export interface SitemapEntry {
  path: string;
  /** Moment or day of the last change, where we know it. */
  changed?: string;
}

/** Addresses in one file, as `sitemap_part` cuts them. The protocol allows ten times as many; such a file is made in a moment. */
export const PART_SIZE = 5_000;

/** How many experiments everybody may find. @throws ApiError */
export async function countListed(client: PostgrestClient): Promise<number> {
  const all = await first<{ experiments: number }>(client.rpc('count_case_studies', {}).eq('category', 'all'));
  return all?.experiments ?? 0;
}

interface Row {
  id: string;
  title: string;
  changed: string;
}

/**
 * The addresses of one part of the experiments, oldest first, so that a new one changes only the last part.
 * @param part from 1
 * @throws ApiError
 */
export async function listAddresses(client: PostgrestClient, part: number): Promise<SitemapEntry[]> {
  const found = await rows<Row>(client.rpc('sitemap_part', { part }));
  return found.map((row) => ({ path: addressOf(row), changed: row.changed }));
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const entry = (element: string, origin: string) =>
  function entryOf({ path, changed }: SitemapEntry): string {
    return `<${element}><loc>${xmlText(origin + path)}</loc>${changed ? `<lastmod>${xmlText(changed)}</lastmod>` : ''}</${element}>`;
  };

/** A sitemap of addresses. */
export const sitemap = (origin: string, addresses: SitemapEntry[]): string =>
  `${XML}\n<urlset xmlns="${NAMESPACE}">\n${addresses.map(entry('url', origin)).join('\n')}\n</urlset>\n`;

/** A sitemap that names other sitemaps. */
export const sitemapIndex = (origin: string, parts: SitemapEntry[]): string =>
  `${XML}\n<sitemapindex xmlns="${NAMESPACE}">\n${parts.map(entry('sitemap', origin)).join('\n')}\n</sitemapindex>\n`;
