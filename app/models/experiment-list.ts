import type { PostgrestClient } from '@supabase/postgrest-js';
import { type Category, isCategory } from '../copy/categories.ts';
import { ApiError } from './api-error.ts';
import { type Embedded, LISTED, type Project } from './project.ts';

export const PAGE_SIZE = 24;
/** The cover is among the first few pictures; nobody needs fifty of them on a card. */
const MEDIA_ON_A_CARD = 4;

/** These categories also catch what is named after them. */
const ALSO_BY_TITLE: Partial<Record<Category, string>> = { branding: 'brand', video: 'video' };

export type ListedExperiment = Project & {
  case_study_metadata: Embedded<{ category: string | null; tags: string[] | null }>;
};

export interface ListChoice {
  /** Null for all. */
  category: Category | null;
  /** From 1. */
  page: number;
}

/** What the address asks for. Anything we do not know means everything, from the first page. */
export function listChoice(query: URLSearchParams): ListChoice {
  const category = query.get('category');
  const page = Number(query.get('page') ?? 1);
  return {
    category: isCategory(category) ? category : null,
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  };
}

/** The address of a choice, without what is understood by itself. */
export function listAddress({ category, page }: ListChoice): string {
  const query = new URLSearchParams();
  if (category) query.set('category', category);
  if (page > 1) query.set('page', String(page));
  return query.size ? `/case-studies?${query}` : '/case-studies';
}

const COLUMNS = `id,title,client,status,budget,show_budget,description,created_at,
  project_media(type,url,title,width,height,placeholder),
  case_study_metadata(category,tags)`;

/**
 * One page of the public list, newest first.
 * @returns at most 24 experiments and whether older ones follow
 * @throws ApiError
 */
export async function listExperiments(
  client: PostgrestClient,
  { category, page }: ListChoice,
): Promise<{ experiments: ListedExperiment[]; more: boolean }> {
  const titled = category && ALSO_BY_TITLE[category];
  const filed = category ? `,filed:case_study_metadata${titled ? '' : '!inner'}()` : '';
  let query = client
    .from('projects')
    .select(COLUMNS + filed)
    .in('status', LISTED)
    .eq('project_media.type', 'image')
    .order('order', { referencedTable: 'project_media' })
    .limit(MEDIA_ON_A_CARD, { referencedTable: 'project_media' })
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .range((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  if (category) query = query.eq('filed.category', category);
  if (titled) query = query.or(`title.ilike.*${titled}*,filed.not.is.null`);
  const { data, error } = await query.overrideTypes<ListedExperiment[], { merge: false }>();
  if (error) throw new ApiError(error.message, error.code);
  return { experiments: data.slice(0, PAGE_SIZE), more: data.length > PAGE_SIZE };
}
