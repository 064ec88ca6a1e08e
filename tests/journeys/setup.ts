import type { TestProject } from 'vitest/node';
import { stopOwnServers } from '../database.ts';
import { findBrowser } from '../programs/chromium.ts';
import { DEMO_ACCOUNTS, type Seed, seededData, seededOnPostgres, startSeededServer } from '../seeded-data.ts';
import type { RunningServer } from '../server.ts';
import { shared } from '../two-machines/shared.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data with the demo, to be copied (`seeded.ts`). */
    seed: Seed;
    embeddedSeed: Seed;
    accounts: typeof DEMO_ACCOUNTS;
    browserPath: string;
    /** A site with the demo for tests that change nothing. */
    readOnlySite: Pick<RunningServer, 'base' | 'dataDir'>;
  }
}

/** Provides a browser, a seeded data folder and a server on a copy of it to all journeys. */
export default async function setup(project: TestProject) {
  project.provide('browserPath', findBrowser());
  const embedded = await seededData();
  const seed = shared ? embedded : await seededOnPostgres();
  project.provide('seed', seed);
  project.provide('embeddedSeed', embedded);
  project.provide('accounts', DEMO_ACCOUNTS);
  const { base, dataDir, stop } = await startSeededServer(seed);
  project.provide('readOnlySite', { base, dataDir });
  return () => stop().then(stopOwnServers);
}
