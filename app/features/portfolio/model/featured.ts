import type { PostgrestClient } from '@supabase/postgrest-js';
import { requireChange, rows } from '#lib/data/rows.ts';

export interface Featured {
  id: string;
  title: string;
  status: string;
}

export async function listFeatured(data: PostgrestClient): Promise<Featured[]> {
  const featured = await rows<{ project: Featured }>(
    data.from('featured_experiments').select('project:projects!inner(id,title,status)').order('place'),
  );
  return featured.map(({ project }) => project);
}

export const saveFeatured = (data: PostgrestClient, chosen: readonly Featured[]): Promise<void> =>
  requireChange(data.rpc('feature_experiments', { p_ids: chosen.map(({ id }) => id) }));
