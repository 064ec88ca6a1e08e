import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { Database, Transaction } from '../database/database.ts';
import type { Store } from '../storage/store.ts';
import {
  type ArchivedTable,
  FORMAT,
  HEAD,
  isEntryName,
  KEYS,
  MANIFEST,
  MANIFEST_SUM,
  type Manifest,
  objectName,
  partName,
  TableSum,
  titleOf,
} from './manifest.ts';
import { openArchive } from './read-file.ts';
import { databaseSize, requireRoom } from './room.ts';
import { linesOf, sequencesOf, speakPlainly, type Table, tablesOf } from './rows.ts';
import { type EntryWriter, writeNewFile } from './write-file.ts';

/** A house that nobody changes while it is read, or of which nothing is removed. */
export interface Source {
  db: Database;
  store: Pick<Store, 'open'>;
  /** Refuses, when the house is no longer held as it was: what is read from then on may not belong together. */
  held(): void;
}

export interface Wishes {
  /** Version of the product. */
  version: string;
  /** Sealed keys to put in. */
  keys: Buffer | null;
  /** Bytes that have to stay free where the archive is written. */
  keepFree: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Characters of rows in one part. */
const PART_LENGTH = 4 * 1024 * 1024;
const VERSION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const compress = promisify(zstdCompress);

interface ObjectRow {
  version: string | null;
  title: string;
  size: number | null;
}

/**
 * Writes everything of a house into one new file: rows of every table, objects, and sums of all; then reads it back.
 * @throws Error with a sentence for the operator; then there is no file
 */
export async function makeArchive(source: Source, path: string, wishes: Wishes): Promise<Manifest> {
  return writeNewFile(
    path,
    (entries) =>
      source.db.transaction((tx) => writeAll(tx, source, entries, wishes, dirname(path)), {
        readOnly: true,
        timeoutMs: DAY_MS,
        first: [{ text: 'set transaction isolation level repeatable read' }],
      }),
    async (unfinished) => {
      source.held();
      const archive = await openArchive(unfinished);
      await archive.close();
      return archive.manifest;
    },
  );
}

async function writeAll(
  tx: Transaction,
  source: Source,
  entries: EntryWriter,
  { version, keys, keepFree }: Wishes,
  folder: string,
): Promise<void> {
  const madeAt = new Date().toISOString();
  await speakPlainly(tx);
  const objects = await objectsOf(tx);
  await requireRoom(folder, await roughSize(tx, objects), keepFree);
  await addText(entries, HEAD, JSON.stringify({ product: 'madhouse', format: FORMAT }));
  const tables: ArchivedTable[] = [];
  for (const table of await tablesOf(tx)) tables.push(await addTable(tx, entries, table));
  const sequences = await sequencesOf(tx);
  const stored = await addObjects(source, entries, objects);
  if (keys) await entries.add(KEYS, keys.length, [keys]);
  const manifest: Manifest = {
    version,
    engine: source.db.engine,
    madeAt,
    migrations: await migrationsOf(tx),
    tables,
    sequences,
    ...stored,
    keys: keys !== null,
    files: [...entries.files],
  };
  await addText(entries, MANIFEST, JSON.stringify(manifest));
  await addText(entries, MANIFEST_SUM, entries.files.at(-1)!.sha256);
}

async function addTable(tx: Transaction, entries: EntryWriter, table: Table): Promise<ArchivedTable> {
  const { schema, name, columns } = table;
  if (!isEntryName(partName(table, 0))) throw new Error(`No archive can hold a table named ${titleOf(table)}.`);
  const sum = new TableSum();
  let [parts, waiting] = [0, ''];
  const flush = async () => {
    const bytes = await compress(waiting);
    waiting = '';
    await entries.add(partName(table, parts++), bytes.length, [bytes]);
  };
  for await (const lines of linesOf(tx, table))
    for (const line of lines) {
      sum.add(line);
      waiting += `${line}\n`;
      if (waiting.length >= PART_LENGTH) await flush();
    }
  if (waiting) await flush();
  return { schema, name, columns: columns.map((column) => column.name), rows: sum.rows, checksum: sum.checksum, parts };
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
      `select distinct on (version) version, bucket_id || '/' || name as title, (metadata ->> 'size')::int8 as size
       from storage.objects order by version`,
    )
  ).rows;

async function migrationsOf(tx: Transaction): Promise<Manifest['migrations']> {
  const { rows } = await tx.query<Manifest['migrations'][number]>(
    `select version, coalesce(name, '') as name, checksum from supabase_migrations.schema_migrations
     order by version collate "C"`,
  );
  return rows;
}

/** Rows are packed to less than half of what they take in the database. */
const roughSize = async (tx: Transaction, objects: readonly ObjectRow[]) =>
  objects.reduce((sum, { size }) => sum + (size ?? 0), 0) + (await databaseSize(tx)) / 2;

async function addText(entries: EntryWriter, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await entries.add(name, bytes.length, [bytes]);
}
