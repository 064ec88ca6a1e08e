import type { PostgrestClient } from '@supabase/postgrest-js';
import { cleanRichText } from '../../rich-text.ts';
import type { Agency } from '../copy/agency.ts';
import { type LegalSlug, legal } from '../copy/legal.ts';
import { ApiError } from './api-error.ts';
import { plainText } from './plain-text.ts';
import { slugOf } from './project.ts';

/** A legal text as it is shown. */
export interface LegalPage {
  slug: LegalSlug;
  /** ISO day or moment of the last change. */
  changed: string;
  parts: LegalPart[];
}

export interface LegalPart {
  /** For links; unique on the page. '' for what stands before the first heading. */
  id: string;
  title: string;
  /** Clean. */
  html: string;
}

/**
 * The admin's version of a legal text, or the built-in one where no admin has written any.
 * @throws ApiError when the service fails: rather no text than one that no longer holds
 */
export async function findLegalPage(client: PostgrestClient, slug: LegalSlug, agency: Agency): Promise<LegalPage> {
  const { data, error } = await client
    .from('site_pages')
    .select('body,updated_at')
    .eq('slug', slug)
    .overrideTypes<{ body: string; updated_at: string }[], { merge: false }>();
  if (error) throw new ApiError(error.message, error.code);
  const [written] = data;
  return {
    slug,
    changed: written?.updated_at ?? legal[slug].changed,
    parts: partsOf(written?.body ?? legal[slug].body(agency)),
  };
}

const HEADING = /^<h[12][^>]*>([\s\S]*?)<\/h[12]>/;

/** Cuts a text at its headings of the first two levels. Parts without any words are left out. */
export function partsOf(html: string): LegalPart[] {
  const taken = new Set<string>();
  return cleanRichText(html)
    .split(/(?=<h[12][ >])/)
    .filter((part) => plainText(part) !== '')
    .map((part) => {
      const title = plainText(HEADING.exec(part)?.[1] ?? '');
      return { id: title && unique(slugOf({ title }) || 'part', taken), title, html: part.replace(HEADING, '').trim() };
    });
}

function unique(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`;
  taken.add(id);
  return id;
}
