import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError, EditConflict } from '#lib/data/api-error.ts';
import { first, readOne, requireChange, rows, writeRow } from '#lib/data/rows.ts';
import { fieldParameters, type StoredFields } from './fields.ts';
import type { MediaDetails, ProjectMedia, ProjectMember } from './read.ts';
import type { Status } from './status.ts';
import type { MemberFields } from './team.ts';

export type ProjectValues = StoredFields & { status: Status };

const PROJECT_MISSING = 'The project no longer exists, or you may not change it.';
const NOTHING_DELETED = 'Nothing was deleted: it no longer exists, or you may not delete it.';

/** Updates a project if it is as last read. @param seen the `updated_at` that was read. @throws EditConflict */
export async function updateProject(data: PostgrestClient, id: string, values: ProjectValues, seen: string) {
  // One call for the row and its metadata, so that one save is one version. Null when nothing was written.
  const args = { p_id: id, p_seen: seen, ...fieldParameters(values) };
  if (await readOne<string | null>(data.rpc('save_project', args))) return;
  if (await first(data.from('projects').select('id').eq('id', id))) throw new EditConflict();
  throw new ApiError(PROJECT_MISSING);
}

export const fileProject = (
  data: PostgrestClient,
  id: string,
  { category, tags, seen }: Pick<ProjectValues, 'category' | 'tags'> & { seen: string },
): Promise<void> =>
  requireChange(data.rpc('file_project', { p_id: id, p_category: category, p_tags: tags, p_seen: seen }));

/** @throws ApiError also when the row is missing or the caller lacks the right */
export const setStatus = (data: PostgrestClient, { id, status }: { id: string; status: Status }): Promise<void> =>
  requireChange(data.from('projects').update({ status }, { count: 'exact' }).eq('id', id), PROJECT_MISSING);

export type BulkResult = { done: string[]; refused: { id: string; reason: string }[] };

/** A conflict, a check or a constraint: the other rows of the request may be acceptable. */
const ROW_REFUSED = /^(PT409|PT422|23\d{3})$/;

type StatusChange = { ids: readonly string[]; status: Status };

/** One request; if it is refused because of a row, one for each project. @throws ApiError when nothing was changed */
export async function setStatuses(data: PostgrestClient, { ids, status }: StatusChange): Promise<BulkResult> {
  const updateStatus = async (some: readonly string[]) =>
    idsOf(await rows(data.from('projects').update({ status }).in('id', some).select('id')));
  const reasons = new Map<string, string>();
  let done: string[];
  try {
    done = await updateStatus(ids);
  } catch (error) {
    if (!(error instanceof ApiError && ROW_REFUSED.test(error.code ?? ''))) throw error;
    done = [];
    for (const id of ids)
      await updateStatus([id]).then(
        (written) => done.push(...written),
        (refusal: ApiError) => reasons.set(id, refusal.reason || PROJECT_MISSING),
      );
  }
  const refused = ids.filter((id) => !done.includes(id));
  return { done, refused: refused.map((id) => ({ id, reason: reasons.get(id) ?? PROJECT_MISSING })) };
}

/** @param otherwise message when none was deleted; '' leaves it to the screen. @returns the ids of those deleted */
export async function deleteProjects(data: PostgrestClient, ids: readonly string[], otherwise = NOTHING_DELETED) {
  const deletedIds = idsOf(await rows(data.from('projects').delete().in('id', ids).select('id')));
  if (deletedIds.length === 0) throw new ApiError(otherwise);
  return deletedIds;
}

export const idsOf = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);

/** For how many days deleted items can be restored. @throws ApiError */
export const readTrashDays = (data: PostgrestClient) => readOne<number>(data.rpc('trash_days', {}, { get: true }));

/** @throws ApiError also when nothing was deleted */
export const deleteMedia = (data: PostgrestClient, id: string): Promise<void> =>
  requireChange(data.from('project_media').delete({ count: 'exact' }).eq('id', id), NOTHING_DELETED);

/** Updates the row if unchanged since it was read. @throws EditConflict when changed or removed; ApiError */
export async function updatePart(
  data: PostgrestClient,
  table: 'project_media' | 'project_members',
  { id, updated_at }: Pick<ProjectMedia | ProjectMember, 'id' | 'updated_at'>,
  change: MediaDetails | MemberFields,
): Promise<void> {
  await writeRow(data.from(table).update(change).eq('id', id).eq('updated_at', updated_at).select('id'));
}
