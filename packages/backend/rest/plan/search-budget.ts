import { errors } from '../errors.ts';
import type { PlannedFilter } from './plan.ts';

const PATTERNS = new Set(['like', 'ilike', 'match', 'imatch']);
const TEXT_SEARCH = new Set(['fts', 'plfts', 'phfts', 'wfts']);
const TEXT_TYPES = new Set(['text', 'varchar', 'bpchar', 'citext']);
const MAX_PATTERN_LENGTH = 200;

/** Limits filters without an index (patterns, text searches, paths into plain text): each reads all text. */
export class SearchBudget {
  count = 0;
  readonly #maximum: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** @throws RestError for one too many, or a pattern too long */
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
