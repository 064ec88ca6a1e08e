import type { PostgrestClient } from '@supabase/postgrest-js';
import { href } from 'react-router';
import { legal } from '#features/pages/words/legal.ts';
import { listLegalTexts } from '#features/settings/model/legal-page.ts';
import type { SitemapEntry } from './model/sitemap.ts';

export async function listPages(client: PostgrestClient): Promise<SitemapEntry[]> {
  const written = await listLegalTexts(client);
  const changed = (slug: 'privacy' | 'terms') => written[slug]?.changed ?? legal[slug].changed;
  return [
    { path: href('/') },
    { path: href('/case-studies') },
    { path: href('/about') },
    { path: href('/join') },
    { path: href('/ai-jewelry-masterclass') },
    { path: href('/contact') },
    { path: href('/privacy'), changed: changed('privacy') },
    { path: href('/terms'), changed: changed('terms') },
  ];
}
