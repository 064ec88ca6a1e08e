import type { Transaction } from '../../database/database.ts';
import { writeSnapshot } from '../make-archive.ts';
import type { Manifest } from '../manifest.ts';
import { readRows, type Table } from '../rows.ts';
import { writeNewFile } from '../write-new-file.ts';
import { ACCOUNT_TABLES, type AccountsDatabase, type SeedCipher, type SeedKey } from './accounts-database.ts';

type AccountColumn = 'id' | 'user_id' | 'raw_app_meta_data' | 'secret';

/** One snapshot; a key of its own seals the TOTP seeds. @throws Error for the operator; then there is no file */
export async function makeAccounts(
  source: AccountsDatabase,
  path: string,
  { version, key }: { version: string; key: SeedKey },
): Promise<Manifest> {
  const skipped = new Set<string>();
  return writeNewFile(path, (entries) =>
    writeSnapshot(source.db, entries, {
      version,
      contents: 'accounts',
      keys: key.sealed,
      select: (tx, tables) =>
        Object.entries(ACCOUNT_TABLES).map(([name, { columns }]) => {
          const found = tables.find((table) => table.schema === 'auth' && table.name === name);
          if (!found) throw new Error(`The database has no table auth.${name}, so it has no accounts to export.`);
          const table = { ...found, columns: found.columns.filter((column) => columns.includes(column.name)) };
          return { table, lines: exportLines(tx, table, { ownSeeds: source.seeds, archiveSeeds: key.seeds, skipped }) };
        }),
    }),
  );
}

async function* exportLines(
  tx: Transaction,
  table: Table,
  { ownSeeds, archiveSeeds, skipped }: { ownSeeds: SeedCipher; archiveSeeds: SeedCipher; skipped: Set<string> },
): AsyncGenerator<string[]> {
  const at = Object.fromEntries(table.columns.map(({ name }, index) => [name, index]));
  const { id, user_id: owner = id, raw_app_meta_data: meta, secret } = at as Record<AccountColumn, number>;
  for await (const lines of readRows(tx, table)) {
    const batch: string[] = [];
    for (const line of lines) {
      const values = JSON.parse(line) as (string | null)[];
      // The guest account cannot sign in, and every installation has its own.
      if (table.name === 'users' && isGuest(values[meta]!)) skipped.add(values[id]!);
      if (skipped.has(values[owner]!)) continue;
      if (values[secret])
        values[secret] = archiveSeeds.seal(values[id]!, openSeedOf(ownSeeds, values[id]!, values[secret]));
      batch.push(JSON.stringify(values));
    }
    yield batch;
  }
}

const isGuest = (meta: string | null): boolean =>
  (JSON.parse(meta ?? '{}') as { provider?: unknown } | null)?.provider === 'none';

function openSeedOf(seeds: SeedCipher, factorId: string, sealed: string): string {
  try {
    return seeds.open(factorId, sealed);
  } catch {
    throw new Error(
      `The seed of factor ${factorId} cannot be decrypted with the keys in DATA_DIR. Use the keys.json of this database.`,
    );
  }
}
