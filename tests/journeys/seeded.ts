import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { DESKTOP, openPage as openPageAt } from '../browser.ts';
import { startSeededServer } from '../seeded-data.ts';
import type { RunningServer } from '../server.ts';
import { browser } from './shared-browser.ts';

/** The production server with the demo that the running test file uses (`startSeeded`). */
export let seeded: Pick<RunningServer, 'base' | 'dataDir'> & Partial<RunningServer>;

/**
 * Starts a production server with the demo for the tests of a file.
 * @param options `readOnly`: the tests change nothing that others read, so they use a server that all such files share; `embedded`: on the default engine, which needs more than twice the processor time
 */
export function startSeeded({ readOnly = false, embedded = false, settings = {} } = {}): void {
  let own: RunningServer | undefined;
  beforeAll(async () => {
    own = readOnly ? undefined : await startSeededServer(inject(embedded ? 'embeddedSeed' : 'seed'), settings);
    seeded = own ?? inject('readOnlySite');
  });
  afterAll(() => own?.stop());
}

/** The demo's accounts. */
export const { admin, creator, member } = inject('accounts');

export const htmlOf = async (path: string) => (await fetch(seeded.base + path)).text();

/** Opens a page in a new profile; default: at the seeded site. */
export const openPage = (options: BrowserContextOptions = DESKTOP, base = seeded.base) =>
  openPageAt(browser, options, base);

/** Opens a path in a new profile. */
export async function openAt(path: string, options?: BrowserContextOptions, base?: string) {
  const page = await openPage(options, base);
  await page.goto(path);
  return page;
}
