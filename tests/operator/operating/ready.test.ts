import { execFile } from 'node:child_process';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { startMigratedPostgres } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { freePort } from '../../free-port.ts';
import { startServer } from '../../server.ts';
import { startRelay } from '../processes/relay.ts';

describe('/ready', () => {
  const database = forAllTests(startMigratedPostgres);
  const relay = forAllTests(() => startRelay(Number(new URL(database.url).port)));
  const server = forAllTests(() => {
    const DATABASE_URL = database.url.replace(/:\d+\//, `:${relay.port}/`);
    return startServer({ DATABASE_URL, SEED: 'none', LOG_LEVEL: 'silent' });
  });

  const request = async () => {
    const response = await fetch(`${server.base}/ready`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = (await response.json()) as { ready: boolean; problems: unknown[]; warnings: unknown[] };
    return { status: response.status, ...body };
  };
  /** Runs the health check of the image. @returns its exit code */
  async function checkHealth(port = new URL(server.base).port): Promise<number> {
    const [, command] = /HEALTHCHECK[^[]*CMD (\[.*\])/.exec(await readFile('Dockerfile', 'utf8'))!;
    const [program, ...words] = JSON.parse(command!) as string[];
    expect(program).toBe('node');
    return promisify(execFile)(process.execPath, words, { env: { PORT: port }, timeout: 60_000 })
      .then(() => 0)
      .catch(({ code }: { code: number }) => code);
  }
  const WELL = { status: 200, ready: true, problems: [], warnings: [] };

  it('returns 200 while everything works', async () => {
    expect(await request()).toEqual(WELL);
    expect(await (await fetch(`${server.base}/health`)).text()).toBe('ok');
    expect(await checkHealth()).toBe(0);
    expect(await checkHealth(String(await freePort()))).toBe(1);
  });

  it('reports a database that lacks earlier migrations, and recovers when it has them', async () => {
    const sql = postgres(database.url, { max: 1 });
    try {
      const [row] = await sql`delete from supabase_migrations.schema_migrations
        where version = (select max(version) from supabase_migrations.schema_migrations) returning *`;
      const problems = [{ part: 'migrations', reason: expect.stringContaining('lacks migrations') }];
      expect(await request()).toEqual({ ...WELL, status: 503, ready: false, problems });
      await sql`insert into supabase_migrations.schema_migrations ${sql(row!)}`;
      expect(await request()).toEqual(WELL);
    } finally {
      await sql.end();
    }
  });

  it('warns while the upload folder is unreachable', async () => {
    const objects = join(server.dataDir, 'objects');
    await rename(objects, `${objects}-away`);
    try {
      expect(await request()).toEqual({ ...WELL, warnings: [{ part: 'store', reason: expect.any(String) }] });
    } finally {
      await rename(`${objects}-away`, objects);
    }
    expect(await request()).toEqual(WELL);
  });

  it('warns while the LISTEN connection is lost, though the database responds', async () => {
    const sql = postgres(database.url, { max: 1 });
    try {
      relay.refuse();
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where query ilike '%listen%' and pid <> pg_backend_pid()`;
      await expect.poll(request).toEqual({ ...WELL, warnings: [{ part: 'listener', reason: expect.any(String) }] });
      relay.restore();
      await expect.poll(request).toEqual(WELL);
    } finally {
      relay.restore();
      await sql.end();
    }
  });

  it('sends pages without a caching header, because CDN_SECONDS is not set', async () => {
    for (let time = 0; time < 2; time++) {
      const { status, headers } = await fetch(`${server.base}/about`);
      expect([status, headers.get('cdn-cache-control')]).toEqual([200, null]);
    }
  });

  it('returns 503 while the database is unreachable', async () => {
    await database.crash();
    const { status, ready, problems } = await request();
    const expected = [{ part: 'database', reason: 'The database does not respond.' }];
    expect([status, ready, problems]).toEqual([503, false, expected]);
    expect(await checkHealth()).toBe(1);
    await database.start();
    await expect.poll(request).toEqual(WELL);
  });
});
