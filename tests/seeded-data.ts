import { execFileSync } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, hashInputs } from './database.ts';
import { archive, startArchive } from './operator/archive/command.ts';
import { clientOf } from './operator/client.ts';
import { startPostgres } from './programs/postgres.ts';
import { projectFiles } from './project-files.ts';
import { type RunningServer, startServer, startServerOnPostgres } from './server.ts';
import { shared } from './two-machines/shared.ts';

export interface Account {
  email: string;
  password: string;
}

type DemoAccounts = Record<'admin' | 'creator' | 'member', Account>;

export interface Seed {
  /** Data folder of the server. */
  folder: string;
  /** Data folder of its PostgreSQL server; without one, the data is embedded. */
  cluster?: string;
}

/** The demo's accounts, whose random passwords are replaced by these. */
export const DEMO_ACCOUNTS: DemoAccounts = {
  admin: { email: 'meera@madhouse.example', password: 'tape and chalk on the floor' },
  creator: { email: 'farhan@madhouse.example', password: 'a lamp behind the curtain' },
  member: { email: 'ines@madhouse.example', password: 'seven chairs and a ladder' },
};

/**
 * Data with the demo in an embedded database, to be copied. Created once for all tests, because storing the pictures takes
 * four times as long as a start.
 */
export async function seededData(): Promise<Seed> {
  // Not cached with two machines, whose database and bucket end with the run.
  const folder = shared
    ? await seed(await mkdtemp(join(tmpdir(), 'madhouse-seed-')))
    : await cacheFolder('seeded-data', stateOfSeed(), seed);
  return { folder };
}

/** The same data, moved to a PostgreSQL server by an archive. */
export async function seededOnPostgres(): Promise<Required<Seed>> {
  const both = await cacheFolder('seeded-postgres', stateOfSeed(), async (into) => {
    const [{ folder }, server] = await Promise.all([seededData(), startPostgres()]);
    const [source, data, file] = [await copyOfSeed(folder), join(into, 'data'), join(into, 'archive')];
    const made = await archive(source, 'make', file);
    const loaded = await startArchive(data, ['load', file], { DATABASE_URL: server.url }).ended;
    if (made.code !== 0 || loaded.code !== 0) throw new Error(`${made.output}\n${loaded.output}`);
    await Promise.all([server.stop({ keep: join(into, 'cluster') }), rm(source, { recursive: true }), rm(file)]);
    // With the smaller pictures, which archives leave out.
    execFileSync('cp', ['-a', join(folder, 'objects'), join(folder, 'keys.json'), data]);
    return into;
  });
  return { folder: join(both, 'data'), cluster: join(both, 'cluster') };
}

const stateOfSeed = () => hashInputs([new Date().toDateString()], [...serverFiles(), import.meta.filename]);

async function seed(into: string): Promise<string> {
  const server = await startServer({ SEED: 'demo' });
  await Promise.all([requestPictures(server), setPasswords(server)]);
  await server.stop({ keep: true });
  const folder = join(into, 'data');
  await rename(server.dataDir, folder);
  return folder;
}

async function setPasswords(server: RunningServer): Promise<void> {
  const { asService } = clientOf(server);
  const answer = await asService('/auth/v1/admin/users');
  const { users } = (await answer.json()) as { users: { id: string; email: string }[] };
  for (const { email, password } of Object.values(DEMO_ACCOUNTS)) {
    const { id } = users.find((user) => user.email === email)!;
    const changed = await asService(`/auth/v1/admin/users/${id}`, { method: 'PUT', json: { password } });
    if (!changed.ok) throw new Error(await changed.text());
  }
}

/** Requests the smaller pictures of all pages and of the admin lists, so that they are encoded once and not in each test file. */
async function requestPictures(server: RunningServer): Promise<void> {
  const { base } = server;
  const text = async (address: string) => (await fetch(new URL(address, base))).text();
  const pages = [...(await text('/sitemap.xml')).matchAll(/<loc>(.+?)<\/loc>/g)].map(([, address]) => text(address!));
  const picture = /\/storage\/v1\/render\/image\/[^"\s,]+width=(?:320|640|960)/g;
  const onPages = (await Promise.all(pages)).flatMap((page) => page.match(picture) ?? []);
  const media = await clientOf(server).asService('/rest/v1/project_media?type=eq.image&select=url');
  const inLists = ((await media.json()) as { url: string }[]).map(
    ({ url }) => `${url.replace('/object/', '/render/image/')}${url.includes('?') ? '&' : '?'}width=320`,
  );
  const addresses = new Set([...onPages, ...inLists]).values();
  const requestRest = async () => {
    const headers = { accept: 'image/avif,image/webp' };
    for (const address of addresses)
      await (await fetch(new URL(address.replaceAll('&amp;', '&'), base), { headers })).arrayBuffer();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, requestRest));
}

/**
 * Starts a server on a copy of a seed. With TRUST_PROXY, so that each browser profile has its own network address.
 */
export const startSeededServer = async (
  { folder, cluster }: Seed,
  settings: Record<string, string> = {},
): Promise<RunningServer> => {
  const dataDir = await copyOfSeed(folder);
  const all = { SEED: 'none', TRUST_PROXY: '1', ...settings };
  return cluster ? startServerOnPostgres(all, { dataDir, cluster }) : startServer(all, dataDir);
};

/** Copies a seeded folder with its keys for a server, which deletes the copy on stop. */
export async function copyOfSeed(folder: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'madhouse-seeded-'));
  execFileSync('cp', ['-a', `${folder}/.`, dataDir]);
  return dataDir;
}

/** Data folder with the demo in an embedded database; see `DEMO_ACCOUNTS`. */
export const copySeededData = async (): Promise<string> => copyOfSeed((await seededData()).folder);

/** Source folders of the server and its seed, without the site. */
const serverFiles = () =>
  projectFiles().filter((file) => /^(packages|supabase)\/|^[^/]+\.ts$|^package-lock\.json$/.test(file));

/** Parses the demo accounts from the output of a server. @throws Error when there are none */
export function demoAccountsIn(printed: string): DemoAccounts {
  const account = (role: string): Account => {
    const [, email, password] = new RegExp(`^\\s+${role}\\s+(\\S+@\\S+)\\s+(\\S+)`, 'm').exec(printed) ?? [];
    if (!email || !password) throw new Error(`The server printed no ${role} account:\n${printed}`);
    return { email, password };
  };
  return { admin: account('admin'), creator: account('creator'), member: account('member') };
}
