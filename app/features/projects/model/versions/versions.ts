import type { PostgrestClient } from '@supabase/postgrest-js';
import { isUuid } from '#lib/data/ids.ts';
import { readPage, type TablePage } from '#lib/data/page.ts';
import { first, readOne, rows } from '#lib/data/rows.ts';
import { nameOfUser, type UserName } from '#lib/data/user-name.ts';
import { eachField, PROJECT_FIELDS, type ProjectField, type StoredFields } from '../fields.ts';
import type { ProjectMedia, ProjectMember } from '../read.ts';

export interface VersionContent extends StoredFields {
  media: Pick<ProjectMedia, 'id' | 'type' | 'url' | 'title' | 'description' | 'alt' | 'made' | 'poster' | 'is_cover'>[];
  team: (Pick<ProjectMember, 'id' | 'user_id' | 'role' | 'contribution_percentage'> & { name: string | null })[];
}

export type VersionKey = keyof VersionContent;

export interface Version {
  /** From 1, with gaps where old versions were removed. */
  number: number;
  at: string;
  actor_kind: 'guest' | 'user' | 'editor' | 'admin' | 'service' | 'server';
  /** Null when no user was signed in, the account was deleted, or the reader may not see it, such as a former editor. */
  actor: UserName | null;
  changed: VersionKey[];
  restored_from: number | null;
}

const ABOUT = 'number,at,actor_kind,changed,restored_from,actor:profiles(email,name)';

const versionsOf = (data: PostgrestClient, id: string, columns: string) =>
  data
    .from('project_versions')
    .select(columns, { count: 'exact' })
    .eq('project_id', id)
    .order('number', { ascending: false });

export const listVersions = (data: PostgrestClient, id: string, page: number): Promise<TablePage<Version>> =>
  readPage<Version>((from, to) => versionsOf(data, id, ABOUT).range(from, to), page);

/** The saves after a version, newest first, at most ten. @throws ApiError */
export const listVersionsAfter = (data: PostgrestClient, id: string, number: number): Promise<Version[]> =>
  rows(versionsOf(data, id, ABOUT).gt('number', number).limit(10));

export interface VersionInFull extends Version {
  content: VersionContent;
  before: VersionContent | null;
  latest: { number: number; content: VersionContent };
}

/** One version with its predecessor and the newest, or null when it is not kept. @throws ApiError */
export async function findVersion(data: PostgrestClient, id: string, number: number): Promise<VersionInFull | null> {
  if (!isUuid(id) || !Number.isSafeInteger(number) || number < 1) return null;
  const versions = () => versionsOf(data, id, `${ABOUT},content`);
  type VersionRow = Version & { content: VersionContent };
  const [[found, before], latest] = await Promise.all([
    rows<VersionRow>(versions().lte('number', number).limit(2)),
    first<VersionRow>(versions().limit(1)),
  ]);
  if (!found || !latest || found.number !== number) return null;
  return { ...found, before: before?.content ?? null, latest };
}

export const findLiveContent = async (data: PostgrestClient, id: string): Promise<VersionContent | null> =>
  (await first<{ content: VersionContent }>(versionsOf(data, id, 'content').limit(1)))?.content ?? null;

type Restored = { left_out: number };

/** @param version with the newest one the caller has seen. @throws ApiError also when there is a newer one */
export const restoreVersion = (data: PostgrestClient, id: string, version: VersionInFull): Promise<Restored> =>
  readOne(data.rpc('restore_project_version', { p_id: id, p_number: version.number, p_latest: version.latest.number }));

export function savedBy({ actor, actor_kind }: Pick<Version, 'actor' | 'actor_kind'>): string {
  if (actor) return nameOfUser(actor);
  if (actor_kind === 'guest' || actor_kind === 'user') return 'The sender of the draft';
  if (actor_kind === 'service' || actor_kind === 'server') return 'The server';
  return 'A former editor';
}

const NAMES = {
  ...eachField<Record<ProjectField, string>>((field) => PROJECT_FIELDS[field].label),
  media: 'Media',
  team: 'Project Team',
};

export const VERSION_KEYS = Object.keys(NAMES) as VersionKey[];

export const nameOfField = (key: VersionKey): string => NAMES[key];

export function summaryOf(version: Pick<Version, 'changed' | 'restored_from' | 'number'>): string {
  const { changed, restored_from, number } = version;
  const names = VERSION_KEYS.filter((key) => changed.includes(key)).map(nameOfField);
  if (restored_from !== null)
    return `Version ${restored_from} restored${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
  if (names.length > 0) return names.join(', ');
  return number === 1 ? 'First version' : 'Saved';
}
