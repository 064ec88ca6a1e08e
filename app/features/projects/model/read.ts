import type { PostgrestClient } from '@supabase/postgrest-js';
import type { Credit, Shares, StoredCredit, StoredShares } from '#features/credits/model/credits.ts';
import { creditsIn, sharesIn } from '#features/credits/model/credits.ts';
import type { MediaInFull } from '#features/media/model/media.ts';
import { isUuid } from '#lib/data/ids.ts';
import { type Embedded, embedded, first, rows } from '#lib/data/rows.ts';
import type { UserName } from '#lib/data/user-name.ts';
import { fieldsOfKind, type StoredFields } from './fields.ts';
import { findPlans, type Plan } from './plans.ts';
import { linesOfTeam } from './team.ts';

export type ProjectMedia = MediaInFull & { project_id: string; order: number; updated_at: string };

export type MediaDetails = Pick<ProjectMedia, 'title' | 'description' | 'alt' | 'made' | 'poster'>;

export interface ProjectMember {
  id: string;
  user_id: string | null;
  role: string | null;
  contribution_percentage: number | null;
  name?: string | null;
  updated_at: string;
  user: { email: string | null; name?: string | null } | null;
}

/** Contains the project's texts, which triggers keep in sync. */
type Metadata = StoredShares & { category: string | null; tags: string[] | null; credits: StoredCredit[] | null };

export interface ProjectRow extends Omit<StoredFields, 'category' | 'tags' | 'credits'> {
  id: string;
  /** Sequence number of the published experiment, from 1; null while never published. */
  number: number | null;
  created_at: string;
  updated_at: string;
  project_media: MediaInFull[];
  project_members: Pick<ProjectMember, 'name' | 'role'>[];
  case_study_metadata: Embedded<Metadata>;
  /** A budget that is not public is stored apart from the row. */
  project_budgets?: Embedded<{ amount: number }>;
}

/** A `Project` is called "experiment" on public pages and "case study" in addresses. */
export interface Project extends Omit<ProjectRow, 'case_study_metadata' | 'project_budgets' | 'project_members'> {
  brief: string;
  category: string | null;
  tags: string[];
  credits: Credit[];
  shares: Shares | null;
  team: string[];
}

export interface ProjectInFull extends Project {
  submitted_at: string | null;
  version: number;
  project_media: ProjectMedia[];
  project_members: ProjectMember[];
  plans: Plan[];
}

const METADATA = 'case_study_metadata(category,tags,credits,hand_share,together_share)';
const COLUMNS = fieldsOfKind('line', 'status', 'money', 'flag', 'day', 'html', 'facts').join();
export const READABLE = `id,number,${COLUMNS},created_at,updated_at,
  project_media(id,type,url,title,description,alt,credit,made,poster,is_cover,width,height,placeholder,animated,loops,captions,provenance),
  project_members(name,role),${METADATA}`;
const FULL_COLUMNS = `*,project_media(*),project_members(*,user(email,name)),project_budgets(amount),${METADATA}`;

/** Null when there is none or it is hidden: the responses do not differ. @throws ApiError */
export async function findProject(client: PostgrestClient, id: string): Promise<Project | null> {
  const row = await findRow(client, id, READABLE);
  return row && fromRow(row);
}

/** One project with its media and team, or null. @throws ApiError */
export const findProjectInFull = async (client: PostgrestClient, id: string): Promise<ProjectInFull | null> => {
  if (!isUuid(id)) return null;
  // Read before the row, so that a save between the two reads is listed as newer than this version.
  const project_id = id.toLowerCase();
  const versions = client.from('project_versions').select('number').eq('project_id', project_id);
  const [newest, plans] = await Promise.all([
    first<{ number: number }>(versions.order('number', { ascending: false }).limit(1)),
    findPlans(client, { project_id }),
  ]);
  const row = await findRow<ProjectRow & Pick<ProjectInFull, 'project_members'>>(client, id, FULL_COLUMNS);
  if (!row) return null;
  const { project_members } = row;
  return { ...(fromRow(row) as ProjectInFull), project_members, version: newest?.number ?? 0, plans };
};

/** One project with these columns and its media in order; null as in `findProject`. @throws ApiError */
export async function findRow<Row = ProjectRow>(client: PostgrestClient, id: string, columns: string) {
  if (!isUuid(id)) return null;
  const media = { referencedTable: 'project_media' };
  const members = { referencedTable: 'project_members' };
  const found = client.from('projects').select(columns).eq('id', id.toLowerCase());
  const withMedia = found.order('order', media).order('created_at', media);
  return first<Row>(withMedia.order('created_at', members).order('id', members));
}

/** Also a budget that is not shown publicly, for those who may read it. */
export const storedBudget = ({ budget, project_budgets }: Pick<ProjectRow, 'budget' | 'project_budgets'>) =>
  budget ?? embedded(project_budgets)?.amount ?? null;

export function fromRow(row: ProjectRow): Project {
  const { case_study_metadata, project_budgets: _, project_members, ...project } = row;
  const metadata = embedded(case_study_metadata);
  return {
    ...project,
    brief: project.description ?? '',
    budget: storedBudget(row),
    category: metadata?.category || null,
    tags: metadata?.tags ?? [],
    credits: creditsIn(metadata?.credits),
    shares: sharesIn(metadata),
    team: linesOfTeam(project_members),
  };
}

export interface Author {
  /** Null for a guest, or a deleted account. */
  creator: UserName | null;
  submitted: boolean;
  address: string | null;
}

/** For admins. Null when there is no such project. @throws ApiError */
export async function findAuthor(client: PostgrestClient, id: string): Promise<Author | null> {
  type Origin = { created_by: string; review_contacts: Embedded<{ email: string }>; reviews: Embedded<object> };
  const found = client.from('projects').select('created_by,review_contacts(email),reviews(project_id)').eq('id', id);
  const project = await first<Origin>(found);
  if (!project) return null;
  const creator = await first<UserName>(client.from('profiles').select('name,email').eq('user_id', project.created_by));
  const address = embedded(project.review_contacts)?.email ?? creator?.email ?? null;
  return { creator, submitted: embedded(project.reviews) !== null, address };
}

export async function createdBy(client: PostgrestClient, user: string, ids: string[]): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < ids.length; from += 100) {
    const some = ids.slice(from, from + 100);
    const read = client.from('projects').select('id').in('id', some).eq('created_by', user);
    found.push(...(await rows<{ id: string }>(read)).map(({ id }) => id));
  }
  return found;
}
