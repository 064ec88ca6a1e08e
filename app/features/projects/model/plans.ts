import type { PostgrestClient } from '@supabase/postgrest-js';
import { creditsIn, sharesOf } from '#features/credits/model/credits.ts';
import { EditConflict } from '#lib/data/edit-conflict.ts';
import { type Embedded, embedded, readOne, requireChange, rows } from '#lib/data/rows.ts';
import { type StoredFields, splitTexts } from './fields.ts';
import type { Project, ProjectInFull } from './read.ts';
import type { ProjectValues } from './write.ts';

export interface Plan {
  kind: 'publish' | 'unpublish';
  fields: Partial<StoredFields>;
  base: Partial<StoredFields>;
  base_version: number | null;
  due_at: string | null;
  problem: string | null;
  updated_at: string;
  editor: Embedded<{ email: string | null; name: string | null }>;
}

const PLAN = 'kind,fields,base,base_version,due_at,problem,updated_at,editor:profiles(email,name)';

export const findPlans = (data: PostgrestClient, of: Record<string, string>): Promise<Plan[]> =>
  rows<Plan>(data.from('planned_changes').select(PLAN).match(of));

export const findRevision = (data: PostgrestClient, id: string): Promise<Partial<StoredFields> | null> =>
  readOne(data.rpc('project_revision', { p_id: id }));

export const revisionOf = ({ plans }: Pick<ProjectInFull, 'plans'>): Plan | null =>
  plans.find(({ fields }) => Object.keys(fields).length > 0) ?? null;

export const withFields = <P extends Project>(project: P, fields: Partial<StoredFields>): P => {
  const credits = fields.credits ? creditsIn(fields.credits) : project.credits;
  return {
    ...project,
    ...fields,
    brief: (fields.description === undefined ? project.brief : fields.description) ?? '',
    credits,
    shares: fields.credits ? sharesOf(credits.map(({ made }) => made)) : project.shares,
  };
};

/** @param versions `updated_at` of the project and of its revision, '' without one. @throws EditConflict when newer */
export async function stageProject(
  data: PostgrestClient,
  id: string,
  values: ProjectValues,
  versions: { seen: string; staged: string },
  publish: boolean,
): Promise<void> {
  const { seen, staged } = versions;
  const { texts, plain } = splitTexts(values);
  const named = Object.fromEntries(Object.entries(texts).map(([name, value]) => [`p_${name}`, value]));
  const args = { p_id: id, p_seen: seen, p_staged: staged || null, p_publish: publish, p_fields: plain, ...named };
  if (!(await readOne<boolean | null>(data.rpc('stage_project', args)))) throw new EditConflict();
}

export const publishRevision = (data: PostgrestClient, id: string, staged: string): Promise<void> =>
  requireChange(data.rpc('publish_revision', { p_id: id, p_staged: staged }));

export const discardRevision = (data: PostgrestClient, id: string, staged: string): Promise<void> =>
  requireChange(data.rpc('discard_revision', { p_id: id, p_staged: staged }));

export type Planned = { project: string } | { page: string };

export const planChange = (data: PostgrestClient, kind: Plan['kind'], at: string | null, of: Planned): Promise<void> =>
  requireChange(
    data.rpc('plan_change', {
      p_kind: kind,
      p_at: at,
      ...('page' in of ? { p_page: of.page } : { p_project: of.project }),
    }),
  );

export interface DueChange extends Pick<Plan, 'kind' | 'due_at' | 'problem'> {
  id: string;
  project: { id: string; title: string } | null;
  page: { id: string; kind: string; title: string | null } | null;
}

export async function listDueChanges(data: PostgrestClient): Promise<DueChange[]> {
  type Row = Omit<DueChange, 'project' | 'page'> & {
    project: Embedded<NonNullable<DueChange['project']>>;
    page: Embedded<NonNullable<DueChange['page']>>;
  };
  const found = await rows<Row>(
    data
      .from('planned_changes')
      .select('id,kind,due_at,problem,project:projects(id,title),page:pages(id,kind,title)')
      .not('due_at', 'is', null)
      .order('due_at')
      .limit(20),
  );
  return found.map((change) => ({ ...change, project: embedded(change.project), page: embedded(change.page) }));
}
