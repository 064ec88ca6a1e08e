import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { openSeed, sealSeed } from '../../auth/factors/totp.ts';
import { type OwnConfig, startedConfig } from '../../config/config.ts';
import { readProject } from '../../config/supabase-config.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-database.ts';
import { keyPlaces } from '../../keys/key-file.ts';
import { loadKeys, type Sealing } from '../../keys/keys.ts';
import type { Archive } from '../open-archive.ts';
import { openText, readFirstLine, sealText } from '../sealed-keys.ts';

export type AccountsDatabase = { db: Database; seeds: SeedCipher; isHosted: boolean };

export async function loadOwnSeeds(config: OwnConfig): Promise<SeedCipher> {
  const paths = keyPlaces(config, await readProject(config.backend.supabaseDir));
  return sealedSeedCipher(await loadKeys(paths.file, config.backend, paths));
}

/** @param urlFile its first line is the URL of a hosted database; null: this installation @throws Error for the operator */
export async function withAccountsDatabase<T>(
  urlFile: string | null,
  log: Logger,
  work: (database: AccountsDatabase) => Promise<T>,
): Promise<T> {
  const database = urlFile ? await openHosted(urlFile, log) : await openOwn(log);
  await using _db = database.db;
  return await work(database);
}

async function openOwn(log: Logger): Promise<AccountsDatabase> {
  const config = await startedConfig();
  const db = await openDatabase(config.backend.database, { log });
  return { db, seeds: await loadOwnSeeds(config), isHosted: false };
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

export type AccountTableName = 'users' | 'identities' | 'mfa_factors';

export type AccountRow = Record<string, unknown>;

interface AccountTable {
  columns: readonly string[];
  jsonColumns?: readonly string[];
  /** Columns that a hosted project requires and that are not exported: pending codes become invalid. */
  emptyColumns?: readonly string[];
}

/** In order of their foreign keys. */
export const ACCOUNT_TABLES: Record<AccountTableName, AccountTable> = {
  users: {
    columns: `instance_id id aud role email encrypted_password email_confirmed_at invited_at confirmation_sent_at
      recovery_sent_at last_sign_in_at raw_app_meta_data raw_user_meta_data created_at updated_at phone phone_confirmed_at
      banned_until is_sso_user deleted_at is_anonymous`.split(/\s+/),
    jsonColumns: ['raw_app_meta_data', 'raw_user_meta_data'],
    emptyColumns: ['confirmation_token', 'recovery_token', 'email_change_token_new', 'email_change'],
  },
  identities: {
    columns: 'id provider_id user_id identity_data provider last_sign_in_at created_at updated_at'.split(' '),
    jsonColumns: ['identity_data'],
  },
  mfa_factors: {
    columns: `id user_id friendly_name factor_type status created_at updated_at secret phone
      last_challenged_at`.split(/\s+/),
  },
};

export interface SeedCipher {
  /** @throws Error when it was stored in another form */
  open(factorId: string, stored: string): string;
  seal(factorId: string, seed: string): string;
}

export const sealedSeedCipher = (keys: Sealing): SeedCipher => ({
  open: (factorId, stored) => openSeed(keys, factorId, stored),
  seal: (factorId, seed) => sealSeed(keys, factorId, seed),
});

export const plainSeedCipher: SeedCipher = { open: (_, stored) => stored, seal: (_, seed) => seed };

export type SeedKey = Awaited<ReturnType<typeof createSeedKey>>;

export async function createSeedKey(passphrase: string) {
  const key = randomBytes(32);
  return { seeds: sealedSeedCipher({ sealing: key }), sealed: await sealText(key.toString('base64url'), passphrase) };
}

/** Opens and seals TOTP seeds as in an archive of accounts. @throws WrongPassphrase */
export async function openSeedCipher(archive: Archive, passphrase: string): Promise<SeedCipher> {
  const key = await openText((await archive.sealedKeys())!, passphrase);
  return sealedSeedCipher({ sealing: Buffer.from(key, 'base64url') });
}
