import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openSeed } from '../auth/factors/seed.ts';
import { forceToDisk } from '../data-dir/durable-file.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Keys } from '../http/keys.ts';
import { copyLine } from './copy-text.ts';
import { type Row, TABLES, type Table, type TableName } from './tables.ts';

const AT_ONCE = 500;
const MINUTES_30 = 1_800_000;
const NIL = '00000000-0000-0000-0000-000000000000';

export type Exported = Record<TableName, number>;

interface Format {
  begin: string;
  beginTable(table: Table): string;
  row(table: Table, row: Row): string;
  endTable: string;
  end: string;
}

/** A line of JSON for each row. */
const LINES: Format = {
  begin: '',
  beginTable: () => '',
  row: ({ name }, row) => `${JSON.stringify({ table: name, row })}\n`,
  endTable: '',
  end: '',
};

/** A script for psql on a hosted project: all or nothing. */
const SCRIPT: Format = {
  begin: '\\set ON_ERROR_STOP on\nbegin;\n',
  beginTable: ({ name, columns, blank }) => `COPY auth.${name} (${[...columns, ...blank].join(', ')}) FROM stdin;\n`,
  row: ({ columns, blank }, row) => `${copyLine([...columns.map((column) => row[column]), ...blank.map(() => '')])}\n`,
  endTable: '\\.\n',
  end: 'commit;\n',
};

/**
 * Writes every account into a new file that only its owner may read: a script for psql when its name ends in `.sql`,
 * else lines of JSON. It shows one moment of the database. Seeds of second factors stand in it as hosted projects keep
 * them, in plain text.
 * @throws Error when the file exists; on any failure no file is left
 */
export async function exportAccounts(db: Database, keys: Pick<Keys, 'sealing'>, path: string): Promise<Exported> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error(`${path} exists. Name another file; none is ever overwritten.`) : error;
  });
  try {
    const format = path.endsWith('.sql') ? SCRIPT : LINES;
    const exported = await db.transaction((tx) => writeAll(tx, keys, file, format), {
      timeoutMs: MINUTES_30,
      first: [{ text: 'set transaction isolation level repeatable read' }],
    });
    await file.sync();
    await file.close();
    await forceToDisk(dirname(path));
    return exported;
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

async function writeAll(tx: Transaction, keys: Pick<Keys, 'sealing'>, file: FileHandle, format: Format) {
  const counts: Exported = { users: 0, identities: 0, mfa_factors: 0 };
  await file.write(format.begin);
  for (const table of TABLES) {
    await file.write(format.beginTable(table));
    for await (const rows of pagesOf(tx, table)) {
      counts[table.name] += rows.length;
      await file.write(rows.map((row) => format.row(table, readable(keys, table, row))).join(''));
    }
    await file.write(format.endTable);
  }
  await file.write(format.end);
  await tx.query(
    `insert into auth.audit_log_entries (instance_id, id, payload, created_at) values ($1, $2, $3::json, now())`,
    [NIL, randomUUID(), { action: 'accounts_exported', outcome: 'success', actor_id: null, users: counts.users }],
  );
  return counts;
}

async function* pagesOf(tx: Transaction, { name, columns }: Table): AsyncGenerator<Row[]> {
  // The account that stands for guests cannot sign in, and every house has its own.
  const people = `select id from auth.users where raw_app_meta_data ->> 'provider' is distinct from 'none'`;
  const owner = name === 'users' ? 'id' : 'user_id';
  for (let after = NIL; ; ) {
    const { rows } = await tx.query<{ row: Row }>(
      `select to_jsonb(t) as row from (
         select ${columns.join(', ')} from auth.${name} where id > $1 and ${owner} in (${people}) order by id limit ${AT_ONCE}
       ) t`,
      [after],
    );
    if (!rows.length) return;
    yield rows.map(({ row }) => row);
    after = rows.at(-1)!.row['id'] as string;
  }
}

function readable(keys: Pick<Keys, 'sealing'>, { name }: Table, row: Row): Row {
  const { id, secret } = row;
  if (name !== 'mfa_factors' || typeof secret !== 'string') return row;
  try {
    return { ...row, secret: openSeed(keys, id as string, secret) };
  } catch {
    throw new Error(
      `The seed of factor ${id} does not open with the keys in DATA_DIR. Is keys.json the one of this database?`,
    );
  }
}
