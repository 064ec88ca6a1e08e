import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../for-all-tests.ts';
import { findPostgres, findPostgres18, startPostgres } from '../programs/postgres.ts';
import { type RunningServer, startServer } from '../server.ts';
import { clientOf } from './client.ts';
import { folderForTests } from './folder-for-tests.ts';

const programs = [findPostgres(), findPostgres18()].filter((bin) => bin !== null);

describe.each(programs)('a database user without SUPERUSER, with the server in %s', (bin) => {
  const database = forAllTests(() => startPostgres(undefined, bin));
  let version: number;
  const folder = folderForTests();
  const started: RunningServer[] = [];
  const asSuperuser = async (statement: string) => {
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    try {
      await sql.unsafe(statement);
      return Number((await sql`show server_version_num`)[0]!['server_version_num']);
    } finally {
      await sql.end();
    }
  };
  const start = async (user: string) => {
    await asSuperuser(`create database ${user} owner ${user}`);
    const url = database.url.replace('postgres@', `${user}@`).replace(/\/postgres$/, `/${user}`);
    const server = await startServer({ DATABASE_URL: url, SEED: 'none' }, join(folder, user));
    started.push(server);
    return server;
  };

  /** Requests as a guest and as the service, whose roles the user must assume. */
  const serves = async (server: RunningServer) => {
    expect((await fetch(`${server.base}/case-studies`)).status).toBe(200);
    const response = await clientOf(server).asService('/rest/v1/projects');
    expect([response.status, await response.json()]).toEqual([200, []]);
  };

  beforeAll(async () => {
    version = await asSuperuser('select 1');
  });
  afterAll(async () => {
    for (const server of started) await server.stop({ keep: true });
  });

  it('cannot start without BYPASSRLS, and one line names the missing right', async () => {
    await asSuperuser('create role plain login createrole');
    const missingRight = /Cannot start: .*"plain" needs SUPERUSER, or CREATEROLE and BYPASSRLS/;
    await expect(start('plain')).rejects.toThrow(missingRight);
  });

  it('starts with CREATEROLE and BYPASSRLS since PostgreSQL 16; on 15 the error names the role that a superuser must create', async () => {
    await asSuperuser('create role maker login createrole bypassrls');
    if (version >= 160_000) return serves(await start('maker'));
    await expect(start('maker')).rejects.toThrow(
      /Cannot start: .*On PostgreSQL 15 only a superuser can create the role "service_role".*: create role service_role nologin noinherit bypassrls/,
    );
  });

  it('starts with CREATEROLE and BYPASSRLS on PostgreSQL 15 once a superuser has created that role', async (context) => {
    if (version >= 160_000) return context.skip();
    await asSuperuser('create role service_role nologin noinherit bypassrls');
    await asSuperuser('create role second login createrole bypassrls');
    await serves(await start('second'));
  });
});
