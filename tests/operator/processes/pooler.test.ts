import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../packages/backend/database/open-database.ts';
import { silent, startMigratedPostgres } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { findPgBouncer, startPgBouncer } from '../../programs/pgbouncer.ts';
import { keysIn, startServer } from '../../server.ts';
import { startLoad, wasRefused } from './load.ts';

const POOLED = 3;

describe.skipIf(!findPgBouncer())('a server behind a pooler in transaction mode', () => {
  const database = forAllTests(startMigratedPostgres);
  const pooler = forAllTests(() => startPgBouncer(database.url, POOLED));
  const server = forAllTests(() => {
    const urls = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url };
    return startServer({ SEED: 'none', TRUST_PROXY: '1', ...urls });
  });

  it('logs one line when DATABASE_DIRECT_URL is missing', async () => {
    const open = (url: string, directUrl = url) => openDatabase({ kind: 'postgres', url, directUrl }, { log: silent });
    const reason = /^DATABASE_URL names a pooler in transaction mode\. Set DATABASE_DIRECT_URL to /;
    await expect(open(pooler.url)).rejects.toThrow(reason);
    const nowhere = 'postgres://postgres@127.0.0.1:1/postgres';
    await expect(open(pooler.url, nowhere)).rejects.toThrow(/^DATABASE_DIRECT_URL cannot be used\. .*ECONNREFUSED/);
  });

  it('works with the few sessions of the pooler, and survives its restarts with brief 503 responses and no lost write', async () => {
    const sql = postgres(database.url, { max: 1 });
    const load = startLoad(server.base, keysIn(server.dataDir).secret, { clients: 12 });
    for (let restarts = 0; restarts < 3; restarts++) {
      await sleep(1_000);
      await pooler.restart();
    }
    await sleep(1_000);
    const before = load.lost.length;
    const sessions = await sql`
      select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    await sleep(1_000);
    await load.stop();
    // The sessions of the pooler and the LISTEN session.
    expect(sessions.length).toBeLessThanOrEqual(POOLED + 1);
    // The pooler has been running again for a while.
    expect(load.lost.slice(before)).toEqual([]);
    expect(load.lost.filter((one) => !wasRefused(one))).toEqual([]);
    expect(load.acknowledged.length).toBeGreaterThan(10);
    const found = await sql`select from projects where title = any(${load.acknowledged})`;
    await sql.end();
    expect(found).toHaveLength(load.acknowledged.length);
  });
});
