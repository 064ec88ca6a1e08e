import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../packages/backend/database/database.ts';
import { migrate } from '../../../packages/backend/database/migrate.ts';
import { openDatabase } from '../../../packages/backend/database/open-database.ts';
import { SCHEMA, silent, temporaryFolder } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { startPostgres } from '../../programs/postgres.ts';
import { startServer } from '../../server.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Not a dependency of the project, because it has 140 MB. */
const CLI = { version: '3.1.0', folder: join(ROOT, 'node_modules', '.cache', 'madhouse', 'supabase-cli') };
const PROGRAM = join(CLI.folder, 'node_modules', '.bin', 'supabase');

/** Installs the CLI where a package registry can be reached. Otherwise logs that, and its tests are skipped. */
async function findCli(): Promise<boolean> {
  const isInstalled = () =>
    spawnSync(PROGRAM, ['--version'], { cwd: CLI.folder, encoding: 'utf8' }).stdout?.trim() === CLI.version;
  if (existsSync(PROGRAM) && isInstalled()) return true;
  await mkdir(CLI.folder, { recursive: true });
  const words = ['install', '--no-save', '--loglevel=error', '--prefix', CLI.folder, `supabase@${CLI.version}`];
  spawnSync('npm', words, { cwd: CLI.folder, stdio: 'ignore' });
  if (isInstalled()) return true;
  console.log('The Supabase CLI cannot be installed here: its tests are skipped.');
  return false;
}
const hasCli = await findCli();

const LEDGER = 'select version, name from supabase_migrations.schema_migrations order by version';

describe.skipIf(!hasCli)('the real Supabase CLI', () => {
  const database = forAllTests(startPostgres);
  let db: Database;
  let empty: Awaited<ReturnType<typeof temporaryFolder>>;
  let copy: typeof empty;
  beforeAll(async () => {
    // The state of a new hosted project: tables of the services, none of the product.
    empty = await temporaryFolder();
    copy = await temporaryFolder();
    // The CLI writes into the folder.
    await cp(join(ROOT, 'supabase'), join(copy.folder, 'supabase'), { recursive: true });
    db = await openDatabase({ kind: 'postgres', url: database.url }, { log: silent });
    await migrate(db, { ...SCHEMA, migrationsDir: empty.folder, log: silent });
  });
  afterAll(async () => {
    await db?.close();
    await empty?.remove();
    await copy?.remove();
  });

  const run = (...words: string[]) => {
    // The CLI writes into its working directory and the home folder.
    const own = { PATH: process.env['PATH'], HOME: copy.folder };
    const options = { cwd: copy.folder, env: { ...own, DO_NOT_TRACK: '1', SUPABASE_TELEMETRY_DISABLED: '1' } };
    const target = ['--workdir', copy.folder, `--remote=${database.url}?sslmode=disable`, '--yes'];
    return promisify(execFile)(PROGRAM, [...words, ...target], options);
  };

  it('accepts our folder unchanged, and applies every migration in order', async () => {
    const { stderr } = await run('db', 'push');
    expect(stderr).not.toMatch(/\berror\b/i);
    expect((await db.query<{ version: string; name: string }>(LEDGER)).rows.length).toBeGreaterThan(20);
    const { stdout, stderr: second } = await run('db', 'push');
    expect(stdout + second).toMatch(/up to date/i);
  });

  it('creates a database that our backend starts on without changes', async () => {
    const before = (await db.query(LEDGER)).rows;
    await db.query("insert into public.projects (title, client, status) values ('Chai', 'Tea House', 'active')");
    const server = await startServer({ DATABASE_URL: database.url, SEED: 'none' });
    try {
      expect(await (await fetch(`${server.base}/case-studies`)).text()).toContain('Project: Chai');
      expect((await db.query(LEDGER)).rows).toEqual(before);
    } finally {
      await server.stop();
    }
  });
});
