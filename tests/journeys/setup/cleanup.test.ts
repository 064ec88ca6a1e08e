import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, expectFocus, fillSignIn, hold, mayComplain } from '../../browser.ts';
import { mockError } from '../hands.ts';
import { admin, creator, htmlOf, openAt, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataWith } from '../signing-in.ts';

startSeeded();

const TABLES = ['project_media', 'case_study_metadata', 'project_members', 'projects'];
const button = (page: Page) => page.getByRole('button', { name: 'Delete ALL Case Studies' });
const typed = (page: Page) => page.getByLabel('Type DELETE ALL to confirm');

async function confirm(page: Page, words = 'DELETE ALL') {
  await button(page).click();
  expect(await typed(page).inputValue()).toBe('');
  await typed(page).fill(words);
  await page.getByRole('button', { name: 'Confirm deletion' }).click();
}

/** Records every delete request, and lets a table fail. */
async function watch(page: Page) {
  const deleteRequests: string[] = [];
  const failing = new Set<string>();
  await page.route('**/rest/v1/*', (route) => {
    const url = new URL(route.request().url());
    const table = url.pathname.split('/').at(-1)!;
    if (route.request().method() !== 'DELETE') return route.fallback();
    deleteRequests.push(`${table}?${url.searchParams}`);
    return failing.has(table)
      ? route.fulfill({ status: 500, json: { code: 'XX000', message: `no ${table} today`, details: null, hint: null } })
      : route.fallback();
  });
  return { deleteRequests, failing };
}

const titles = async () => {
  const projects = dataWith().from('projects').select('title,project_media(url)').order('title');
  const { data } = await projects.order('order', { referencedTable: 'project_media' }).throwOnError();
  return data as { title: string; project_media: { url: string }[] }[];
};

it('the Database Cleanup Utility refuses a guest and an ordinary user, and shows why (ROUTE-14, SCOPE-04, CLEAN-01, CLEAN-02, CLEAN-03, CLEAN-10)', async () => {
  const before = await titles();
  expect(before.length).toBeGreaterThan(5);
  const page = await openPage({ viewport: { width: 320, height: 700 } });
  const { deleteRequests } = await watch(page);
  await page.goto('/cleanup');
  await page.getByRole('heading', { level: 1, name: 'Database Cleanup Utility' }).waitFor();
  await page.getByRole('heading', { name: 'Sign in as an admin' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  // U17: no dash in place of a number that only admins see.
  const list = await page.locator('.cleanup-list').innerText();
  expect(list).toBe('Media items\nTexts and tags\nTeam entries\nCase studies');

  const alert = page.getByRole('alert');
  for (const wrong of ['', 'delete all', 'DELETE ALL ']) {
    await confirm(page, wrong);
    await alert.getByText('Please type "DELETE ALL" to confirm deletion', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
  const refusal = alert.getByText('Only an admin can delete all case studies. Nothing was deleted.');
  await confirm(page);
  await refusal.waitFor();
  await fillSignIn(page, creator);
  await page.getByText('who is not an admin').waitFor();
  await confirm(page);
  await refusal.waitFor();
  expect(deleteRequests).toEqual([]);
  expect(await titles()).toEqual(before);
});

it('the Database Cleanup Utility deletes all case studies for an admin who has just signed in, reports a failure, and restores them (CLEAN-04, CLEAN-05, CLEAN-06, CLEAN-07, CLEAN-08, CLEAN-09, CLEAN-10, CLEAN-11, STATE-10)', async () => {
  const before = await titles();
  const page = await openPage();
  const { deleteRequests, failing } = await watch(page);
  await page.goto('/cleanup');
  await fillSignIn(page, admin);
  await page.getByText('Your sign-in is good for this until').waitFor();
  const items = page.getByRole('main').locator('ol').getByRole('listitem');
  const counts = async () => (await items.allTextContents()).map((text) => Number(/^\d+/.exec(text)?.[0]));
  const full = await counts();
  expect(Math.min(...full)).toBeGreaterThan(0);
  await expectAccessible(page);

  const filters = TABLES.map((table) => `${table}?id=not.is.null`);
  for (const [table, message, sent] of [
    ['project_media', 'Error deleting media: no project_media today', 1],
    ['case_study_metadata', 'Error deleting metadata: no case_study_metadata today', 2],
    ['projects', 'Error deleting projects: no projects today', 4],
  ] as const) {
    deleteRequests.length = 0;
    failing.clear();
    failing.add(table);
    await confirm(page);
    await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
    await button(page).waitFor();
    expect(deleteRequests, message).toEqual(filters.slice(0, sent));
  }
  expect((await titles()).map(({ title }) => title)).toEqual(before.map(({ title }) => title));

  deleteRequests.length = 0;
  failing.clear();
  failing.add('project_members');
  const release = await hold(page, '**/rest/v1/projects?id=*');
  await confirm(page);
  await page.getByText('Deleting: step 4 of 4.').waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('3');
  expect(await button(page).count()).toBe(0);
  await expectAccessible(page);
  release();
  const status = page.getByRole('main').getByRole('status');
  await status.getByText(`All case studies were deleted: ${full[3]} case studies`).waitFor();
  await status.getByText('Error deleting members: no project_members today').waitFor();
  expect(deleteRequests).toEqual(filters);
  const until = Date.parse((await status.locator('time').first().getAttribute('datetime'))!);
  expect(Math.round((until - Date.now()) / 86_400_000)).toBe(30);
  expect(await counts()).toEqual([0, 0, 0, 0]);
  expect(await titles()).toEqual([]);
  expect(await htmlOf('/case-studies')).toContain('No experiments found');
  const stored = before.flatMap(({ project_media }) => project_media).find(({ url }) => url.includes('/storage/v1/'));
  expect((await fetch(seeded.base + new URL(stored!.url).pathname)).status).toBe(200);

  await page.reload();
  await page.getByText(`by ${admin.email}`).waitFor();
  // As the server responds to a large cleanup, of which it restores a part per request.
  const rest = Promise.withResolvers<void>();
  const parts = [
    { restored: 1, left: 2, found: 3 },
    { restored: 2, left: 1, found: 3 },
  ];
  await page.route('**/rpc/restore_cleanup', async (route) => {
    const part = parts.shift();
    if (part) return route.fulfill({ json: part });
    await rest.promise;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Restore everything' }).click();
  await page.getByText('2 of 3 case studies are back. If this page is closed, it resumes where it stopped.').waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('2');
  await page.route('**/rpc/cleanup_overview', async (route) => {
    const response = await route.fetch();
    const overview = (await response.json()) as { cleanups: object[] };
    for (const cleanup of overview.cleanups) Object.assign(cleanup, { restoring: true, restored: 2, found: 3 });
    await route.fulfill({ response, json: overview });
  });
  await page.reload();
  await page.getByText('Partly restored: 2 of 3 case studies.').waitFor();
  await expectAccessible(page);
  rest.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Continue restoring' }).click();
  await page.getByText(`${full[3]} case studies are back, with all that belongs to them.`).waitFor();
  expect(await counts()).toEqual(full);
  expect(await titles()).toEqual(before);
  expect(await page.getByRole('button', { name: /restor/i }).count()).toBe(0);
});

it('the Database Cleanup Utility requires a new sign-in when the last one is old, and continues after it (CLEAN-10)', async () => {
  const page = mayComplain(await openAt('/cleanup'));
  await fillSignIn(page, admin);
  await page.getByText('Your sign-in is good for this until').waitFor();
  // As the server responds ten minutes later.
  const message = 'You signed in more than ten minutes ago. Sign in again to delete all case studies.';
  await mockError(page, '**/rpc/begin_cleanup', 403, message, { code: 'PT403' });
  await confirm(page);
  await page.getByRole('alert').getByText(message).waitFor();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await fillSignIn(page, admin);
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
  await expectFocus(button(page));
  expect(await page.getByRole('alert').count()).toBe(0);
});
