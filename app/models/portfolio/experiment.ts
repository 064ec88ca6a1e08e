import type { PostgrestClient } from '@supabase/postgrest-js';
import { type Shares, type StoredShares, sharesIn } from '../credits/credits.ts';
import type { Media } from '../media/media.ts';
import { findRow, fromRow, type Project, type ProjectRow, READABLE } from '../project/read.ts';

export interface Related extends Pick<Project, 'id' | 'number' | 'title' | 'client' | 'created_at'> {
  category: string | null;
  shares: Shares | null;
  project_media: Media[];
}

export type Adjacent = Pick<Project, 'id' | 'title'>;

export interface Neighbours {
  /** At most three: of the same category first, then with a tag in common, then the newest. */
  related: Related[];
  previous: Adjacent | null;
  next: Adjacent | null;
}

type StoredNeighbours = Omit<Neighbours, 'related'> & { related: (Omit<Related, 'shares'> & StoredShares)[] };

/** One query; null as in `findProject`. Only a listed one has neighbours. @throws ApiError */
export async function findExperiment(
  client: PostgrestClient,
  id: string,
): Promise<{ experiment: Project; neighbours: Neighbours | null } | null> {
  const row = await findRow<ProjectRow & { neighbours: StoredNeighbours | null }>(client, id, `${READABLE},neighbours`);
  if (!row) return null;
  const { neighbours, ...project } = row;
  return {
    experiment: fromRow(project),
    neighbours: neighbours && {
      ...neighbours,
      related: neighbours.related.map(({ hand_share, together_share, ...shown }) => ({
        ...shown,
        shares: sharesIn({ hand_share, together_share }),
      })),
    },
  };
}
