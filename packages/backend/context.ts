import type { Logger } from 'pino';
import type { OwnConfig } from './config/config.ts';
import type { SupabaseProject } from './config/supabase-config.ts';
import type { DiskSpace } from './data-dir/disk-space.ts';
import type { Database } from './database/database.ts';
import type { ClientInfo } from './http/client-info.ts';
import type { Keys } from './keys/keys.ts';

/** Sanitizes HTML for columns and parameters of a domain named `rich_text`. @throws RangeError to refuse a text */
export type CleanRichText = (html: string) => string;

/** E-mails of a project with a brand, made from the values of its `site_settings`. */
export type EmailLayout = (settings: Record<string, unknown>) => {
  name: string;
  sender: string;
  templates: Record<string, { subject: string; html: string; text: string }>;
  frame: (title: string, html: string) => string;
};

/** Passed to every service. Services depend on this only and do not import each other. */
export interface BackendContext {
  config: OwnConfig;
  project: SupabaseProject;
  db: Database;
  disk: DiskSpace;
  keys: Keys;
  log: Logger;
  emailLayout?: EmailLayout | undefined;
}

export type RestContext = BackendContext & { cleanRichText: CleanRichText };

/** Path pattern such as `/rest/v1/:table`; method `ALL` for every method. */
export type RoutePattern = { method: string; path: string };

export interface Service {
  routes: readonly RoutePattern[];
  fetch(request: Request, origin: ClientInfo): Response | Promise<Response>;
  close(): Promise<void>;
}
