import type { PostgrestClient } from '@supabase/postgrest-js';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, expectFocus, hold, mayComplain, PHONE, stopClock } from '../../browser.ts';
import { chooseInRow } from '../experiments.ts';
import { mockError, openAsAdmin, requestsOf } from '../hands.ts';
import { admin, openPage, startSeeded } from '../seeded.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';

startSeeded();

let data: PostgrestClient;
// A word that the demo does not contain; 23 rows are a full page and three rows.
const SERIES = 'Quagga';
const titleOf = (n: number) => `${SERIES} ${String(n).padStart(2, '0')}`;

beforeAll(async () => {
  data = await dataAs(admin);
  const rows = Array.from({ length: 23 }, (_, index) => ({
    title: titleOf(index + 1),
    status: index < 2 ? 'completed' : 'archived',
  }));
  expect((await data.from('projects').insert(rows)).error).toBeNull();
});

const focused = (page: Page) => page.evaluate(() => document.activeElement?.closest('a')?.textContent ?? '');
const titles = (page: Page) => page.getByRole('main').locator('.row-title').allTextContents();

it('command menu opens a screen, a project from the server and an action, by keyboard', async () => {
  const page = await openAsAdmin('/admin');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  const field = page.getByRole('combobox', { name: 'Screen, project or action' });
  const chosen = page.getByRole('option', { selected: true });

  await page.keyboard.press('Control+k');
  await field.waitFor();
  expect(await chosen.textContent()).toBe('Dashboard');
  for (let press = 0; press < 2; press++) await page.keyboard.press('ArrowDown');
  expect(await chosen.textContent()).toBe('Case Studies');
  expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  await page.keyboard.type(`${SERIES} 07`);
  await page.getByRole('option', { name: titleOf(7) }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: titleOf(7) }).waitFor();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('create proj');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin/projects/new');
  // In rich text the key inserts a link, as before.
  await page.locator('.ProseMirror').first().click();
  await page.keyboard.press('Control+k');
  await page.getByLabel('Link address').waitFor();
  expect(await field.count()).toBe(0);
});

it('single-key shortcuts move between rows, also after one is deleted, open and edit them, never while the user types, and can be switched off on the device', async () => {
  await data.from('projects').insert(['Numbat 1', 'Numbat 2', 'Numbat 3'].map((title) => ({ title })));
  const page = await openAsAdmin('/admin/projects?search=Numbat&sort=title');
  await page.getByText('Showing 1 to 3 of 3 results').waitFor();
  for (let press = 0; press < 2; press++) await page.keyboard.press('j');
  await page.getByLabel('More actions for Numbat 2').press('Enter');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Delete Permanently' }).press('Enter');
  await page.getByText('Showing 1 to 2 of 2 results').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('screen');
  await page.keyboard.press('j');
  expect(await focused(page)).toBe('Numbat 3');

  await page.goto(`/admin/projects?search=${SERIES}&sort=title`);
  await page.getByText('Showing 1 to 20 of 23 results').waitFor();
  await page.keyboard.press('j');
  expect(await focused(page)).toBe(titleOf(1));
  for (const key of ['j', 'ArrowDown']) await page.keyboard.press(key);
  expect(await focused(page)).toBe(titleOf(3));
  await page.keyboard.press('k');
  expect(await focused(page)).toBe(titleOf(2));

  await page.keyboard.press('/');
  const search = page.getByRole('searchbox');
  await expectFocus(search);
  await page.keyboard.type(`${SERIES} 0? jek`);
  expect(await search.inputValue()).toBe(`${SERIES} 0? jek`);
  expect(new URL(page.url()).pathname).toBe('/admin/projects');
  await page.getByText('No results').waitFor();
  await search.fill(SERIES);
  await page.getByText('Showing 1 to 20 of 23 results').waitFor();
  await search.blur();

  for (const key of ['j', 'e']) await page.keyboard.press(key);
  await page.waitForURL('**/edit');
  // The URL changes first; the list is replaced later.
  await page.getByRole('heading', { level: 1, name: 'Edit project' }).waitFor();
  await page.goBack();
  await page.getByText('Showing 1 to 20 of 23 results').waitFor();
  // Going back restores the focus to the row that was opened.
  const focusedRow = () => page.evaluate(() => document.activeElement?.closest('[data-row]')?.textContent);
  await expect.poll(focusedRow).toContain(titleOf(1));
  await page.keyboard.press('o');
  await page.getByRole('heading', { level: 1, name: titleOf(1) }).waitFor();

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await sheet.waitFor();
  await expectAccessible(page);
  await sheet.getByRole('checkbox', { name: 'Use single keys on this device' }).uncheck();
  await page.keyboard.press('Escape');
  await page.goto(`/admin/projects?search=${SERIES}`);
  await page.getByText('Showing 1 to 20 of 23 results').waitFor();
  for (const key of ['j', '?']) await page.keyboard.press(key);
  expect(await focused(page)).toBe('');
  expect(await sheet.isVisible()).toBe(false);
});

it('long dialog opens at its start, and closes when the user clicks beside it, but not when they click its own edge', async () => {
  const page = await openAsAdmin('/admin', { viewport: { width: 1440, height: 320 } });
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await sheet.waitFor();
  const [top, room] = await sheet.evaluate((one) => [one.scrollTop, one.scrollHeight - one.clientHeight]);
  expect(top).toBe(0);
  expect(room).toBeGreaterThan(0);
  const { x, y } = (await sheet.boundingBox())!;
  await page.mouse.click(x + 9, y + 9);
  expect(await sheet.isVisible()).toBe(true);
  await page.mouse.click(x - 9, y + 9);
  await sheet.waitFor({ state: 'hidden' });
});

it('status messages keep the undo of a delete available longer than the message on a phone, and restore everything (DEC-08)', async () => {
  const title = `${SERIES} with Media`;
  const { data: row } = await data.from('projects').insert({ title, status: 'archived' }).select('id').single();
  await data.from('project_media').insert({ project_id: row!.id, type: 'demo', url: 'https://example.com/', order: 0 });
  const page = await openAsAdmin('/admin/projects', PHONE);
  await page.getByRole('button', { name: 'Go to', exact: true }).click();
  await page.getByRole('combobox', { name: 'Screen, project or action' }).fill('projects');
  await page.getByRole('option', { name: 'Projects', exact: true }).click();
  await page.getByRole('searchbox').fill(title);
  await page.getByText('Showing 1 to 1 of 1 results').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

  await stopClock(page);
  await chooseInRow(page, title, 'Delete');
  await page.getByRole('button', { name: 'Delete Permanently' }).click();
  const said = page.getByText(`“${title}” is in the trash.`, { exact: true });
  await said.waitFor();
  await page.getByText('No results').waitFor();
  // The message stays as long as it has the focus.
  await page.getByRole('button', { name: 'Dismiss' }).focus();
  await page.clock.runFor(20_000);
  expect(await said.isVisible()).toBe(true);
  await page.getByRole('main').focus();
  await page.clock.runFor(3_100);
  await said.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Undo: “${title}” is in the trash.` }).press('Enter');
  await page.getByText('Undone.', { exact: true }).waitFor();
  await page.getByText('Showing 1 to 1 of 1 results').waitFor();
  const { data: back } = await data.from('project_media').select('url').eq('project_id', row!.id);
  expect(back).toEqual([{ url: 'https://example.com/' }]);
  await data.from('projects').delete().eq('id', row!.id);
});

it('status messages a new status is shown immediately, and reverts with the reason when the server refuses it', async () => {
  const title = titleOf(23);
  await data.from('projects').update({ status: 'archived' }).eq('title', title);
  const page = mayComplain(await openAsAdmin(`/admin/case-studies?search=${encodeURIComponent(title)}`));
  const badge = page.locator('tbody .badge');
  await badge.getByText('archived').waitFor();
  await mockError(page, '**/rest/v1/projects*', 500, 'the press is jammed', { method: 'PATCH' });
  const go = await hold(page, '**/rest/v1/projects*');
  await chooseInRow(page, title, 'Mark as completed');
  await badge.getByText('completed').waitFor();
  go();
  await page.getByRole('alert').getByText(`“${title}” stays archived. API Error: the press is jammed`).waitFor();
  await badge.getByText('archived').waitFor();

  await page.unroute('**/rest/v1/projects*');
  await chooseInRow(page, title, 'Mark as completed');
  await page.getByText(`“${title}” is published.`, { exact: true }).waitFor();
  await page.getByRole('main').press('u');
  await page.getByText('Undone.', { exact: true }).waitFor();
  await badge.getByText('archived').waitFor();
});

it('project list stores search, filter, order and page in the address and in the browser history (APROJ-01, CONST-17)', async () => {
  const page = await openAsAdmin('/admin/projects?sort=title');
  await page.getByRole('searchbox').fill(SERIES.toUpperCase());
  await page.getByText('Showing 1 to 20 of 23 results').waitFor();
  await page.getByRole('link', { name: 'Page 2' }).click();
  await page.getByText('Showing 21 to 23 of 23 results').waitFor();
  expect(await titles(page)).toEqual([titleOf(21), titleOf(22), titleOf(23)]);
  const { data: last } = await data.from('projects').select('id').eq('title', titleOf(23)).single();
  const href = (name: string) => page.getByRole('link', { name }).getAttribute('href');
  expect(await href(`View ${titleOf(23)}`)).toBe(`/admin/projects/${last!.id}`);
  expect(await href(`Edit ${titleOf(23)}`)).toBe(`/admin/projects/${last!.id}/edit`);

  await page.getByLabel('Status').selectOption('completed');
  await page.getByText('Showing 1 to 2 of 2 results').waitFor();
  expect(await titles(page)).toEqual([titleOf(1), titleOf(2)]);
  await page.goBack();
  await page.getByText('Showing 21 to 23 of 23 results').waitFor();
  expect(await page.getByLabel('Status').inputValue()).toBe('');
  await page.reload();
  await page.getByText('Showing 21 to 23 of 23 results').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe(SERIES.toUpperCase());

  await page.goto('/admin');
  const { count } = await data.from('projects').select('id', { count: 'exact', head: true });
  await page.getByRole('link', { name: `Manage Mad Experiments` }).getByText(`${count} experiments, `).waitFor();
  await page.getByRole('link', { name: 'Completed', exact: true }).click();
  await page.waitForURL('**/admin/projects?status=completed');
});

it('project list keeps every typed letter while a slow request is running, and requests only rows', async () => {
  const page = await openAsAdmin('/admin/projects');
  await page.getByText(/^Showing 1 to/).waitFor();
  const pagesAsked = requestsOf(page, (request) => /\.data\b/.test(request.url()));
  const rows = /rpc\/find_projects/;
  const words = `${SERIES} 2`;
  // The last response is delivered after the loading state was checked.
  const looked = Promise.withResolvers<void>();
  await page.route(rows, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    if (new URL(route.request().url()).searchParams.get('p_words') === words) await looked.promise;
    await route.continue().catch(() => {}); // It may have been overtaken.
  });
  const field = page.getByRole('searchbox');
  const progress = () => page.locator('.admin-main').evaluate((main) => getComputedStyle(main, '::before').content);
  expect(await progress()).toBe('none');
  await field.pressSequentially(words, { delay: 310 });
  expect(await field.inputValue()).toBe(words);
  await page.waitForURL((url) => url.searchParams.get('search') === words);
  await expect.poll(progress).toBe('""');
  looked.resolve();
  await page.getByText('Showing 1 to 4 of 4 results').waitFor();
  expect(await field.inputValue()).toBe(words);
  await expect.poll(progress).toBe('none');
  await page.unroute(rows);
  expect(pagesAsked).toEqual([]);

  // After going back, the field contains the shown search, not the last input.
  await page.getByLabel('Status').selectOption('completed');
  await page.getByText('No results').waitFor();
  await field.fill(SERIES);
  await page.getByText('Showing 1 to 2 of 2 results').waitFor();
  await page.goBack();
  await page.getByText('Showing 1 to 4 of 4 results').waitFor();
  expect(await field.inputValue()).toBe(words);
});

it('project list shows loading, error with retry, results and empty states (APROJ-01, ERR-10, MANAGE-12, STATE-08)', async () => {
  const page = mayComplain(await openPage());
  let state: 'silent' | 'broken' | 'working' | 'empty' = 'silent';
  let message = 'the press is jammed';
  await page.route('**/rest/v1/rpc/*_projects?*', async (route) => {
    while (state === 'silent') await new Promise((resolve) => setTimeout(resolve, 20));
    if (state === 'broken') return route.fulfill({ status: 500, json: { message, code: 'XX000' } });
    if (state === 'empty')
      return route.fulfill({ json: route.request().url().includes('count_') ? [{ projects: 0, exact: true }] : [] });
    return route.continue();
  });
  const noProjects = 'No projects yet. Click "New Project" to create one.';
  for (const [path, loading, failed, empty] of [
    ['/admin/projects', 'Loading projects', 'Failed to load projects', noProjects],
    ['/admin/case-studies', 'Loading experiments', 'Failed to load experiments', 'No experiments found.'],
  ] as const) {
    state = 'silent';
    message = 'the press is jammed';
    await enterAdmin(page, admin, path);
    await page.getByText(loading).waitFor();
    state = 'broken';
    await page.getByRole('alert').getByText('API Error: the press is jammed').waitFor();
    message = '';
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('alert').getByText(failed, { exact: true }).waitFor();
    state = 'working';
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText(/^Showing 1 to/).waitFor();
    state = 'empty';
    await page.reload();
    await page.getByText(empty, { exact: true }).waitFor();
  }
});
