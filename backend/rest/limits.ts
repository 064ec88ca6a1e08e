import type { Role } from '../http/caller.ts';
import type { Rate } from '../http/limits.ts';

/** How much one request may ask for. Past any of these it is refused before the cost arises (threat model, section 8). */
export interface Limits {
  /** Address with query string, bytes. */
  url: number;
  parameters: number;
  /** Bytes. */
  body: number;
  jsonDepth: number;
  /** Keys per row, or arguments of one call. */
  keys: number;
  rows: Record<Role, number>;
  filters: number;
  logicDepth: number;
  list: number;
  embedDepth: number;
  embeds: number;
  selectItems: number;
  order: number;
  /** Filters by pattern or text search that no index answers. */
  searches: Record<Role, number>;
  limit: number;
  offset: number;
  timeoutMs: Record<Role | 'admin', number>;
  /** Characters of one read's answer. */
  answer: number;
  /** Per visitor's address; null switches it off. */
  requests: Rate | null;
}

const defaults: Limits = {
  url: 8192,
  parameters: 100,
  body: 1_000_000,
  jsonDepth: 32,
  keys: 500,
  rows: { anon: 100, authenticated: 100, service_role: 10_000 },
  filters: 30,
  logicDepth: 4,
  list: 200,
  embedDepth: 3,
  embeds: 6,
  selectItems: 60,
  order: 5,
  searches: { anon: 2, authenticated: 2, service_role: Number.POSITIVE_INFINITY },
  limit: 1000,
  offset: 100_000,
  timeoutMs: { anon: 2000, authenticated: 5000, admin: 30_000, service_role: 30_000 },
  answer: 5_000_000,
  requests: { points: 600, seconds: 60 },
};

interface OwnLimits {
  guest_rows: number;
  max_rows: number;
  searches?: number;
}

/** The limits of a project: its own numbers where config.toml has them. */
export const limitsFor = ({ guest_rows, max_rows, searches = defaults.searches.anon }: OwnLimits): Limits => ({
  ...defaults,
  rows: { ...defaults.rows, anon: guest_rows },
  searches: { ...defaults.searches, anon: searches, authenticated: searches },
  limit: Math.max(defaults.limit, max_rows),
});
