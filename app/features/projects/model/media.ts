import type { PostgrestClient } from '@supabase/postgrest-js';
import { added, requireChange } from '#lib/data/rows.ts';
import type { ProjectMedia } from './read.ts';

/** The caller chooses the id (UUID), so that adding is idempotent. */
export type NewMedia = Pick<ProjectMedia, 'id' | 'project_id' | 'type' | 'url' | 'title' | 'order'> &
  Partial<Pick<ProjectMedia, 'alt' | 'poster' | 'is_cover'>>;

export const addMedia = (data: PostgrestClient, media: NewMedia) => added(data.from('project_media').insert(media));

/** Sets the cover; null for the first image. @throws ApiError also when the item is missing */
export const chooseCover = (data: PostgrestClient, projectId: string, mediaId: string | null): Promise<void> =>
  requireChange(data.rpc('choose_cover', { p_id: projectId, p_media: mediaId }));

/** Saves the order in one transaction. @throws ApiError also when `ids` are not exactly the project's media */
export const reorderMedia = (data: PostgrestClient, projectId: string, ids: readonly string[]): Promise<void> =>
  requireChange(data.rpc('reorder_project_media', { p_id: projectId, p_ids: ids }));

export function inOrderOf<Item extends { id: string; order: number }>(media: readonly Item[], ids: readonly string[]) {
  const places = new Map(ids.map((id, place) => [id, place]));
  return media
    .toSorted((a, b) => (places.get(a.id) ?? ids.length + a.order) - (places.get(b.id) ?? ids.length + b.order))
    .map((item, order) => (item.order === order ? item : { ...item, order }));
}

interface OrderedRead {
  or(filters: string, options: { referencedTable: string }): this;
  order(column: string, options: { ascending?: boolean; referencedTable: string }): this;
  limit(count: number, options: { referencedTable: string }): this;
}

export function onlyCovers<Read extends OrderedRead>(read: Read, most?: number): Read {
  const referencedTable = 'project_media';
  const pictured = read.or('type.eq.image,and(type.eq.video,poster.not.is.null)', { referencedTable });
  return coverFirst(pictured.order('type', { referencedTable }), most);
}

export function coverFirst<Read extends OrderedRead>(read: Read, most?: number): Read {
  const referencedTable = 'project_media';
  const leading = read.order('is_cover', { ascending: false, referencedTable });
  const ordered = leading.order('order', { referencedTable }).order('created_at', { referencedTable });
  return most === undefined ? ordered : ordered.limit(most, { referencedTable });
}
