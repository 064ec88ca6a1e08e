import type { PostgrestClient } from '@supabase/postgrest-js';
import type { Media } from '#features/media/model/media.ts';
import { findRow, fromRow, type Project, type ProjectRow, READABLE } from '#features/projects/model/read.ts';

type Shown = 'id' | 'number' | 'title' | 'client' | 'created_at' | 'category';
export type Next = Pick<Project, Shown> & { project_media: Media[] };

/** One query; null as in `findProject`. `next` is the one after it in the list; null for one that is not listed. @throws ApiError */
export async function findExperiment(client: PostgrestClient, id: string) {
  const columns = `${READABLE},neighbours`;
  const row = await findRow<ProjectRow & { neighbours: { next: Next | null } | null }>(client, id, columns);
  if (!row) return null;
  const { neighbours, ...project } = row;
  return { experiment: fromRow(project), next: neighbours?.next ?? null };
}
