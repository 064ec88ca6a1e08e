import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from './api-error.ts';
import { LISTED } from './project.ts';

/** What the portfolio holds for everybody to see. */
export interface Results {
  published: number;
  completed: number;
  /** Pictures and videos of published experiments. */
  media: number;
}

/** Counts the published portfolio. @throws ApiError */
export async function countResults(client: PostgrestClient): Promise<Results> {
  const [published, completed, media] = await Promise.all([
    counted(client.from('projects').select('id', { count: 'exact', head: true }).in('status', LISTED)),
    counted(client.from('projects').select('id', { count: 'exact', head: true }).eq('status', 'completed')),
    counted(
      client
        .from('project_media')
        .select('id,projects!inner(status)', { count: 'exact', head: true })
        .in('projects.status', LISTED),
    ),
  ]);
  return { published, completed, media };
}

async function counted(
  answer: PromiseLike<{ count: number | null; error: { message: string; code: string } | null }>,
): Promise<number> {
  const { count, error } = await answer;
  if (error) throw new ApiError(error.message, error.code);
  return count ?? 0;
}
