import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { PostgrestClient } from '@supabase/postgrest-js';
import { SignJWT } from 'jose';
import {
  type Config,
  type DatabaseChoice,
  type OwnBackend,
  readConfig,
} from '../../../packages/backend/config/config.ts';
import { readProject } from '../../../packages/backend/config/supabase-config.ts';
import type { Service } from '../../../packages/backend/context.ts';
import { DiskSpace } from '../../../packages/backend/data-dir/disk-space.ts';
import type { Database } from '../../../packages/backend/database/database.ts';
import { migrate } from '../../../packages/backend/database/migrate.ts';
import { openDatabase } from '../../../packages/backend/database/open-database.ts';
import { createLog } from '../../../packages/backend/http/log.ts';
import { type Keys, loadKeys } from '../../../packages/backend/keys/keys.ts';
import { createRest } from '../../../packages/backend/rest/index.ts';
import type { Limits } from '../../../packages/backend/rest/plan/limits.ts';
import { cleanRichText } from '../../../rich-text.ts';
import { migratedTemplate, patient, template } from '../../database.ts';
import { startPostgres } from '../../programs/postgres.ts';
import { inTurn, newDatabase, shared } from '../../two-machines/shared.ts';

const PLATFORM = join(import.meta.dirname, '..', '..', '..', 'packages', 'backend', 'database', 'platform');

// biome-ignore lint/suspicious/noExplicitAny: the client's types come from a generated schema, which these tests have none of
export type Client = PostgrestClient<any, { PostgrestVersion: '13' }, any>;

/** An answer's status and the keys of its JSON. */
export type Refusal = { status: number } & Record<string, unknown>;

export interface RestServer {
  db: Database;
  keys: Keys;
  rest: Service;
  /** `http://127.0.0.1:PORT/rest/v1` */
  url: string;
  /** The official client, unmodified, as a guest unless a token is given. */
  client(token?: string | null, headers?: Record<string, string>): Client;
  /** A bare request as a guest, or with the token given. */
  call(path: string, init?: RequestInit & { token?: string }): Promise<Response>;
  /** Makes a person and answers their id and an access token. */
  person(email?: string): Promise<{ id: string; token: string }>;
  token(claims: Record<string, unknown>, expires?: string | number): Promise<string>;
  close(): Promise<void>;
}

/**
 * Runs the data service over HTTP on a project of its own: config.toml and one migration, or an existing folder. With
 * `--two-machines` two of them answer in turn, each over its own sessions of one database.
 * @param options `crowd`: requests come from many addresses instead of one; `limits`: other than the project's, null for exactly those, without it no rate is kept; `allowedMs`: what one may use of the embedded engine in a minute; `server` is a PostgreSQL to make a database on instead of the embedded one; TEST_POSTGRES_URL does so for all; `directUrl` (TEST_POSTGRES_DIRECT_URL) is that server without the pooler which `server` names
 */
export async function openRest(
  project: { config?: string; sql: string } | { folder: string },
  {
    limits = {},
    server = process.env['TEST_POSTGRES_URL'],
    directUrl = server === process.env['TEST_POSTGRES_URL'] ? process.env['TEST_POSTGRES_DIRECT_URL'] : undefined,
    crowd = false,
    allowedMs = null,
  }: {
    limits?: Partial<Limits> | null;
    server?: string;
    directUrl?: string | undefined;
    crowd?: boolean;
    allowedMs?: number | null;
  } = {},
): Promise<RestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-rest-'));
  const supabase = 'folder' in project ? project.folder : join(folder, 'supabase');
  if ('sql' in project) {
    await mkdir(join(supabase, 'migrations'), { recursive: true });
    await writeFile(join(supabase, 'config.toml'), project.config ?? 'project_id = "test"\n');
    await writeFile(join(supabase, 'migrations', '20260101000000_schema.sql'), project.sql);
  }
  const log = createLog('silent');
  const from = await ('sql' in project ? template() : migratedTemplate());
  const embedded: DatabaseChoice = { kind: 'embedded', folder: join(folder, 'db') };
  const own =
    shared && server === undefined ? await newDatabase(shared, 'sql' in project ? undefined : 'postgres') : null;
  const choice = own
    ? { kind: 'postgres' as const, url: own.url }
    : server
      ? await ownDatabase(server, directUrl)
      : embedded;
  const db = await openDatabase(choice, { ...patient, template: from, allowedMs });
  await migrate(db, { platformDir: PLATFORM, migrationsDir: join(supabase, 'migrations'), log });
  const keys = await loadKeys(join(folder, 'keys.json'), { publishableKey: null, secretKey: null, jwtSecret: null });
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }) as Config & { backend: OwnBackend };
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const parts = { config, project: await readProject(supabase), db, disk, keys, log, cleanRichText };
  const second = shared && choice.kind === 'postgres' ? await openDatabase(choice, patient) : null;
  const rest = inTurn(
    await Promise.all(
      [db, ...(second ? [second] : [])].map((each) =>
        createRest({ ...parts, db: each }, limits ? { requests: null, ...limits } : {}),
      ),
    ),
  );
  let visits = 0;
  const visitor = () => (crowd ? `10.0.0.${++visits % 250}` : '127.0.0.1');
  const listener = serve({
    // As behind the server, a body is complete before the service sees it: one that is refused unread cuts the line.
    fetch: async (request: Request) => {
      const { url: requestUrl, method, headers, signal } = request;
      const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
      return rest.fetch(new Request(requestUrl, { method, headers, signal, body }), {
        address: visitor(),
        id: randomUUID(),
      });
    },
    hostname: '127.0.0.1',
    port: 0,
    overrideGlobalObjects: false,
    // A busy client must not reuse a connection that is just being closed.
    serverOptions: { keepAliveTimeout: 600_000 },
  });
  await new Promise((listening) => listener.once('listening', listening));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/rest/v1`;
  const token: RestServer['token'] = (claims, expires = '1h') =>
    new SignJWT({ iss: `${config.siteUrl}/auth/v1`, aud: 'authenticated', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: keys.signing[0]!.kid })
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(keys.signing[0]!.privateKey);
  const headersFor = (bearer?: string | null) => ({
    apikey: keys.publishable,
    ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
  });
  return {
    db,
    keys,
    rest,
    url,
    token,
    client: (bearer, headers) => new PostgrestClient(url, { headers: { ...headersFor(bearer), ...headers } }),
    call: (path, { token: bearer, ...init } = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { ...headersFor(bearer), ...(init.headers as object) } }),
    async person(email = `${randomUUID()}@example.com`) {
      const id = randomUUID();
      await db.query(`insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())`, [id, email]);
      return { id, token: await token({ sub: id, role: 'authenticated', email }) };
    },
    async close() {
      listener.close();
      await rest.close();
      await Promise.all([db.close(), second?.close()]);
      await own?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same on either engine, for tests that have to hold on both; with `--two-machines` only where two can meet. */
export const restEngines = [
  ...(shared ? [] : [{ engine: 'the embedded engine', open: openRest }]),
  {
    engine: 'PostgreSQL',
    async open(...[project, options]: Parameters<typeof openRest>): Promise<RestServer> {
      const server = await startPostgres();
      const api = await openRest(project, { ...options, server: server.url });
      return { ...api, close: () => api.close().then(() => server.stop()) };
    },
  },
];

async function ownDatabase(server: string, directUrl = server): Promise<DatabaseChoice> {
  const name = `rest_${randomUUID().replaceAll('-', '')}`;
  const db = await openDatabase({ kind: 'postgres', url: directUrl }, patient);
  await db.script(`create database ${name}`);
  await db.close();
  return { kind: 'postgres', url: new URL(name, server).href, directUrl: new URL(name, directUrl).href };
}
