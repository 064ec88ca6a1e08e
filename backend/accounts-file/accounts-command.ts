import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ownBackendConfig, requireFirstStart } from '../config/own-config.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import { type Keys, loadKeys } from '../http/keys.ts';
import { createLog } from '../http/log.ts';
import { exportAccounts } from './export.ts';
import { ImportRefused, importAccounts } from './import.ts';

/**
 * `npm run accounts -- export FILE`: every account with its password hash, identities and second factors.
 * `npm run accounts -- import FILE [--dry-run]`: brings accounts in, from such a file or a hosted project's.
 */

const USE = 'Use: npm run accounts -- export FILE, or npm run accounts -- import FILE [--dry-run]';
const MOST_SHOWN = 50;

const [command, ...given] = process.argv.slice(2);
const dryRun = given.includes('--dry-run');
const [name, ...more] = given.filter((word) => word !== '--dry-run');
try {
  if (!name || name.startsWith('-') || more.length || !(command === 'import' || (command === 'export' && !dryRun)))
    throw new Error(USE);
  const path = resolve(name);
  await (command === 'import' ? bringIn(path) : writeOut(path));
} catch (error) {
  console.error((error as Error).message);
  if (error instanceof ImportRefused) list(error.problems);
  process.exit(1);
}

async function bringIn(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read: ${error.code}.`);
  });
  const done = await withHouse((db, keys) => importAccounts(db, keys, text, { dryRun }));
  const parts = `${done.users} accounts with ${done.identities} identities and ${done.factors} second factors`;
  console.log(dryRun ? `The file is good. It would bring in ${parts}. Nothing was changed.` : `Imported ${parts}.`);
  if (done.there) console.log(`${done.there} accounts are here already and stay as they are.`);
  if (!done.unknownHashes.length) return;
  console.log(
    `The password hash of ${done.unknownHashes.length} accounts cannot be checked here; they need a new password:`,
  );
  list(done.unknownHashes);
}

async function writeOut(path: string): Promise<void> {
  const done = await withHouse((db, keys) => exportAccounts(db, keys, path));
  console.log(
    `Wrote ${done.users} accounts with ${done.identities} identities and ${done.mfa_factors} second factors to ${path}.\n` +
      'It holds password hashes, and the seeds of second factors in plain text: keep it as you keep keys, and delete it after use.',
  );
}

async function withHouse<T>(work: (db: Database, keys: Keys) => Promise<T>): Promise<T> {
  const house = await ownBackendConfig();
  requireFirstStart(house);
  const { backend, keysFile } = house;
  const keys = await loadKeys(keysFile, backend);
  const db = await openDatabase(backend.database, { log: createLog('error') });
  try {
    return await work(db, keys);
  } finally {
    await db.close();
  }
}

function list(lines: string[]): void {
  for (const line of lines.slice(0, MOST_SHOWN)) console.error(`  ${line}`);
  if (lines.length > MOST_SHOWN) console.error(`  and ${lines.length - MOST_SHOWN} more`);
}
