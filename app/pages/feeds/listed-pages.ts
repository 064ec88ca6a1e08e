import type { PostgrestClient } from '@supabase/postgrest-js';
import { href } from 'react-router';
import { legal } from '../../copy/public/legal.ts';
import type { SitemapEntry } from '../../models/seo/sitemap.ts';
import { listLegalTexts } from '../../models/settings/legal-page.ts';

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
