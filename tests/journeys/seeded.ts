import { execFileSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, inject } from 'vitest';
import { DESKTOP, openPage as openPageAt } from '../browser.ts';
import { startServer } from '../server.ts';

const folder = await mkdtemp(join(tmpdir(), 'madhouse-seeded-'));
execFileSync('cp', ['-a', `${inject('seed')}/.`, folder]);

/**
 * A production server with the demo for one test file. With TRUST_PROXY, so that each browser profile has its own network
 * address (`openPage`).
 */
export const seeded = await startServer({ SEED: 'none', TRUST_PROXY: '1', WEBHOOK_NETWORKS: '127.0.0.1' }, folder);

afterAll(() => seeded.stop());

/** Opens a page in a new profile; default: at the seeded site. */
export const openPage = (browser: Browser, options: BrowserContextOptions = DESKTOP, base = seeded.base) =>
  openPageAt(browser, options, base);
