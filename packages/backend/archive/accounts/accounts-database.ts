import type { Logger } from 'pino';
import { ownBackendConfig, requireFirstStart } from '../../config/config.ts';
import { readProject } from '../../config/supabase-config.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-database.ts';
import { keyPlaces } from '../../http/key-file.ts';
import { loadKeys } from '../../http/keys.ts';
import { readFirstLine } from '../passphrase.ts';
import { plainSeedCipher, type SeedCipher, sealedSeedCipher } from './seeds.ts';

export interface AccountsDatabase {
  db: Database;
  seeds: SeedCipher;
  isHosted: boolean;
}

type Installation = Awaited<ReturnType<typeof ownBackendConfig>>;

export async function loadOwnSeeds(config: Installation): Promise<SeedCipher> {
  const paths = keyPlaces(config, await readProject(config.backend.supabaseDir));
  return sealedSeedCipher(await loadKeys(paths.file, config.backend, paths));
}

/**
 * @param urlFile its first line is the URL of a hosted project's database; null: this installation
 * @throws Error with a message for the operator
 */
export async function withAccountsDatabase<T>(
  urlFile: string | null,
  log: Logger,
  work: (database: AccountsDatabase) => Promise<T>,
): Promise<T> {
  const database = urlFile ? await openHosted(urlFile, log) : await openOwn(log);
  try {
    return await work(database);
  } finally {
    await database.db.close();
  }
}

async function openOwn(log: Logger): Promise<AccountsDatabase> {
  const config = await ownBackendConfig();
  requireFirstStart(config);
  return {
    db: await openDatabase(config.backend.database, { log }),
    seeds: await loadOwnSeeds(config),
    isHosted: false,
  };
}

async function openHosted(urlFile: string, log: Logger): Promise<AccountsDatabase> {
  const url = (await readFirstLine(urlFile)).trim();
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Error(`The first line of ${urlFile} must be a database address: postgres://…`);
  const db = await openDatabase({ kind: 'postgres', url }, { log, sessions: 1 }).catch((error: Error) => {
    throw new Error(error.message.replace('DATABASE_URL', `The database of ${urlFile}`));
  });
  return { db, seeds: plainSeedCipher, isHosted: true };
}
