import { dirname } from 'node:path';
import type { Connection, Database, Transaction } from '../database/database.ts';
import type { Store } from '../storage/store.ts';
import { requireRoom } from './free-space.ts';
import { type Manifest, objectName, titleOf } from './manifest.ts';
import { openArchive } from './open-archive.ts';
import { PROOFS } from './proofs.ts';
import { linesOf, sequencesOf, speakPlainly, tablesOf, tablesSize } from './rows.ts';
import { END } from './tar.ts';
import { addEnd, addHead, addTable } from './write-entries.ts';
import { type EntryWriter, entriesInto, writeNewFile } from './write-new-file.ts';

export interface Source {
  db: Database;
  store: Pick<Store, 'open'>;
  /** @throws when the snapshot is no longer held: later reads may be inconsistent */
  held(): void;
}

export interface Wishes {
  version: string;
  keys: Buffer | null;
  takeAway: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const VERSION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const ONE_MOMENT = {
  readOnly: true,
  timeoutMs: DAY_MS,
  first: [{ text: 'set transaction isolation level repeatable read' }],
};

interface ObjectRow {
  version: string | null;
  title: string;
}

/**
 * Verifies the file after writing. @param keepFree bytes that must stay free
 * @throws Error for the operator; then there is no file
 */
export async function makeArchive(
  source: Source,
  path: string,
  wishes: Wishes & { keepFree: number },
): Promise<Manifest> {
  return writeNewFile(
    path,
    async (entries) => {
      const sizes = await sizesOf(source.db);
      // Rows compress to less than half.
      await requireRoom(dirname(path), sizes.objects + sizes.rows / 2, wishes.keepFree);
      await writeAll(source, entries, wishes);
    },
    async (unfinished) => {
      source.held();
      const archive = await openArchive(unfinished);
      await archive.close();
      return archive.manifest;
    },
  );
}

/**
 * Not verified: `npm run archive -- check` does. @throws Error for the operator; the output so far is not an archive
 */
export async function sendArchive(
  source: Source,
  write: (bytes: Uint8Array) => Promise<unknown>,
  wishes: Wishes,
): Promise<void> {
  await writeAll(source, entriesInto(write), wishes);
  source.held();
  await write(END);
}

/** Bytes of objects, which are stored unchanged, and of rows before compression. */
export async function sizesOf(db: Connection): Promise<{ objects: number; rows: number }> {
  const { rows } = await db.query<{ size: number }>(
    `select coalesce(sum((metadata ->> 'size')::int8), 0)::int8 as size from storage.objects`,
  );
  return { objects: rows[0]!.size, rows: await tablesSize(db) };
}

const writeAll = (source: Source, entries: EntryWriter, wishes: Wishes): Promise<void> =>
  source.db.transaction((tx) => writeMoment(tx, source, entries, wishes), ONE_MOMENT);

async function writeMoment(tx: Transaction, source: Source, entries: EntryWriter, wishes: Wishes): Promise<void> {
  const madeAt = new Date().toISOString();
  await speakPlainly(tx);
  const objects = await objectsOf(tx);
  await addHead(entries);
  const tables: Manifest['tables'] = [];
  for (const table of await tablesOf(tx)) {
    const proofs = (wishes.takeAway && PROOFS[titleOf(table)]) || [];
    const lines = proofs === 'every row' ? [] : linesOf(tx, table, proofs);
    tables.push(await addTable(entries, table, lines));
  }
  await addEnd(entries, wishes.keys, {
    version: wishes.version,
    engine: source.db.engine,
    madeAt,
    contents: wishes.takeAway ? 'take-away' : 'everything',
    sequences: await sequencesOf(tx),
    migrations: await migrationsOf(tx),
    tables,
    ...(await addObjects(source, entries, objects)),
  });
}

async function addObjects(
  { store, held }: Source,
  entries: EntryWriter,
  objects: readonly ObjectRow[],
): Promise<Pick<Manifest, 'objects' | 'missing'>> {
  const missing: string[] = [];
  let [count, bytes] = [0, 0];
  for (const { version, title } of objects) {
    held();
    const opened = version && VERSION.test(version) ? await store.open(version, 'original') : null;
    if (!opened) {
      missing.push(title);
      continue;
    }
    const content = await opened.read();
    const chunks = content instanceof ArrayBuffer ? [new Uint8Array(content)] : content;
    await entries.add(objectName(version!), opened.size, chunks);
    count++;
    bytes += opened.size;
  }
  return { objects: { count, bytes }, missing };
}

const objectsOf = async (tx: Transaction): Promise<ObjectRow[]> =>
  (
    await tx.query<ObjectRow>(
      `select distinct on (version) version, bucket_id || '/' || name as title from storage.objects order by version`,
    )
  ).rows;

async function migrationsOf(tx: Transaction): Promise<Manifest['migrations']> {
  const { rows } = await tx.query<Manifest['migrations'][number]>(
    `select version, coalesce(name, '') as name, checksum from supabase_migrations.schema_migrations
     order by version collate "C"`,
  );
  return rows;
}
