import type { PostgrestClient } from '@supabase/postgrest-js';
import type { StorageClient } from '@supabase/storage-js';
import { BUCKET, readableSize, type UploadTarget } from '#features/media/model/upload.ts';
import { isSetting, settings } from '#features/settings/model/table.ts';
import { choiceParam, listParams, type QuestionOf, textParam } from '#lib/data/list-params.ts';
import { readOne, requireChange } from '#lib/data/rows.ts';
import { library as words } from '../words.ts';

export interface LibraryPlace {
  kind: 'project' | 'page' | 'legal' | 'setting' | 'trash';
  id: string | null;
  title: string | null;
  status: string | null;
}

export interface LibraryFile {
  id: string;
  bucket: string;
  name: string;
  kind: 'image' | 'film';
  type: 'image' | 'video';
  url: string;
  /** The name it had on a device, else the title of its first use. */
  title: string;
  file_name: string | null;
  /** Its own, else that of its first use; empty for a decorative picture. */
  alt: string | null;
  credit: string | null;
  poster: string | null;
  /** Whether it is used as a poster or portrait alone, so that it needs no alternative text. */
  is_named: boolean;
  bytes: number | null;
  width: number | null;
  height: number | null;
  created_at: string;
  updated_at: string;
  created_by: string | null;
  kept: boolean;
  kept_until: string | null;
  uses: number;
  places: LibraryPlace[];
}

type LibraryCursor = { at: string; id: string };

export type LibraryPage = { rows: LibraryFile[]; total: number; next: LibraryCursor | null };

export const libraryParams = listParams({
  search: textParam,
  kind: choiceParam<LibraryFile['kind']>(['image', 'film']),
  state: choiceParam<'unused' | 'no_alt' | 'deleted'>(['unused', 'no_alt', 'deleted']),
  before: {
    read: (text): LibraryCursor | null => {
      const [, at, id] = /^([^~]+)~([\da-f-]{36})$/.exec(text) ?? [];
      return at && id && !Number.isNaN(Date.parse(at)) ? { at, id } : null;
    },
    write: (before: LibraryCursor | null) => (before ? `${before.at}~${before.id}` : ''),
    kind: 'place',
  },
});
export type LibraryQuestion = QuestionOf<typeof libraryParams>;

/** One page, newest first. @throws ApiError */
export async function readLibrary(data: PostgrestClient, storage: StorageClient, question: LibraryQuestion) {
  const { search, kind, state, before } = question;
  const page = await readOne<LibraryPage>(data.rpc('list_media', { words: search || null, kind, state, before }));
  const addressOf = ({ bucket, name }: LibraryFile) => storage.from(bucket).getPublicUrl(name).data.publicUrl;
  const typeOf = ({ kind }: LibraryFile) => (kind === 'film' ? 'video' : 'image');
  const rows: LibraryFile[] = page.rows.map((file) => ({ ...titled(file), url: addressOf(file), type: typeOf(file) }));
  return { ...page, rows };
}

const titled = <Row extends Pick<LibraryFile, 'kind' | 'name'> & { title: string | null }>(row: Row) => ({
  ...row,
  title:
    row.title ?? `Untitled ${row.kind === 'image' ? 'picture' : 'video'} ${row.name.replace(/\.\w+$/, '').slice(-4)}`,
});

/** Keeps an uploaded file, also without a use. @returns its id. @throws ApiError */
export const addToLibrary = (data: PostgrestClient, target: UploadTarget, name: string): Promise<string> =>
  readOne(data.rpc('add_to_library', { p_bucket: target.bucket ?? BUCKET, p_name: target.path, p_file_name: name }));

/** Only what is given changes. `seen` is the `updated_at` that was read. */
export interface FileChange {
  id: string;
  seen: string;
  alt?: string | null;
  credit?: string | null;
  file_name?: string | null;
}

/** All or none. @throws ApiError also when one was changed meanwhile */
export const describeFiles = (data: PostgrestClient, changes: readonly FileChange[]): Promise<void> =>
  requireChange(data.rpc('describe_media_files', { p_changes: changes }));

export interface FilesDeleted {
  deleted: string[];
  /** Files that stay, because they are in use. */
  used: Pick<LibraryFile, 'id' | 'kind' | 'name' | 'title' | 'uses' | 'places'>[];
}

export async function deleteFiles(data: PostgrestClient, ids: readonly string[]): Promise<FilesDeleted> {
  const { deleted, used } = await readOne<FilesDeleted>(data.rpc('delete_media_files', { p_ids: ids }));
  return { deleted, used: used.map(titled) };
}

/** @returns how many were restored. @throws Error when none can be, ApiError */
export async function restoreFiles(data: PostgrestClient, ids: readonly string[]): Promise<number> {
  const count = await readOne<number>(data.rpc('restore_media_files', { p_ids: ids }));
  if (count === 0) throw new Error('Already restored, or its time is over.');
  return count;
}

/** Every use of the file shows the other one. @returns in how many more places that one is now. @throws ApiError */
export const replaceFile = (data: PostgrestClient, id: string, by: string): Promise<number> =>
  readOne(data.rpc('replace_media_file', { p_id: id, p_by: by }));

export const hasAlt = ({ kind, is_named }: LibraryFile): boolean => kind === 'image' && !is_named;

export function factsOf({ name, width, height, bytes }: LibraryFile): string {
  const format = name.split('.').pop()!.toUpperCase();
  const facts = [format, width && height && `${width} × ${height}`, bytes !== null && readableSize(bytes)];
  return facts.flatMap((fact) => (fact ? fact.replaceAll(' ', '\u00a0') : [])).join(', ');
}

export function nameOfPlace({ kind, id, title, status }: LibraryPlace): string {
  if (kind === 'project') return `${title}${status === 'draft' ? ' (draft)' : ''}`;
  if (kind === 'trash') return 'Trash';
  const label = id !== null && isSetting(id) ? settings[id].label : id;
  return `${words.places[kind]} “${kind === 'page' ? title : label}”`;
}
