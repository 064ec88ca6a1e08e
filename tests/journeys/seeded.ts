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
 * The production server as it was seeded, for the test file that imports this alone. It stands behind a proxy, so to
 * speak: each browser profile comes from an address of its own (`openPage`).
 */
export const seeded = await startServer({ SEED: 'none', TRUST_PROXY: '1' }, folder);

afterAll(() => seeded.stop());

/** A page of a fresh profile, at the seeded site unless another is given. */
export const openPage = (browser: Browser, options: BrowserContextOptions = DESKTOP, base = seeded.base) =>
  openPageAt(browser, options, base);
