import type { PostgrestClient } from '@supabase/postgrest-js';
import { legal } from '../../copy/public/legal.ts';
import type { SitemapEntry } from '../../models/seo/sitemap.ts';
import { listLegalTexts } from '../../models/settings/legal-page.ts';

/** The public pages that are not experiments, in the order of the bar. @throws ApiError */
export async function listPages(client: PostgrestClient): Promise<SitemapEntry[]> {
  const written = await listLegalTexts(client);
  const changed = (slug: 'privacy' | 'terms') => written[slug]?.changed ?? legal[slug].changed;
  return [
    { path: '/' },
    { path: '/case-studies' },
    { path: '/about' },
    { path: '/join' },
    { path: '/ai-jewelry-masterclass' },
    { path: '/contact' },
    { path: '/privacy', changed: changed('privacy') },
    { path: '/terms', changed: changed('terms') },
  ];
}
