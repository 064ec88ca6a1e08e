import type { PostgrestClient } from '@supabase/postgrest-js';
import { type Shares, type StoredShares, sharesIn } from '../credits/credits.ts';
import { type Embedded, embedded, rows } from '../data/rows.ts';
import type { Media } from '../media/media.ts';
import { coverFirst } from '../project/media.ts';
import type { Project } from '../project/read.ts';

/** An experiment that is pointed to from another one's page. */
export interface Related extends Pick<Project, 'id' | 'number' | 'title' | 'client' | 'created_at'> {
  category: string | null;
  shares: Shares | null;
  project_media: Media[];
}

export type Adjacent = Pick<Project, 'id' | 'title'>;

export interface Neighbours {
  /** At most three: of the same category first, then with a tag in common, then the newest. */
  related: Related[];
  /** The one before it in the list, which is newer. */
  previous: Adjacent | null;
  next: Adjacent | null;
}

type RelatedRow = Omit<Related, 'category' | 'shares'> & {
  case_study_metadata: Embedded<{ category: string | null } & StoredShares>;
};

const COLUMNS = `id,number,title,client,created_at,
  project_media(type,url,title,made,is_cover,width,height,placeholder,animated),
  case_study_metadata(category,hand_share,together_share)`;
/** The cover comes first. */
const MEDIA_ON_A_CARD = 4;

/**
 * What stands beside a listed experiment; nothing for any other.
 * @throws ApiError
 */
export async function findNeighbours(client: PostgrestClient, id: string): Promise<Neighbours> {
  const [related, beside] = await Promise.all([
    rows<RelatedRow>(
      coverFirst(
        client
          .rpc('related_experiments', { p_id: id }, { get: true })
          .select(COLUMNS)
          .eq('project_media.type', 'image'),
        MEDIA_ON_A_CARD,
      ),
    ),
    rows<Adjacent & { place: 'previous' | 'next' }>(client.rpc('adjacent_experiments', { p_id: id }, { get: true })),
  ]);
  const at = (wanted: 'previous' | 'next') => beside.find(({ place }) => place === wanted) ?? null;
  return {
    related: related.map(({ case_study_metadata, ...project }) => {
      const metadata = embedded(case_study_metadata);
      return { ...project, category: metadata?.category ?? null, shares: sharesIn(metadata) };
    }),
    previous: at('previous'),
    next: at('next'),
  };
}
