import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from '../data/api-error.ts';

/** So many can be chosen: what leaves the site is followed by the next. */
export const MOST_FEATURED = 12;

/** A chosen experiment, as the admin area lists it. */
export interface Featured {
  id: string;
  title: string;
  status: string;
}

/** The chosen ones in their order. @throws ApiError */
export async function listFeatured(data: PostgrestClient): Promise<Featured[]> {
  const { data: rows, error } = await data
    .from('featured_experiments')
    .select('project:projects!inner(id,title,status)')
    .order('place')
    .overrideTypes<{ project: Featured }[], { merge: false }>();
  if (error) throw new ApiError(error.message, error.code);
  return rows.map(({ project }) => project);
}

/** Chooses what the home page shows first: all of it, in its order. @throws ApiError */
export async function feature(data: PostgrestClient, ids: readonly string[]): Promise<void> {
  const { error } = await data.rpc('feature_experiments', { p_ids: ids });
  if (error) throw new ApiError(error.message, error.code);
}
