import type { PostgrestClient } from '@supabase/postgrest-js';
import { added, affected, written } from '../data/rows.ts';
import type { ProjectMedia } from './read.ts';

/** A media item that is to be added. The caller chooses its id, a UUID: the same one sent twice is added once. */
export type NewMedia = Pick<ProjectMedia, 'id' | 'project_id' | 'type' | 'url' | 'title' | 'description' | 'order'>;

/** The position behind the last media item. */
export const nextOrder = (media: readonly Pick<ProjectMedia, 'order'>[]): number =>
  Math.max(-1, ...media.map(({ order }) => order)) + 1;

/** @throws ApiError */
export async function addMedia(data: PostgrestClient, media: NewMedia): Promise<void> {
  await added(data.from('project_media').insert(media));
}

/** What can be said about a media item. */
export type MediaDescription = Pick<ProjectMedia, 'title' | 'description' | 'alt' | 'made' | 'poster'>;

/**
 * Writes what is said about a media item as it was last seen.
 * @throws EditConflict when somebody else changed or removed it; ApiError
 */
export async function describeMedia(
  data: PostgrestClient,
  { id, updated_at }: Pick<ProjectMedia, 'id' | 'updated_at'>,
  words: MediaDescription,
): Promise<void> {
  await written(data.from('project_media').update(words).eq('id', id).eq('updated_at', updated_at).select('id'));
}

/** Chooses the picture that stands for a project; null for its first one. @throws ApiError also when it is gone */
export async function chooseCover(data: PostgrestClient, projectId: string, mediaId: string | null): Promise<void> {
  await affected(data.rpc('choose_cover', { p_id: projectId, p_media: mediaId }));
}

/** Saves the whole order at once. @throws ApiError also when `ids` are not all media of the project any more */
export async function reorderMedia(data: PostgrestClient, projectId: string, ids: string[]): Promise<void> {
  await affected(data.rpc('reorder_project_media', { p_id: projectId, p_ids: ids }));
}

/** The media in the order of the ids; what is not named stays behind. Each gets the position it has then. */
export function inOrderOf<Item extends { id: string; order: number }>(
  media: readonly Item[],
  ids: readonly string[],
): Item[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  return media
    .toSorted((a, b) => (places.get(a.id) ?? ids.length + a.order) - (places.get(b.id) ?? ids.length + b.order))
    .map((item, order) => (item.order === order ? item : { ...item, order }));
}

/** What of a read is needed to say in which order rows that belong to each row come, and how many of them. */
interface OrderedRead {
  order(column: string, options: { ascending?: boolean; referencedTable: string }): this;
  limit(count: number, options: { referencedTable: string }): this;
}

/** The media of each row of a read: the cover first, then in their order. @param most of them for each row */
export function coverFirst<Read extends OrderedRead>(read: Read, most?: number): Read {
  const referencedTable = 'project_media';
  const ordered = read.order('is_cover', { ascending: false, referencedTable }).order('order', { referencedTable });
  return most === undefined ? ordered : ordered.limit(most, { referencedTable });
}
