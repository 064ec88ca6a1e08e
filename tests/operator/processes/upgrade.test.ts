import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { forAllTests } from '../../for-all-tests.ts';
import { startPostgres } from '../../programs/postgres.ts';
import { startServer } from '../../server.ts';
import { clientOf } from '../client.ts';
import { folderForTests } from '../folder-for-tests.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

const database = forAllTests(startPostgres);
const folder = folderForTests();
const next = join(folder, 'supabase');
beforeAll(() => cp(join(ROOT, 'supabase'), next, { recursive: true }));

const dataDir = join(folder, 'data');

const migrate = (settings: Record<string, string> = {}) =>
  new Promise<{ code: unknown; output: string }>((resolve) =>
    execFile(
      process.execPath,
      [join(ROOT, 'packages', 'backend', 'commands', 'migrate-command.ts')],
      { env: { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: database.url, ...settings } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  );

it('releases overlap: a command migrates, a running server accepts an expanded database, and the previous release starts again', async () => {
  const never = { DATABASE_URL: database.url, MIGRATE: 'never', SEED: 'none' };
  await expect(startServer(never, dataDir)).rejects.toThrow(
    /Cannot start: The database is older than this version: 010-roles\.sql and \d+ more have .*npm run migrate/,
  );
  const all = /^Database migrated: 010-roles\.sql, .*_foundations\.sql, .*_own_accounts\.sql\.\n$/;
  expect(await migrate()).toEqual({ code: 0, output: expect.stringMatching(all) });
  expect(await migrate({ MIGRATE: 'never' })).toEqual({ code: 0, output: 'The database is up to date.\n' });
  const server = await startServer(never, dataDir);
  const column = async () => (await clientOf(server).asService('/rest/v1/projects?select=mood')).status;
  try {
    expect(await column()).toBe(400);
    const expansion = '-- expand\nalter table public.projects add column mood text;\n';
    await writeFile(join(next, 'migrations', '20991201000000_mood.sql'), expansion);
    const output = 'Database migrated: 20991201000000_mood.sql.\n';
    expect(await migrate({ SUPABASE_DIR: next })).toEqual({ code: 0, output });
    // The server was notified and reloads its catalogue.
    await expect.poll(column).toBe(200);
  } finally {
    await server.stop({ keep: true });
  }
  const before = await startServer(never, dataDir);
  expect(before.output()).toMatch(/"newer":\["20991201000000_mood"\].*migrated by a newer, compatible version/);
  expect((await fetch(`${before.base}/case-studies`)).status).toBe(200);
  await before.stop({ keep: true });

  await writeFile(join(next, 'migrations', '20991202000000_plain.sql'), 'select 1;\n');
  expect((await migrate({ SUPABASE_DIR: next })).code).toBe(0);
  const newer = /Cannot start: The database has migration 20991202000000_plain, which this version does not know/;
  await expect(startServer(never, dataDir)).rejects.toThrow(newer);
});
