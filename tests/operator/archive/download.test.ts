import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { CREDENTIALS } from '../../../packages/backend/archive/make-archive.ts';
import { openArchive } from '../../../packages/backend/archive/open-archive.ts';
import { engines } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { mountSmallDisk, smallDiskProblem } from '../../programs/small-disk.ts';
import { DEMO_ACCOUNTS, seededData, seededOnPostgres, startSeededServer } from '../../seeded-data.ts';
import { startServer } from '../../server.ts';
import { clientOf } from '../client.ts';
import { folderForTests } from '../folder-for-tests.ts';
import { archive, expectOutput, rowsIn, snapshotsOf } from './command.ts';

/** Columns with names like credentials that contain none. */
const HARMLESS = [
  // The number of secrets, which are derived and not stored.
  'public.webhooks.secrets',
  'storage.objects.path_tokens',
];
const RESERVE_MB = 64;
/** Tables that archives exclude. */
const STAY = ['storage.installation', 'storage.unfinished_pieces', 'storage.unfinished_uploads'];

const folder = folderForTests();

it('every column with a credential is excluded from downloads', async () => {
  const { db, end } = await engines[0].open({ migrated: true });
  const NAMED_LIKE_CREDENTIALS = `select table_schema || '.' || table_name as title, column_name as name from information_schema.columns
    where table_schema in ('auth', 'storage', 'public', 'private')
      and column_name ~ '(hash|token|secret|password|passphrase|challenge|verifier|sealed|seed|nonce|hmac|(^|_)(code|key)($|_))'`;
  const { rows } = await db.query<{ title: string; name: string }>(NAMED_LIKE_CREDENTIALS);
  await end();
  const left = rows
    .filter(({ title }) => !STAY.includes(title))
    .filter(({ title, name }) => CREDENTIALS[title] !== 'every row' && !CREDENTIALS[title]?.includes(name))
    .map(({ title, name }) => `${title}.${name}`);
  expect(left.filter((column) => !HARMLESS.includes(column))).toEqual([]);
});

describe.each(['the embedded engine', 'PostgreSQL'])('an archive download, with %s', (engine) => {
  const server = forAllTests(async () =>
    startSeededServer(await (engine === 'PostgreSQL' ? seededOnPostgres() : seededData())),
  );
  const client = clientOf(server);
  let admin: string;
  let member: string;

  beforeAll(async () => {
    const sessions = await Promise.all([DEMO_ACCOUNTS.admin, DEMO_ACCOUNTS.member].map(client.signIn));
    [admin, member] = sessions.map(({ access_token }) => access_token) as [string, string];
    // An archive that fits into the socket buffers ends before its client disconnects.
    await client.createBucket('files');
    const headers = { 'content-type': 'application/octet-stream' };
    const body = new Uint8Array(randomBytes(17_000_000));
    const path = '/storage/v1/object/files/large';
    expect((await client.asService(path, { method: 'POST', headers, body })).status).toBe(200);
  });

  const request = (token: string | null, signal?: AbortSignal, { send } = client) =>
    send('/functions/v1/download-archive', { json: {}, ...(token && { token }), ...(signal && { signal }) });
  const refusal = async (response: Response) => {
    expect(response.headers.get('content-type')).toContain('application/json');
    return (await response.json()) as { success: boolean; error: string; signInAgain?: boolean };
  };
  /** Resources of a running download: its lease, or the copy of an embedded database. */
  const held = async () => {
    if (!server.databaseUrl) return snapshotsOf(server.dataDir);
    const sql = postgres(server.databaseUrl, { max: 1 });
    const claims = await sql`select from internal.schedule where name = 'archive download'`;
    await sql.end();
    return claims;
  };
  const log = async () => {
    const response = await client.send('/rest/v1/audit_log?action=eq.archive.download&order=id', { token: admin });
    const lines = (await response.json()) as { outcome: string; reason: string | null; actor_kind: string }[];
    return lines.map(({ outcome, reason, actor_kind }) => `${actor_kind} ${outcome} ${reason}`);
  };

  it('is sent to an admin without hashes, sessions and keys, and can be loaded', async () => {
    const response = await request(admin);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-tar']);
    const bytes = Buffer.from(await response.arrayBuffer());
    const about = Number(response.headers.get('x-about-bytes'));
    expect(about / bytes.length, 'what was announced').toBeGreaterThan(0.5);
    expect(about / bytes.length).toBeLessThan(2);
    const path = join(folder, `${randomUUID()}.tar`);
    await writeFile(path, bytes);
    const opened = await openArchive(path);
    expect(opened.manifest).toMatchObject({ contents: 'take-away', keys: false, missing: [] });
    expect(opened.objects.length).toBeGreaterThan(0);
    const users = await rowsIn(opened, 'auth.users');
    expect(users.length).toBeGreaterThan(2);
    for (const [title, omitted] of Object.entries(CREDENTIALS)) {
      const rows = await rowsIn(opened, title);
      if (omitted === 'every row') expect(rows, title).toEqual([]);
      else for (const name of omitted) expect(new Set(rows.map((row) => row[name])), name).toEqual(new Set([null]));
    }
    expect((await rowsIn(opened, 'public.projects')).length).toBeGreaterThan(5);
    await opened.close();
    expect(bytes.includes('$argon2id$')).toBe(false);
    expect(await snapshotsOf(server.dataDir)).toEqual([]);

    const installation = join(folder, randomUUID());
    await expectOutput(archive(installation, 'load', path), 0, /all identical.*users set new ones by reset link/s);
    if (server.databaseUrl) return;
    // Without SEED: the start must not add the demo again.
    const copy = await startServer({}, installation);
    expect(await (await fetch(`${copy.base}/case-studies`)).text()).toContain('Project: ');
    await copy.stop();
  });

  it('is refused to all other callers and logged', async () => {
    const expected = { success: false, error: 'Only an admin can download everything.', signInAgain: false };
    for (const token of [null, member]) expect(await refusal(await request(token))).toEqual(expected);
    expect(await log()).toEqual(['admin done null', 'guest refused not an admin', 'user refused not an admin']);
  });

  it.runIf(engine === 'PostgreSQL')(
    'is created once at a time across all servers of an installation (S6)',
    async () => {
      const KEYS_FILE = join(server.dataDir, 'keys.json');
      const shared = { DATABASE_URL: server.databaseUrl!, KEYS_FILE, SITE_URL: server.base };
      const second = await startServer({ SEED: 'none', TRUST_PROXY: '1', ...shared });
      try {
        const secondClient = clientOf({ base: second.base, dataDir: server.dataDir });
        const requestSecond = () => request(admin, undefined, secondClient);
        const leaving = new AbortController();
        expect((await request(admin, leaving.signal)).headers.get('content-type')).toBe('application/x-tar');
        expect((await refusal(await requestSecond())).error).toMatch(/^Another archive is in progress/);
        leaving.abort();
        await expect.poll(held).toHaveLength(0);
        const next = await requestSecond();
        expect(next.headers.get('content-type')).toBe('application/x-tar');
        await next.body!.cancel();
        await expect.poll(held).toHaveLength(0);
      } finally {
        await second.stop();
      }
    },
  );

  it('is created for one of two concurrent requests', async () => {
    const responses = await Promise.all([request(admin), request(admin)]);
    const isTar = (response: Response) => response.headers.get('content-type') === 'application/x-tar';
    const [made, refused] = responses.toSorted((one, other) => Number(isTar(other)) - Number(isTar(one)));
    expect(isTar(made!)).toBe(true);
    expect((await refusal(refused!)).error).toMatch(/^Another archive is in progress/);
    await made!.body!.cancel();
    await expect.poll(held).toHaveLength(0);
  });

  it('is created one at a time, and stops immediately when the client disconnects', async () => {
    const leaving = new AbortController();
    expect((await request(admin, leaving.signal)).headers.get('content-type')).toBe('application/x-tar');
    expect((await refusal(await request(admin))).error).toMatch(/^Another archive is in progress/);
    leaving.abort();
    await expect.poll(held).toHaveLength(0);
    let next!: Response;
    const retry = async () => {
      next = await request(admin);
      return next.headers.get('content-type');
    };
    await expect.poll(retry, { interval: 1_000 }).toBe('application/x-tar');
    // The limit is ten requests, including refused ones.
    const enough = async () => (await refusal(await request(admin))).error;
    let last = await enough();
    for (let attempt = 0; attempt < 10 && last.startsWith('Another'); attempt++) last = await enough();
    expect(last).toBe('Too many attempts. Try again later.');
    expect((await log()).at(-1)).toBe('admin refused too often');
    expect((await log()).filter((line) => line.startsWith('admin done'))).toHaveLength(10);
    await next.body!.cancel();
  });

  it.runIf(engine === 'PostgreSQL')('is refused when the sign-in is too old', async () => {
    const sql = postgres(server.databaseUrl!, { max: 1 });
    await sql`update auth.sessions set created_at = created_at - interval '11 minutes'`;
    await sql.end();
    const tooOld = { error: expect.stringContaining('You signed in more than ten minutes ago'), signInAgain: true };
    expect(await refusal(await request(admin))).toMatchObject(tooOld);
  });
});

it.skipIf(smallDiskProblem)('reports that the disk is too full for an archive', async () => {
  const disk = await mountSmallDisk(400);
  const settings = { SEED: 'none', TRUST_PROXY: '1', DISK_RESERVE_MB: String(RESERVE_MB) };
  const { folder: seeded } = await seededData();
  execFileSync('cp', ['-a', `${seeded}/.`, disk.path()]);
  const server = await startServer(settings, disk.folder, { launcher: disk.launcher });
  try {
    const { send, signIn } = clientOf({ base: server.base, dataDir: disk.path() });
    const { access_token: token } = await signIn(DEMO_ACCOUNTS.admin);
    const download = () => send('/functions/v1/download-archive', { json: {}, token });
    // Waits for the reserved file, which must exist before the disk is filled.
    await expect.poll(() => existsSync(disk.path('database.ballast'))).toBe(true);
    // Enough space for writes, too little for a copy of the database.
    disk.fill((RESERVE_MB + 20) * 1024 ** 2);
    const error =
      'The server’s disk is too full to make an archive. Ask your administrator to free some space, then try again.';
    expect(await (await download()).json()).toEqual({ success: false, error });
    disk.drain();
    const again = await download();
    expect(again.headers.get('content-type')).toBe('application/x-tar');
    await again.body!.cancel();
  } finally {
    await server.stop({ keep: true, signal: 'SIGKILL' });
    await disk.end();
  }
});
