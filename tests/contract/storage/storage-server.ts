import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type ServerType, serve } from '@hono/node-server';
import { StorageClient } from '@supabase/storage-js';
import { SignJWT } from 'jose';
import type { Logger } from 'pino';
import { type Config, type OwnBackend, readConfig } from '../../../packages/backend/config/config.ts';
import { readProject } from '../../../packages/backend/config/supabase-config.ts';
import { DiskSpace } from '../../../packages/backend/data-dir/disk-space.ts';
import type { Database } from '../../../packages/backend/database/database.ts';
import { openDatabase } from '../../../packages/backend/database/open-database.ts';
import { createLog } from '../../../packages/backend/http/log.ts';
import { type Keys, loadKeys } from '../../../packages/backend/keys/keys.ts';
import { createStorage, type StorageService } from '../../../packages/backend/storage/index.ts';
import { type engines, migratedTemplate, patient } from '../../database.ts';
import { freePort } from '../../free-port.ts';
import type { TestSwift } from '../../programs/swift.ts';
import { inTurn, newDatabase, shared } from '../../two-machines/shared.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const quiet = createLog('fatal');

interface Parts {
  /** Where its bytes are stored; on disk by default. */
  store?: TestStore;
  log?: Logger;
  /** What the service is given for a database. */
  database?: (db: Database) => Database;
  /** Of its database; the embedded one unless given. */
  engine?: (typeof engines)[number];
  /** Further settings. */
  environment?: Record<string, string>;
}

export interface StorageServer {
  /** `{site}/storage/v1`. */
  url: string;
  db: Database;
  keys: Keys;
  storage: StorageService;
  /** Settings of its store. */
  settings: Record<string, string>;
  /** Sorted paths of all objects in the store below a path. */
  stored(under?: string): Promise<string[]>;
  /** Puts something into the store past the service. */
  place(path: string): Promise<void>;
  /** Temporary files that are there now. */
  incoming(): Promise<string[]>;
  /** An unmodified official client; `address` is where it seems to call from, `ask` leads to another service than the first. */
  client(token?: string, address?: string, fetchFrom?: typeof fetch): StorageClient;
  guest: StorageClient;
  service: StorageClient;
  /** Makes a person and answers their access token. */
  person(options?: { admin?: boolean; anonymous?: boolean }): Promise<{ id: string; token: string }>;
  /** Stops the service and starts it again over the same folder. */
  restart(): Promise<void>;
  /** A second service over the same database and store, as on another machine. Addresses of its answers are the first's. */
  another(): Promise<{ fetch: typeof fetch; close(): Promise<void> }>;
  close(): Promise<void>;
}

interface Opened {
  dataDir: string;
  settings: Record<string, string>;
}

/** Where the bytes of test servers are stored. */
export interface TestStore {
  /** The server's settings for it; a bucket or folder of its own for each server. */
  settings(): Promise<Record<string, string>>;
  list(opened: Opened): Promise<string[]>;
  place(path: string, opened: Opened): Promise<void>;
}

export const onDisk: TestStore = {
  settings: async () => ({}),
  async list({ dataDir }) {
    const root = join(dataDir, 'objects');
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(root, 'incoming')))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  },
  async place(path, { dataDir }) {
    const place = join(dataDir, 'objects', path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, 'bytes');
  },
};

/** @param swift started before the first server is opened */
export const onS3 = (swift: () => TestSwift): TestStore => ({
  settings: () => swift().settings(),
  async list({ settings }) {
    const xml = await (await swift().fetch(settings['S3_BUCKET']!)).text();
    return [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!).filter((key) => key !== 'madhouse.json');
  },
  async place(path, { settings }) {
    await swift().fetch(`${settings['S3_BUCKET']}/${path}`, { method: 'PUT', body: 'bytes' });
  },
});

let visitors = 0;
/** An address unused in this run, so that limits are met only on purpose. */
export const newAddress = () => `198.51.100.${++visitors}`;

/** The storage service behind a socket, over a migrated database; with `--two-machines` and in S3 two of them in turn. The front door believes `x-test-address`. */
export async function openStorageServer({
  log = quiet,
  database = (db) => db,
  store = onDisk,
  engine,
  environment = {},
}: Parts = {}): Promise<StorageServer> {
  const settings = await store.settings();
  const dataDir = await mkdtemp(join(tmpdir(), 'madhouse-storage-'));
  const port = await freePort();
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: dataDir,
    SUPABASE_DIR: join(ROOT, 'supabase'),
    ...settings,
    ...environment,
  }) as Config & { backend: OwnBackend };
  const project = await readProject(config.backend.supabaseDir);
  const keys = await loadKeys(join(dataDir, 'keys.json'), config.backend);
  const template = await migratedTemplate();
  // Two machines share only what is in S3.
  const own = shared && settings['S3_URL'] ? await newDatabase(shared, 'postgres') : null;
  const choice = own ? { kind: 'postgres' as const, url: own.url } : config.backend.database;
  const other = await engine?.open({ migrated: true });
  const db = other?.db ?? (await openDatabase(choice, { ...patient, log, template }));
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const start = () => createStorage({ config, project, db: database(db), disk, keys, log });
  const second = own && {
    db: await openDatabase(choice, { ...patient, log }),
    config: { ...config, dataDir: await mkdtemp(join(tmpdir(), 'madhouse-second-')) },
  };
  const startAll = async (): Promise<StorageService> => {
    const first = await start();
    if (!second) return first;
    const { db: way, config: its } = second;
    return inTurn([first, await createStorage({ config: its, project, db: database(way), disk, keys, log })]);
  };
  let storage = await startAll();
  const server = await new Promise<ServerType>((listening) => {
    const started = serve(
      {
        fetch: (request) =>
          storage.fetch(request, { address: request.headers.get('x-test-address') ?? '192.0.2.1', id: 'test' }),
        port,
        hostname: '127.0.0.1',
        // A busy client must not reuse a connection that is just being closed.
        serverOptions: { keepAliveTimeout: 600_000 },
      },
      () => listening(started),
    );
  });
  const url = `${config.siteUrl}/storage/v1`;
  const client = (token = keys.publishable, address = newAddress(), fetchFrom = fetch) =>
    new StorageClient(
      url,
      { apikey: keys.publishable, Authorization: `Bearer ${token}`, 'x-test-address': address },
      fetchFrom,
    );
  return {
    url,
    db,
    keys,
    get storage() {
      return storage;
    },
    settings,
    stored: async (under = '') =>
      (await store.list({ dataDir, settings })).filter((path) => path.startsWith(under)).sort(),
    place: (path) => store.place(path, { dataDir, settings }),
    incoming: async () =>
      (
        await Promise.all(
          [dataDir, ...(second ? [second.config.dataDir] : [])].map((folder) =>
            readdir(join(folder, 'objects', 'incoming'), { recursive: true, withFileTypes: true }),
          ),
        )
      )
        .flat()
        .filter((entry) => entry.isFile() && !entry.name.startsWith('in-use.'))
        .map((entry) => join(entry.parentPath, entry.name)),
    client,
    guest: client(),
    service: client(keys.secret),
    async person({ admin = false, anonymous = false } = {}) {
      const { rows } = await db.query<{ id: string }>(
        `insert into auth.users (id, aud, role, email, email_confirmed_at)
         values (gen_random_uuid(), 'authenticated', 'authenticated', gen_random_uuid() || '@example.com', now()) returning id`,
      );
      const { id } = rows[0]!;
      if (admin)
        await db.query(
          `insert into public.user_roles (user_id, role_id) select $1, id from public.roles where name = 'admin'`,
          [id],
        );
      const key = keys.signing[0]!;
      const token = await new SignJWT({ role: 'authenticated', sub: id, is_anonymous: anonymous })
        .setProtectedHeader({ alg: key.alg, kid: key.kid })
        .setIssuer(`${config.siteUrl}/auth/v1`)
        .setAudience('authenticated')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(key.privateKey);
      return { id, token };
    },
    async another() {
      const other = await start();
      const answer = async (input: string | URL | Request, init?: RequestInit) => {
        const request = new Request(input, init);
        return other.fetch(request, { address: request.headers.get('x-test-address') ?? '192.0.2.1', id: 'test' });
      };
      return { fetch: answer, close: async () => other.close() };
    },
    async restart() {
      await storage.close();
      storage = await startAll();
    },
    async close() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await storage.close();
      await Promise.all([other ? other.end() : db.close(), second?.db.close()]);
      await own?.drop();
      for (const folder of [dataDir, ...(second ? [second.config.dataDir] : [])])
        await rm(folder, { recursive: true, force: true });
    },
  };
}
