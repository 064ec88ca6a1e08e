import type { Logger } from 'pino';
import type { SupabaseProject } from '../config/supabase-config.ts';
import type { CleanRichText } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { CallerRequest } from '../database/run-as-caller.ts';
import type { Caller } from '../http/caller.ts';
import type { Catalog, ExposedSchema } from './catalog/catalog.ts';
import type { Preferences } from './parse/preferences.ts';
import type { Limits, SearchBudget } from './plan/limits.ts';
import type { RefusedWrites } from './refused-writes.ts';

export interface Exchange {
  db: Database;
  log: Logger;
  limits: Limits;
  api: SupabaseProject['api'];
  cleanRichText: CleanRichText;
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
export const mayDescribe = ({ caller, api }: Pick<Exchange, 'caller' | 'api'>): boolean =>
  api.open_descriptions || caller.role === 'service_role';
