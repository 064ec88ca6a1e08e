import { errors } from '../errors.ts';
import type { PlannedFilter } from './plan.ts';

const PATTERNS = new Set(['like', 'ilike', 'match', 'imatch']);
const TEXT_SEARCH = new Set(['fts', 'plfts', 'phfts', 'wfts']);
const TEXTS = new Set(['text', 'varchar', 'bpchar', 'citext']);
const LONGEST_PATTERN = 200;

/** Limits filters without an index (patterns, text searches, paths into plain text): each reads all text. */
export class Searches {
  count = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws RestError for one too many, or a pattern too long */
  add(filter: PlannedFilter): void {
    const { operator, quantifier, value } = filter;
    if (!readsEveryText(filter)) return;
    this.count += quantifier ? value.split(',').length : 1;
    if (this.count > this.#most)
      throw errors.overLimit(
        `More than ${this.#most} filters by pattern or text search on columns that have no index for it`,
      );
    if (PATTERNS.has(operator) && value.length > LONGEST_PATTERN && Number.isFinite(this.#most))
      throw errors.overLimit(`A pattern is longer than ${LONGEST_PATTERN} characters`);
  }
}

function readsEveryText({ operator, field: { column, computed, path } }: PlannedFilter): boolean {
  const isIndexed = column.isIndexed && computed === null && path.length === 0;
  if (TEXT_SEARCH.has(operator)) return !(isIndexed && column.baseName === 'tsvector');
  if (PATTERNS.has(operator)) return !isIndexed;
  return path.length > 0 && TEXTS.has(column.baseName);
}
