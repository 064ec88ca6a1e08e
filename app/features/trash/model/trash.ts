import type { PostgrestClient } from '@supabase/postgrest-js';
import { choiceParam, listParams, pageParam, type QuestionOf, textParam } from '#lib/data/list-params.ts';
import { PAGE_SIZE, pagesOf, type TablePage } from '#lib/data/page.ts';
import { readOne } from '#lib/data/rows.ts';

export interface DeletedThing {
  kind: 'project' | 'media' | 'comment';
  id: string;
  title: string;
  client: string | null;
  status: string | null;
  media: number | null;
  type: string | null;
  url: string | null;
  project: { id: string; title: string } | null;
  deleted_at: string;
  deleted_by: string | null;
  kept_until: string;
}

type TrashPage = TablePage<DeletedThing> & { more: boolean; kept_days: number };

export const trashParams = listParams({
  search: textParam,
  kind: choiceParam<DeletedThing['kind']>(['project', 'media', 'comment']),
  page: pageParam,
});
export type TrashQuestion = QuestionOf<typeof trashParams>;

/** One page of restorable items, newest first; the last page when the requested one is beyond it. @throws ApiError */
export async function readTrash(data: PostgrestClient, question: TrashQuestion): Promise<TrashPage> {
  const { search, kind, page } = question;
  const range = { skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE };
  const result = await readOne<Omit<TrashPage, 'page'>>(data.rpc('list_trash', { words: search, kind, ...range }));
  const lastPage = Math.max(1, pagesOf(result.total));
  if (result.rows.length === 0 && page > 1) return readTrash(data, { ...question, page: lastPage });
  return { ...result, rows: result.rows.map(named), page };
}

const TYPES: Record<string, string> = { image: 'Picture', video: 'Video' };

/** Media without a title are stored under their address, which is not shown. */
export const named = (thing: DeletedThing): DeletedThing =>
  thing.url !== null && thing.title === thing.url
    ? { ...thing, title: `${TYPES[thing.type ?? ''] ?? 'Demo'} without a title` }
    : thing;

export type Deleted = Pick<DeletedThing, 'kind' | 'id'>;

/** @returns how many were restored, without those already restored by others. @throws ApiError */
export async function restoreDeleted(data: PostgrestClient, things: readonly Deleted[]): Promise<number> {
  const idsOfKind = (kind: Deleted['kind']) => things.filter((thing) => thing.kind === kind).map(({ id }) => id);
  const restore = data.rpc('restore_from_trash', { projects: idsOfKind('project'), media: idsOfKind('media') });
  const { projects, media } = await readOne<{ projects: number; media: number }>(restore);
  const ids = idsOfKind('comment');
  return projects + media + (ids.length && (await readOne<number>(data.rpc('restore_draft_comments', { p_ids: ids }))));
}

/** Whole days until permanent deletion; 0 when it is less than one. */
export function daysLeft(keptUntil: string, now: Date): number {
  const days = (Date.parse(keptUntil) - now.getTime()) / 86_400_000;
  return days < 1 ? 0 : Math.round(days);
}
