import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportAccounts } from '../../../backend/accounts-file/export.ts';
import { ImportRefused, importAccounts } from '../../../backend/accounts-file/import.ts';
import { migrate } from '../../../backend/database/migrate.ts';
import { openDatabase } from '../../../backend/database/open.ts';
import { loadKeys } from '../../../backend/http/keys.ts';
import { readConfig } from '../../../config.ts';
import { type House, openHouse, openTestDatabase, WIDE } from '../../contract/auth/house.ts';
import { migratedTemplate, SCHEMA } from '../../database.ts';
import { findPostgres, startPostgres } from '../../postgres.ts';
import { errorLog } from '../../server-logs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PASSWORD = 'tangerine bicycle';
const SETTINGS = `${WIDE}
[auth.mfa.totp]
enroll_enabled = true
verify_enabled = true
`;

let folder: string;
const newFile = (ending = '.ndjson') => join(folder, randomUUID() + ending);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'madhouse-accounts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Signs up, with another provider and an authenticator app. */
async function inhabitant(house: House) {
  const client = house.client();
  const email = `${randomUUID()}@example.com`;
  const { data, error } = await client.signUp({
    email,
    password: PASSWORD,
    options: { data: { name: 'Mia\tO\\Neil' } },
  });
  if (error) throw error;
  const id = data.user!.id;
  await house.db.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider) values ($1, $2::uuid, $3::jsonb, 'github')`,
    [`gh-${id}`, id, { sub: `gh-${id}`, email, user_name: 'mia' }],
  );
  const enrolled = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });
  const { id: factorId, totp } = enrolled.data! as { id: string; totp: { secret: string } };
  const verified = await client.mfa.challengeAndVerify({
    factorId,
    code: new TOTP({ secret: totp.secret }).generate(),
  });
  if (verified.error) throw verified.error;
  return { id, email, factorId, seed: totp.secret };
}

const signIn = (house: House, email: string, password = PASSWORD) =>
  house.client().signInWithPassword({ email, password });

const rowsOf = async (house: House, sql: string, values: string[] = []) => (await house.db.query(sql, values)).rows;

/** What a hosted project's tables hold of a person. */
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
  const identity = (provider: string, provider_id: string) => ({
    id: randomUUID(),
    user_id: id,
    provider,
    provider_id,
    identity_data: { sub: provider_id, email },
    last_sign_in_at: null,
    created_at: user.created_at,
    updated_at: user.updated_at,
    email,
  });
  return { user, email, identities: [identity('email', id), identity('google', `g-${id}`)] };
}

const asObject = (people: Awaited<ReturnType<typeof hostedPerson>>[], factors: object[] = []) =>
  JSON.stringify({
    users: people.map(({ user }) => user),
    identities: people.flatMap(({ identities }) => identities),
    mfa_factors: factors,
  });

describe.each(['pglite', 'postgres'] as const)('accounts in a file, with %s', (engine) => {
  const open: { close(): Promise<unknown> }[] = [];
  let old: House;
  let next: House;

  beforeAll(async () => {
    const [first, second] = await Promise.all([openTestDatabase(engine), openTestDatabase(engine)]);
    old = await openHouse(first.db, SETTINGS);
    next = await openHouse(second.db, SETTINGS);
    open.push(old, next, first, second);
  });
  afterAll(async () => {
    for (const part of open) await part.close();
  });
  beforeEach(async () => {
    await next.db.query(`delete from auth.users where raw_app_meta_data ->> 'provider' is distinct from 'none'`);
  });

  it.each(['.ndjson', '.sql'])(
    'move to an empty house as %s and keep password, identities and second factor',
    async (ending) => {
      const person = await inhabitant(old);
      const path = newFile(ending);
      const exported = await exportAccounts(old.db, old.keys, path);
      expect(exported.users).toBeGreaterThan(0);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const text = await readFile(path, 'utf8');
      expect(text).toContain(person.seed);
      const imported = await importAccounts(next.db, next.keys, text);
      expect(imported).toMatchObject({
        users: exported.users,
        identities: exported.identities,
        there: 0,
        unknownHashes: [],
      });

      const client = next.client();
      const { data, error } = await client.signInWithPassword({ email: person.email, password: PASSWORD });
      expect(error).toBeNull();
      expect(data.user).toMatchObject({ id: person.id, user_metadata: { name: 'Mia\tO\\Neil' } });
      expect(data.user!.identities!.map(({ provider }) => provider).sort()).toEqual(['email', 'github']);
      // The next step of the clock, as a code works once; here it was never used.
      const code = new TOTP({ secret: person.seed }).generate();
      const raised = await client.mfa.challengeAndVerify({ factorId: person.factorId, code });
      expect(raised.error).toBeNull();
      expect(decodeJwt(raised.data!.access_token)['aal']).toBe('aal2');
      const [factor] = (await rowsOf(next, 'select secret from auth.mfa_factors where id = $1', [person.factorId])) as {
        secret: string;
      }[];
      expect(factor!.secret).not.toContain(person.seed);
    },
  );

  it('come from a hosted project with bcrypt, and change to our own hash with the first sign-in', async () => {
    const person = await hostedPerson();
    const imported = await importAccounts(next.db, next.keys, asObject([person]));
    expect(imported).toMatchObject({ users: 1, identities: 2, factors: 0 });
    expect((await signIn(next, person.email, 'wrong')).error).toMatchObject({ code: 'invalid_credentials' });
    const hash = async () =>
      (
        (await rowsOf(next, 'select encrypted_password as hash from auth.users where id = $1', [person.user.id])) as {
          hash: string;
        }[]
      )[0]!.hash;
    expect(await hash()).toBe(person.user.encrypted_password);
    const { data } = await signIn(next, person.email);
    expect(data.user).toMatchObject({ id: person.user.id, email_confirmed_at: '2024-03-01T10:00:00.123Z' });
    await expect.poll(hash).toMatch(/^\$argon2id\$/);
    expect((await signIn(next, person.email)).error).toBeNull();
  });

  it('come from the dump of a hosted project, whatever else is in it', async () => {
    const { user, email, identities } = await hostedPerson();
    const copy = (table: string, rows: object[]) => {
      const columns = Object.keys(rows[0]!).filter((name) => name !== 'confirmed_at');
      const lines = rows.map((row) =>
        columns
          .map((name) => (row as Record<string, unknown>)[name])
          .map((value) =>
            value === null
              ? '\\N'
              : typeof value === 'boolean'
                ? value
                  ? 't'
                  : 'f'
                : typeof value === 'object'
                  ? JSON.stringify(value)
                  : String(value),
          )
          .join('\t'),
      );
      return `COPY ${table} (${columns.map((name) => `"${name}"`).join(', ')}) FROM stdin;\n${lines.join('\n')}\n\\.\n\n`;
    };
    const dump = `SET session_replication_role = replica;\n--\n-- PostgreSQL database dump\n--\n${copy('"auth"."audit_log_entries"', [{ id: randomUUID(), note: 'COPY auth.users' }])}${copy('"auth"."users"', [user])}${copy('auth.identities', identities)}RESET ALL;\n`;
    expect(await importAccounts(next.db, next.keys, dump)).toMatchObject({ users: 1, identities: 2 });
    expect((await signIn(next, email)).error).toBeNull();
  });

  it('may be told in a few words', async () => {
    const id = randomUUID();
    const rows = {
      users: [
        {
          id,
          email: `${id}@example.com`,
          encrypted_password: await bcrypt(PASSWORD, 4),
          email_confirmed_at: '2024-03-01',
        },
      ],
      identities: [{ id: randomUUID(), user_id: id, provider: 'email', provider_id: id, identity_data: { sub: id } }],
    };
    expect(await importAccounts(next.db, next.keys, JSON.stringify(rows))).toMatchObject({ users: 1, identities: 1 });
    expect((await signIn(next, `${id}@example.com`)).error).toBeNull();
  });

  it('come in once, however often the file is brought', async () => {
    const file = asObject([await hostedPerson(), await hostedPerson()]);
    await importAccounts(next.db, next.keys, file);
    const before = await rowsOf(next, 'select * from auth.users order by id');
    expect(await importAccounts(next.db, next.keys, file)).toMatchObject({ users: 0, identities: 0, there: 2 });
    expect(await rowsOf(next, 'select * from auth.users order by id')).toEqual(before);
  });

  it('change nothing in a dry run', async () => {
    const file = asObject([await hostedPerson()]);
    expect(await importAccounts(next.db, next.keys, file, { dryRun: true })).toMatchObject({ users: 1, identities: 2 });
    expect(await importAccounts(next.db, next.keys, file, { dryRun: true })).toMatchObject({ users: 1, there: 0 });
  });

  it('take nobody’s place: what is taken is listed, and nothing comes in', async () => {
    const held = await hostedPerson({ phone: '4915112345678' });
    await importAccounts(next.db, next.keys, asObject([held]));
    const sameAddress = await hostedPerson({ email: held.email });
    const samePhone = await hostedPerson({ phone: '+4915112345678' });
    const sameId = await hostedPerson({ id: held.user.id });
    sameId.identities = [];
    const sameIdentity = await hostedPerson();
    sameIdentity.identities[1]!.provider_id = held.identities[1]!.provider_id;
    const fine = await hostedPerson();
    const refusal = async (...people: Awaited<ReturnType<typeof hostedPerson>>[]) =>
      importAccounts(next.db, next.keys, asObject(people)).then(
        () => [],
        (error: ImportRefused) => error.problems,
      );
    expect(await refusal(fine, sameAddress, samePhone, sameId)).toEqual([
      `users 2: the address ${held.email} belongs to user ${held.user.id} here`,
      `users 3: the number 4915112345678 belongs to user ${held.user.id} here`,
      `users 4: user ${held.user.id} is here with another address or number`,
    ]);
    expect(await refusal(fine, sameIdentity)).toEqual([
      `identities 4: this identity at google belongs to user ${held.user.id} here`,
    ]);
    expect(await rowsOf(next, 'select id from auth.users where id = $1', [fine.user.id])).toEqual([]);
    expect((await signIn(next, held.email)).error).toBeNull();
  });

  it('are checked row by row, and every problem is told', async () => {
    const good = await hostedPerson();
    const twin = await hostedPerson({ email: good.email });
    const broken = await hostedPerson({ email: 'not an address', invited_at: 'yesterday' });
    const orphan = {
      id: randomUUID(),
      user_id: randomUUID(),
      factor_type: 'totp',
      status: 'verified',
      secret: 'JBSWY3DPEHPK3PXP',
    };
    const encrypted = { ...orphan, id: randomUUID(), user_id: good.user.id, secret: '{"key_id":"1","data":"x"}' };
    const key = { ...orphan, id: randomUUID(), user_id: good.user.id, factor_type: 'webauthn', secret: null };
    const file = asObject([good, twin, broken], [orphan, encrypted, key]);
    const error = await importAccounts(next.db, next.keys, file).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(ImportRefused);
    expect((error as ImportRefused).problems).toEqual([
      'users 3: email Unable to validate email address: invalid format',
      'users 3: invited_at is no point in time',
      'mfa_factors 2: secret is not in plain base32; take the row out to import without this factor',
      'mfa_factors 3: factor_type is of a kind that is not offered here; take the row out to import without it',
      `users 2: the address ${good.email} stands in users 1 too`,
      `mfa_factors 1: its user ${orphan.user_id} is not in the file`,
    ]);
  });

  it('bring no role, and keep a hash that nobody can check for the way back', async () => {
    const scrypt = '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=c2s=$c2FsdA==$aGFzaA==';
    const person = await hostedPerson({ role: 'service_role', aud: 'admin', encrypted_password: scrypt });
    const imported = await importAccounts(next.db, next.keys, asObject([person]));
    expect(imported.unknownHashes).toEqual([person.email]);
    expect(
      await rowsOf(next, 'select role, aud, encrypted_password from auth.users where id = $1', [person.user.id]),
    ).toEqual([{ role: 'authenticated', aud: 'authenticated', encrypted_password: scrypt }]);
    expect((await signIn(next, person.email)).error).toMatchObject({ code: 'invalid_credentials' });
  });

  it('are never written over a file', async () => {
    const path = newFile();
    await writeFile(path, 'mine');
    await expect(exportAccounts(old.db, old.keys, path)).rejects.toThrow(/exists/);
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  it('leave no half file when a seed does not open', async () => {
    await inhabitant(old);
    const path = newFile();
    await expect(exportAccounts(old.db, { sealing: Buffer.alloc(32) }, path)).rejects.toThrow(/keys\.json/);
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    ['words', 'hello'],
    ['an empty object', '{}'],
    ['a list', '[]'],
    ['a list of nothing', '{"users": [1]}'],
    ['half a line', '{"table": "users", "row": {"id"'],
    ['inserts', 'INSERT INTO auth.users VALUES (1);'],
    ['half a dump', 'COPY auth.users (id) FROM stdin;\n1\n'],
    ['a dump with a value too many', 'COPY auth.users (id) FROM stdin;\n1\t2\n\\.\n'],
  ])('are not read out of %s', async (_, text) => {
    await expect(importAccounts(next.db, next.keys, text)).rejects.toThrow(/\w{3}/);
    await expect(importAccounts(next.db, next.keys, text)).rejects.not.toThrow(/undefined|cannot read/i);
  });

  it.runIf(engine === 'postgres')('run in psql as they are, with seeds as a hosted project keeps them', async () => {
    const target = await startPostgres();
    const db = await openDatabase({ kind: 'postgres', url: target.url }, { log: errorLog });
    try {
      await migrate(db, { ...SCHEMA, log: errorLog });
      const person = await inhabitant(old);
      const path = newFile('.sql');
      await exportAccounts(old.db, old.keys, path);
      const { code, output } = await run(join(findPostgres(), 'psql'), ['-X', target.url, '-f', path], {});
      expect([code, output]).toEqual([0, expect.stringContaining('COPY')]);
      const { rows } = await db.query(
        `select u.email, u.confirmation_token, f.secret from auth.users u join auth.mfa_factors f on f.user_id = u.id
         where u.id = $1`,
        [person.id],
      );
      expect(rows).toEqual([{ email: person.email, confirmation_token: '', secret: person.seed }]);
    } finally {
      await db.close();
      await target.stop();
    }
  });
});

describe('the command', () => {
  const command = (dataDir: string, ...words: string[]) =>
    run(process.execPath, [join(ROOT, 'backend', 'accounts-file', 'accounts-command.ts'), ...words], {
      DATA_DIR: dataDir,
    });

  it('exports and imports between two data folders, and says what it did', { timeout: 120_000 }, async () => {
    const home = await mkdtemp(join(folder, 'houses-'));
    const [from, to] = [join(home, 'from'), join(home, 'to')];
    const path = newFile();
    await (await openFolder(to)).db.close();
    await cp(to, from, { recursive: true });
    const source = await openFolder(from);
    await importAccounts(source.db, source.keys, asObject([await hostedPerson()]));
    // A server has the folder: the command must leave it alone, and say why.
    const busy = await command(from, 'export', path);
    expect(busy).toMatchObject({ code: 1, output: expect.stringContaining(`in use by process ${process.pid}`) });
    await source.db.close();
    expect(await command(from, 'export', path)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Wrote 1 accounts with 2 identities'),
    });
    expect(await command(to, 'import', path, '--dry-run')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing was changed'),
    });
    expect(await command(to, 'import', path)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Imported 1 accounts with 2 identities'),
    });
  });

  it('explains itself when it is used wrongly', { timeout: 120_000 }, async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    for (const words of [[], ['import', '--dry-run'], ['export', 'a', '--dry-run'], ['drop', 'a']])
      expect(await command(empty, ...words)).toMatchObject({
        code: 1,
        output: expect.stringContaining('Use: npm run accounts'),
      });
    expect((await command(empty, 'export', newFile())).output).toContain('There is no house in');
    expect((await command(empty, 'import', newFile())).output).toContain('cannot be read: ENOENT');
  });
});

/** A data folder as the first start leaves it. */
async function openFolder(dataDir: string) {
  const { backend } = readConfig({ DATA_DIR: dataDir });
  if (backend.kind !== 'own') throw new Error('not our own backend');
  const keys = await loadKeys(join(dataDir, 'keys.json'), backend);
  const template = await migratedTemplate();
  return { db: await openDatabase(backend.database, { log: errorLog, template }), keys };
}

function run(
  program: string,
  words: string[],
  settings: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return new Promise((ended) => {
    const child = spawn(program, words, { cwd: ROOT, env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => ended({ code, output }));
  });
}
