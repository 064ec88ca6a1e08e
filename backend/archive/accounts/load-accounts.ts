import { randomUUID } from 'node:crypto';
import { DatabaseError, type Transaction } from '../../database/database.ts';
import { titleOf } from '../manifest.ts';
import type { Archive } from '../open-archive.ts';
import type { AccountsPlace } from './accounts-database.ts';
import { type Accounts, checkRows, type Rows } from './check-rows.ts';
import type { Seeds } from './seeds.ts';
import { type Row, type TableName, tableNamed } from './tables.ts';

const AT_ONCE = 200;
const MINUTES_30 = 1_800_000;

export interface LoadedAccounts {
  users: number;
  identities: number;
  factors: number;
  there: number;
  unknownHashes: string[];
  leftOut: string[];
}

interface AccountWishes {
  dryRun?: boolean;
  leaveOutFactors?: boolean;
}

export class AccountsRefused extends Error {
  override readonly name = 'AccountsRefused';
  readonly problems: string[];
  constructor(problems: string[], remedy = '') {
    super(`Nothing was loaded: ${problems.length} problem${problems.length === 1 ? '' : 's'}.${remedy}`);
    this.problems = problems;
  }
}

class DryRun extends Error {}

/**
 * All or none, in one transaction. Identical accounts are skipped, any other conflict rejects the archive.
 * @param seeds see `seedsOf`
 * @throws AccountsRefused
 */
export async function loadAccounts(
  place: AccountsPlace,
  archive: Archive,
  seeds: Seeds,
  { dryRun = false, leaveOutFactors = false }: AccountWishes = {},
): Promise<LoadedAccounts> {
  const { accounts, problems, unfit, unknownHashes } = checkRows(await rowsOf(archive, seeds));
  if (problems.length) throw new AccountsRefused([...problems, ...unfit]);
  if (unfit.length && !leaveOutFactors)
    throw new AccountsRefused(
      unfit,
      ' --leave-out-factors imports their owners without these second factors; a password is then enough for them.',
    );
  let loaded: LoadedAccounts | null = null;
  try {
    await place.db.transaction(
      async (tx) => {
        loaded = { ...(await bringIn(tx, place, accounts)), unknownHashes, leftOut: unfit };
        if (dryRun) throw new DryRun();
      },
      { timeoutMs: MINUTES_30 },
    );
  } catch (error) {
    if (error instanceof DatabaseError) throw new AccountsRefused([`The database refused a row: ${error.message}`]);
    if (!(error instanceof DryRun)) throw error;
  }
  return loaded!;
}

async function rowsOf(archive: Archive, seeds: Seeds): Promise<Rows> {
  const rows: Rows = { users: [], identities: [], mfa_factors: [] };
  for (const table of archive.manifest.tables) {
    if (table.schema !== 'auth' || !Object.hasOwn(rows, table.name))
      throw new Error(`${titleOf(table)} does not belong in an accounts archive. Nothing was loaded.`);
    const { name, json } = tableNamed(table.name as TableName);
    for await (const lines of archive.linesOf(table))
      for (const line of lines) {
        const values = JSON.parse(line) as (string | null)[];
        const row: Row = Object.fromEntries(table.columns.map((column, at) => [column, values[at] ?? null]));
        for (const column of json) if (typeof row[column] === 'string') row[column] = JSON.parse(row[column]);
        if (typeof row['secret'] === 'string') row['secret'] = seeds.open(row['id'] as string, row['secret']);
        rows[name].push({ row, place: `${name} ${rows[name].length + 1}` });
      }
  }
  return rows;
}

async function bringIn(tx: Transaction, place: AccountsPlace, accounts: Accounts) {
  const problems: string[] = [];
  const there = await usersThere(tx, accounts, problems);
  const users = accounts.users.filter(({ id }) => !there.has(id));
  const identities = accounts.identities.filter(({ user_id }) => !there.has(user_id));
  const factors = accounts.factors.filter(({ user_id }) => !there.has(user_id));
  await findTakenIdentities(tx, identities, problems);
  await findTakenFactors(tx, factors, problems);
  if (problems.length) throw new AccountsRefused(problems);
  await insert(tx, place, 'users', users);
  await insert(tx, place, 'identities', identities);
  const kept = factors.map((factor) => ({
    ...factor,
    secret: factor.secret && place.seeds.seal(factor.id, factor.secret.toUpperCase().replace(/=+$/, '')),
  }));
  await insert(tx, place, 'mfa_factors', kept);
  await remember(tx, users.length);
  return { users: users.length, identities: identities.length, factors: factors.length, there: there.size };
}

async function usersThere(tx: Transaction, { users }: Accounts, problems: string[]): Promise<Set<string>> {
  const there = new Set<string>();
  for (const some of inParts(users)) {
    const { rows } = await tx.query<{
      place: string;
      id: string;
      known: boolean;
      same: boolean;
      email_of: string | null;
      phone_of: string | null;
      email: string;
      phone: string;
    }>(
      `select f.place, f.id, f.email, f.phone, u.id is not null as known,
         (u.email is not distinct from f.email and u.phone is not distinct from f.phone) as same,
         (select o.id::text from auth.users o where o.email = f.email and not o.is_sso_user and not f.is_sso_user
            and o.id <> f.id) as email_of,
         (select o.id::text from auth.users o where o.phone = f.phone and o.id <> f.id) as phone_of
       from jsonb_to_recordset($1::jsonb) as f(place text, id uuid, email text, phone text, is_sso_user boolean)
       left join auth.users u on u.id = f.id`,
      [some.map(({ place, id, email, phone, is_sso_user }) => ({ place, id, email, phone, is_sso_user }))],
    );
    for (const row of rows) {
      if (row.known && row.same) there.add(row.id);
      else if (row.known) problems.push(`${row.place}: user ${row.id} exists here with another address or number`);
      else if (row.email_of)
        problems.push(`${row.place}: the address ${row.email} belongs to user ${row.email_of} here`);
      else if (row.phone_of)
        problems.push(`${row.place}: the number ${row.phone} belongs to user ${row.phone_of} here`);
    }
  }
  return there;
}

async function findTakenIdentities(tx: Transaction, identities: Accounts['identities'], problems: string[]) {
  for (const some of inParts(identities)) {
    const { rows } = await tx.query<{ place: string; provider: string; user_id: string }>(
      `select f.place, f.provider, i.user_id
       from jsonb_to_recordset($1::jsonb) as f(place text, id uuid, provider text, provider_id text)
       join auth.identities i on i.id = f.id or (i.provider = f.provider and i.provider_id = f.provider_id)`,
      [some.map(({ place, id, provider, provider_id }) => ({ place, id, provider, provider_id }))],
    );
    for (const { place, provider, user_id } of rows)
      problems.push(`${place}: this identity at ${provider} belongs to user ${user_id} here`);
  }
}

async function findTakenFactors(tx: Transaction, factors: Accounts['factors'], problems: string[]) {
  for (const some of inParts(factors)) {
    const { rows } = await tx.query<{ place: string; user_id: string }>(
      `select f.place, held.user_id from jsonb_to_recordset($1::jsonb) as f(place text, id uuid)
       join auth.mfa_factors held on held.id = f.id`,
      [some.map(({ place, id }) => ({ place, id }))],
    );
    for (const { place, user_id } of rows) problems.push(`${place}: this factor belongs to user ${user_id} here`);
  }
}

async function insert(
  tx: Transaction,
  { isHosted }: AccountsPlace,
  name: TableName,
  rows: readonly { place: string }[],
): Promise<void> {
  const table = tableNamed(name);
  const blank = isHosted ? table.blank : [];
  const columns = [...table.columns, ...blank].join(', ');
  const blanks = Object.fromEntries(blank.map((column) => [column, '']));
  for (const some of inParts(rows))
    await tx.query(
      `insert into auth.${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::auth.${name}, $1::jsonb)`,
      [some.map(({ place: _, ...row }) => ({ ...row, ...blanks }))],
    );
}

async function remember(tx: Transaction, users: number): Promise<void> {
  await tx.query(
    `insert into auth.audit_log_entries (instance_id, id, payload, created_at)
     values ('00000000-0000-0000-0000-000000000000', $1, $2::json, now())`,
    [randomUUID(), { action: 'accounts_loaded', outcome: 'success', actor_id: null, actor_role: 'server', users }],
  );
}

function* inParts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += AT_ONCE) yield items.slice(at, at + AT_ONCE);
}
