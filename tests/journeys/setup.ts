import type { TestProject } from 'vitest/node';
import { findBrowser } from '../programs/chromium.ts';
import { type DemoAccounts, seededData } from '../seeded-data.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder with the demo, to be copied (`seeded.ts`). */
    seed: string;
    accounts: DemoAccounts;
    browserPath: string;
  }
}

/** Provides a browser and a seeded data folder to all journeys. */
export default async function setup(project: TestProject) {
  project.provide('browserPath', findBrowser());
  const { folder, accounts } = await seededData();
  project.provide('seed', folder);
  project.provide('accounts', accounts);
}
