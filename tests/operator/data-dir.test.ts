import { execFileSync, spawnSync } from 'node:child_process';
import { cp, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/backend/database/open-database.ts';
import { copyMigratedTemplate, silent, template } from '../database.ts';
import { folderOnDisk } from '../scratch.ts';
import { failedStart, type RunningServer, startServer } from '../server.ts';
import { clientOf } from './client.ts';

/** Root on Linux can run a process in its own network or mount namespace. */
const APART = spawnSync('unshare', ['-n', '-m', 'true']).status === 0;
const SUBMISSIONS = 12;
const ADMIN = { email: 'first@madhouse.example', password: 'a-long-walk-by-the-sea' };
const SETUP_KEY = 'the-setup-key-of-this-test';

let folder: string;
const running: RunningServer[] = [];
beforeEach(() => {
  folder = folderOnDisk();
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop({ keep: true, signal: 'SIGKILL' });
  await rm(folder, { recursive: true, force: true });
});

const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

const start = async (settings: Record<string, string>, dataDir = folder, answers?: '/health') => {
  const server = await startServer({ SEED: 'none', TRUST_PROXY: '1', ...settings }, dataDir, answers && { answers });
  running.push(server);
  return server;
};

const stop = async (server: RunningServer, signal?: NodeJS.Signals) => {
  running.splice(running.indexOf(server), 1);
  return server.stop({ keep: true, signal });
};

async function submit(server: RunningServer, title: string): Promise<void> {
  const headers = { 'x-draft-secret': Buffer.from(title.padEnd(32, '.')).toString('base64url') };
  const response = await clientOf(server).send('/rest/v1/rpc/create_case_study', { headers, json: { title } });
  expect(response.status, await response.text()).toBe(200);
}

/** Files that a start must not change before it has verified the database. */
const filesIn = async (dataDir: string, paths: string[]) =>
  Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(dataDir, path), 'latin1')])),
  );

it('a database older than the data folder is rejected when its log is damaged, with a copy of the log that allows recovery (M3)', async () => {
  // An empty database whose checkpoint is recent.
  const empty = { kind: 'embedded' as const, folder: join(folder, 'database') };
  await openDatabase(empty, { log: silent, template: await template() }).then((db) => db.close());
  const first = await start({ SETUP_KEY });
  for (let number = 1; number <= SUBMISSIONS; number++) await submit(first, `Submission ${number}`);
  const headers = { 'x-setup-key': SETUP_KEY };
  const admin = await clientOf(first).send('/functions/v1/admin-setup', { headers, json: ADMIN });
  expect(await admin.json()).toMatchObject({ success: true });
  await stop(first, 'SIGKILL');

  const log = join(folder, 'database', 'pg_wal');
  const segment = (await readdir(log)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()[0]!;
  const whole = await readFile(join(log, segment));
  const file = await open(join(log, segment), 'r+');
  await file.write(Buffer.alloc(64), 0, 64, whole.length - 64);
  await file.close();
  const ignoredFiles = ['keys.json', 'database.json'];
  const before = await filesIn(folder, ignoredFiles);
  const control = await readFile(join(folder, 'database', 'global', 'pg_control'));
  const segmentNames = (await readdir(log)).filter((name) => name.length === 24);
  const segments = await filesIn(log, segmentNames);

  for (let attempt = 0; attempt < 2; attempt++) {
    const refused = await failedStart({ SETUP_KEY }, folder);
    const reason = /its database is empty\. Nothing was created or migrated\..*restore a backup.*start over/;
    expect(refused).toMatch(reason);
    expect(refused).toContain(`The log from before this start is in ${join(folder, 'database.before-recovery')}`);
    expect(await filesIn(folder, ignoredFiles)).toEqual(before);
  }
  const kept = join(folder, 'database.before-recovery');
  expect((await readFile(join(kept, 'global', 'pg_control'))).equals(control)).toBe(true);
  expect(await filesIn(join(kept, 'pg_wal'), Object.keys(segments))).toEqual(segments);

  // With the damaged page repaired, the copied log restores all data.
  await rm(log, { recursive: true });
  copyFolder(join(kept, 'pg_wal'), log);
  await cp(join(kept, 'global', 'pg_control'), join(folder, 'database', 'global', 'pg_control'));
  const mended = await open(join(log, segment), 'r+');
  await mended.write(whole, 0, whole.length, 0);
  await mended.close();
  const second = await start({});
  expect(await readdir(folder)).not.toContain('database.before-recovery');
  const client = clientOf(second);
  expect(await (await client.asService('/rest/v1/projects?select=title')).json()).toHaveLength(SUBMISSIONS);
  await client.signIn(ADMIN);
});

it('damage in the table of the public list makes the server not ready with a message without paths, and the list fails instead of being empty (L5, D13)', async () => {
  const database = join(folder, 'database');
  await copyMigratedTemplate(database);
  const db = await openDatabase({ kind: 'embedded', folder: database }, { log: silent });
  const PUBLISH = `insert into public.projects (title, description, status) values ('Shown', '<p>Text</p>', 'active')`;
  await db.script(PUBLISH);
  const { rows } = await db.query<{ path: string }>("select pg_relation_filepath('public.projects') as path");
  await db.close();
  const table = await open(join(database, rows[0]!.path), 'r+');
  const { buffer } = await table.read(Buffer.alloc(1), 0, 1, 8_000);
  await table.write(Buffer.from([buffer[0]! ^ 0xff]), 0, 1, 8_000);
  await table.close();

  const server = await start({}, folder, '/health');
  const ready = await fetch(`${server.base}/ready`);
  expect(ready.status).toBe(503);
  const problem = { part: 'database', reason: expect.stringMatching(/^The database has damaged data: [^/]+\.$/) };
  expect((await ready.json()).problems).toEqual([problem]);
  expect((await fetch(`${server.base}/case-studies`)).status).toBeGreaterThanOrEqual(500);
});

describe('a DATA_DIR that is not writable (L6)', () => {
  /** A mount namespace in which `command` has been run. */
  const seeing = (command: string) => ['unshare', '-m', 'sh', '-c', `${command} && exec "$0" "$@"`];
  const readOnly = () => seeing(`mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`);

  it.skipIf(!APART)('is reported with the user and the reason, empty or with an installation', async () => {
    const words = `DATA_DIR ${folder} cannot be written by user 0 \\(root\\): its file system is read-only\\. Give`;
    const sentence = new RegExp(words);
    expect(await failedStart({}, folder, { launcher: readOnly() })).toMatch(sentence);
    await copyMigratedTemplate(join(folder, 'database'));
    expect(await failedStart({}, folder, { launcher: readOnly() })).toMatch(sentence);
  });

  it.skipIf(!APART)('is reported when only its content belongs to another user', async () => {
    await copyMigratedTemplate(join(folder, 'database'));
    const asUnprivileged = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    spawnSync('chown', ['65534', folder]);
    const database = join(folder, 'database');
    const denied = new RegExp(`cannot be written by user 65534 .*: permission denied \\(${database}\\)\\.`);
    expect(await failedStart({}, folder, { launcher: asUnprivileged })).toMatch(denied);
  });

  it.skipIf(!APART)('is reported when it is full', async () => {
    const refused = await failedStart({}, folder, { launcher: seeing(`mount -t tmpfs -o size=8m tmpfs ${folder}`) });
    expect(refused).toMatch(new RegExp(`DATA_DIR ${folder} has only \\d MB left: free some space`));
  });
});
