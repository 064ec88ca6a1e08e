import type { PostgrestClient } from '@supabase/postgrest-js';
import {
  type Credit,
  creditsIn,
  type Shares,
  type StoredCredit,
  type StoredShares,
  sharesIn,
} from '../credits/credits.ts';
import { isUuid } from '../data/ids.ts';
import { type Embedded, embedded, first, rows } from '../data/rows.ts';
import type { MediaInFull } from '../media/media.ts';

/** The same as its row has it. */
export interface ProjectMedia extends MediaInFull {
  project_id: string;
  /** Position; media are always shown in it. */
  order: number;
  updated_at: string;
}

export interface ProjectMember {
  id: string;
  role: string | null;
  contribution_percentage: number | null;
  name?: string | null;
  updated_at: string;
  /** Only admins are told the address. */
  user: { email: string | null; name?: string | null } | null;
}

/** What a project is filed under, and its texts once more, which hold where they are written. The texts are HTML. */
interface Metadata extends StoredShares {
  brief: string | null;
  understanding: string | null;
  actions: string | null;
  impact: string | null;
  category: string | null;
  tags: string[] | null;
  credits: StoredCredit[] | null;
}

type Texts = Pick<Metadata, 'brief' | 'understanding' | 'actions' | 'impact'>;

/** A row of `projects` with what belongs to it. */
export interface ProjectRow extends Omit<Texts, 'brief'> {
  id: string;
  /** Which published experiment of the house it is, from 1; null while it was never published. */
  number: number | null;
  title: string;
  client: string | null;
  status: string;
  /** In US dollars. */
  budget: number | null;
  show_budget: boolean;
  /** HTML. */
  description: string | null;
  start_date: string | null;
  end_date: string | null;
  created_at: string;
  updated_at: string;
  project_media: MediaInFull[];
  project_members: Pick<ProjectMember, 'name' | 'role'>[];
  case_study_metadata: Embedded<Metadata>;
  /** An amount that is not for the public lies apart from the row. */
  project_budgets?: Embedded<{ amount: number }>;
}

/** One record, three names: `Project` in code, "experiment" on public pages, "case study" in addresses. */
export interface Project extends Omit<ProjectRow, 'case_study_metadata' | 'project_budgets' | 'project_members'> {
  /** HTML, as the texts after it; '' when there is none. */
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

/** A project as those read it who may write it. */
export interface ProjectInFull extends Project {
  /** When the last step of a submission arrived; a draft without it is incomplete. */
  submitted_at: string | null;
  /** The number of its newest version. */
  version: number;
  project_media: ProjectMedia[];
  project_members: ProjectMember[];
}

const METADATA =
  'case_study_metadata(brief,understanding,actions,impact,category,tags,credits,hand_share,together_share)';
/** What whoever may see a project reads of it. */
export const READABLE = `id,number,title,description,client,status,budget,show_budget,start_date,end_date,created_at,updated_at,
  understanding,actions,impact,
  project_media(id,type,url,title,description,alt,made,poster,is_cover,width,height,placeholder,animated,provenance),
  project_members(name,role),${METADATA}`;
const IN_FULL = `*,project_media(*),project_members(*,user(email,name)),project_budgets(amount),${METADATA}`;

/**
 * Finds a project the client may see; null when there is none, or it is hidden: the answers do not differ.
 * @throws ApiError when the service fails
 */
export async function findProject(client: PostgrestClient, id: string): Promise<Project | null> {
  const row = await findRow(client, id, READABLE);
  return row && fromRow(row);
}

/** One project with its media and team, or null when there is none. @throws ApiError */
export const findProjectInFull = async (client: PostgrestClient, id: string): Promise<ProjectInFull | null> => {
  if (!isUuid(id)) return null;
  // Before the row: a save between the two reads must not be missing among those after this version.
  const newest = await first<{ number: number }>(
    client
      .from('project_versions')
      .select('number')
      .eq('project_id', id.toLowerCase())
      .order('number', { ascending: false })
      .limit(1),
  );
  const row = await findRow<ProjectRow & Pick<ProjectInFull, 'project_members'>>(client, id, IN_FULL);
  return (
    row && {
      ...(fromRow(row) as ProjectInFull),
      project_members: row.project_members,
      version: newest?.number ?? 0,
    }
  );
};

/** The row of one project with these columns and its media in their order; null as `findProject` says. @throws ApiError */
export const findRow = async <Row = ProjectRow>(
  client: PostgrestClient,
  id: string,
  columns: string,
): Promise<Row | null> =>
  isUuid(id)
    ? first<Row>(
        client
          .from('projects')
          .select(columns)
          .eq('id', id.toLowerCase())
          .order('order', { referencedTable: 'project_media' }),
      )
    : null;

/** The record that a row, with what belongs to it, stands for. */
export function fromRow(row: ProjectRow): Project {
  const { case_study_metadata, project_budgets, project_members, ...project } = row;
  const metadata = embedded(case_study_metadata);
  const texts = textsOf(project, metadata);
  return {
    ...project,
    ...texts,
    description: texts.brief || null,
    budget: project.budget ?? embedded(project_budgets)?.amount ?? null,
    category: metadata?.category || null,
    tags: metadata?.tags ?? [],
    credits: creditsIn(metadata?.credits),
    shares: sharesIn(metadata),
    team: [
      ...new Set(project_members.map(({ name, role }) => [name, role].filter(Boolean).join(', ')).filter(Boolean)),
    ],
  };
}

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

/** Who created a project, and how its submitter can be reached. */
export interface Author {
  /** The account that created it; null for a guest, or an account that was deleted. */
  creator: { name: string | null; email: string | null } | null;
  /** Whether it was sent in with the public form. */
  submitted: boolean;
  /** Where the submitter can be reached; null when no address is stored. */
  address: string | null;
}

/** For admins. Null when there is no such project. @throws ApiError */
export async function findAuthor(client: PostgrestClient, id: string): Promise<Author | null> {
  const [projects, contacts, reviews] = await Promise.all([
    rows<{ created_by: string }>(client.from('projects').select('created_by').eq('id', id)),
    rows<{ email: string }>(client.from('review_contacts').select('email').eq('project_id', id)),
    rows<{ project_id: string }>(client.from('reviews').select('project_id').eq('project_id', id)),
  ]);
  const [project] = projects;
  if (!project) return null;
  // The guest account has no profile.
  const creator = await first<NonNullable<Author['creator']>>(
    client.from('profiles').select('name,email').eq('user_id', project.created_by),
  );
  return { creator, submitted: reviews.length > 0, address: contacts[0]?.email ?? creator?.email ?? null };
}

/** Which of these projects the user created. @throws ApiError */
export async function createdBy(client: PostgrestClient, user: string, ids: string[]): Promise<string[]> {
  const own = await rows<{ id: string }>(client.from('projects').select('id').in('id', ids).eq('created_by', user));
  return own.map(({ id }) => id);
}
