import type { Logger } from 'pino';
import type { CleanRichText } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { CallerRequest } from '../database/run-as-caller.ts';
import type { Caller } from '../http/caller.ts';
import type { Catalog, ExposedSchema } from './catalog/catalog.ts';
import type { Preferences } from './parse/preferences.ts';
import type { Limits, SearchBudget } from './plan/limits.ts';
import type { RefusedWrites } from './refused-writes.ts';

export interface Rules {
  schemas: readonly string[];
  extraSearchPath: readonly string[];
  maxRows: number;
  defaultRows: number;
  aggregates: boolean;
  openDescriptions: boolean;
  txOverride: boolean;
  cleanRichText: CleanRichText;
}

export interface Exchange {
  db: Database;
  log: Logger;
  limits: Limits;
  rules: Rules;
  catalog: Catalog;
  schema: ExposedSchema;
  caller: Caller;
  isAdmin: boolean;
  searches: SearchBudget;
  /** Embeds referenced by table although they have an alias. */
  deprecatedNames: Set<string>;
  refusedWrites: RefusedWrites;
  request: CallerRequest;
  method: string;
  search: string;
  accept: string | null;
  range: string | null;
  preferences: Preferences;
  contentType: string;
  body: { text(): Promise<string>; bytes(): Promise<Buffer> };
}

export interface RestResponse {
  status: number;
  body: string | Uint8Array<ArrayBuffer> | null;
  reason?: string | null;
  headers: Record<string, string | readonly string[]>;
}

/** Descriptions, plans and aggregates reveal rows the caller may not see (threat model TM-20). */
export const mayDescribe = ({ caller, rules }: Pick<Exchange, 'caller' | 'rules'>): boolean =>
  rules.openDescriptions || caller.role === 'service_role';
