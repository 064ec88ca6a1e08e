import type { PostgrestClient } from '@supabase/postgrest-js';
import { affected, rows } from '#lib/data/rows.ts';

export interface Featured {
  id: string;
  title: string;
  status: string;
}

export async function listFeatured(data: PostgrestClient): Promise<Featured[]> {
  const chosen = await rows<{ project: Featured }>(
    data.from('featured_experiments').select('project:projects!inner(id,title,status)').order('place'),
  );
  return chosen.map(({ project }) => project);
}

export async function feature(data: PostgrestClient, ids: readonly string[]): Promise<void> {
  await affected(data.rpc('feature_experiments', { p_ids: ids }));
}
