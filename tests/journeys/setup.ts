import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { keep, stateOf } from '../database.ts';
import { findBrowser } from '../programs/chromium.ts';
import { startServer } from '../server.ts';
import { shared } from '../two-machines/shared.ts';

export interface Account {
  email: string;
  password: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of a seeded house, to be copied (`seeded.ts`). */
    seed: string;
    accounts: { admin: Account; creator: Account; member: Account };
    browserPath: string;
  }
}

/** Seeds a house as the first `npm start` does, or takes the one that today's code was seeded with before. */
export default async function setup(project: TestProject) {
  project.provide('browserPath', await findBrowser());
  // Of two machines the folder is the smallest part: database and bucket go with the run.
  const made = shared
    ? await seed(await mkdtemp(join(tmpdir(), 'madhouse-seed-')))
    : await keep('seeded', stateOf([new Date().toDateString()], serverFiles()), seed);
  project.provide('seed', join(made, 'house'));
  project.provide('accounts', JSON.parse(await readFile(join(made, 'accounts.json'), 'utf8')));
}

async function seed(folder: string): Promise<string> {
  const server = await startServer({ SEED: 'demo' });
  await server.stop({ keep: true });
  await rename(server.dataDir, join(folder, 'house'));
  const accounts = ['admin', 'creator', 'member'].map((role) => [role, accountIn(server.output(), role)]);
  await writeFile(join(folder, 'accounts.json'), JSON.stringify(Object.fromEntries(accounts)));
  return folder;
}

/** What the server and its seed consist of, without the site. */
const serverFiles = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /^(backend|supabase)\/|^[^/]+\.ts$|^package-lock\.json$/.test(file) && existsSync(file))
    .sort();

/** Reads a demo account from what the server printed, as an operator would. */
function accountIn(printed: string, role: string): Account {
  const [, email, password] = new RegExp(`^\\s+${role}\\s+(\\S+@\\S+)\\s+(\\S+)`, 'm').exec(printed) ?? [];
  if (!email || !password) throw new Error(`The server printed no ${role} account:\n${printed}`);
  return { email, password };
}
