import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../programs/postgres.ts';
import { copyOfSeed, seededOnPostgres } from '../seeded-data.ts';
import { type RunningServer, startServer } from '../server.ts';

let database: TestPostgres;
let server: RunningServer;
beforeAll(async () => {
  const { folder, cluster } = await seededOnPostgres();
  database = await startPostgres(cluster);
  server = await startServer({ DATABASE_URL: database.url, SEED: 'none' }, await copyOfSeed(folder));
});
afterAll(async () => {
  await server?.stop();
  await database?.stop();
});

const list = async () => (await fetch(`${server.base}/case-studies`)).text();

describe('the site on a PostgreSQL server', () => {
  it('reports its engine, and serves the same site (SCOPE-05)', async () => {
    expect(server.output()).toContain('Backend: own, on PostgreSQL');
    const html = await list();
    expect(html.match(/Project: [^<]+/g)!.length).toBeGreaterThan(10);
    const picture = /\/storage\/v1\/render\/image\/public\/[^" ]+/.exec(html)![0].replaceAll('&amp;', '&');
    const response = await fetch(server.base + picture);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  });

  it('evicts a cached page within a second when another client changes a row (TM-41)', async () => {
    const before = 'Project: The Chai That Answers Back';
    expect(await list()).toContain(before);
    const sql = postgres(database.url, { max: 1 });
    try {
      // The eviction takes at most a second; rendering may take longer on a busy machine.
      await sql`update public.projects set title = 'The Chai That Sings' where title = 'The Chai That Answers Back'`;
      await sleep(1_000);
      expect(await list()).toContain('Project: The Chai That Sings');
      await sql`update public.projects set status = 'archived' where title = 'The Chai That Sings'`;
      await sleep(1_000);
      expect(await list()).not.toContain('The Chai That Sings');
    } finally {
      await sql.end();
    }
  });

  it('is not ready while the database is unreachable, and recovers by itself', async () => {
    const status = async () => (await fetch(`${server.base}/ready`)).status;
    await database.crash();
    expect(await status()).toBe(503);
    expect((await fetch(`${server.base}/health`)).status).toBe(200);
    await database.start();
    await expect.poll(status).toBe(200);
  });

  it('purges expired trash without new deletions (TM-38)', async () => {
    await server.stop();
    const sql = postgres(database.url, { max: 1 });
    try {
      await sql`delete from public.projects where status = 'archived'`;
      const gone = await sql`update private.trash set deleted_at = now() - interval '31 days'`;
      expect(gone.count).toBeGreaterThan(0);
      server = await startServer({ DATABASE_URL: database.url, SEED: 'none' });
      await expect.poll(async () => (await sql`select from private.trash`).length).toBe(0);
    } finally {
      await sql.end();
    }
  });
});
