import type { Logger } from 'pino';
import type { CallerRequest } from '../database/as-caller.ts';
import type { Database } from '../database/database.ts';
import type { Caller } from '../http/caller.ts';
import type { Catalog, ExposedSchema } from './catalog/catalog.ts';
import type { Preferences } from './parse/preferences.ts';
import type { Limits } from './plan/limits.ts';
import type { Searches } from './plan/searches.ts';
import type { RefusedWrites } from './refused-writes.ts';

/** What the project's config.toml says about this service. */
export interface Rules {
  schemas: readonly string[];
  extraSearchPath: readonly string[];
  maxRows: number;
  defaultRows: number;
  aggregates: boolean;
  openDescriptions: boolean;
  txOverride: boolean;
}

/** One request on its way through the stages. */
export interface Exchange {
  db: Database;
  log: Logger;
  limits: Limits;
  rules: Rules;
  catalog: Catalog;
  schema: ExposedSchema;
  caller: Caller;
  isAdmin: boolean;
  /** The costly filters it has, counted while it is planned. */
  searches: Searches;
  /** Embeds that were meant by their table although they have an alias, collected while it is planned. */
  oldNames: Set<string>;
  refusedWrites: RefusedWrites;
  /** As SQL sees it. */
  request: CallerRequest;
  /** `GET`, `POST` and so on. */
  method: string;
  /** Query string without `?`. */
  search: string;
  accept: string | null;
  range: string | null;
  preferences: Preferences;
  /** Media type of the body in small letters, without parameters; empty when it names none. */
  contentType: string;
  /** The body of whatever type. */
  body: { text(): Promise<string>; bytes(): Promise<Buffer> };
}

/** An answer before it becomes HTTP. */
export interface Answer {
  status: number;
  body: string | Uint8Array<ArrayBuffer> | null;
  /** The reason phrase of the status line, when SQL chose one. */
  reason?: string | null;
  /** A header that is sent several times, as cookies are, has several values. */
  headers: Record<string, string | readonly string[]>;
}

/** Descriptions, plans and aggregates tell about rows the caller may not see (threat model TM-20). */
export const mayDescribe = ({ caller, rules }: Pick<Exchange, 'caller' | 'rules'>): boolean =>
  rules.openDescriptions || caller.role === 'service_role';
