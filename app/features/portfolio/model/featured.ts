import type { PostgrestClient } from '@supabase/postgrest-js';
import { requireChange, rows } from '#lib/data/rows.ts';

export type Featured = { id: string; title: string; status: string };

export async function listFeatured(data: PostgrestClient): Promise<Featured[]> {
  const query = data.from('featured_experiments').select('project:projects!inner(id,title,status)').order('place');
  const featured = await rows<{ project: Featured }>(query);
  return featured.map(({ project }) => project);
}

export const saveFeatured = (data: PostgrestClient, chosen: readonly Featured[]): Promise<void> =>
  requireChange(data.rpc('feature_experiments', { p_ids: chosen.map(({ id }) => id) }));
