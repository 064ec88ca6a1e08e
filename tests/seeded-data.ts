import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, hashInputs } from './database.ts';
import { projectFiles } from './project-files.ts';
import { keysIn, type RunningServer, startServer } from './server.ts';
import { shared } from './two-machines/shared.ts';

export interface Account {
  email: string;
  password: string;
}

export type DemoAccounts = Record<'admin' | 'creator' | 'member', Account>;

/**
 * Data folder with the demo, to be copied, and its accounts. Created once for all tests, because storing the pictures takes
 * four times as long as a start.
 */
export async function seededData(): Promise<{ folder: string; accounts: DemoAccounts }> {
  // Not cached with two machines, whose database and bucket end with the run.
  const seededFolder = shared
    ? await seed(await mkdtemp(join(tmpdir(), 'madhouse-seed-')))
    : await cacheFolder('seeded-data', hashInputs([new Date().toDateString()], serverFiles()), seed);
  const accounts: DemoAccounts = JSON.parse(await readFile(join(seededFolder, 'accounts.json'), 'utf8'));
  return { folder: join(seededFolder, 'data'), accounts };
}

async function seed(folder: string): Promise<string> {
  const server = await startServer({ SEED: 'demo' });
  await requestPictures(server);
  await server.stop({ keep: true });
  await rename(server.dataDir, join(folder, 'data'));
  await writeFile(join(folder, 'accounts.json'), JSON.stringify(demoAccountsIn(server.output())));
  return folder;
}

/** Requests the smaller pictures of all pages and of the admin lists, so that they are encoded once and not in each test file. */
async function requestPictures({ base, dataDir }: RunningServer): Promise<void> {
  const text = async (address: string) => (await fetch(new URL(address, base))).text();
  const pages = [...(await text('/sitemap.xml')).matchAll(/<loc>(.+?)<\/loc>/g)].map(([, address]) => text(address!));
  const picture = /\/storage\/v1\/render\/image\/[^"\s,]+width=(?:320|640|960)/g;
  const onPages = (await Promise.all(pages)).flatMap((page) => page.match(picture) ?? []);
  const { secret } = keysIn(dataDir);
  const media = await fetch(`${base}/rest/v1/project_media?type=eq.image&select=url`, {
    headers: { apikey: secret, authorization: `Bearer ${secret}` },
  });
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
 * Starts a server on a copy of a seeded folder. With TRUST_PROXY, so that each browser profile has its own network address.
 */
export const startSeededServer = async (seed: string, settings: Record<string, string> = {}): Promise<RunningServer> =>
  startServer({ SEED: 'none', TRUST_PROXY: '1', ...settings }, await copyOfSeed(seed));

/** Copies a seeded folder with its keys for a server, which deletes the copy on stop. */
export async function copyOfSeed(seed: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'madhouse-seeded-'));
  execFileSync('cp', ['-a', `${seed}/.`, dataDir]);
  return dataDir;
}

export async function copySeededData(): Promise<{ dataDir: string; accounts: DemoAccounts }> {
  const { folder, accounts } = await seededData();
  return { dataDir: await copyOfSeed(folder), accounts };
}

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
