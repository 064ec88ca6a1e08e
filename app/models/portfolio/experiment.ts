import type { PostgrestClient } from '@supabase/postgrest-js';
import { messages } from '../../copy/messages.ts';
import {
  type Credit,
  creditsIn,
  type Shares,
  type StoredCredit,
  type StoredShares,
  sharesIn,
} from '../credits/credits.ts';
import { type Embedded, embedded, first, rows } from '../data/rows.ts';
import { isProjectId, type Media, type Project } from '../project/labels.ts';

interface Metadata extends StoredShares {
  brief: string | null;
  understanding: string | null;
  actions: string | null;
  impact: string | null;
  category: string | null;
  tags: string[] | null;
  credits: StoredCredit[] | null;
}

/** A picture, film or demo of an experiment, with all that is said about it. */
export type ExperimentMedia = Media & { id: string } & Required<
    Pick<Media, 'description' | 'alt' | 'made' | 'poster' | 'is_cover' | 'animated' | 'provenance'>
  >;

type Row = Omit<Project, 'project_media'> & {
  start_date: string | null;
  end_date: string | null;
  updated_at: string | null;
  understanding: string | null;
  actions: string | null;
  impact: string | null;
  project_media: ExperimentMedia[];
  project_members: { name: string | null; role: string | null }[];
  case_study_metadata: Embedded<Metadata>;
};

/** One experiment as its page tells it. The four texts are HTML. */
export interface Experiment extends Omit<Row, 'case_study_metadata' | 'project_members'> {
  brief: string;
  category: string | null;
  tags: string[];
  /** Who made which part, and how. */
  credits: Credit[];
  /** Worked out of the credits; null while there are none. */
  shares: Shares | null;
  /** The team, such as `Asha Rao, director`; each line once. */
  team: string[];
}

const COLUMNS = `id,number,title,description,client,status,budget,show_budget,start_date,end_date,created_at,updated_at,
  understanding,actions,impact,
  project_media(id,type,url,title,description,alt,made,poster,is_cover,width,height,placeholder,animated,provenance),
  project_members(name,role),
  case_study_metadata(brief,understanding,actions,impact,category,tags,credits,hand_share,together_share)`;

/**
 * Finds an experiment the client may see; null when there is none, or it is hidden: the answers do not differ.
 * @throws ApiError when the service fails
 */
export async function findExperiment(client: PostgrestClient, id: string): Promise<Experiment | null> {
  if (!isProjectId(id)) return null;
  const data = await rows<Row>(
    client
      .from('projects')
      .select(COLUMNS)
      .eq('id', id.toLowerCase())
      .order('order', { referencedTable: 'project_media' }),
  );
  return data[0] ? told(data[0]) : null;
}

type Texts = Pick<Metadata, 'brief' | 'understanding' | 'actions' | 'impact'>;

/** The metadata record speaks first; what it leaves out, the project itself says. */
export const textsOf = (
  project: Omit<Texts, 'brief'> & { description: string | null },
  metadata: Texts | null,
): Omit<Texts, 'brief'> & { brief: string } => ({
  brief: metadata?.brief || project.description || '',
  understanding: metadata?.understanding || project.understanding,
  actions: metadata?.actions || project.actions,
  impact: metadata?.impact || project.impact,
});

function told({ case_study_metadata, project_members, ...project }: Row): Experiment {
  const metadata = embedded(case_study_metadata);
  return {
    ...project,
    ...textsOf(project, metadata),
    category: metadata?.category || null,
    tags: metadata?.tags ?? [],
    credits: creditsIn(metadata?.credits),
    shares: sharesIn(metadata),
    team: [
      ...new Set(project_members.map(({ name, role }) => [name, role].filter(Boolean).join(', ')).filter(Boolean)),
    ],
  };
}

/**
 * Deletes an experiment for good.
 * @throws ApiError when the service refuses; an experiment that is not ours to delete stays and counts as refused
 */
export async function deleteExperiment(client: PostgrestClient, id: string): Promise<void> {
  const gone = await first(client.from('projects').delete().eq('id', id).select('id'));
  if (!gone) throw new Error(messages.failedToDeleteExperiment);
}

/** Which of these experiments the user created. @throws ApiError */
export async function createdBy(client: PostgrestClient, user: string, ids: string[]): Promise<string[]> {
  const own = await rows<{ id: string }>(client.from('projects').select('id').in('id', ids).eq('created_by', user));
  return own.map(({ id }) => id);
}
