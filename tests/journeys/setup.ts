import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { findBrowser } from '../chromium.ts';
import { startServer } from '../server.ts';

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

/** Seeds a house once, as the first `npm start` does. */
export default async function setup(project: TestProject) {
  project.provide('browserPath', await findBrowser());
  const server = await startServer({ SEED: 'demo' });
  await server.stop({ keep: true });
  const remove = () => rm(server.dataDir, { recursive: true, force: true });
  try {
    project.provide('seed', server.dataDir);
    project.provide('accounts', {
      admin: accountIn(server.output(), 'admin'),
      creator: accountIn(server.output(), 'creator'),
      member: accountIn(server.output(), 'member'),
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** Reads a demo account from what the server printed, as an operator would. */
function accountIn(printed: string, role: string): Account {
  const [, email, password] = new RegExp(`^\\s+${role}\\s+(\\S+@\\S+)\\s+(\\S+)`, 'm').exec(printed) ?? [];
  if (!email || !password) throw new Error(`The server printed no ${role} account:\n${printed}`);
  return { email, password };
}
