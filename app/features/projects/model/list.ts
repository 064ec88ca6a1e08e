import type { PostgrestClient } from '@supabase/postgrest-js';
import { choiceParam, listParams, orderParam, pageParam, type QuestionOf, textParam } from '#lib/data/list-params.ts';
import { PAGE_SIZE, readPage, type TablePage } from '#lib/data/page.ts';
import { type DataAnswer, first, rows } from '#lib/data/rows.ts';
import { type FieldsOfKind, fieldsOfKind, SUBTITLES, type Subtitle } from './fields.ts';
import { coverFirst } from './media.ts';
import type { Project, ProjectMedia, ProjectRow } from './read.ts';
import { REVIEW_TURN, STATUSES, type Status } from './status.ts';

const PREVIEW = 50;
export const PROJECTS_ON_A_PAGE = 20;

export type Sort = 'newest' | 'oldest' | 'changed' | 'title';

export const projectParams = listParams({
  search: textParam,
  status: choiceParam(STATUSES),
  /** Submissions waiting for review, or not completed by their submitter. */
  review: choiceParam<'waiting' | 'unfinished'>(['waiting', 'unfinished']),
  sort: orderParam<Sort>(['newest', 'oldest', 'changed', 'title']),
  page: pageParam,
});
export type ProjectQuestion = QuestionOf<typeof projectParams>;

export type FoundPage<Row> = TablePage<Row> & { size: number; more: boolean };

type ListedField = 'id' | FieldsOfKind<'line' | 'status' | 'money'> | 'created_at' | 'updated_at';
export type ListedProject = Pick<Project, ListedField> & {
  project_budgets: ProjectRow['project_budgets'];
  project_media: Pick<ProjectMedia, 'id' | 'type' | 'url' | 'title' | 'width' | 'height' | 'placeholder' | 'order'>[];
  description?: string | null;
  submitted_at?: string | null;
};

/** One page of matching projects with these columns, with at most four media each if included. @throws ApiError */
export async function findProjects<Row>(
  data: PostgrestClient,
  { search, status, review, sort, page }: ProjectQuestion,
  { columns, size = PAGE_SIZE }: { columns: string; size?: number },
): Promise<FoundPage<Row>> {
  const filters = {
    ...(search.trim() && { p_words: search }),
    ...(review ? { p_turn: REVIEW_TURN[review] } : status && { p_status: status }),
  };
  let more = false;
  const readRows = async (from: number, to: number): Promise<DataAnswer> => {
    const args = { ...filters, p_sort: sort, p_skip: from, p_take: to - from + 1 };
    let rows = data.rpc('find_projects', args, { get: true }).select(columns);
    if (columns.includes('project_media')) rows = coverFirst(rows, 4);
    // Without a search, counting is cheap and runs concurrently.
    const counting = filters.p_words ? null : countProjects(data, filters);
    const [{ data: here, error }, known] = await Promise.all([rows, counting]);
    if (error) return { data: null, error, count: null };
    // When a search ends on this page, the total needs no count query.
    const ends = here.length < to - from + 1 && (here.length > 0 || from === 0);
    const count = known ?? (ends ? { projects: from + here.length, exact: true } : await countProjects(data, filters));
    more = !count.exact;
    return { data: here, error, count: count.projects };
  };
  const found = await readPage<Row>(readRows, page, size);
  return { ...found, size, more };
}

type Count = { projects: number; exact: boolean };

async function countProjects(data: PostgrestClient, which: Record<string, string | number>): Promise<Count> {
  const count = await first<Count>(data.rpc('count_projects', which, { get: true }));
  return count ?? { projects: 0, exact: true };
}

const LISTED_COLUMNS = `id,${fieldsOfKind('line', 'status', 'money')},created_at,updated_at,project_budgets(amount),project_media(id,type,url,title,made,is_cover,width,height,placeholder,animated,order)`;

export const subtitleOf = (project: Pick<ListedProject, Subtitle>): string =>
  SUBTITLES.flatMap((name) => project[name] || []).join(', ');

export const readProjects = (data: PostgrestClient, question: ProjectQuestion): Promise<FoundPage<ListedProject>> =>
  findProjects(data, question, { columns: LISTED_COLUMNS, size: PROJECTS_ON_A_PAGE });

export const readTable = (data: PostgrestClient, question: ProjectQuestion): Promise<FoundPage<ListedProject>> =>
  findProjects(data, question, { columns: `${LISTED_COLUMNS},description,submitted_at` });

/** The first 50 characters, plus an ellipsis when cut. */
export function previewOf(text: string): string {
  const characters = [...text];
  return characters.length > PREVIEW ? `${characters.slice(0, PREVIEW).join('').trimEnd()}…` : text;
}

export function findByWords(data: PostgrestClient, words: string): Promise<Pick<Project, 'id' | 'title' | 'client'>[]> {
  const found = data.rpc('find_projects', { p_words: words, p_take: 8 }, { get: true });
  return rows(found.select('id,title,client'));
}

export const countDrafts = async (data: PostgrestClient): Promise<number> =>
  (await countProjects(data, { p_status: 'draft' satisfies Status })).projects;

export function rangeText({ rows, total, page, size, more }: FoundPage<unknown>): string | null {
  if (rows.length === 0) return null;
  const first = (page - 1) * size + 1;
  const last = first + rows.length - 1;
  return `Showing ${first} to ${last} of ${more ? `more than ${total}` : total} results`;
}
