import type { Logger } from 'pino';
import { ownBackendConfig, requireFirstStart } from '../../config/own-config.ts';
import { readProject } from '../../config/supabase-config.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-database.ts';
import { keyPlaces } from '../../http/key-file.ts';
import { loadKeys } from '../../http/keys.ts';
import { firstLineOf } from '../passphrase.ts';
import { plainSeeds, type Seeds, sealedSeeds } from './seeds.ts';

export interface AccountsPlace {
  db: Database;
  seeds: Seeds;
  isHosted: boolean;
}

type House = Awaited<ReturnType<typeof ownBackendConfig>>;

export async function ownSeeds(house: House): Promise<Seeds> {
  const places = keyPlaces(house, await readProject(house.backend.supabaseDir));
  return sealedSeeds(await loadKeys(places.file, house.backend, places));
}

/**
 * @param addressFile its first line is the URL of a hosted project's database; null: this installation
 * @throws Error with a message for the operator
 */
export async function withAccounts<T>(
  addressFile: string | null,
  log: Logger,
  work: (place: AccountsPlace) => Promise<T>,
): Promise<T> {
  const place = addressFile ? await hostedPlace(addressFile, log) : await ownPlace(log);
  try {
    return await work(place);
  } finally {
    await place.db.close();
  }
}

async function ownPlace(log: Logger): Promise<AccountsPlace> {
  const house = await ownBackendConfig();
  requireFirstStart(house);
  return { db: await openDatabase(house.backend.database, { log }), seeds: await ownSeeds(house), isHosted: false };
}

async function hostedPlace(addressFile: string, log: Logger): Promise<AccountsPlace> {
  const url = (await firstLineOf(addressFile)).trim();
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Error(`The first line of ${addressFile} must be a database address: postgres://…`);
  const db = await openDatabase({ kind: 'postgres', url }, { log, sessions: 1 }).catch((error: Error) => {
    throw new Error(error.message.replace('DATABASE_URL', `The database of ${addressFile}`));
  });
  return { db, seeds: plainSeeds, isHosted: true };
}
