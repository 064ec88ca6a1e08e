import type { PostgrestClient } from '@supabase/postgrest-js';
import { messages } from '../../copy/messages.ts';
import { type Credit, creditsIn, type StoredCredit } from '../credits/credits.ts';
import { ApiError } from '../data/api-error.ts';
import { EditConflict } from '../data/edit-conflict.ts';
import { affected, type Embedded, embedded, first, one } from '../data/rows.ts';
import type { ExperimentMedia } from '../portfolio/experiment.ts';
import { isProjectId } from './labels.ts';
import type { Status } from './status.ts';

export interface ProjectMedia extends ExperimentMedia {
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

/** A project as the admin area reads it: the whole row with its media. */
export interface ProjectRecord {
  id: string;
  title: string;
  description: string | null;
  client: string | null;
  status: string;
  budget: number | null;
  show_budget: boolean;
  start_date: string | null;
  end_date: string | null;
  understanding: string | null;
  actions: string | null;
  impact: string | null;
  /** When the last step of a submission arrived; a draft without it is incomplete. */
  submitted_at: string | null;
  created_at: string;
  updated_at: string;
  project_media: ProjectMedia[];
}

export interface ProjectInFull extends ProjectRecord {
  project_members: ProjectMember[];
  category: string | null;
  tags: string[];
  credits: Credit[];
}

/** Two tables that belong to a project and that only some may read. */
interface Beside {
  project_budgets: Embedded<{ amount: number }>;
  case_study_metadata: Embedded<{
    brief: string | null;
    understanding: string | null;
    actions: string | null;
    impact: string | null;
    category: string | null;
    tags: string[] | null;
    credits: StoredCredit[] | null;
  }>;
}

const IN_FULL = `*,project_media(*),project_members(*,user:profiles(email,name)),project_budgets(amount),
  case_study_metadata(brief,understanding,actions,impact,category,tags,credits)`;

/** What a form may write. */
export type ProjectValues = Pick<
  ProjectRecord,
  'title' | 'description' | 'client' | 'budget' | 'show_budget' | 'start_date' | 'end_date'
> &
  Pick<ProjectInFull, 'understanding' | 'actions' | 'impact' | 'category' | 'tags'> & {
    status: Status;
    credits: StoredCredit[];
  };

export const inOrder = (media: ProjectMedia[]): ProjectMedia[] => media.toSorted((a, b) => a.order - b.order);

/** One project with its media and team, or null when there is none. */
export async function findProjectInFull(data: PostgrestClient, id: string): Promise<ProjectInFull | null> {
  if (!isProjectId(id)) return null;
  const found = await first<ProjectInFull & Beside>(data.from('projects').select(IN_FULL).eq('id', id));
  return found && told(found);
}

/** What readers see: the metadata record speaks first, and an amount that is not for the public lies apart from the row. */
function told({ project_budgets, case_study_metadata, ...project }: ProjectInFull & Beside): ProjectInFull {
  const texts = embedded(case_study_metadata);
  return {
    ...project,
    budget: project.budget ?? embedded(project_budgets)?.amount ?? null,
    description: texts?.brief || project.description,
    understanding: texts?.understanding || project.understanding,
    actions: texts?.actions || project.actions,
    impact: texts?.impact || project.impact,
    category: texts?.category ?? null,
    tags: texts?.tags ?? [],
    credits: creditsIn(texts?.credits),
    project_media: inOrder(project.project_media),
  };
}

/** @returns the new project's id */
export async function createProject(data: PostgrestClient, values: ProjectValues): Promise<string> {
  const id = await save(data, null, values, null);
  if (!id) throw new Error(messages.noData);
  return id;
}

/**
 * Writes a project as it was last seen. The database keeps the submission's copy of its texts in step.
 * @param seen the updated_at the caller has read
 * @throws EditConflict when somebody else saved since; nothing was written then
 */
export async function updateProject(
  data: PostgrestClient,
  id: string,
  values: ProjectValues,
  seen: string,
): Promise<void> {
  if (await save(data, id, values, seen)) return;
  const row = await one(data.from('projects').select('id').eq('id', id).maybeSingle());
  if (row) throw new EditConflict();
  throw new ApiError(NOT_THERE);
}

/** One call for the row and what it is filed under: one save, one version. @returns the id; null when nothing was written */
async function save(data: PostgrestClient, id: string | null, values: ProjectValues, seen: string | null) {
  const named = Object.fromEntries(Object.entries(values).map(([name, value]) => [`p_${name}`, value]));
  return one<string | null>(data.rpc('save_project', { p_id: id, p_seen: seen, ...named }));
}

/** Corrects what a project is filed under, and nothing else of it. @throws ApiError */
export async function fileProject(
  data: PostgrestClient,
  id: string,
  { category, tags }: Pick<ProjectValues, 'category' | 'tags'>,
): Promise<void> {
  await affected(data.rpc('file_project', { p_id: id, p_category: category, p_tags: tags }));
}

export async function setStatus(data: PostgrestClient, id: string, status: Status): Promise<void> {
  await affected(data.from('projects').update({ status }, { count: 'exact' }).eq('id', id), NOT_THERE);
}

const NOT_THERE = 'The project is not there any more, or you may not change it.';

/** @throws ApiError also when nothing was deleted: the row is gone already, or the caller may not. */
export const deleteProject = (data: PostgrestClient, id: string): Promise<void> => remove(data, 'projects', id);

export const deleteMedia = (data: PostgrestClient, id: string): Promise<void> => remove(data, 'project_media', id);

async function remove(data: PostgrestClient, table: 'projects' | 'project_media', id: string): Promise<void> {
  await affected(
    data.from(table).delete({ count: 'exact' }).eq('id', id),
    'Nothing was deleted: it is gone already, or you may not delete it.',
  );
}
