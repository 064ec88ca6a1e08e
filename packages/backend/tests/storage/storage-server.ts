import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { StorageClient } from '@supabase/storage-js';
import { SignJWT } from 'jose';
import type { Logger } from 'pino';
import { expect } from 'vitest';
import { type Engine, forEachMachine, postgresql, temporaryFolder } from '../../../../tests/database.ts';
import { freePort } from '../../../../tests/free-port.ts';
import { swiftAt, type TestSwift } from '../../../../tests/programs/swift.ts';
import { distribute, shared } from '../../../../tests/two-machines/shared.ts';
import { type OwnConfig, readConfig } from '../../config/config.ts';
import { readProject } from '../../config/supabase-config.ts';
import { DiskSpace } from '../../data-dir/disk-space.ts';
import type { Database } from '../../database/database.ts';
import { createLog } from '../../http/log.ts';
import { loadKeys } from '../../keys/keys.ts';
import { createStorage, type StorageService } from '../../storage/index.ts';
import { answeredBy, listen } from '../listen.ts';
import { fileOf, newPath, png } from './files.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const silentLog = createLog('fatal');

interface Parts {
  /** Store of the files; on disk by default. */
  store?: TestStore;
  log?: Logger;
  database?: (db: Database) => Database;
  engine?: Engine;
  environment?: Record<string, string>;
}

export type StorageServer = Awaited<ReturnType<typeof openStorageServer>>;
type Post = RequestInit & { headers?: Record<string, string> };

interface Opened {
  dataDir: string;
  settings: Record<string, string>;
}

export interface TestStore {
  /** Settings of a server; each server has its own bucket or folder. */
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
export const onS3 = (swift: TestSwift): TestStore => ({
  settings: () => swift.settings(),
  async list({ settings }) {
    const xml = await (await swift.fetch(settings['S3_BUCKET']!)).text();
    return [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!).filter((key) => key !== 'madhouse.json');
  },
  async place(path, { settings }) {
    await swift.fetch(`${settings['S3_BUCKET']}/${path}`, { method: 'PUT', body: 'bytes' });
  },
});

/** For tests that do not depend on the store. */
const anyStore = shared ? onS3(swiftAt(shared.swift)) : onDisk;

let visitors = 0;
/** An unused address, so that limits are only reached on purpose. */
export const newAddress = () => `198.51.100.${++visitors}`;

/** Starts the storage service with a migrated database; with `--two-machines` and S3 two in turn. The client address is read from `x-test-address`. */
export async function openStorageServer({
  log = silentLog,
  database = (db) => db,
  store = anyStore,
  engine = postgresql,
  environment = {},
}: Parts = {}) {
  const settings = await store.settings();
  const { folder: dataDir, remove } = await temporaryFolder();
  const port = await freePort();
  const places = { PORT: String(port), DATA_DIR: dataDir, SUPABASE_DIR: join(ROOT, 'supabase') };
  const config = readConfig({ ...places, ...settings, ...environment }) as OwnConfig;
  const project = await readProject(config.backend.supabaseDir);
  const keys = await loadKeys(join(dataDir, 'keys.json'), config.backend);
  const { db, end } = await engine.open({ migrated: true, log });
  const disk = new DiskSpace(config.dataDir, config.diskReserve);
  const start = () => createStorage({ config, project, db: database(db), disk, keys, log });
  // Two machines share only files in S3.
  const [secondDatabase] = settings['S3_URL'] ? (await forEachMachine(db)).slice(1) : [];
  const second = secondDatabase && { db: secondDatabase, ...(await temporaryFolder()) };
  const startAll = async (): Promise<StorageService> => {
    const first = await start();
    if (!second) return first;
    const secondConfig = { ...config, dataDir: second.folder };
    const other = await createStorage({ config: secondConfig, project, db: database(second.db), disk, keys, log });
    return distribute([first, other]);
  };
  let storage = await startAll();
  const stopListening = await listen(() => storage, port);
  const url = `${config.siteUrl}/storage/v1`;
  /** An official client; `address` is its network address, `fetchFrom` reaches another service. */
  const client = (token = keys.publishable, address = newAddress(), fetchFrom = fetch) => {
    const headers = { apikey: keys.publishable, Authorization: `Bearer ${token}`, 'x-test-address': address };
    return new StorageClient(url, headers, fetchFrom);
  };
  const guest = client();
  const publicUrl = (path: string) => guest.from('case-studies').getPublicUrl(path).data.publicUrl;
  const close = async () => {
    await stopListening();
    await storage.close();
    await second?.db.close();
    await end();
    await remove();
    await second?.remove();
  };
  /** Uploads a picture as a new guest. @returns the response of its public URL */
  const upload = async (bytes: Uint8Array, path: string, type = 'image/png') => {
    const { error } = await client().from('case-studies').upload(path, fileOf(bytes, type), { cacheControl: '3600' });
    expect(error).toBeNull();
    return fetch(publicUrl(path));
  };
  return {
    url,
    db,
    keys,
    get storage() {
      return storage;
    },
    /** Sorted paths of the objects in the store below a path. */
    stored: async (under = '') =>
      (await store.list({ dataDir, settings })).filter((path) => path.startsWith(under)).sort(),
    place: (path: string) => store.place(path, { dataDir, settings }),
    incoming: async () => {
      const read = (folder: string) =>
        readdir(join(folder, 'objects', 'incoming'), { recursive: true, withFileTypes: true });
      const entries = await Promise.all([dataDir, ...(second ? [second.folder] : [])].map(read));
      const files = entries.flat().filter((entry) => entry.isFile() && !entry.name.startsWith('in-use.'));
      return files.map((entry) => join(entry.parentPath, entry.name));
    },
    client,
    guest,
    service: client(keys.secret),
    publicUrl,
    upload,
    /** Uploads a picture, small by default, as a new guest. @returns its path */
    async uploadPicture(width?: number, height?: number) {
      const path = newPath();
      await upload(await png(width, height), path);
      return path;
    },
    /** Sends a POST to a path below `/object` as a new guest. */
    post: (path: string, body: BodyInit, { headers: more, ...init }: Post = {}) => {
      const visitor = { authorization: `Bearer ${keys.publishable}`, 'x-test-address': newAddress() };
      const headers = { ...visitor, 'content-type': 'image/png', ...more };
      return fetch(`${url}/object/${path}`, { method: 'POST', headers, body, duplex: 'half', ...init } as RequestInit);
    },
    rowsOf: async (name: string) => {
      const sql = 'select metadata, version from storage.objects where name = $1';
      return (await db.query<{ metadata: Record<string, unknown>; version: string }>(sql, [name])).rows;
    },
    /** Creates a user. @returns id and access token */
    async person({ admin = false, anonymous = false, aal = 'aal1', app_metadata = {} } = {}) {
      const insert = `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data) values
        (gen_random_uuid(), 'authenticated', 'authenticated', gen_random_uuid() || '@example.com', now(), $1) returning id`;
      const { rows } = await db.query<{ id: string }>(insert, [app_metadata]);
      const { id } = rows[0]!;
      const assign = `insert into public.user_roles (user_id, role_id) select $1, id from public.roles where name = 'admin'`;
      if (admin) await db.query(assign, [id]);
      const key = keys.signing[0]!;
      const token = await new SignJWT({ role: 'authenticated', sub: id, is_anonymous: anonymous, aal, app_metadata })
        .setProtectedHeader({ alg: key.alg, kid: key.kid })
        .setIssuer(`${config.siteUrl}/auth/v1`)
        .setAudience('authenticated')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(key.privateKey);
      return { id, token };
    },
    /** Starts a second service with the same database and store, as on another machine. Its responses contain URLs of the first. */
    async another() {
      const other = await start();
      return { fetch: answeredBy(other), [Symbol.asyncDispose]: async () => other.close() };
    },
    /** Restarts the service with the same folder. */
    async restart() {
      await storage.close();
      storage = await startAll();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
