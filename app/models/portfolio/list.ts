import type { PostgrestClient } from '@supabase/postgrest-js';
import { type Category, isCategory } from '../../copy/categories.ts';
import type { Lead } from '../../copy/credits.ts';
import type { PagePath } from '../../copy/page-path.ts';
import { isLead, type StoredShares } from '../credits/credits.ts';
import { LONGEST_SEARCH } from '../data/page.ts';
import { type Embedded, rows } from '../data/rows.ts';
import type { Media } from '../media/media.ts';
import { coverFirst } from '../project/media.ts';
import type { Project } from '../project/read.ts';

export const EXPERIMENTS_ON_A_PAGE = 24;
/** So many pages are shown in one when more was loaded into it; the data service gives a hundred rows at most. */
export const MOST_PAGES = 4;
/** The cover comes first, then a few more pictures, should its address not do; nobody needs fifty of them on a card. */
const MEDIA_ON_A_CARD = 4;

export type ListedExperiment = Pick<
  Project,
  'id' | 'number' | 'title' | 'client' | 'status' | 'budget' | 'show_budget' | 'description' | 'created_at'
> & {
  project_media: Media[];
  case_study_metadata: Embedded<{ category: string | null; tags: string[] | null } & StoredShares>;
};

export interface ListChoice {
  /** Null for all. */
  category: Category | null;
  /** Who led; null for whomever. */
  made: Lead | null;
  /** What is searched for; empty for everything. */
  words: string;
  /** From 1. With `from` before it, the last of several pages shown as one. */
  page: number;
  from: number;
}

/** How many experiments there are, and how many of them hand or machine led. */
interface Count {
  experiments: number;
  hand_led: number;
  half_and_half: number;
  machine_led: number;
}

export type Counts = Readonly<Record<string, Count>>;

const COLUMN_OF: Record<Lead, keyof Count> = { hand: 'hand_led', half: 'half_and_half', machine: 'machine_led' };

/** How many of those that are counted are what is asked for. */
export const countOf = (counts: Counts, { category, made }: Pick<ListChoice, 'category' | 'made'>): number =>
  counts[category ?? 'all']?.[made ? COLUMN_OF[made] : 'experiments'] ?? 0;

/** What `listChoice` reads. */
export const listParameters = ['category', 'made', 'q', 'page', 'from'] as const;

/** What the address asks for. Anything we do not know means everything, from the first page. */
export function listChoice(query: URLSearchParams): ListChoice {
  const category = query.get('category');
  const made = query.get('made');
  const page = pageNumber(query.get('page')) ?? 1;
  const from = pageNumber(query.get('from')) ?? page;
  return {
    category: isCategory(category) ? category : null,
    made: isLead(made) ? made : null,
    words: searchWords(query.get('q') ?? ''),
    page,
    from: from <= page && page - from < MOST_PAGES ? from : page,
  };
}

function pageNumber(text: string | null): number | null {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : null;
}

/** One line of at most a hundred characters. */
const searchWords = (typed: string): string =>
  [...typed.slice(0, 4 * LONGEST_SEARCH).replace(/[\p{Cc}\s]+/gu, ' ')].slice(0, LONGEST_SEARCH).join('').trim();

/** The address of a choice, without what is understood by itself. */
export function listAddress({
  category = null,
  made = null,
  words = '',
  page = 1,
  from = page,
}: Partial<ListChoice>): string {
  const query = new URLSearchParams();
  if (category) query.set('category', category);
  if (made) query.set('made', made);
  if (words) query.set('q', words);
  if (page > 1) query.set('page', String(page));
  if (from < page) query.set('from', String(from));
  const list = '/case-studies' satisfies PagePath;
  return query.size ? `${list}?${query}` : list;
}

const COLUMNS = `id,number,title,client,status,budget,show_budget,description,created_at,
  project_media(type,url,title,made,is_cover,width,height,placeholder,animated),
  case_study_metadata(category,tags,hand_share,together_share)`;

/**
 * One page of the public list, or up to four as one: newest first; what is searched for, best place first. What belongs
 * to which category, who led, and what is listed at all is the database's knowledge.
 * @throws ApiError
 */
export async function listExperiments(
  client: PostgrestClient,
  { category, made, words, page, from }: ListChoice,
): Promise<{ experiments: ListedExperiment[]; more: boolean }> {
  const size = (page - from + 1) * EXPERIMENTS_ON_A_PAGE;
  const experiments = await rows<ListedExperiment>(
    coverFirst(
      client
        .rpc('search_case_studies', {
          ...(words ? { words } : {}),
          ...(category ? { category } : {}),
          ...(made ? { made } : {}),
          skip: (from - 1) * EXPERIMENTS_ON_A_PAGE,
          take: size + 1,
        })
        .select(COLUMNS)
        .eq('project_media.type', 'image'),
      MEDIA_ON_A_CARD,
    ),
  );
  return { experiments: experiments.slice(0, size), more: experiments.length > size };
}

/** How many there are, by category and for `all`: of what matches when something is searched for. @throws ApiError */
export async function countExperiments(
  client: PostgrestClient,
  words = '',
): Promise<{ counts: Counts; exact: boolean }> {
  const counts = await rows<Count & { category: string; exact: boolean }>(
    client.rpc('count_case_studies', words ? { words } : {}),
  );
  return {
    counts: Object.fromEntries(counts.map((each) => [each.category, each])),
    exact: counts.every(({ exact }) => exact),
  };
}

/** The three experiments of the home page: those that admins chose, in their order, then the newest. @throws ApiError */
export async function listForHome(client: PostgrestClient): Promise<ListedExperiment[]> {
  return rows(
    coverFirst(
      client.rpc('home_experiments', {}, { get: true }).select(COLUMNS).eq('project_media.type', 'image'),
      MEDIA_ON_A_CARD,
    ),
  );
}
