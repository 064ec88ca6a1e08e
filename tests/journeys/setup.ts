import type { TestProject } from 'vitest/node';
import { findBrowser } from '../programs/chromium.ts';
import { type DemoAccounts, seededData, startSeededServer } from '../seeded-data.ts';
import type { RunningServer } from '../server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder with the demo, to be copied (`seeded.ts`). */
    seed: string;
    accounts: DemoAccounts;
    browserPath: string;
    /** A site with the demo for tests that change nothing. */
    readOnlySite: Pick<RunningServer, 'base' | 'dataDir'>;
  }
}

/** Provides a browser, a seeded data folder and a server on a copy of it to all journeys. */
export default async function setup(project: TestProject) {
  project.provide('browserPath', findBrowser());
  const { folder, accounts } = await seededData();
  project.provide('seed', folder);
  project.provide('accounts', accounts);
  const { base, dataDir, stop } = await startSeededServer(folder);
  project.provide('readOnlySite', { base, dataDir });
  return () => stop().then(() => {});
}
