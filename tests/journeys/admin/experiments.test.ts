import type { PostgrestClient } from '@supabase/postgrest-js';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, hold, mayComplain, PHONE, stopClock } from '../../browser.ts';
import { chooseInRow } from '../experiments.ts';
import { mockError, openAsAdmin, requestsOf, said } from '../hands.ts';
import { admin, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

let data: PostgrestClient;
// Words that the demo does not contain; 21 rows are two full pages and one row.
const SERIES = 'Zebrafish Ledger';

beforeAll(async () => {
  data = await dataAs(admin);
  const rows = Array.from({ length: 21 }, (_, index) => ({ title: `${SERIES} ${index + 1}`, status: 'archived' }));
  await data.from('projects').insert(rows).throwOnError();
});

const openTable = async (query = '') => {
  const page = await openAsAdmin(`/admin/case-studies${query}`);
  await page.getByRole('heading', { name: 'Manage Mad Experiments' }).waitFor();
  return page;
};

const search = (page: Page, text: string) => page.getByRole('searchbox').fill(text);
const rows = (page: Page) => page.locator('tbody tr');
const focusIsOn = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim());

/** Name of a computed colour. */
function colourOf(computed: string): string {
  const [red, green, blue] = computed.match(/\d+/g)!.map(Number) as [number, number, number];
  const most = Math.max(red, green, blue);
  if (most - Math.min(red, green, blue) < 20) return 'grey';
  return most === red ? 'red' : most === green ? 'green' : 'blue';
}

it('experiment list of the admin area shows ten experiments, newest first, the total, and pages of a search, and returns to page 1 on typing (MANAGE-01, MANAGE-02, MANAGE-03, MANAGE-04, MANAGE-05, MANAGE-06, CONST-15)', async () => {
  const page = await openTable();
  const { count } = await data.from('projects').select('id', { count: 'exact', head: true });
  await page.getByText(`Showing 1 to 10 of ${count} results`).waitFor();
  expect(await rows(page).count()).toBe(10);
  const latest = data.from('projects').select('title').order('created_at', { ascending: false });
  const { data: newest } = await latest.order('id', { ascending: false }).limit(10);
  expect(await rows(page).locator('th .row-title').allTextContents()).toEqual(newest!.map(({ title }) => title));

  await search(page, 'zebrafish LEDGER');
  await page.getByText('Showing 1 to 10 of 21 results').waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  // In this order; a step without a target is no link.
  const offered = async () => [
    await pages.locator('.pagination-step, li').allInnerTexts(),
    await pages.getByRole('link').evaluateAll((all) => all.map((link) => link.textContent)),
    await pages.locator('[aria-current=page]').allInnerTexts(),
  ];
  const every = ['Previous', '1', '2', '3', 'Next'];
  expect(await offered()).toEqual([every, ['1', '2', '3', 'Next'], ['1']]);
  await pages.getByRole('link', { name: 'Next' }).click();
  await page.getByText('Showing 11 to 20 of 21 results').waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe('2');
  expect(await offered()).toEqual([every, every, ['2']]);
  await pages.getByRole('link', { name: 'Page 3' }).click();
  await page.getByText('Showing 21 to 21 of 21 results').waitFor();
  expect(await rows(page).count()).toBe(1);
  expect(await offered()).toEqual([every, ['Previous', '1', '2', '3'], ['3']]);
  await pages.getByRole('link', { name: 'Previous' }).click();
  await page.getByText('Showing 11 to 20 of 21 results').waitFor();
  // A later page than the last opens the last.
  await page.goto(`/admin/case-studies?search=${encodeURIComponent(SERIES)}&page=99`);
  await page.getByText('Showing 21 to 21 of 21 results').waitFor();

  await page.getByRole('searchbox').press('End');
  await page.getByRole('searchbox').pressSequentially(' 7');
  await page.getByText('Showing 1 to 1 of 1 results').waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBeNull();
  expect(await pages.count()).toBe(0);
  await search(page, 'nothing has these words');
  await page.getByText('No results').waitFor();
});

it('experiment list of the admin area shows 50 characters without markup and an ellipsis, and status badges in green, blue, grey and red with a label, in both themes (MANAGE-08, MANAGE-09, CONST-13)', async () => {
  const title = `${SERIES} in colours`;
  const description = '<h2>Fifty characters</h2><p>of <strong>plain</strong> words, no markup, that stays of it</p>';
  const statuses = { draft: 'grey', active: 'green', completed: 'blue', archived: 'red' };
  const all = Object.keys(statuses).map((status) => ({ title: `${title}: ${status}`, description, status }));
  await data.from('projects').insert(all).throwOnError();
  const page = await openTable(`?search=${encodeURIComponent(title)}`);
  const excerpt = page.getByText('Fifty characters of plain words, no markup, that s…', { exact: true });
  await excerpt.first().waitFor();
  expect(await excerpt.count()).toBe(4);
  const coloursOf = async (badge: Locator) => {
    const seen = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const part of ['color', 'backgroundColor'] as const)
        seen.add(colourOf(await badge.evaluate((element, part) => getComputedStyle(element)[part], part)));
    }
    return [...seen];
  };
  for (const [status, colour] of Object.entries(statuses)) {
    const row = rows(page).filter({ hasText: `${title}: ${status}` });
    const badge = row.locator('.badge');
    expect(await badge.textContent()).toBe(status);
    expect(await coloursOf(badge), status).toEqual([colour]);
  }
});

it('experiment list of the admin area publishes a draft from its row, and the public list shows it immediately (SCOPE-03, CACHE-04)', async () => {
  const title = `${SERIES} to publish`;
  const { data: draft } = await data.from('projects').insert({ title }).select('id').single();
  const read = async (path: string) => {
    const response = await fetch(seeded.base + path);
    return [response.status, await response.text()];
  };
  const shown = [200, expect.stringContaining(title)];
  expect((await read(`/case-studies/${draft!.id}`))[0]).toBe(404);

  const page = await openTable();
  await page.getByRole('button', { name: 'All drafts' }).click();
  await page.waitForURL(/status=draft/);
  await page.getByLabel(`More actions for ${title}`).press('Enter');
  await page.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
  await page.getByText(`“${title}” is published.`).waitFor();
  await page.getByLabel(`More actions for ${title}`).waitFor({ state: 'detached' });
  // The focus stays in the screen after the row has left it.
  await expect.poll(() => focusIsOn(page)).toBe('screen');

  expect(await read(`/case-studies/${draft!.id}`)).toEqual(shown);
  expect(await read('/case-studies')).toEqual(shown);

  await page.getByRole('button', { name: 'All drafts' }).click();
  await search(page, title);
  await page.getByText('Showing 1 to 1 of 1 results').waitFor();
  await page.getByLabel(`More actions for ${title}`).press('Enter');
  for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
  await rows(page).filter({ hasText: title }).locator('.badge').getByText('draft').waitFor();
  // The row shows it before the server has answered.
  await page.getByText(`“${title}” is draft.`).waitFor();
  expect(await focusIsOn(page)).toBe('More');
  expect((await read(`/case-studies/${draft!.id}`))[0]).toBe(404);
});

it('experiment list of the admin area asks for confirmation, keeps the row when a delete fails, deletes, and shows the status message for three seconds (MANAGE-07, MANAGE-10, MANAGE-11, MANAGE-13, STATE-09, STATE-11, CONST-09)', async () => {
  const title = `${SERIES} to delete`;
  const { data: row } = await data.from('projects').insert({ title, status: 'archived' }).select('id').single();
  const page = await openTable();
  await search(page, title);
  await page.getByText('Showing 1 to 1 of 1 results').waitFor();
  const href = (name: string) => page.getByRole('link', { name }).getAttribute('href');
  expect(await href(`View ${title}`)).toBe(`/case-studies/${row!.id}`);
  expect(await href(`Edit ${title}`)).toBe(`/admin/projects/${row!.id}/edit`);
  const dialog = page.getByRole('dialog', { name: 'Delete Experiment?' });
  await chooseInRow(page, title, 'Delete');
  await dialog.getByText('This action cannot be undone.').waitFor();
  await dialog.getByText('For 30 days an admin can restore it from the trash.').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await rows(page).count()).toBe(1);

  await chooseInRow(page, title, 'Delete');
  for (const [message, shown] of [
    ['the press is jammed', 'API Error: the press is jammed'],
    ['', 'Failed to delete experiment'],
  ] as const) {
    await mockError(page, '**/rest/v1/projects?id=in.*', 500, message);
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
    await dialog.getByText(shown, { exact: true }).waitFor();
  }
  await page.unroute('**/rest/v1/projects?id=in.*');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await rows(page).count()).toBe(1);
  expect((await data.from('projects').select('title').eq('title', title)).data).toHaveLength(1);

  await stopClock(page);
  const go = await hold(page, '**/rest/v1/projects?id=in.*');
  await chooseInRow(page, title, 'Delete');
  await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
  await dialog.getByRole('button', { name: 'Deleting...' }).waitFor();
  expect(await rows(page).count()).toBe(1);
  go();
  const said = page.getByText('Experiment successfully deleted');
  await said.waitFor();
  await page.getByText('No results').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => focusIsOn(page)).toBe('screen');
  // The message stays while it has the focus.
  await page.getByRole('button', { name: 'Dismiss' }).focus();
  await page.clock.runFor(5_000);
  expect(await said.isVisible()).toBe(true);
  await page.getByRole('searchbox').focus();
  await page.clock.runFor(2_900);
  expect(await said.isVisible()).toBe(true);
  await page.clock.runFor(200);
  await said.waitFor({ state: 'detached' });
});

const TWELVE = 'Okapi Almanac';
const titleOf = (number: number) => `${TWELVE} ${String(number).padStart(2, '0')}`;

/** Creates twelve drafts in place of those of an earlier test. */
async function insertTwelve() {
  await data.from('projects').delete().ilike('title', `${TWELVE}%`);
  const rows = Array.from({ length: 12 }, (_, index) => ({ title: titleOf(index + 1) }));
  await data.from('projects').insert(rows.toReversed()).throwOnError();
}

async function openTwelve(query = '', device: BrowserContextOptions = DESKTOP) {
  const page = await openAsAdmin(`/admin/case-studies?search=${encodeURIComponent(TWELVE)}${query}`, device);
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
  const { data: rows } = await data.from('projects').select('title,status').ilike('title', `${TWELVE}%`);
  return Object.fromEntries((rows as { title: string; status: string }[]).map((row) => [row.title, row.status]));
}
const withStatus = async (status: string) =>
  Object.entries(await statuses())
    .filter(([, is]) => is === status)
    .map(([title]) => title)
    .sort();

it('order, selection and several experiments at once sorts by a column header, in the address, and keeps the order across pages, reload and back navigation; deletes several projects after one confirmation, and restores all of them (APROJ-02, APROJ-03)', async () => {
  await insertTwelve();
  const page = await openTwelve();
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
  await page.goBack();
  await page.waitForURL((url) => !url.searchParams.has('sort'));

  await header(page, 'Title').getByRole('button').click();
  await expect.poll(() => titles(page)).toEqual(numbers(1, 10));
  await box(page, 4).check();
  await box(page, 6).click({ modifiers: ['Shift'] });
  await press(page, 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete 3 experiments?' });
  await dialog.getByText(titleOf(5), { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await box(page, 5).isChecked()).toBe(true);
  await press(page, 'Delete');
  // One project is deleted in another browser meanwhile.
  await data.from('projects').delete().eq('title', titleOf(5));
  await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
  await said(page, '2 of 3 went to the trash. The rest had been deleted already.');
  await page.getByText('of 9 results').waitFor();
  await undo(page);
  await page.getByText('of 11 results').waitFor();
  expect(Object.keys(await statuses()).sort()).toEqual(numbers(1, 12).filter((title) => title !== titleOf(5)));
});

it('order, selection and several experiments at once selects single rows, a range and a whole page, announces how many, publishes and archives several in one request each, and undoes both (APROJ-03)', async () => {
  await insertTwelve();
  const page = await openTwelve('&sort=title');
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

  const writes = requestsOf(page, (request) => request.method() === 'PATCH');
  for (const number of [1, 2, 3]) await box(page, number).check();
  await press(page, 'Publish');
  await said(page, '3 published.');
  expect(await withStatus('active')).toEqual(numbers(1, 3));
  expect(writes).toHaveLength(1);
  await undo(page);
  await said(page, 'Undone.');
  expect(await withStatus('draft')).toEqual(numbers(1, 12));

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
});

it('order, selection and several experiments at once publishes valid projects, names each refused one with the reason, and leaves it selected (APROJ-03)', async () => {
  await insertTwelve();
  const { data: silent } = await data.from('projects').select('id').eq('title', titleOf(2)).single();
  const kite = { project_id: silent!.id, type: 'image', url: 'https://example.com/kite.png', title: 'Kite' };
  await data.from('project_media').insert(kite).throwOnError();
  await data.from('site_settings').insert({ name: 'publishing_needs_checks', value: true }).throwOnError();
  const page = mayComplain(await openTwelve('&sort=title', PHONE));
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

  // When nothing can change, no action is offered.
  await box(page, 2).uncheck();
  await box(page, 1).check();
  expect(await page.locator('.bulk-bar').getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);

  // Rows are cards, of which the selection covers nothing.
  await page.reload();
  await page.getByText('of 12 results').waitFor();
  const row = page.locator('tbody tr').first();
  const [title, actions] = await Promise.all(['th', '.table-actions'].map((part) => row.locator(part).boundingBox()));
  expect(actions!.y).toBeGreaterThan(title!.y + title!.height);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.locator('.bulk-bar').getByText('10 selected').waitFor();
  expect(await visualFaults(page)).toEqual([]);
  await header(page, 'Created').getByRole('button').click();
  await page.waitForURL((url) => url.searchParams.get('sort') !== 'title');
});
