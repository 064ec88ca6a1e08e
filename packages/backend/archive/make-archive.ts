import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { type Connection, type Database, findRow, type Transaction } from '../database/database.ts';
import { chunksOf, isVersion, type Store } from '../storage/store.ts';
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
  qualifiedName,
  TableSum,
} from './manifest.ts';
import { readRows, readSequences, readTables, readTablesBytes, setTextFormat, type Table } from './rows.ts';
import { END } from './tar.ts';
import { createEntryWriter, type EntryWriter, requireFreeSpace, writeNewFile } from './write-new-file.ts';

export interface ArchiveSource {
  db: Database;
  store: Pick<Store, 'open'>;
  /** @throws when the snapshot is no longer held: later reads may be inconsistent */
  requireSnapshot(): void;
}

export type ArchiveOptions = { version: string; keys: Buffer | null; takeAway: boolean };

type ArchivedObject = { version: string | null; title: string };

const DAY_MS = 24 * 60 * 60 * 1000;

const MAX_PART_LENGTH = 4 * 1024 * 1024;
const compress = promisify(zstdCompress);

const SNAPSHOT_TRANSACTION = {
  readOnly: true,
  timeoutMs: DAY_MS,
  // No statement runs while files are copied.
  setupStatements: [
    { text: 'set transaction isolation level repeatable read' },
    { text: 'set local idle_in_transaction_session_timeout = 0' },
  ],
};

const OBJECTS = `select distinct on (version) version, bucket_id || '/' || name as title from storage.objects
  order by version`;
const MIGRATIONS = `select version, coalesce(name, '') as name, checksum from supabase_migrations.schema_migrations
  order by version collate "C"`;

const SECRET_TABLES = `auth.flow_state auth.mfa_amr_claims auth.mfa_challenges auth.mfa_factors auth.one_time_tokens
  auth.recovery_codes auth.refresh_tokens auth.saml_assertions auth.saml_relay_states auth.sessions internal.mails
  private.draft_secrets private.setup_keys`.split(/\s+/);
const SECRET_USER_COLUMNS = `encrypted_password confirmation_token recovery_token email_change_token_new
  email_change_token_current phone_change_token reauthentication_token`.split(/\s+/);

/** What a `take-away` archive omits: all rows of a table, or the values of columns. */
export const CREDENTIALS: Record<string, 'every row' | readonly string[]> = {
  ...Object.fromEntries(SECRET_TABLES.map((table) => [table, 'every row' as const])),
  'auth.users': SECRET_USER_COLUMNS,
};

/** Verifies the file. @param options.reservedBytes bytes to leave free @throws Error for the operator; then there is no file */
export async function makeArchive(
  source: ArchiveSource,
  path: string,
  options: ArchiveOptions & { reservedBytes: number },
): Promise<Manifest> {
  return writeNewFile(
    path,
    async (entries) => {
      const sizes = await readSizes(source.db);
      // Rows compress to less than half.
      await requireFreeSpace(dirname(path), sizes.objects + sizes.rows / 2, options.reservedBytes);
      await writeEntries(source, entries, options);
    },
    source.requireSnapshot,
  );
}

/** Does not verify the output. @throws Error for the operator; the output so far is not an archive */
export async function sendArchive(
  source: ArchiveSource,
  write: (bytes: Uint8Array) => Promise<unknown>,
  options: ArchiveOptions,
): Promise<void> {
  await writeEntries(source, createEntryWriter(write), options);
  source.requireSnapshot();
  await write(END);
}

/** Bytes of objects, which are stored unchanged, and of rows before compression. */
export async function readSizes(db: Connection): Promise<{ objects: number; rows: number }> {
  const text = `select coalesce(sum((metadata ->> 'size')::int8), 0)::int8 as size from storage.objects`;
  const { size } = (await findRow<{ size: number }>(db, text))!;
  return { objects: size, rows: await readTablesBytes(db) };
}

const writeEntries = (source: ArchiveSource, entries: EntryWriter, { version, keys, takeAway }: ArchiveOptions) =>
  writeSnapshot(source.db, entries, {
    version,
    keys,
    contents: takeAway ? 'take-away' : 'everything',
    select: (tx, tables) =>
      tables.map((table) => {
        const omitted = (takeAway && CREDENTIALS[qualifiedName(table)]) || [];
        return { table, lines: omitted === 'every row' ? [] : readRows(tx, table, omitted) };
      }),
    addRest: async (tx) => ({
      sequences: await readSequences(tx),
      migrations: (await tx.query<Manifest['migrations'][number]>(MIGRATIONS)).rows,
      ...(await addObjects(source, entries, (await tx.query<ArchivedObject>(OBJECTS)).rows)),
    }),
  });

interface Selection {
  version: string;
  contents: Manifest['contents'];
  keys: Buffer | null;
  /** The tables and rows to write, of all tables in the database. */
  select(tx: Transaction, tables: Table[]): { table: Table; lines: AsyncIterable<readonly string[]> | [] }[];
  addRest?(tx: Transaction): Promise<Partial<Manifest>>;
}

/** Writes all entries from one snapshot of the database. */
export async function writeSnapshot(
  db: Database,
  entries: EntryWriter,
  { version, contents, keys, select, addRest }: Selection,
): Promise<void> {
  await db.transaction(async (tx) => {
    const madeAt = new Date().toISOString();
    await setTextFormat(tx);
    await addText(entries, HEAD, JSON.stringify({ product: 'madhouse', format: FORMAT }));
    const tables: Manifest['tables'] = [];
    for (const { table, lines } of select(tx, await readTables(tx))) tables.push(await addTable(entries, table, lines));
    const rest = await addRest?.(tx);
    if (keys) await entries.add(KEYS, keys.length, [keys]);
    const manifest: Manifest = {
      version,
      engine: db.engine,
      madeAt,
      contents,
      migrations: [],
      tables,
      sequences: [],
      objects: { count: 0, bytes: 0 },
      missing: [],
      ...rest,
      keys: keys !== null,
      files: [...entries.files],
    };
    await addText(entries, MANIFEST, JSON.stringify(manifest));
    await addText(entries, MANIFEST_SUM, entries.files.at(-1)!.sha256);
  }, SNAPSHOT_TRANSACTION);
}

async function addTable(
  entries: EntryWriter,
  table: Table,
  lines: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): Promise<ArchivedTable> {
  const { schema, name, columns } = table;
  if (!isEntryName(partName(table, 0)))
    throw new Error(`An archive cannot contain a table named ${qualifiedName(table)}.`);
  const sum = new TableSum();
  let [parts, buffered] = [0, ''];
  const flush = async () => {
    const bytes = await compress(buffered);
    buffered = '';
    await entries.add(partName(table, parts++), bytes.length, [bytes]);
  };
  for await (const batch of lines)
    for (const line of batch) {
      sum.add(line);
      buffered += `${line}\n`;
      if (buffered.length >= MAX_PART_LENGTH) await flush();
    }
  if (buffered) await flush();
  return { schema, name, columns: columns.map((column) => column.name), rows: sum.rows, checksum: sum.checksum, parts };
}

async function addText(entries: EntryWriter, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await entries.add(name, bytes.length, [bytes]);
}

async function addObjects(
  { store, requireSnapshot }: ArchiveSource,
  entries: EntryWriter,
  objects: readonly ArchivedObject[],
): Promise<Pick<Manifest, 'objects' | 'missing'>> {
  const missing: string[] = [];
  let [count, bytes] = [0, 0];
  for (const { version, title } of objects) {
    requireSnapshot();
    const file = version && isVersion(version) ? await store.open(version, 'original') : null;
    if (!file) {
      missing.push(title);
      continue;
    }
    await entries.add(objectName(version!), file.size, chunksOf(file));
    count++;
    bytes += file.size;
  }
  return { objects: { count, bytes }, missing };
}
