import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Database } from '../backend/database/database.ts';
import { preparedFolder } from '../backend/database/new-folder.ts';
import { type OpenOptions, openDatabase } from '../backend/database/open.ts';
import { startPostgres } from './postgres.ts';

export const silent = pino({ level: 'silent' });

/** A prepared folder, so that a test's database starts in a third of a second. */
export const template = () =>
  preparedFolder(fileURLToPath(new URL('../node_modules/.cache/madhouse', import.meta.url)));

/** A folder for one test's files, removed by `remove`. */
export async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-test-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface TestDatabase {
  db: Database;
  /** Closes it and removes everything. */
  end(): Promise<void>;
}

/** An empty database of its own for each engine, to run the same tests on both. */
export const engines = [
  {
    name: 'the embedded engine',
    async open(options: Partial<OpenOptions> = {}): Promise<TestDatabase> {
      const { folder, remove } = await temporaryFolder();
      const choice = { kind: 'embedded' as const, folder: join(folder, 'database') };
      const db = await openDatabase(choice, { log: silent, template: await template(), ...options });
      return { db, end: () => db.close().then(remove) };
    },
  },
  {
    name: 'PostgreSQL',
    async open(options: Partial<OpenOptions> = {}): Promise<TestDatabase> {
      const server = await startPostgres();
      const db = await openDatabase({ kind: 'postgres', url: server.url }, { log: silent, ...options });
      return { db, end: () => db.close().then(server.stop) };
    },
  },
];
