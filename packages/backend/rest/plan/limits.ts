import type { SupabaseProject } from '../../config/supabase-config.ts';
import type { Role } from '../../http/caller.ts';
import { BREADTH, type Breadth, JSON_DEPTH } from '../../http/limits.ts';
import type { Rate } from '../../http/rate-limit.ts';
import { errors } from '../errors.ts';
import { PATTERNS, TEXT_SEARCH } from '../parse/request.ts';
import type { PlannedFilter } from './plan.ts';

/** Exceeding any of these rejects a request before the cost arises (threat model, section 8). */
export interface Limits extends Breadth {
  url: number;
  parameters: number;
  body: number;
  jsonDepth: number;
  rows: Record<Role, number>;
  filters: number;
  logicDepth: number;
  list: number;
  embedDepth: number;
  embeds: number;
  selectItems: number;
  order: number;
  /** Pattern or text search filters without an index. */
  searches: Record<Role, number>;
  limit: number;
  offset: number;
  timeoutMs: Record<Role | 'admin', number>;
  /** Characters of a read's response, or bytes of a binary one. */
  responseLength: number;
  requests: Rate | null;
}

const defaults: Omit<Limits, 'filters' | 'list' | 'embedDepth' | 'embeds' | 'requests'> = {
  url: 8192,
  parameters: 100,
  body: 1_000_000,
  jsonDepth: JSON_DEPTH,
  ...BREADTH,
  rows: { anon: 100, authenticated: 100, service_role: 10_000 },
  logicDepth: 4,
  selectItems: 60,
  order: 5,
  searches: { anon: 2, authenticated: 2, service_role: Number.POSITIVE_INFINITY },
  limit: 1000,
  offset: 100_000,
  timeoutMs: { anon: 2000, authenticated: 5000, admin: 30_000, service_role: 30_000 },
  responseLength: 5_000_000,
};

export const limitsFor = (api: SupabaseProject['api']): Limits => {
  const searches = api.searches ?? defaults.searches.anon;
  return {
    ...defaults,
    rows: { ...defaults.rows, anon: api.guest_rows },
    searches: { ...defaults.searches, anon: searches, authenticated: searches },
    limit: Math.max(defaults.limit, api.max_rows),
    embedDepth: api.max_embed_depth,
    embeds: api.max_embeds,
    filters: api.max_filters,
    list: api.max_list,
    requests: api.requests_per_minute ? { points: api.requests_per_minute, seconds: 60 } : null,
  };
};

const TEXT_TYPES = new Set(['text', 'varchar', 'bpchar', 'citext']);
const MAX_PATTERN_LENGTH = 200;

/** Limits filters without an index (patterns, text searches, paths into plain text): each reads all text. */
export class SearchBudget {
  count = 0;
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  add(filter: PlannedFilter): void {
    const { operator, quantifier, value } = filter;
    if (!needsFullScan(filter)) return;
    this.count += quantifier ? value.split(',').length : 1;
    if (this.count > this.#maximum)
      throw errors.overLimit(
        `More than ${this.#maximum} filters by pattern or text search on columns that have no index for it`,
      );
    if (PATTERNS.has(operator) && value.length > MAX_PATTERN_LENGTH && Number.isFinite(this.#maximum))
      throw errors.overLimit(`A pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
}

function needsFullScan({ operator, field: { column, computed, path } }: PlannedFilter): boolean {
  const isIndexed = column.isIndexed && computed === null && path.length === 0;
  if (TEXT_SEARCH.has(operator)) return !(isIndexed && column.baseName === 'tsvector');
  if (PATTERNS.has(operator)) return !isIndexed;
  return path.length > 0 && TEXT_TYPES.has(column.baseName);
}
