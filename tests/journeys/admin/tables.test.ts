import type { PostgrestClient } from '@supabase/postgrest-js';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { DESKTOP, expectAccessible, expectQuiet, PHONE } from '../../browser.ts';
import { said } from '../hands.ts';
import { openPage, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const SERIES = 'Okapi Almanac';
const titleOf = (number: number) => `${SERIES} ${String(number).padStart(2, '0')}`;

let data: PostgrestClient;
const { admin } = inject('accounts');
beforeAll(async () => {
  data = await dataAs(admin);
});

beforeEach(async () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ title: titleOf(index + 1) }));
  await data.from('projects').insert(rows.toReversed()).throwOnError();
});
afterEach(async () => {
  await data.from('site_settings').delete().eq('name', 'publishing_needs_checks');
  await data.from('projects').delete().ilike('title', `${SERIES}%`);
});

async function openTable(query = '', device: Parameters<typeof openPage>[1] = DESKTOP) {
  const page = await openPage(browser, device);
  await enterAdmin(page, admin, `/admin/case-studies?search=${encodeURIComponent(SERIES)}${query}`);
  await page.getByText('of 12 results').waitFor();
  return page;
}

const titles = (page: Page) => page.locator('tbody .row-title').allTextContents();
const header = (page: Page, name: string) => page.getByRole('columnheader', { name });
const box = (page: Page, number: number) => page.getByRole('checkbox', { name: `Select ${titleOf(number)}` });
const press = (page: Page, name: string) => page.locator('.bulk-bar').getByRole('button', { name }).click();
const undo = (page: Page) => page.locator('.status-region').getByRole('button', { name: /^Undo/ }).click();
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => titleOf(from + index));

async function statuses(): Promise<Record<string, string>> {
  const { data: rows } = await data.from('projects').select('title,status').ilike('title', `${SERIES}%`);
  return Object.fromEntries((rows as { title: string; status: string }[]).map((row) => [row.title, row.status]));
}
const withStatus = async (status: string) =>
  Object.entries(await statuses())
    .filter(([, is]) => is === status)
    .map(([title]) => title)
    .sort();

it('sorts by a column header, in the address, and keeps the order across pages, reload and back navigation (APROJ-02)', async () => {
  const page = await openTable();
  expect(await header(page, 'Created').getAttribute('aria-sort')).toBe('descending');
  await header(page, 'Title').getByRole('button').press('Enter');
  await page.waitForURL(/sort=title/);
  await expect.poll(() => titles(page)).toEqual(numbers(1, 10));
  expect(await header(page, 'Title').getAttribute('aria-sort')).toBe('ascending');
  expect(await header(page, 'Created').getAttribute('aria-sort')).toBeNull();
  await page.getByRole('link', { name: 'Page 2' }).click();
  await page.getByText('Showing 11 to 12 of 12 results').waitFor();
  expect(await titles(page)).toEqual(numbers(11, 12));
  await page.reload();
  await page.getByText('Showing 11 to 12 of 12 results').waitFor();
  expect(await titles(page)).toEqual(numbers(11, 12));
  expect(await header(page, 'Title').getAttribute('aria-sort')).toBe('ascending');

  await header(page, 'Created').getByRole('button').click();
  await page.getByText('Showing 1 to 10 of 12 results').waitFor();
  await header(page, 'Created').getByRole('button').click();
  await page.waitForURL(/sort=oldest/);
  await expect.poll(() => header(page, 'Created').getAttribute('aria-sort')).toBe('ascending');
  const newestFirst = (await data.rpc('find_projects', { p_words: SERIES, p_take: 12 })).data as { title: string }[];
  await expect
    .poll(() => titles(page))
    .toEqual(
      newestFirst
        .map(({ title }) => title)
        .toReversed()
        .slice(0, 10),
    );

  await data.from('projects').update({ client: 'Changed last' }).eq('title', titleOf(5)).throwOnError();
  await header(page, 'Changed').getByRole('button').click();
  await expect.poll(async () => (await titles(page))[0]).toBe(titleOf(5));
  await header(page, 'Changed').getByRole('button').click();
  await page.waitForURL((url) => !url.searchParams.has('sort'));
  await page.goBack();
  await page.waitForURL(/sort=changed/);
  expectQuiet(page);
});

it('selects single rows, a range and a whole page, and announces how many (APROJ-03)', async () => {
  const page = await openTable('&sort=title');
  const live = page.locator('.data-table [aria-live=polite]').first();
  expect(await live.textContent()).toBe('');
  await box(page, 2).press('Space');
  await expect.poll(() => live.textContent()).toBe('1 selected');
  await box(page, 5).click({ modifiers: ['Shift'] });
  await expect.poll(() => live.textContent()).toBe('4 selected');
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  expect(await all.evaluate((input: HTMLInputElement) => input.indeterminate)).toBe(true);
  await box(page, 3).click({ modifiers: ['Shift'] });
  await expect.poll(() => live.textContent()).toBe('1 selected');
  await expectAccessible(page);
  await all.check();
  await expect.poll(() => live.textContent()).toBe('10 selected');
  // Only rows of this page are selected.
  await page.getByRole('link', { name: 'Page 2' }).click();
  await page.getByText('Showing 11 to 12 of 12 results').waitFor();
  await expect.poll(() => live.textContent()).toBe('');
  await page.goBack();
  await press(page, 'Clear selection');
  await expect.poll(() => live.textContent()).toBe('');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('screen');
  expectQuiet(page);
});

it('publishes and archives several projects in one request each, and undoes both (APROJ-03)', async () => {
  const page = await openTable('&sort=title');
  const writes: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && writes.push(request.url()));
  for (const number of [1, 2, 3]) await box(page, number).check();
  await press(page, 'Publish');
  await said(page, '3 published.');
  expect(await withStatus('active')).toEqual(numbers(1, 3));
  expect(writes).toHaveLength(1);
  await undo(page);
  await said(page, 'Undone.');
  expect(await withStatus('draft')).toEqual(numbers(1, 12));

  // Each row returns to its earlier status.
  await data.from('projects').update({ status: 'completed' }).eq('title', titleOf(2)).throwOnError();
  await page.reload();
  for (const number of [1, 2]) await box(page, number).check();
  await press(page, 'Archive');
  await said(page, '2 archived.');
  expect(await withStatus('archived')).toEqual(numbers(1, 2));
  await undo(page);
  await said(page, 'Undone.');
  expect(await statuses()).toMatchObject({ [titleOf(1)]: 'draft', [titleOf(2)]: 'completed' });

  const { data: lines } = await data.rpc('read_log', { words: titleOf(3), what: 'projects.', take: 20 });
  expect(JSON.stringify(lines)).toContain('projects.publish');
  expectQuiet(page);
});

it('publishes valid projects, names each refused one with the reason, and leaves it selected (APROJ-03)', async () => {
  const { data: silent } = await data.from('projects').select('id').eq('title', titleOf(2)).single();
  await data
    .from('project_media')
    .insert({ project_id: silent!.id, type: 'image', url: 'https://example.com/kite.png', title: 'Kite' })
    .throwOnError();
  await data.from('site_settings').insert({ name: 'publishing_needs_checks', value: true }).throwOnError();
  const page = await openTable('&sort=title', PHONE);
  for (const number of [1, 2, 3]) await box(page, number).check();
  await press(page, 'Publish');
  await said(page, '2 published.');
  const alert = page.getByRole('alert');
  await alert.getByText('1 of 3 not changed and still selected.').waitFor();
  expect(await alert.textContent()).toContain(`“${titleOf(2)}”: `);
  expect(await alert.textContent()).toContain('1 picture does not say what it shows');
  expect(await withStatus('active')).toEqual([titleOf(1), titleOf(3)]);
  expect(await box(page, 2).isChecked()).toBe(true);
  expect(await box(page, 1).isChecked()).toBe(false);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

  // When nothing can change, no action is offered.
  await box(page, 2).uncheck();
  await box(page, 1).check();
  expect(await page.locator('.bulk-bar').getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
});

it('deletes several projects after one confirmation, and restores all of them (APROJ-03)', async () => {
  const page = await openTable('&sort=title');
  await box(page, 4).check();
  await box(page, 6).click({ modifiers: ['Shift'] });
  await press(page, 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete 3 experiments?' });
  await dialog.getByText(titleOf(5), { exact: true }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await box(page, 5).isChecked()).toBe(true);
  await press(page, 'Delete');
  // One project is deleted in another browser meanwhile.
  await data.from('projects').delete().eq('title', titleOf(5));
  await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
  await said(page, '2 of 3 are in the trash. The others had been deleted already.');
  await page.getByText('of 9 results').waitFor();
  await undo(page);
  await page.getByText('of 11 results').waitFor();
  expect(Object.keys(await statuses()).sort()).toEqual(numbers(1, 12).filter((title) => title !== titleOf(5)));
  expectQuiet(page);
});

it('shows rows as cards on a phone, with nothing covered while some are selected', async () => {
  const page = await openTable('', PHONE);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.locator('.bulk-bar').getByText('10 selected').waitFor();
  expect(await visualFaults(page)).toEqual([]);
  await header(page, 'Title').getByRole('button').click();
  await page.waitForURL(/sort=title/);
  expectQuiet(page);
});
