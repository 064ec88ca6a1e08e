import type { PostgrestClient } from '@supabase/postgrest-js';
import { trash as words } from '../../copy/admin/trash.ts';
import { PAGE_SIZE, pageFrom, searchFrom } from '../data/page.ts';
import { one } from '../data/rows.ts';

/** Something that was deleted and can come back. */
export interface DeletedThing {
  kind: 'project' | 'media';
  id: string;
  title: string;
  /** Of projects. */
  client: string | null;
  status: string | null;
  /** Media that went with a project. */
  media: number | null;
  /** Of media: image, video or demo, and where it lies. */
  type: string | null;
  url: string | null;
  /** Of media: the project it belongs to, which is still there. */
  project: { id: string; title: string } | null;
  deleted_at: string;
  /** Null when it was the server, or somebody who is gone. */
  deleted_by: string | null;
  kept_until: string;
}

export interface TrashPage {
  rows: DeletedThing[];
  /** Things that match; counting stops at a thousand. */
  total: number;
  /** Whether there are more than were counted. */
  more: boolean;
  /** How long deleted things are kept. */
  kept_days: number;
  page: number;
}

/** What the trash shows; the address holds the same. */
export interface TrashQuestion {
  search: string;
  kind: DeletedThing['kind'] | null;
  /** From 1. */
  page: number;
}

/** Reads `?search=…&kind=…&page=…`; what makes no sense counts as not given. */
export function trashQuestionFrom(address: URLSearchParams): TrashQuestion {
  const kind = address.get('kind');
  return {
    search: searchFrom(address),
    kind: kind === 'project' || kind === 'media' ? kind : null,
    page: pageFrom(address),
  };
}

/** The address of a question; what is usual is left out. */
export function trashAddressOf({ search, kind, page }: TrashQuestion): string {
  const address = new URLSearchParams();
  if (search) address.set('search', search);
  if (kind) address.set('kind', kind);
  if (page > 1) address.set('page', String(page));
  return `?${address}`;
}

/** One page of what can come back, newest first; the last page when the asked one lies beyond it. @throws ApiError */
export async function readTrash(data: PostgrestClient, question: TrashQuestion): Promise<TrashPage> {
  const { search, kind, page } = question;
  const read = await one<Omit<TrashPage, 'page'>>(
    data.rpc('list_trash', { words: search, kind, skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE }),
  );
  if (read.rows.length === 0 && page > 1) {
    return readTrash(data, { ...question, page: Math.max(1, Math.ceil(read.total / PAGE_SIZE)) });
  }
  return { ...read, rows: read.rows.map(named), page };
}

/** Media without a title go by their address, which tells nobody anything. */
export const named = (thing: DeletedThing): DeletedThing =>
  thing.url !== null && thing.title === thing.url ? { ...thing, title: words.untitled(thing.type) } : thing;

/** A thing in the trash, by what it was before. */
export type Deleted = Pick<DeletedThing, 'kind' | 'id'>;

/**
 * Brings things back, with everything that went with them.
 * @returns how many came back; what somebody else has brought back already is not among them
 * @throws ApiError
 */
export async function restoreDeleted(data: PostgrestClient, things: readonly Deleted[]): Promise<number> {
  const of = (kind: Deleted['kind']) => things.filter((thing) => thing.kind === kind).map(({ id }) => id);
  const { projects, media } = await one<{ projects: number; media: number }>(
    data.rpc('restore_from_trash', { projects: of('project'), media: of('media') }),
  );
  return projects + media;
}

/** Days until something is gone for good; 0 when it is less than one. */
export function daysLeft(keptUntil: string, now: Date): number {
  const days = (Date.parse(keptUntil) - now.getTime()) / 86_400_000;
  return days < 1 ? 0 : Math.round(days);
}
