import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { PostgrestClient } from '@supabase/postgrest-js';
import { SignJWT } from 'jose';
import { cleanRichText } from '../../../../rich-text.ts';
import {
  type Engine,
  forEachMachine,
  postgresql,
  SCHEMA,
  temporaryFolder,
  testOptions,
} from '../../../../tests/database.ts';
import { distribute } from '../../../../tests/two-machines/shared.ts';
import { type DatabaseChoice, type OwnConfig, readConfig } from '../../config/config.ts';
import { readProject } from '../../config/supabase-config.ts';
import { DiskSpace } from '../../data-dir/disk-space.ts';
import { migrate } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open-database.ts';
import { createLog } from '../../http/log.ts';
import { loadKeys } from '../../keys/keys.ts';
import { createRest } from '../../rest/index.ts';
import type { Limits } from '../../rest/plan/limits.ts';

// biome-ignore lint/suspicious/noExplicitAny: these tests have no generated schema for the client
export type Client = PostgrestClient<any, { PostgrestVersion: '13' }, any>;

/** A body in `json`, or its text, is sent by POST unless another method is given. */
export type Call = RequestInit & { token?: string; json?: unknown };

/** Status and JSON fields of a response. */
export type Refusal = { status: number } & Record<string, unknown>;

export type RestServer = Awaited<ReturnType<typeof openRest>>;

interface Options {
  /** Overrides the project's limits; null keeps all of them, by default there is no rate limit. */
  limits?: Partial<Limits> | null;
  engine?: Engine;
  /** An existing empty database instead of a new one on `engine`. */
  database?: DatabaseChoice;
  /** Requests come from many addresses instead of one. */
  crowd?: boolean;
  /** Time of the embedded engine per address and minute. */
  allowedMs?: number | null;
}

/**
 * Starts the data service on its own project: config.toml and one migration, or the product's folder. With
 * `--two-machines` two services share the database and respond in turn.
 */
export async function openRest(
  project: { config?: string; sql: string } | { folder: string },
  { limits = {}, engine = postgresql, database, crowd = false, allowedMs = null }: Options = {},
) {
  const { folder, remove } = await temporaryFolder();
  const supabase = 'folder' in project ? project.folder : join(folder, 'supabase');
  const own = database ? null : await engine.open({ migrated: 'folder' in project, allowedMs });
  const db = own?.db ?? (await openDatabase(database!, testOptions));
  const log = createLog('silent');
  if ('sql' in project) {
    const migrationsDir = join(supabase, 'migrations');
    await mkdir(migrationsDir, { recursive: true });
    await writeFile(join(supabase, 'config.toml'), project.config ?? 'project_id = "test"\n');
    await writeFile(join(migrationsDir, '20260101000000_schema.sql'), project.sql);
    await migrate(db, { ...SCHEMA, migrationsDir, log });
  }
  const keys = await loadKeys(join(folder, 'keys.json'), { publishableKey: null, secretKey: null, jwtSecret: null });
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }) as OwnConfig;
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const parts = { config, project: await readProject(supabase), db, disk, keys, log, cleanRichText };
  const databases = await forEachMachine(db);
  const ownLimits = limits ? { requests: null, ...limits } : {};
  const rest = distribute(await Promise.all(databases.map((each) => createRest({ ...parts, db: each }, ownLimits))));
  let visits = 0;
  const listener = serve({
    // Buffers the body like the server does, because rejecting an unread body would close the connection.
    fetch: async (request: Request) => {
      const { url: requestUrl, method, headers, signal } = request;
      const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
      const client = { address: crowd ? `10.0.0.${++visits % 250}` : '127.0.0.1', id: randomUUID() };
      return rest.fetch(new Request(requestUrl, { method, headers, signal, body }), client);
    },
    hostname: '127.0.0.1',
    port: 0,
    overrideGlobalObjects: false,
    // A busy client must not reuse a connection that is just being closed.
    serverOptions: { keepAliveTimeout: 600_000 },
  });
  await new Promise((listening) => listener.once('listening', listening));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/rest/v1`;
  const token = (claims: Record<string, unknown>, expires: string | number = '1h') =>
    new SignJWT({ iss: `${config.siteUrl}/auth/v1`, aud: 'authenticated', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: keys.signing[0]!.kid })
      .setIssuedAt(claims['iat'] as number | undefined)
      .setExpirationTime(expires)
      .sign(keys.signing[0]!.privateKey);
  /** Creates a user. @returns id and access token */
  const person = async (email = `${randomUUID()}@example.com`) => {
    const id = randomUUID();
    await db.query(`insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())`, [id, email]);
    return { id, token: await token({ sub: id, role: 'authenticated', email }) };
  };
  const headersFor = (bearer?: string | null) => ({
    apikey: keys.publishable,
    ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
  });
  /** Sends a request; without a token as a guest. */
  const call = (path: string, { token: bearer, json, ...init }: Call = {}) => {
    const post = json !== undefined && { method: 'POST', body: typeof json === 'string' ? json : JSON.stringify(json) };
    const type = json !== undefined && { 'content-type': 'application/json' };
    const headers = { ...headersFor(bearer), ...type, ...(init.headers as object) };
    return fetch(`${url}${path}`, { ...post, ...init, headers });
  };
  /** Like `call`, but returns status and JSON fields. */
  const refusal = async (path: string, init?: Call): Promise<Refusal> => {
    const response = await call(path, init);
    return { ...((await response.json()) as Record<string, unknown>), status: response.status };
  };
  const close = async () => {
    listener.close();
    await rest.close();
    for (const second of databases.slice(1)) await second.close();
    await (own ? own.end() : db.close());
    await remove();
  };
  return {
    db,
    keys,
    rest,
    url,
    token,
    /** The official client; without a token as a guest. */
    client: (bearer?: string | null, headers?: Record<string, string>): Client =>
      new PostgrestClient(url, { headers: { ...headersFor(bearer), ...headers } }),
    call,
    refusal,
    /** Like `call`, but returns status and error code, as `400 PGRST100`. */
    async code(path: string, init?: Call) {
      const { status, code } = await refusal(path, init);
      return `${status} ${code}`;
    },
    person,
    /** Creates an admin. The token has no session. */
    async admin(email?: string) {
      const user = await person(email);
      const assign = `insert into public.user_roles (user_id, role_id) select $1, id from public.roles where name = 'admin'`;
      await db.query(assign, [user.id]);
      return user;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
