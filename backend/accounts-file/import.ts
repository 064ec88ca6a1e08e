import { randomUUID } from 'node:crypto';
import { sealSeed } from '../auth/factors/seed.ts';
import { type Database, DatabaseError, type Transaction } from '../database/database.ts';
import type { Keys } from '../http/keys.ts';
import { type Accounts, checkRows } from './check-rows.ts';
import { readRows } from './read-rows.ts';
import { type TableName, tableNamed } from './tables.ts';

const AT_ONCE = 200;
const MINUTES_30 = 1_800_000;

export interface Imported {
  users: number;
  identities: number;
  factors: number;
  /** Accounts of the file that the house has already; they and all that belongs to them stay as they are. */
  there: number;
  /** Who has a hash that cannot be checked here, and will have to set a new password. */
  unknownHashes: string[];
}

/** A file that was refused as a whole: nothing of it was imported. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`Nothing was imported: ${problems.length} problem${problems.length === 1 ? '' : 's'}.`);
    this.problems = problems;
  }
}

class DryRun extends Error {}

/**
 * Brings the accounts of a file into the house, all or none, in one transaction. What is there is never changed: an
 * account with the same id and the same address is passed over, anything else that is taken refuses the file.
 * @throws ImportRefused, UnreadableFile
 */
export async function importAccounts(
  db: Database,
  keys: Pick<Keys, 'sealing'>,
  text: string,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Imported> {
  const { accounts, problems, unknownHashes } = checkRows(readRows(text));
  if (problems.length) throw new ImportRefused(problems);
  let imported: Imported | null = null;
  try {
    await db.transaction(
      async (tx) => {
        imported = { ...(await bringIn(tx, keys, accounts)), unknownHashes };
        if (dryRun) throw new DryRun();
      },
      { timeoutMs: MINUTES_30 },
    );
  } catch (error) {
    if (error instanceof DatabaseError) throw new ImportRefused([`The database refused a row: ${error.message}`]);
    if (!(error instanceof DryRun)) throw error;
  }
  return imported!;
}

async function bringIn(tx: Transaction, keys: Pick<Keys, 'sealing'>, accounts: Accounts) {
  const problems: string[] = [];
  const there = await usersThere(tx, accounts, problems);
  const users = accounts.users.filter(({ id }) => !there.has(id));
  const identities = accounts.identities.filter(({ user_id }) => !there.has(user_id));
  const factors = accounts.factors.filter(({ user_id }) => !there.has(user_id));
  await findTakenIdentities(tx, identities, problems);
  await findTakenFactors(tx, factors, problems);
  if (problems.length) throw new ImportRefused(problems);
  await insert(tx, 'users', users);
  await insert(tx, 'identities', identities);
  const sealed = factors.map((factor) => ({
    ...factor,
    secret: factor.secret && sealSeed(keys, factor.id, factor.secret.toUpperCase().replace(/=+$/, '')),
  }));
  await insert(tx, 'mfa_factors', sealed);
  await remember(tx, users.length);
  return { users: users.length, identities: identities.length, factors: factors.length, there: there.size };
}

/** The accounts that are here already. Those that look like it but are not become problems. */
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
      else if (row.known) problems.push(`${row.place}: user ${row.id} is here with another address or number`);
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

async function insert(tx: Transaction, name: TableName, rows: readonly { place: string }[]): Promise<void> {
  const columns = tableNamed(name)!.columns.join(', ');
  for (const some of inParts(rows))
    await tx.query(
      `insert into auth.${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::auth.${name}, $1::jsonb)`,
      [some.map(({ place: _, ...row }) => row)],
    );
}

async function remember(tx: Transaction, users: number): Promise<void> {
  await tx.query(
    `insert into auth.audit_log_entries (instance_id, id, payload, created_at)
     values ('00000000-0000-0000-0000-000000000000', $1, $2::json, now())`,
    [randomUUID(), { action: 'accounts_imported', outcome: 'success', actor_id: null, users }],
  );
}

function* inParts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += AT_ONCE) yield items.slice(at, at + AT_ONCE);
}
