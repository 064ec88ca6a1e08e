import type { PostgrestClient } from '@supabase/postgrest-js';
import { creditsIn, sharesOf } from '#features/credits/model/credits.ts';
import { EditConflict } from '#lib/data/api-error.ts';
import { readOne, requireChange, rows } from '#lib/data/rows.ts';
import type { UserName } from '#lib/data/user-name.ts';
import { merge, mergedFields } from './conflict.ts';
import { fieldParameters } from './fields.ts';
import type { NewMedia } from './media.ts';
import type { Project, ProjectInFull, ProjectMedia, ProjectMember } from './read.ts';
import { linesOfTeam } from './team.ts';
import type { VersionContent, VersionKey } from './versions/versions.ts';
import type { ProjectValues } from './write.ts';

export interface Plan {
  kind: 'publish' | 'unpublish';
  fields: Partial<VersionContent>;
  base: Partial<VersionContent>;
  parts: { media: ProjectMedia[] | null; conflicts: VersionKey[] };
  base_version: number | null;
  due_at: string | null;
  problem: string | null;
  updated_at: string;
  editor: UserName | null;
}

const PLAN = 'kind,fields,base,base_version,due_at,problem,updated_at,parts:revision_parts,editor:profiles(email,name)';

export const findPlans = (data: PostgrestClient, of: Record<string, string>): Promise<Plan[]> =>
  rows<Plan>(data.from('planned_changes').select(PLAN).match(of));

export const findRevision = (data: PostgrestClient, id: string): Promise<Partial<VersionContent> | null> =>
  readOne(data.rpc('project_revision', { p_id: id }));

export const revisionOf = ({ plans }: Pick<ProjectInFull, 'plans'>): Plan | null =>
  plans.find(({ fields }) => Object.keys(fields).length > 0) ?? null;

export const withFields = <P extends Project>(project: P, { media, team, ...fields }: Partial<VersionContent>): P => {
  const credits = fields.credits ? creditsIn(fields.credits) : project.credits;
  return {
    ...project,
    ...fields,
    brief: (fields.description === undefined ? project.brief : fields.description) ?? '',
    credits,
    ...(media && { project_media: media as P['project_media'] }),
    team: team ? linesOfTeam(team) : project.team,
    shares: fields.credits ? sharesOf(credits.map(({ made }) => made)) : project.shares,
  };
};

/** The fields as they will be published. Facts that the revision leaves as they were follow the live ones. */
export const revisedFields = ({ fields, base }: Pick<Plan, 'fields' | 'base'>, live: Project['facts']) =>
  fields.facts ? { ...fields, facts: mergedFields(merge(base.facts ?? {}, fields.facts, live), () => 'mine') } : fields;

/** @param seen `updated_at` of the project @param staged and of its revision, '' without one. @throws EditConflict when newer */
export async function stageProject(
  data: PostgrestClient,
  id: string,
  values: ProjectValues,
  { seen, staged }: { seen: string; staged: string },
  publish: boolean,
): Promise<void> {
  const args = { p_id: id, p_seen: seen, p_staged: staged || null, p_publish: publish, ...fieldParameters(values) };
  if (!(await readOne<boolean | null>(data.rpc('stage_project', args)))) throw new EditConflict();
}

export type PartLists = { media: ProjectMedia[]; team: ProjectMember[] };

export const livePartsOf = ({ project_media, project_members }: ProjectInFull): PartLists => ({
  media: project_media,
  team: project_members,
});

export function stagedPartsOf(project: ProjectInFull): PartLists {
  const { media, team } = livePartsOf(project);
  const revision = revisionOf(project);
  if (!revision) return { media, team };
  const { fields, parts, updated_at } = revision;
  const userOf = (id: string) => team.find((member) => member.id === id)?.user ?? null;
  const staged = fields.team?.map((member) => ({ user: userOf(member.id), updated_at, ...member }));
  return { media: parts.media ?? media, team: staged ?? team };
}

/** @param project as it was last read. @throws EditConflict when it or its revision was saved meanwhile; ApiError */
export async function stageParts(
  data: PostgrestClient,
  project: ProjectInFull,
  { media = null, team = null }: { media?: readonly NewMedia[] | null; team?: PartLists['team'] | null },
): Promise<void> {
  const args = { p_id: project.id, p_version: project.version, p_staged: revisionOf(project)?.updated_at ?? null };
  const answer = await readOne<boolean | null>(data.rpc('stage_parts', { ...args, p_media: media, p_team: team }));
  if (!answer) throw new EditConflict();
}

type RevisionEnd = 'publish_revision' | 'discard_revision';

export const endRevision = (data: PostgrestClient, end: RevisionEnd, id: string, staged: string): Promise<void> =>
  requireChange(data.rpc(end, { p_id: id, p_staged: staged }));

export type Planned = { project: string } | { page: string };

export function planChange(data: PostgrestClient, kind: Plan['kind'], at: string | null, of: Planned): Promise<void> {
  const target = 'page' in of ? { p_page: of.page } : { p_project: of.project };
  return requireChange(data.rpc('plan_change', { p_kind: kind, p_at: at, ...target }));
}

export interface DueChange extends Pick<Plan, 'kind' | 'due_at' | 'problem'> {
  id: string;
  project: { id: string; title: string } | null;
  page: { id: string; kind: string; title: string | null } | null;
}

export const MAX_DUE_CHANGES = 20;

export function listDueChanges(data: PostgrestClient): Promise<DueChange[]> {
  const columns = 'id,kind,due_at,problem,project:projects(id,title),page:pages(id,kind,title)';
  const planned = data.from('planned_changes').select(columns).not('due_at', 'is', null);
  return rows(planned.order('due_at').limit(MAX_DUE_CHANGES));
}
