import type { TestProject } from 'vitest/node';
import { findBrowser } from '../chromium.ts';
import { startServer } from '../server.ts';

export interface Account {
  email: string;
  password: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the seeded production server. */
    base: string;
    accounts: { admin: Account; creator: Account; member: Account };
    browserPath: string;
  }
}

/**
 * One seeded production server for all journeys; journeys that need an empty house start their own. It stands behind a
 * proxy, so to speak: each browser profile comes from an address of its own (`openPage`).
 */
export default async function setup(project: TestProject) {
  project.provide('browserPath', await findBrowser());
  const server = await startServer({ SEED: 'demo', TRUST_PROXY: '1' });
  try {
    project.provide('base', server.base);
    project.provide('accounts', {
      admin: accountIn(server.output(), 'admin'),
      creator: accountIn(server.output(), 'creator'),
      member: accountIn(server.output(), 'member'),
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return async () => {
    await server.stop();
  };
}

/** Reads a demo account from what the server printed, as an operator would. */
function accountIn(printed: string, role: string): Account {
  const [, email, password] = new RegExp(`^\\s+${role}\\s+(\\S+@\\S+)\\s+(\\S+)`, 'm').exec(printed) ?? [];
  if (!email || !password) throw new Error(`The server printed no ${role} account:\n${printed}`);
  return { email, password };
}
