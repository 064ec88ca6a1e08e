import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ACCOUNT_TABLES,
  type AccountsDatabase,
  createSeedKey,
  openSeedCipher,
  plainSeedCipher,
  type SeedKey,
  sealedSeedCipher,
} from '../../../packages/backend/archive/accounts/accounts-database.ts';
import { AccountsRefused, loadAccounts } from '../../../packages/backend/archive/accounts/load-accounts.ts';
import { makeAccounts } from '../../../packages/backend/archive/accounts/make-accounts.ts';
import { openArchive } from '../../../packages/backend/archive/open-archive.ts';
import { WrongPassphrase } from '../../../packages/backend/archive/sealed-keys.ts';
import { type AuthServer, openAuthServer, WIDE } from '../../../packages/backend/tests/auth/auth-server.ts';
import { postgresql, startMigratedPostgres, type TestDatabase } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { copySeededData } from '../../seeded-data.ts';
import { startServer } from '../../server.ts';
import { folderForTests } from '../folder-for-tests.ts';
import { archive, expectOutput } from './command.ts';

const PASSWORD = 'tangerine bicycle';
const SETTINGS = `${WIDE}
[auth.mfa.totp]
enroll_enabled = true
verify_enabled = true
`;

const PASSPHRASE = 'seventeen turnips';

const folder = folderForTests();
const passphraseFile = join(folder, 'passphrase');
let key: SeedKey;
/** A database with the account tables of a hosted project, without constraints. */
let project: TestDatabase;
const newFile = () => join(folder, `${randomUUID()}.tar`);

beforeAll(async () => {
  await writeFile(passphraseFile, PASSPHRASE);
  key = await createSeedKey(PASSPHRASE);
  project = await postgresql.open();
  const made = Object.entries(ACCOUNT_TABLES).map(
    ([name, { columns, emptyColumns: blank = [] }]) =>
      `create table auth.${name} (${[...columns, ...blank].join(' text, ')} text)`,
  );
  await project.db.script(`create schema auth; ${made.join(';')};
    create table auth.audit_log_entries (id text, note text); insert into auth.audit_log_entries values ('1', 'auth.users');
    create table public.users (id text); insert into public.users values ('another project''s');`);
});
afterAll(() => project?.end());

/** Creates an account with a second identity and an authenticator app. */
async function createUserWithFactor(server: AuthServer) {
  const client = server.client();
  const email = `${randomUUID()}@example.com`;
  const options = { data: { name: 'Mia\tO\\Neil' } };
  const { data, error } = await client.signUp({ email, password: PASSWORD, options });
  if (error) throw error;
  const id = data.user!.id;
  const ADD_IDENTITY = `insert into auth.identities (provider_id, user_id, identity_data, provider) values ($1, $2::uuid, $3::jsonb, 'github')`;
  await server.db.query(ADD_IDENTITY, [`gh-${id}`, id, { sub: `gh-${id}`, email, user_name: 'mia' }]);
  const enrolled = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });
  const { id: factorId, totp } = enrolled.data! as { id: string; totp: { secret: string } };
  const code = new TOTP({ secret: totp.secret }).generate();
  const verified = await client.mfa.challengeAndVerify({ factorId, code });
  if (verified.error) throw verified.error;
  return { id, email, factorId, seed: totp.secret };
}

const signIn = (server: AuthServer, email: string, password = PASSWORD) =>
  server.client().signInWithPassword({ email, password });

const rowsOf = async <Row = unknown>(server: AuthServer, sql: string, values: string[] = []) =>
  (await server.db.query<Row>(sql, values)).rows;

/** Rows of one account in the tables of a hosted project. */
async function hostedPerson(fields: object = {}) {
  const id = randomUUID();
  const email = `${id}@example.com`;
  const user = {
    instance_id: '00000000-0000-0000-0000-000000000000',
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    encrypted_password: await bcrypt(PASSWORD, 4),
    email_confirmed_at: '2024-03-01 10:00:00.123456+00',
    confirmation_token: '',
    raw_app_meta_data: { provider: 'email', providers: ['email', 'google'] },
    raw_user_meta_data: { name: 'Ada' },
    is_super_admin: null,
    created_at: '2024-03-01 09:59:00+00',
    updated_at: '2024-03-01 10:00:00+00',
    phone: null,
    confirmed_at: '2024-03-01 10:00:00.123456+00',
    is_sso_user: false,
    is_anonymous: false,
    ...fields,
  };
  const times = { last_sign_in_at: null, created_at: user.created_at, updated_at: user.updated_at };
  const identity = (provider: string, provider_id: string) => {
    const identity_data = { sub: provider_id, email };
    return { id: randomUUID(), user_id: id, provider, provider_id, identity_data, ...times, email };
  };
  return { user, email, identities: [identity('email', id), identity('google', `g-${id}`)] };
}

const ownPlace = ({ db, keys }: AuthServer) => ({ db, seeds: sealedSeedCipher(keys), isHosted: false });
const archiveOptions = () => ({ version: '1.2.3', key });

const totpFactor = (user_id: string, fields: object = {}) => {
  const factor = { factor_type: 'totp', status: 'verified', secret: 'JBSWY3DPEHPK3PXP' };
  return { id: randomUUID(), user_id, ...factor, ...fields };
};

async function archiveOf(people: Awaited<ReturnType<typeof hostedPerson>>[], factors: object[] = []) {
  const { db } = project;
  const users = people.map(({ user }) => user);
  const identities = people.flatMap((person) => person.identities);
  const rows: Record<string, object[]> = { users, identities, mfa_factors: factors };
  for (const name of Object.keys(ACCOUNT_TABLES)) {
    await db.query(`delete from auth.${name}`);
    await db.query(`insert into auth.${name} select * from jsonb_populate_recordset(null::auth.${name}, $1::jsonb)`, [
      rows[name]!.map((row) => ({ ...row })),
    ]);
  }
  return archiveFrom({ db, seeds: plainSeedCipher, isHosted: true });
}

/** Makes an archive of accounts. @returns its path */
async function archiveFrom(place: AccountsDatabase) {
  const path = newFile();
  await makeAccounts(place, path, archiveOptions());
  return path;
}
const archiveOfOwn = (server: AuthServer) => archiveFrom(ownPlace(server));

/** Loads an archive like the command does after the passphrase prompt. */
async function load(place: AccountsDatabase, path: string, options?: Parameters<typeof loadAccounts>[3]) {
  const opened = await openArchive(path);
  return loadAccounts(place, opened, key.seeds, options).finally(() => opened.close());
}

describe('an archive of accounts', () => {
  const old = forAllTests(() => openAuthServer(SETTINGS));
  const next = forAllTests(() => openAuthServer(SETTINGS));
  beforeEach(async () => {
    await next.db.query(`delete from auth.users where raw_app_meta_data ->> 'provider' is distinct from 'none'`);
  });

  it('moves accounts with password, identities and second factor to an empty installation', async () => {
    const person = await createUserWithFactor(old);
    const path = newFile();
    const { tables } = await makeAccounts(ownPlace(old), path, archiveOptions());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'latin1');
    expect([text.includes(person.seed), text.includes('mfa_factors')]).toEqual([false, true]);
    const [users, identities] = tables.map(({ rows }) => rows);
    expect(users).toBeGreaterThan(0);
    expect(await load(ownPlace(next), path)).toMatchObject({ users, identities, existing: 0, unknownHashes: [] });

    const client = next.client();
    const { data, error } = await client.signInWithPassword({ email: person.email, password: PASSWORD });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id: person.id, user_metadata: { name: 'Mia\tO\\Neil' } });
    expect(data.user!.identities!.map(({ provider }) => provider).sort()).toEqual(['email', 'github']);
    // Uses the code of the next step, because each code works once.
    const code = new TOTP({ secret: person.seed }).generate();
    const raised = await client.mfa.challengeAndVerify({ factorId: person.factorId, code });
    expect(raised.error).toBeNull();
    expect(decodeJwt(raised.data!.access_token)['aal']).toBe('aal2');
    const factors = await rowsOf(next, 'select secret from auth.mfa_factors where id = $1', [person.factorId]);
    expect(factors).toEqual([{ secret: expect.not.stringContaining(person.seed) }]);
  });

  it('imports bcrypt hashes of a hosted project, which the first sign-in replaces', async () => {
    const person = await hostedPerson();
    const imported = await load(ownPlace(next), await archiveOf([person]));
    expect(imported).toMatchObject({ users: 1, identities: 2, factors: 0 });
    expect((await signIn(next, person.email, 'wrong')).error).toMatchObject({ code: 'invalid_credentials' });
    const stored = 'select encrypted_password as hash from auth.users where id = $1';
    const hash = async () => (await rowsOf<{ hash: string }>(next, stored, [person.user.id]))[0]!.hash;
    expect(await hash()).toBe(person.user.encrypted_password);
    const { data } = await signIn(next, person.email);
    expect(data.user).toMatchObject({ id: person.user.id, email_confirmed_at: '2024-03-01T10:00:00.123Z' });
    await expect.poll(hash).toMatch(/^\$argon2id\$/);
    expect((await signIn(next, person.email)).error).toBeNull();
  });

  it('loads accounts of a project with fewer columns', async () => {
    const person = await hostedPerson();
    const path = await archiveOf([person]);
    const { db } = project;
    await db.script('alter table auth.users rename column is_anonymous to was_anonymous');
    try {
      const fewer = await archiveFrom({ db, seeds: plainSeedCipher, isHosted: true });
      expect(await load(ownPlace(next), fewer)).toMatchObject({ users: 1, identities: 2 });
    } finally {
      await db.script('alter table auth.users rename column was_anonymous to is_anonymous');
    }
    expect((await signIn(next, person.email)).error).toBeNull();
    expect(await load(ownPlace(next), path)).toMatchObject({ users: 0, existing: 1 });
  });

  it('loads softly deleted accounts, of its own and of a hosted project, and numbers of five digits', async () => {
    const { id } = await createUserWithFactor(old);
    expect((await old.service().admin.deleteUser(id, true)).error).toBeNull();
    await load(ownPlace(next), await archiveOfOwn(old));
    // What the hosted service leaves of an address and a number.
    const [email, phone] = ['DB9hNUgsZ3w5MD4r_yRHvXxvKqvYkbdCZQBFlLCxM-4', 'DB9hNUgsZ3w5MD4'];
    const deleted = await hostedPerson({ email, phone, encrypted_password: '', deleted_at: '2024-04-01 10:00:00+00' });
    const hosted = await archiveOf([deleted, await hostedPerson({ phone: '12345' })]);
    expect(await load(ownPlace(next), hosted)).toMatchObject({ users: 2 });
    expect(await load(ownPlace(next), hosted)).toMatchObject({ users: 0, existing: 2 });
    const gone = 'select email, phone from auth.users where deleted_at is not null and id = any($1::text::uuid[])';
    expect(await rowsOf(next, gone, [`{${id},${deleted.user.id}}`])).toHaveLength(2);
  });

  it('lists conflicts with existing accounts and loads nothing', async () => {
    const held = await hostedPerson({ phone: '4915112345678' });
    await load(ownPlace(next), await archiveOf([held]));
    const sameAddress = await hostedPerson({ email: held.email });
    const samePhone = await hostedPerson({ phone: '+4915112345678' });
    const sameId = await hostedPerson({ id: held.user.id });
    sameId.identities = [];
    const sameIdentity = await hostedPerson();
    sameIdentity.identities[1]!.provider_id = held.identities[1]!.provider_id;
    const fine = await hostedPerson();
    const refusal = async (...people: Awaited<ReturnType<typeof hostedPerson>>[]) =>
      load(ownPlace(next), await archiveOf(people)).then(
        () => [],
        (error: AccountsRefused) => error.problems,
      );
    expect(await refusal(fine, sameAddress, samePhone, sameId)).toEqual([
      `users 2: the address ${held.email} belongs to user ${held.user.id} here`,
      `users 3: the number 4915112345678 belongs to user ${held.user.id} here`,
      `users 4: user ${held.user.id} exists here with another address or number`,
    ]);
    const conflict = `identities 4: this identity at google belongs to user ${held.user.id} here`;
    expect(await refusal(fine, sameIdentity)).toEqual([conflict]);
    expect(await rowsOf(next, 'select id from auth.users where id = $1', [fine.user.id])).toEqual([]);
    expect((await signIn(next, held.email)).error).toBeNull();
  });

  it('reports every invalid row', async () => {
    const good = await hostedPerson();
    const twin = await hostedPerson({ email: good.email });
    const broken = await hostedPerson({ email: 'not an address', invited_at: 'yesterday' });
    const orphan = totpFactor(randomUUID());
    const path = await archiveOf([good, twin, broken], [orphan]);
    const error = await load(ownPlace(next), path).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(AccountsRefused);
    expect((error as AccountsRefused).problems).toEqual([
      'users 3: email Unable to validate email address: invalid format',
      'users 3: invited_at is not a valid timestamp',
      `users 2: the address ${good.email} is also in users 1`,
      `mfa_factors 1: its user ${orphan.user_id} is not in the archive`,
    ]);
  });

  it('loads accounts without their invalid second factors on request only', async () => {
    const person = await hostedPerson();
    const factor = (fields: object) => totpFactor(person.user.id, fields);
    const encrypted = factor({ secret: '{"key_id":"1","data":"x"}' });
    const path = await archiveOf([person], [encrypted, factor({ factor_type: 'webauthn', secret: null }), factor({})]);
    const unfit = [
      'mfa_factors 1: secret is not plain base32',
      'mfa_factors 2: factor_type is of a type this server does not offer',
    ];
    const message = expect.stringContaining('--leave-out-factors');
    await expect(load(ownPlace(next), path)).rejects.toMatchObject({ problems: unfit, message });
    expect(await rowsOf(next, 'select id from auth.users where id = $1', [person.user.id])).toEqual([]);
    const loaded = await load(ownPlace(next), path, { skipInvalidFactors: true });
    expect(loaded).toMatchObject({ users: 1, factors: 1, skippedFactors: unfit });
  });

  it('loads accounts without roles, and keeps unsupported hashes for a later export', async () => {
    const scrypt = '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=c2s=$c2FsdA==$aGFzaA==';
    const person = await hostedPerson({ role: 'service_role', aud: 'admin', encrypted_password: scrypt });
    expect((await load(ownPlace(next), await archiveOf([person]))).unknownHashes).toEqual([person.email]);
    const LOGIN = 'select role, aud, encrypted_password from auth.users where id = $1';
    const stored = { role: 'authenticated', aud: 'authenticated', encrypted_password: scrypt };
    expect(await rowsOf(next, LOGIN, [person.user.id])).toEqual([stored]);
    expect((await signIn(next, person.email)).error).toMatchObject({ code: 'invalid_credentials' });
  });

  it('leaves no partial file when a seed cannot be decrypted', async () => {
    await createUserWithFactor(old);
    const path = newFile();
    const wrong = { ...ownPlace(old), seeds: sealedSeedCipher({ sealing: Buffer.alloc(32) }) };
    await expect(makeAccounts(wrong, path, archiveOptions())).rejects.toThrow(/keys\.json/);
    expect(existsSync(path)).toBe(false);
  });

  it('exports to a hosted project in its own format, and back', async () => {
    const target = await postgresql.open({ migrated: true });
    const hosted = { db: target.db, seeds: plainSeedCipher, isHosted: true };
    try {
      const person = await createUserWithFactor(old);
      expect((await load(hosted, await archiveOfOwn(old))).factors).toBeGreaterThan(0);
      const SEED = `select u.email, u.confirmation_token, f.secret from auth.users u join auth.mfa_factors f on f.user_id = u.id
        where u.id = $1`;
      const { rows } = await target.db.query(SEED, [person.id]);
      expect(rows).toEqual([{ email: person.email, confirmation_token: '', secret: person.seed }]);
      expect((await load(ownPlace(next), await archiveFrom(hosted))).users).toBeGreaterThan(0);
      expect((await signIn(next, person.email)).error).toBeNull();
    } finally {
      await target.end();
    }
  });
});

it('an archive of accounts opens with the right passphrase only', async () => {
  const opened = await openArchive(await archiveOf([await hostedPerson()]));
  await expect(openSeedCipher(opened, `${PASSPHRASE} `)).rejects.toThrow(WrongPassphrase);
  const id = randomUUID();
  const seeds = await openSeedCipher(opened, PASSPHRASE);
  expect(seeds.open(id, key.seeds.seal(id, 'JBSWY3DPEHPK3PXP'))).toBe('JBSWY3DPEHPK3PXP');
  await opened.close();
});

describe('the command', () => {
  const withPassphrase = () => ['--passphrase-file', passphraseFile];

  it('moves accounts between running installations and hosted projects, and reports the result', async () => {
    const hosted = await startMigratedPostgres();
    const [address, emptyAddress] = [join(folder, 'address'), join(folder, 'empty-address')];
    await writeFile(address, `${hosted.url}\n`);
    await writeFile(emptyAddress, hosted.url.replace(/postgres$/, 'template1'));
    const from = await startServer({ SEED: 'none' }, await copySeededData());
    const to = await startServer({ SEED: 'none' });
    try {
      const path = newFile();
      const making = archive(from.dataDir, 'make', path, '--only', 'accounts', ...withPassphrase());
      await expectOutput(making, 0, /Wrote and verified .*accounts only/s);
      const loading = () => archive(to.dataDir, 'load', path, ...withPassphrase());
      // A server uses the folder, so the command must refuse.
      await expectOutput(loading(), 1, `in use by process ${to.process.pid}`);
      await to.stop({ keep: true });
      await expectOutput(archive(to.dataDir, 'load', path, '--dry-run', ...withPassphrase()), 0, 'Nothing was changed');
      await expectOutput(loading(), 0, /Imported \d+ accounts with/);
      await expectOutput(loading(), 0, /Imported 0 accounts.*Already present and unchanged: \d+ accounts/s);

      // The command accepts any database with these tables.
      const ofEmpty = ['--only', 'accounts', '--database-url-file', emptyAddress, ...withPassphrase()];
      await expectOutput(archive(folder, 'make', newFile(), ...ofEmpty), 1, 'has no table auth.users');
      const into = ['--database-url-file', address, ...withPassphrase()];
      expect((await archive(folder, 'load', path, ...into)).output).toMatch(/Imported \d+ accounts with/);
      const back = newFile();
      expect(await archive(folder, 'make', back, '--only', 'accounts', ...into)).toMatchObject({ code: 0 });
      const again = await archive(to.dataDir, 'load', back, ...withPassphrase());
      expect(again.output).toContain('Already present and unchanged');
    } finally {
      await from.stop();
      await rm(to.dataDir, { recursive: true, force: true });
      await hosted.stop();
    }
  });

  it('prints its usage for invalid arguments', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    for (const option of ['--only pictures', '--database-url-file b'])
      await expectOutput(archive(empty, 'make', 'a', ...option.split(' ')), 1, 'Usage: npm run archive');
    const make = await archive(empty, 'make', newFile(), '--only', 'accounts', ...withPassphrase());
    expect(make.output).toContain('has no installation yet');
    const path = await archiveOf([await hostedPerson()]);
    expect((await archive(empty, 'load', path, ...withPassphrase())).output).toContain('has no installation yet');
    expect((await archive(empty, 'load', path, '--without-keys')).output).toContain('Usage: npm run archive');
    const invalidUrlFile = join(folder, 'nowhere');
    await writeFile(invalidUrlFile, 'https://example.com');
    const other = await archive(empty, 'load', path, '--database-url-file', invalidUrlFile, ...withPassphrase());
    expect(other.output).toContain('must be a database address');
  });
});
