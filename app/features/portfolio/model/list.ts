import type { PostgrestClient } from '@supabase/postgrest-js';
import { isLead, type StoredShares } from '#features/credits/model/credits.ts';
import type { Media } from '#features/media/model/media.ts';
import { onlyCovers } from '#features/projects/model/media.ts';
import type { Project } from '#features/projects/model/read.ts';
import { LISTED } from '#features/projects/model/status.ts';
import { MAX_SEARCH_LENGTH } from '#lib/data/page.ts';
import { type Embedded, readOne, rows } from '#lib/data/rows.ts';
import { type Category, isCategory } from '#lib/words/categories.ts';
import type { Lead } from '#lib/words/credits.ts';
import type { PagePath } from '#lib/words/page-path.ts';

export const EXPERIMENTS_ON_A_PAGE = 24;
/** Maximum pages shown as one after “load more”; the data service returns at most a hundred rows. */
export const MAX_PAGES_SHOWN = 4;
/** The cover comes first; the others replace a cover with an untrusted address. */
const MEDIA_ON_A_CARD = 4;

export type ListedExperiment = Pick<
  Project,
  'id' | 'number' | 'title' | 'client' | 'status' | 'budget' | 'show_budget' | 'description' | 'facts' | 'created_at'
> & {
  project_media: Media[];
  case_study_metadata: Embedded<{ category: string | null; tags: string[] | null } & StoredShares>;
};

export interface ListChoice {
  category: Category | null;
  made: Lead | null;
  /** A fact of a filter and its value: `industry:Fashion`. */
  fact: string | null;
  words: string;
  /** Page number from 1, or the last of several pages shown as one, which start at `from`. */
  page: number;
  from: number;
}

type Count = { experiments: number; hand_led: number; half_and_half: number; machine_led: number };

export type Counts = Readonly<Record<string, Count>>;

const LEAD_COLUMNS: Record<Lead, keyof Count> = { hand: 'hand_led', half: 'half_and_half', machine: 'machine_led' };

export const countOf = (counts: Counts, { category, made, fact = null }: Filters): number =>
  counts[[category ?? 'all', fact ?? []].flat().join(' ')]?.[made ? LEAD_COLUMNS[made] : 'experiments'] ?? 0;

type Filters = Pick<ListChoice, 'category' | 'made'> & { fact?: string | null };

export const listParameters = ['category', 'made', 'fact', 'q', 'page', 'from'] as const;

/** Parses the address; unknown values mean everything, from the first page. */
export function listChoice(query: URLSearchParams): ListChoice {
  const category = query.get('category');
  const made = query.get('made');
  const page = pageNumber(query.get('page')) ?? 1;
  const from = pageNumber(query.get('from')) ?? page;
  return {
    category: isCategory(category) ? category : null,
    made: isLead(made) ? made : null,
    fact: /^[a-z0-9_]{1,50}:.{1,60}$/u.exec(query.get('fact') ?? '')?.[0] ?? null,
    words: searchWords(query.get('q') ?? ''),
    page,
    from: from <= page && page - from < MAX_PAGES_SHOWN ? from : page,
  };
}

function pageNumber(text: string | null): number | null {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : null;
}

const searchWords = (typed: string): string =>
  [...typed.slice(0, 4 * MAX_SEARCH_LENGTH).replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')]
    .slice(0, MAX_SEARCH_LENGTH)
    .join('')
    .trim();

export function listAddress({ category, made, fact, words, page = 1, from = page }: Partial<ListChoice>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ category, made, fact, q: words })) if (value) query.set(name, value);
  if (page > 1) query.set('page', String(page));
  if (from < page) query.set('from', String(from));
  const list = '/case-studies' satisfies PagePath;
  return query.size ? `${list}?${query}` : list;
}

const COLUMNS = `id,number,title,client,status,budget,show_budget,description,facts,created_at,
  project_media(type,url,title,made,poster,is_cover,width,height,placeholder,animated,loops),
  case_study_metadata(category,tags,hand_share,together_share)`;

/** Newest first; for a search, best match first. The database decides on categories, lead and what is listed. */
export async function listExperiments(client: PostgrestClient, choice: ListChoice) {
  const { category, made, fact, words, page, from } = choice;
  const size = (page - from + 1) * EXPERIMENTS_ON_A_PAGE;
  const skip = (from - 1) * EXPERIMENTS_ON_A_PAGE;
  const filters = Object.entries({ words, category, made, fact }).filter(([, value]) => value);
  const args = { ...Object.fromEntries(filters), skip, take: size + 1 };
  const query = client.rpc('search_case_studies', args).select(COLUMNS);
  const experiments = await rows<ListedExperiment>(onlyCovers(query, MEDIA_ON_A_CARD));
  return { experiments: experiments.slice(0, size), more: experiments.length > size };
}

/** Counts by category and for `all`: of the matches when searching. @throws ApiError */
export async function countExperiments(client: PostgrestClient, words = '') {
  const query = client.rpc('count_case_studies', words ? { words } : {}).limit(1000);
  const found = await rows<Count & { category: string; exact: boolean }>(query);
  const counts: Counts = Object.fromEntries(found.map((each) => [each.category, each]));
  return { counts, exact: found.every(({ exact }) => exact) };
}

/** The three experiments of the home page: those that admins chose, in order, then the newest. @throws ApiError */
export const listForHome = (client: PostgrestClient): Promise<ListedExperiment[]> =>
  rows(onlyCovers(client.rpc('home_experiments', {}, { get: true }).select(COLUMNS), MEDIA_ON_A_CARD));

/** Up to 12 clients of the newest 48 experiments, each once. @throws ApiError */
export async function listClients(client: PostgrestClient): Promise<string[]> {
  const query = client.from('projects').select('client').in('status', LISTED).neq('client', '');
  const newestFirst = query.order('created_at', { ascending: false });
  const newest = await rows<{ client: string }>(newestFirst.limit(48));
  return [...new Set(newest.map((experiment) => experiment.client.trim()))].filter(Boolean).slice(0, 12);
}

export interface Results {
  published: number;
  completed: number;
  media: number;
  /** Experiments with credits: their number and average hand share. */
  credited: { experiments: number; hand: number } | null;
}

export async function countResults(client: PostgrestClient): Promise<Results> {
  const query = client.rpc('count_results', {}, { get: true }).single();
  const { credited, hand_share, ...counts } = await readOne<Counted>(query);
  return { ...counts, credited: hand_share === null ? null : { experiments: credited, hand: hand_share } };
}

type Counted = Omit<Results, 'credited'> & { credited: number; hand_share: number | null };
