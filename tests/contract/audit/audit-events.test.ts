import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOf, type LogLine, sentenceOf } from '../../../app/features/audit/model/audit-log.ts';
import { logPhrases, logSentences } from '../../../app/features/audit/words.ts';
import { AUDIT_ACTIONS } from '../../../packages/backend/auth/audit.ts';
import { startIssuer } from '../../../packages/backend/tests/auth/providers/peers.ts';
import { newEmployee } from '../../../packages/backend/tests/auth/providers/saml/company.ts';
import { startIdentityProvider } from '../../../packages/backend/tests/auth/providers/saml/identity-provider.ts';
import { startSmsReceiver } from '../../../packages/backend/tests/auth/sms-receiver.ts';
import { ACTIONS } from '../../../supabase/functions/manage-users/actions.ts';
import { SHORT_LIVED } from '../../cpu-time.ts';
import { postgresql } from '../../database.ts';
import { type AuditEvent, events, type Known, type Role, type World } from './event.ts';
import { commandEvents } from './events.ts';
import { type Client, newEmail, openSite, PASSWORD, type Site } from './site.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const settings = (google: string, sms: string) => `
[auth]
refresh_token_reuse_interval = 0
[auth.rate_limit]
sign_in_sign_ups = 100000
token_refresh = 100000
token_verifications = 100000
email_sent = 100000
sms_sent = 100000
[auth.email]
max_frequency = "0s"
[auth.sms]
enable_signup = true
max_frequency = "0s"
[auth.saml]
enabled = true
[auth.external.google]
enabled = true
client_id = "madhouse"
secret = "a secret"
url = "${google}"
${sms}`;

let world: World;
let reader: Client;
/** Expected sentences by network address, to find late lines. */
const sentencesByAddress = new Map<string, string[]>();
let stop: () => Promise<unknown>;

beforeAll(async () => {
  const [google, acme, sms] = await Promise.all([
    startIssuer(),
    startIdentityProvider('acme', newEmployee()),
    startSmsReceiver(),
  ]);
  const site = await openSite(settings(google.url, sms.settings));
  stop = () => Promise.all([site.close(), google.stop(), acme.close(), sms.close()]);
  const [member, creator] = [await site.account(), await site.account()];
  world = { site, member, creator, google, acme, sms, admin: undefined as never };
});
afterAll(() => stop?.());

function clientOf(role: Role): Promise<Client> | Client {
  if (role === 'guest' || role === 'server') return world.site.guest();
  if (role === 'service') return world.site.service();
  return role === 'setup key' ? world.site.withSetupKey() : world[role].again();
}

const fill = (templates: string[], { me, it = '', role = '' }: Known & { me: Client }) =>
  templates.map((sentence) => sentence.replaceAll('{me}', me.name).replaceAll('{it}', it).replaceAll('{role}', role));

async function play({ kinds, templates, act }: AuditEvent, role: Role) {
  const me = await clientOf(role);
  const known = { me, ...((await act(me, world, role)) as Known) };
  const sentences = fill(templates, known);
  sentencesByAddress.set(known.me.address, sentences);
  return { kinds, me: known.me, sentences };
}

const linesOf = async ({ address }: Client, since?: string) =>
  (await world.site.read(reader, since ? { since } : {})).filter((line) => line.address === address);

async function expectLines({ kinds, me, sentences }: Awaited<ReturnType<typeof play>>, since?: string) {
  let lines: LogLine[] = [];
  const found = async () => {
    lines = await linesOf(me, since);
    return lines.length;
  };
  // Refusals are recorded after the response.
  await expect.poll(found, { interval: 20, message: sentences.join() }).toBeGreaterThanOrEqual(sentences.length);
  expect(lines.map(sentenceOf)).toEqual(sentences);
  expect([...new Set(lines.map(actorOf))]).toEqual([me.name]);
  expect(lines.map(({ action }) => action)).toEqual(expect.arrayContaining(kinds));
}

const before = events.flatMap((event) => (event.by.includes('setup key') ? [{ ...event, by: ['setup key'] }] : []));

it('logs one line when the setup key creates the first admin, whatever the key was used for before (M3)', async () => {
  const { site } = world;
  const played = [];
  for (const event of before) played.push(await play(event as AuditEvent, 'setup key'));
  const me = site.withSetupKey();
  const email = newEmail();
  const answer = await me.invoke('admin-setup', { email, password: PASSWORD });
  expect(answer).toMatchObject({ success: true });
  world.admin = site.accountOf((answer as unknown as { user: { id: string } }).user.id, email);
  reader = await world.admin.again();
  const sentences = [`First admin created with the setup key: ${email}`];
  sentencesByAddress.set(me.address, sentences);
  await expectLines({ kinds: ['admin_role.first'], me, sentences });
  for (const one of played) await expectLines(one);
});

const cases = events.flatMap((event, number) =>
  event.by
    .filter((role) => role !== 'setup key')
    .map((role) => ({
      title: `${event.kinds[0]} by ${role}${event.templates.join().includes('refused') ? ', refused' : ''} (${number + 1})`,
      event,
      role,
    })),
);
it.each(cases)('$title', async ({ event, role }) => {
  const since = new Date(Date.now() - 1_000).toISOString();
  await expectLines(await play(event, role), since);
});

it('names the server as actor of its own commands', async () => {
  const { dataDir } = world.site;
  const files = {
    file: join(dataDir, 'all.tar'),
    accounts: join(dataDir, 'accounts.tar'),
    passphrase: join(dataDir, 'pass'),
  };
  await writeFile(files.passphrase, PASSWORD);
  for (const [kind, { words, sentence }] of Object.entries(commandEvents)) {
    const since = new Date().toISOString();
    const rest = words.slice(1).map((word) => fillFile(word, files));
    await command(world.site, words[0], rest);
    const found = async () => (await world.site.read(reader, { since, what: kind })).map(sentenceOf);
    await expect.poll(found, { message: kind }).toEqual([sentence]);
  }
});

it('logs exactly these lines, including those recorded after the response', async () => {
  const lines = await world.site.readAll(reader);
  for (const [address, sentences] of sentencesByAddress)
    expect(lines.filter((line) => line.address === address).map(sentenceOf)).toEqual(sentences);
});

const fillFile = (word: string, files: Record<string, string>) =>
  word.replace(/^\{(\w+)\}$/, (_, name: string) => files[name]!);

const command = ({ environment }: Pick<Site, 'environment'>, name: 'archive' | 'keys', words: string[]) =>
  promisify(execFile)(process.execPath, [...SHORT_LIVED, `packages/backend/${name}/${name}-command.ts`, ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
  });

const CAPTCHA = '\n[auth.captcha]\nenabled = true\nprovider = "turnstile"\nsecret = "x"\n';
const WRITES = 25;

it('audit events around a restart name the caller of refused captchas and of refused writes above the line limit, and the server for a restore', async () => {
  const plain = settings('http://127.0.0.1:1', '');
  const first = await openSite(plain + CAPTCHA);
  const admin = await first.account();
  const member = await first.account();
  expect((await first.service().data.rpc('assign_admin_role', { admin_email: admin.email })).error).toBeNull();
  const guest = first.guest();
  const { error } = await guest.auth.signInWithPassword({ email: member.email, password: PASSWORD });
  expect(error?.code).toBe('captcha_failed');
  for (let n = 0; n < WRITES; n++) await guest.data.from('roles').insert({ name: `Role ${n}` });
  await first.close({ keep: true });

  const second = await openSite(plain, first);
  const lines = await second.readAll(await second.accountOf(admin.id, admin.email).client());
  const ofGuest = lines.filter(({ address }) => address === guest.address).map(sentenceOf);
  const tried = ['pass the captcha', 'add a role', 'write without permission repeatedly'];
  const refusals = tried.map((what) => `A visitor who wasn’t signed in tried to ${what} and was refused`);
  expect(new Set(ofGuest)).toEqual(new Set(refusals));
  const [all, accounts, passphrase] = ['all.tar', 'accounts.tar', 'passphrase'].map((name) =>
    join(second.dataDir, name),
  );
  await writeFile(passphrase!, PASSWORD);
  const sealed = ['--passphrase-file', passphrase!];
  await command(second, 'archive', ['make', all!, '--keys', ...sealed]);
  await command(second, 'archive', ['make', accounts!, '--only', 'accounts', ...sealed]);
  const loaded = { dataDir: `${second.dataDir}-loaded`, database: await postgresql.open() };
  const environment = { ...second.environment, DATA_DIR: loaded.dataDir, DATABASE_URL: loaded.database.url! };
  for (const file of [all!, accounts!]) await command({ environment }, 'archive', ['load', file, ...sealed]);
  await second.close();

  const third = await openSite(plain, loaded);
  const admins = await third.accountOf(admin.id, admin.email).client();
  for (const [what, sentence] of [
    ['identity.archive_loaded', 'The server restored everything from an archive'],
    ['identity.accounts_loaded', 'The server loaded accounts from an archive'],
  ])
    expect((await third.read(admins, { what })).map(sentenceOf)).toEqual([sentence]);
  await third.close();
});

describe('table of audit events', () => {
  /** Kinds that the tests above cover and the table does not. */
  const OTHER_EVENTS = [
    'admin_role.first',
    'identity.accounts_loaded',
    'identity.archive_loaded',
    'identity.captcha',
    'webhooks.turn_off',
    'writes.refused',
  ];
  /** A sum over many callers; covered by tests/contract/refused-writes.test.ts. */
  const SUMS = ['writes.refused_elsewhere'];
  const ofTable = events.flatMap(({ kinds }) => kinds);
  const tested = new Set([...ofTable, ...Object.keys(commandEvents), ...OTHER_EVENTS, ...SUMS]);

  it('contains every kind that the database records', async () => {
    const { db, end } = await postgresql.open({ migrated: true });
    const WATCHED = `select c.relname || '.' || substr(t.tgname, 8) as kind from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where t.tgfoid = 'private.record_write'::regproc`;
    const { rows: watched } = await db.query<{ kind: string }>(WATCHED);
    const RECORDING = `select proname as name, prosrc as body from pg_proc
      where prosrc like any (array['%private.record(%', '%record_act(%', '%refuse_review(%', '%reject_caller(%']) and proname not in ('record', 'record_act', 'record_write', 'refuse_review', 'reject_caller')`;
    const { rows: functions } = await db.query<{ name: string; body: string }>(RECORDING);
    await end();
    const calls = functions.flatMap(({ name, body }) =>
      [...body.matchAll(/(?:private\.record|record_act|refuse_review|reject_caller)\(/g)].map(({ index }) => ({
        name,
        kinds: kindsIn(body.slice(index), body),
      })),
    );
    expect(watched.length).toBeGreaterThan(30);
    expect(calls.length).toBeGreaterThan(30);
    expect(calls.filter(({ kinds }) => !kinds.length)).toEqual([]);
    const kinds = [...watched.map(({ kind }) => kind), ...calls.flatMap((call) => call.kinds)];
    expect([...new Set(kinds)].filter((kind) => !tested.has(kind))).toEqual([]);
  });

  it('contains every kind that the services record', () => {
    const functions = globSync(join(ROOT, 'supabase/functions/*/*.ts')).map((file) => readFileSync(file, 'utf8'));
    const backend = globSync(join(ROOT, 'packages/backend/**/*.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .filter((text) => text.includes('record_act') || text.includes('audit_log '));
    const named = [...functions, ...backend].flatMap((text) =>
      [...text.matchAll(/'((?:user|writes|setup_key|admin_role|archive)\.\w+)'/g)].map(([, kind]) => kind!),
    );
    const kinds = [
      ...AUDIT_ACTIONS.map((action) => `identity.${action}`),
      ...[...Object.keys(ACTIONS), 'unknown'].map((action) => `user.${action}`),
      ...named,
    ];
    expect(kinds).toContain('user.verify');
    expect(kinds).toContain('writes.refused');
    expect([...new Set(kinds)].filter((kind) => !tested.has(kind))).toEqual([]);
  });

  it('has a sentence for every kind', () => {
    const spoken = new Set([...Object.keys(logPhrases), ...Object.keys(logSentences)]);
    expect([...tested].filter((kind) => !spoken.has(kind))).toEqual([]);
    expect([...spoken].filter((kind) => !tested.has(kind))).toEqual([]);
  });
});

/** Kinds that a call of `private.record` or a similar function can write: strings of its first argument and appended suffixes. */
function kindsIn(call: string, body: string): string[] {
  if (/^refuse_review\(\)/.test(call)) return ['reviews.answer'];
  const list = /^[\w.]+\((.*?)\)/s.exec(call)![1]!;
  const strings = [...list.matchAll(/'([a-z_]+(?:\.[a-z_]*)?)'/g)].map(([, text]) => text!);
  return strings.flatMap((text) => {
    if (!text.endsWith('.')) return /\.|^admins_need/.test(text) ? [text] : [];
    const values = /not in \(([^)]+)\)/.exec(body)?.[1] ?? '';
    return [...values.matchAll(/'(\w+)'/g)].map(([, value]) => `${text}${value}`);
  });
}
