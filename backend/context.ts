import type { Logger } from 'pino';
import type { Config, OwnBackend } from '../config.ts';
import type { SupabaseProject } from './config/supabase-config.ts';
import type { Database } from './database/database.ts';
import type { DiskSpace } from './disk-space.ts';
import type { ClientInfo } from './http/client-info.ts';
import type { Keys } from './http/keys.ts';

/** What `createBackend` hands to every service. Services take this and nothing else; they do not import each other. */
export interface BackendContext {
  config: Config & { backend: OwnBackend };
  /** `supabase/config.toml` of the project folder that is run. */
  project: SupabaseProject;
  db: Database;
  /** The room on the disk of DATA_DIR. */
  disk: DiskSpace;
  keys: Keys;
  log: Logger;
}

/** One address of a service as a pattern, `/rest/v1/:table`; method `ALL` for every method. */
export interface RoutePattern {
  method: string;
  path: string;
}

/** A mounted service: `app` handles paths below its prefix; `close` stops its timers and finishes its background work. */
export interface Service {
  /** Its addresses, in the order in which they are tried. */
  routes: readonly RoutePattern[];
  fetch(request: Request, origin: ClientInfo): Response | Promise<Response>;
  close(): Promise<void>;
}
