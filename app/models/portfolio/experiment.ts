import type { PostgrestClient } from '@supabase/postgrest-js';
import { type Shares, type StoredShares, sharesIn } from '../credits/credits.ts';
import type { Media } from '../media/media.ts';
import { findRow, fromRow, type Project, type ProjectRow, READABLE } from '../project/read.ts';

/** An experiment that is pointed to from another one's page. */
export interface Related extends Pick<Project, 'id' | 'number' | 'title' | 'client' | 'created_at'> {
  category: string | null;
  shares: Shares | null;
  /** At most four pictures, the cover first. */
  project_media: Media[];
}

export type Adjacent = Pick<Project, 'id' | 'title'>;

/** What stands beside a listed experiment. */
export interface Neighbours {
  /** At most three: of the same category first, then with a tag in common, then the newest. */
  related: Related[];
  /** The one before it in the list, which is newer. */
  previous: Adjacent | null;
  next: Adjacent | null;
}

type StoredNeighbours = Omit<Neighbours, 'related'> & { related: (Omit<Related, 'shares'> & StoredShares)[] };

/**
 * What the page of an experiment shows, in one question; null as `findProject` says. Only a listed one has neighbours.
 * @throws ApiError when the service fails
 */
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
