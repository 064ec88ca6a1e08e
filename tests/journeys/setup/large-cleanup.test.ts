import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase } from '../../../packages/backend/database/open-database.ts';
import { expectAccessible, expectQuiet, fillSignIn, openPage, PHONE } from '../../browser.ts';
import { fillInstallation } from '../../contract/large-installation.ts';
import { silent } from '../../database.ts';
import { copySeededData } from '../../seeded-data.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { browser } from '../shared-browser.ts';

/** More rows than one call deletes or restores. The restored rows are compared in contract/large-cleanup. */
const MORE = 400;

let server: RunningServer;

beforeAll(async () => {
  const folder = await copySeededData();
  const choice = { kind: 'embedded', folder: join(folder, 'database') } as const;
  const db = await openDatabase(choice, { log: silent, maxWaitMs: 600_000, timeoutMs: 600_000 });
  await fillInstallation(db, MORE);
  await db.close();
  server = await startServer({ SEED: 'none', TRUST_PROXY: '1' }, folder);
});
afterAll(async () => {
  await server?.stop();
});

const amount = async (page: Page) => Number(await page.getByRole('progressbar').getAttribute('value'));

it('a large cleanup shows its progress, continues after the page was closed, and restores all case studies (C3)', async () => {
  const page = await openPage(browser, PHONE, server.base);
  await page.goto('/cleanup');
  await fillSignIn(page, inject('accounts').admin);
  await page.getByText('Your sign-in is good for this until').waitFor();
  await page.getByRole('button', { name: 'Delete ALL Case Studies' }).click();
  await page.getByLabel('Type DELETE ALL to confirm').fill('DELETE ALL');
  await page.getByRole('button', { name: 'Confirm deletion' }).click();
  await expect.poll(async () => (await amount(page)) % 1, { interval: 20 }).toBeGreaterThan(0);
  await page.getByText('All case studies were deleted').waitFor({ timeout: 120_000 });

  await page.getByRole('button', { name: 'Restore everything' }).click();
  await page.getByText(/^[1-9]\d* of 4\d\d case studies are back\./).waitFor();
  expect(await amount(page)).toBeGreaterThan(0);
  await page.reload();
  const standing = page.getByText(/Partly restored: \d+ of 4\d\d case studies\./);
  await standing.waitFor();
  await expectAccessible(page);
  // Restored experiments are already public, with their pictures; the rest can still be restored.
  const [, back] = /restored: (\d+) of/.exec((await standing.textContent())!)!;
  expect(Number(back)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Go on restoring' }).click();
  await page.getByText(/^4\d\d case studies are back, with all that belongs to them\.$/).waitFor({ timeout: 120_000 });
  expect(await page.getByRole('button', { name: /restor/i }).count()).toBe(0);
  expectQuiet(page);
});
