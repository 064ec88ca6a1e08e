import type { Logger } from 'pino';
import type { DatabaseChoice } from '../../config.ts';
import type { Database } from './database.ts';
import { openPGlite } from './pglite/pglite.ts';
import type { Room } from './room.ts';

export interface OpenOptions {
  log: Logger;
  /** How many requests may wait for a session, and how long. */
  waiting: number;
  waitMs: number | (() => number);
  /** One statement, batch or transaction, unless it says otherwise. */
  timeoutMs?: number;
  /** Sessions of a PostgreSQL pool; the embedded engine has one. */
  sessions?: number;
  /** Embedded: what one address may use of the engine in a minute, milliseconds; null: as much as it likes. */
  allowedMs?: number | null;
  /** Embedded: the room without which it takes no writes; it takes them always unless told. */
  room?: Room;
  /** Work for this thread, called when the engine has begun to open its folder in its own: that takes half a second. */
  meanwhile?: () => void;
  /** Embedded: start a new database as a copy of this folder, not of what the build has prepared; null: from nothing. */
  template?: string | null;
}

/** A request that waited this long for a session is refused, milliseconds. */
export const REQUEST_WAIT_MS = 5_000;
const LIMITS = { waiting: 256, waitMs: REQUEST_WAIT_MS };

/**
 * Opens the database that was chosen; an embedded one is made at first start.
 * @throws Error, with a sentence for the operator, when the folder is in use or the server cannot be reached
 */
export async function openDatabase(
  choice: DatabaseChoice,
  options: Pick<OpenOptions, 'log'> & Partial<OpenOptions>,
): Promise<Database> {
  const settings = { ...LIMITS, ...options };
  if (choice.kind === 'embedded') return openPGlite(choice.folder, settings);
  settings.meanwhile?.();
  // An embedded house never needs that driver.
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(choice, settings);
}
