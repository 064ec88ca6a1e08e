import type { Logger } from 'pino';
import type { Config, OwnBackend } from '../config.ts';
import type { SupabaseProject } from './config/supabase-config.ts';
import type { Database } from './database/database.ts';
import type { DiskSpace } from './disk-space.ts';
import type { ClientInfo } from './http/client-info.ts';
import type { Keys } from './http/keys.ts';

/** Passed to every service. Services depend on this only and do not import each other. */
export interface BackendContext {
  config: Config & { backend: OwnBackend };
  project: SupabaseProject;
  db: Database;
  disk: DiskSpace;
  keys: Keys;
  log: Logger;
}

/** Path pattern such as `/rest/v1/:table`; method `ALL` for every method. */
export interface RoutePattern {
  method: string;
  path: string;
}

export interface Service {
  /** In matching order. */
  routes: readonly RoutePattern[];
  fetch(request: Request, origin: ClientInfo): Response | Promise<Response>;
  close(): Promise<void>;
}
