import type { Transaction } from '../../database/database.ts';
import { ONE_MOMENT } from '../make-archive.ts';
import type { Manifest } from '../manifest.ts';
import { openArchive } from '../open-archive.ts';
import { linesOf, speakPlainly, type Table, tablesOf } from '../rows.ts';
import { addEnd, addHead, addTable } from '../write-entries.ts';
import { type EntryWriter, writeNewFile } from '../write-new-file.ts';
import type { AccountsPlace } from './accounts-database.ts';
import type { SeedKey, Seeds } from './seeds.ts';
import { TABLES } from './tables.ts';

type Skipped = Set<string>;

/**
 * One snapshot. TOTP seeds are sealed with a key of their own, which the passphrase opens.
 * @throws Error for the operator; then there is no file
 */
export async function makeAccounts(
  place: AccountsPlace,
  path: string,
  { version, key }: { version: string; key: SeedKey },
): Promise<Manifest> {
  return writeNewFile(
    path,
    (entries) =>
      place.db.transaction(async (tx) => {
        const madeAt = new Date().toISOString();
        await speakPlainly(tx);
        await addHead(entries);
        const tables = await addTables(tx, entries, place.seeds, key.seeds);
        await addEnd(entries, key.sealed, {
          version,
          engine: place.db.engine,
          madeAt,
          contents: 'accounts',
          migrations: [],
          tables,
          sequences: [],
          objects: { count: 0, bytes: 0 },
          missing: [],
        });
      }, ONE_MOMENT),
    async (unfinished) => {
      const archive = await openArchive(unfinished);
      await archive.close();
      return archive.manifest;
    },
  );
}

async function addTables(tx: Transaction, entries: EntryWriter, from: Seeds, to: Seeds): Promise<Manifest['tables']> {
  const there = await tablesOf(tx);
  const skipped: Skipped = new Set();
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of TABLES) {
    const found = there.find((table) => table.schema === 'auth' && table.name === name);
    if (!found) throw new Error(`The database has no table auth.${name}, so it has no accounts to export.`);
    const taken = { ...found, columns: found.columns.filter((column) => columns.includes(column.name)) };
    tables.push(await addTable(entries, taken, travelling(tx, taken, { from, to, skipped })));
  }
  return tables;
}

async function* travelling(
  tx: Transaction,
  table: Table,
  { from, to, skipped }: { from: Seeds; to: Seeds; skipped: Skipped },
): AsyncGenerator<string[]> {
  const at = (column: string) => table.columns.findIndex(({ name }) => name === column);
  const [id, owner, meta, secret] = ['id', 'user_id', 'raw_app_meta_data', 'secret'].map(at) as [
    number,
    number,
    number,
    number,
  ];
  for await (const lines of linesOf(tx, table)) {
    const some: string[] = [];
    for (const line of lines) {
      const values = JSON.parse(line) as (string | null)[];
      // The guest account cannot sign in, and every installation has its own.
      if (table.name === 'users' && isGuest(values[meta]!)) skipped.add(values[id]!);
      if (skipped.has(values[owner < 0 ? id : owner]!)) continue;
      if (values[secret]) values[secret] = to.seal(values[id]!, opened(from, values[id]!, values[secret]));
      some.push(JSON.stringify(values));
    }
    yield some;
  }
}

const isGuest = (meta: string | null): boolean =>
  (JSON.parse(meta ?? '{}') as { provider?: unknown } | null)?.provider === 'none';

function opened(seeds: Seeds, factorId: string, kept: string): string {
  try {
    return seeds.open(factorId, kept);
  } catch {
    throw new Error(
      `The seed of factor ${factorId} cannot be decrypted with the keys in DATA_DIR. Use the keys.json of this database.`,
    );
  }
}
