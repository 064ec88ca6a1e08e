import type { PostgrestClient } from '@supabase/postgrest-js';
import { type PageKind, pageSchemas } from '#features/pages/model/page-schemas.ts';
import { isUuid } from '#lib/data/ids.ts';
import { first, readOne, requireChange, rows } from '#lib/data/rows.ts';
import { nameOfUser, type UserName } from '#lib/data/user-name.ts';
import type { Values } from '#lib/fields/field.ts';

export interface PageRow {
  id: string;
  kind: PageKind;
  path: string | null;
  title: string | null;
  live_title: string | null;
  is_draft: boolean;
  revision: number;
  updated_at: string;
  published_at: string | null;
  deleted_at: string | null;
  editor: UserName | null;
}

export type EditedPage = PageRow & { draft: Values | null; live: Values | null; redirects: string[] };

const FACTS =
  'id,kind,path,title,live_title,is_draft,revision,updated_at,published_at,deleted_at,editor:profiles(email,name)';

/** The built-in pages, then the free ones by title, then deleted ones. @throws ApiError */
export async function listEditedPages(data: PostgrestClient): Promise<PageRow[]> {
  const found = await rows<PageRow>(data.from('pages').select(FACTS).limit(1000));
  return found.sort(
    (a, b) =>
      Number(a.deleted_at !== null) - Number(b.deleted_at !== null) ||
      ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
      (a.title ?? '').localeCompare(b.title ?? ''),
  );
}

const ORDER = Object.keys(pageSchemas);

/** Null when it was deleted, or never existed. @throws ApiError */
export async function findPage(data: PostgrestClient, id: string): Promise<EditedPage | null> {
  if (!isUuid(id)) return null;
  type Row = Omit<EditedPage, 'redirects'> & { redirects: { path: string }[] };
  const columns = `${FACTS},draft,live,redirects:page_redirects(path)`;
  const page = await first<Row>(data.from('pages').select(columns).eq('id', id).is('deleted_at', null));
  return page && { ...page, redirects: page.redirects.map(({ path }) => path).sort() };
}

export interface PageVersion {
  number: number;
  title: string | null;
  content: Values;
  published_at: string;
  publisher: UserName | null;
}

const VERSION_FACTS = 'number,title,content,published_at,publisher:profiles(email,name)';

export const listPageVersions = (data: PostgrestClient, id: string): Promise<PageVersion[]> =>
  rows(data.from('page_versions').select(VERSION_FACTS).eq('page_id', id).order('number', { ascending: false }));

export const pageEditorOf = (person: UserName | null): string => nameOfUser(person, 'A former editor');

/** @param content null discards the draft @param seen revision that was read. @returns the new one. @throws ApiError also with 409 when it was saved since */
export const savePageDraft = (
  data: PostgrestClient,
  page: string,
  { content, title, seen }: { content: Values | null; title: string | null; seen: number },
): Promise<number> => readOne(data.rpc('save_page_draft', { page, content, title, seen }));

export const SAVED_MEANWHILE = 'PT409';

export const publishPage = (data: PostgrestClient, page: string, seen: number) =>
  requireChange(data.rpc('publish_page', { page, seen }));
export const createPage = (data: PostgrestClient, page: { title: string; path: string }) =>
  readOne<string>(data.rpc('create_page', page));
export const movePage = (data: PostgrestClient, page: string, path: string) =>
  requireChange(data.rpc('move_page', { page, path }));
export const deletePage = (data: PostgrestClient, page: string) => requireChange(data.rpc('delete_page', { page }));
export const restorePage = (data: PostgrestClient, page: string) => requireChange(data.rpc('restore_page', { page }));

export const MAX_PATH_LENGTH = 80;
export const MAX_TITLE_LENGTH = 120;

/** The address for a title: `Open studio!` → `/open-studio`. */
export const suggestedPath = (title: string): string =>
  `/${title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .slice(0, MAX_PATH_LENGTH - 1)
    .replace(/^-|-$/g, '')}`;
