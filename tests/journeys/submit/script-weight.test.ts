import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE } from '../../browser.ts';
import { startSeeded } from '../seeded.ts';
import { openNewForm, saved } from './form.ts';

startSeeded({ readOnly: true });

const MAX_BYTES = 144 * 1024;
const MAX_FILES = 25;

/** Bytes of each script that the page has loaded so far, compressed with brotli. */
async function scriptsOf(page: Page): Promise<Map<string, number>> {
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const addresses = loaded.filter((address) => new URL(address).pathname.endsWith('.js'));
  const sizes = addresses.map(async (address) => {
    const body = await (await page.request.get(address)).body();
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    return [new URL(address).pathname, body.length < 512 ? body.length : brotliCompressSync(body, { params }).length];
  });
  return new Map((await Promise.all(sizes)) as [string, number][]);
}

it.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
])('the submit form loads at most 144 KiB of script in 25 files before an editor opens (%s)', async (_, device) => {
  const page = await openNewForm(device);
  await page.getByLabel('Project Title').fill('A lamp');
  await saved(page);
  await page.waitForLoadState('networkidle');
  const scripts = await scriptsOf(page);
  expect([...scripts.keys()].filter((name) => /loaded-editor|\/send-|current-user|browser-/.test(name))).toEqual([]);
  expect(scripts.size).toBeGreaterThan(10);
  expect(scripts.size).toBeLessThanOrEqual(MAX_FILES);
  expect([...scripts.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(MAX_BYTES);
});

it('no script of the site contains the server’s HTML parser', async () => {
  const folder = 'build/client/assets';
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const scripts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const found = (words: RegExp) => names.filter((_, at) => words.test(scripts[at]!));
  expect(found(/exclusiveFilter|disallowedTagsMode|postcss/i)).toEqual([]);
  // The search works: it finds the allow list itself.
  expect(found(/ql-/)).not.toEqual([]);
});
