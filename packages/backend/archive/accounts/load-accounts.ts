import { randomUUID } from 'node:crypto';
import { DatabaseError, type Transaction } from '../../database/database.ts';
import { qualifiedName } from '../manifest.ts';
import type { Archive } from '../open-archive.ts';
import type { AccountRow, AccountsDatabase, AccountTableName, SeedCipher } from './accounts-database.ts';
import { ACCOUNT_TABLES } from './accounts-database.ts';
import { type Accounts, checkRows, type SourceRows } from './check-rows.ts';

const BATCH_SIZE = 200;
const TIMEOUT_MS = 30 * 60_000;

export class AccountsRefused extends Error {
  override readonly name = 'AccountsRefused';
  readonly problems: string[];
  constructor(problems: string[], remedy = '') {
    super(`Nothing was loaded: ${problems.length} problem${problems.length === 1 ? '' : 's'}.${remedy}`);
    this.problems = problems;
  }
}

class DryRun extends Error {}

/** All or none; identical accounts are skipped. @param seeds see `openSeedCipher` @throws AccountsRefused for a conflict */
export async function loadAccounts(
  target: AccountsDatabase,
  archive: Archive,
  seeds: SeedCipher,
  { dryRun = false, skipInvalidFactors = false } = {},
) {
  const { accounts, problems, invalidFactors, unknownHashes } = checkRows(await readSourceRows(archive, seeds));
  if (problems.length) throw new AccountsRefused([...problems, ...invalidFactors]);
  if (invalidFactors.length && !skipInvalidFactors)
    throw new AccountsRefused(
      invalidFactors,
      ' --leave-out-factors imports their owners without these second factors; a password is then enough for them.',
    );
  let counts: Awaited<ReturnType<typeof importAccounts>>;
  const work = async (tx: Transaction) => {
    counts = await importAccounts(tx, target, accounts);
    if (dryRun) throw new DryRun();
  };
  await target.db.transaction(work, { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
    if (error instanceof DatabaseError) throw new AccountsRefused([`The database rejected a row: ${error.message}`]);
    if (!(error instanceof DryRun)) throw error;
  });
  return { ...counts!, unknownHashes, skippedFactors: invalidFactors };
}

async function readSourceRows(archive: Archive, seeds: SeedCipher): Promise<SourceRows> {
  const rows: SourceRows = { users: [], identities: [], mfa_factors: [] };
  for (const table of archive.manifest.tables) {
    if (table.schema !== 'auth' || !Object.hasOwn(rows, table.name))
      throw new Error(`${qualifiedName(table)} does not belong in an accounts archive. Nothing was loaded.`);
    const name = table.name as AccountTableName;
    const { jsonColumns = [] } = ACCOUNT_TABLES[name];
    for await (const lines of archive.readLines(table))
      for (const line of lines) {
        const values = JSON.parse(line) as (string | null)[];
        const row: AccountRow = Object.fromEntries(table.columns.map((column, at) => [column, values[at] ?? null]));
        for (const column of jsonColumns) if (typeof row[column] === 'string') row[column] = JSON.parse(row[column]);
        if (typeof row['secret'] === 'string') row['secret'] = seeds.open(row['id'] as string, row['secret']);
        rows[name].push({ row, place: `${name} ${rows[name].length + 1}` });
      }
  }
  return rows;
}

async function importAccounts(tx: Transaction, target: AccountsDatabase, accounts: Accounts) {
  const problems: string[] = [];
  const existing = await findExistingUsers(tx, accounts, problems);
  const users = accounts.users.filter(({ id }) => !existing.has(id));
  const identities = accounts.identities.filter(({ user_id }) => !existing.has(user_id));
  const factors = accounts.factors.filter(({ user_id }) => !existing.has(user_id));
  await findConflicts(tx, identities, TAKEN_IDENTITIES, problems);
  await findConflicts(tx, factors, TAKEN_FACTORS, problems);
  if (problems.length) throw new AccountsRefused(problems);
  await insertRows(tx, target, 'users', users);
  await insertRows(tx, target, 'identities', identities);
  const sealedFactors = factors.map((factor) => ({
    ...factor,
    secret: factor.secret && target.seeds.seal(factor.id, factor.secret.toUpperCase().replace(/=+$/, '')),
  }));
  await insertRows(tx, target, 'mfa_factors', sealedFactors);
  await recordImport(tx, users.length);
  return { users: users.length, identities: identities.length, factors: factors.length, existing: existing.size };
}

type MatchedUser = Record<'place' | 'id' | 'email' | 'phone', string> &
  Record<'known' | 'same', boolean> &
  Record<'email_of' | 'phone_of', string | null>;

const MATCHED_USERS = `select f.place, f.id, f.email, f.phone, u.id is not null as known,
    (u.email is not distinct from f.email and u.phone is not distinct from f.phone) as same,
    (select o.id::text from auth.users o where o.email = f.email and not o.is_sso_user and not f.is_sso_user
       and o.id <> f.id) as email_of,
    (select o.id::text from auth.users o where o.phone = f.phone and o.id <> f.id) as phone_of
  from jsonb_to_recordset($1::jsonb) as f(place text, id uuid, email text, phone text, is_sso_user boolean)
  left join auth.users u on u.id = f.id`;

async function findExistingUsers(tx: Transaction, { users }: Accounts, problems: string[]): Promise<Set<string>> {
  const rows = await matchRows<MatchedUser>(tx, users, MATCHED_USERS);
  for (const { place, id, known, same, email, email_of, phone, phone_of } of rows) {
    if (known && !same) problems.push(`${place}: user ${id} exists here with another address or number`);
    else if (!known && email_of) problems.push(`${place}: the address ${email} belongs to user ${email_of} here`);
    else if (!known && phone_of) problems.push(`${place}: the number ${phone} belongs to user ${phone_of} here`);
  }
  return new Set(rows.flatMap(({ id, known, same }) => (known && same ? id : [])));
}

const TAKEN_IDENTITIES = `select f.place, 'identity at ' || f.provider as what, i.user_id
  from jsonb_to_recordset($1::jsonb) as f(place text, id uuid, provider text, provider_id text)
  join auth.identities i on i.id = f.id or (i.provider = f.provider and i.provider_id = f.provider_id)`;
const TAKEN_FACTORS = `select f.place, 'factor' as what, held.user_id
  from jsonb_to_recordset($1::jsonb) as f(place text, id uuid) join auth.mfa_factors held on held.id = f.id`;

async function findConflicts(tx: Transaction, items: readonly object[], text: string, problems: string[]) {
  const rows = await matchRows<{ place: string; what: string; user_id: string }>(tx, items, text);
  for (const { place, what, user_id } of rows) problems.push(`${place}: this ${what} belongs to user ${user_id} here`);
}

async function matchRows<Row>(tx: Transaction, items: readonly object[], text: string): Promise<Row[]> {
  const matches: Row[] = [];
  for (const batch of batchesOf(items)) matches.push(...(await tx.query<Row>(text, [batch as never])).rows);
  return matches;
}

async function insertRows(
  tx: Transaction,
  { isHosted }: AccountsDatabase,
  name: AccountTableName,
  rows: readonly { place: string }[],
): Promise<void> {
  const { columns: exported, emptyColumns: required = [] } = ACCOUNT_TABLES[name];
  const emptyColumns = isHosted ? required : [];
  const columns = [...exported, ...emptyColumns].join(', ');
  const emptyValues = Object.fromEntries(emptyColumns.map((column) => [column, '']));
  for (const batch of batchesOf(rows))
    await tx.query(
      `insert into auth.${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::auth.${name}, $1::jsonb)`,
      [batch.map(({ place: _, ...row }) => ({ ...row, ...emptyValues }))],
    );
}

const recordImport = (tx: Transaction, users: number) =>
  tx.query(
    `insert into auth.audit_log_entries (instance_id, id, payload, created_at)
     values ('00000000-0000-0000-0000-000000000000', $1, $2::json, now())`,
    [randomUUID(), { action: 'accounts_loaded', outcome: 'success', actor_id: null, actor_role: 'server', users }],
  );

function* batchesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += BATCH_SIZE) yield items.slice(at, at + BATCH_SIZE);
}
