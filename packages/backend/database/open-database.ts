import type { Logger } from 'pino';
import type { DatabaseChoice } from '../config/config.ts';
import { openPGlite } from './pglite/pglite.ts';
import type { WriteGuard } from './write-guard.ts';

export interface OpenOptions {
  log: Logger;
  maxWaiting: number;
  maxWaitMs: number | (() => number);
  timeoutMs?: number;
  sessions?: number;
  /** Embedded: limit per address and minute in milliseconds; unlimited by default. */
  allowedMs?: number | null;
  /** Embedded: disk space below which writes are rejected; never by default. */
  writeGuard?: WriteGuard;
  /** Runs on this thread while the engine opens its folder on its own (about half a second). */
  whileOpening?: () => void;
  /** Embedded: folder to copy for a new database; null: create from nothing. */
  template?: string | null;
}

export const REQUEST_WAIT_MS = 5_000;
const LIMITS = { maxWaiting: 256, maxWaitMs: REQUEST_WAIT_MS };

/** @throws Error for the operator when the folder is in use or the server is unreachable */
export async function openDatabase(choice: DatabaseChoice, options: Pick<OpenOptions, 'log'> & Partial<OpenOptions>) {
  const settings = { ...LIMITS, ...options };
  if (choice.kind === 'embedded') return openPGlite(choice.folder, settings);
  settings.whileOpening?.();
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(choice, settings);
}
