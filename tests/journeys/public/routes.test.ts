import { expect, it } from 'vitest';
import { PHONE } from '../../browser.ts';
import { openAsAdmin } from '../hands.ts';
import { admin, openAt, openPage, startSeeded } from '../seeded.ts';
import { enterAdmin, keepSession } from '../signing-in.ts';

startSeeded({ readOnly: true });

const SEEDED = 'e0000000-0000-4000-8000-000000000001';

const SCREENS = [
  ['ROUTE-17', '/admin', 'Dashboard'],
  ['ROUTE-18', '/admin/projects/new', 'New Project'],
  ['ROUTE-19', `/admin/projects/${SEEDED}`, 'The Chai That Answers Back'],
  ['ROUTE-20', `/admin/projects/${SEEDED}/edit`, 'Edit project'],
  ['ROUTE-21', '/admin/case-studies', 'Manage Mad Experiments'],
  ['ROUTE-22', '/admin/users', 'Users'],
  ['ROUTE-23', '/admin/settings', 'Settings'],
  ['ROUTE-26', '/admin/projects', 'Projects'],
] as const;

it('admin area every screen opens for an admin by its address (ROUTE-17..23, ROUTE-26)', async () => {
  const page = await openPage();
  await keepSession(page, admin);
  for (const [id, path, title] of SCREENS) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    expect(new URL(page.url()).pathname, id).toBe(path);
  }
  // The last section is the list of all projects.
  await page.getByRole('link', { name: 'The Chai That Answers Back' }).first().waitFor();
});

it('admin area requests projects once in five minutes, and again afterwards (CACHE-01, CACHE-02, CONST-01)', async () => {
  const page = await openPage();
  await page.clock.install();
  const searches: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isAuthor = search.startsWith('?select=created_by');
    if (/^\/rest\/v1\/(projects|rpc\/find_projects)$/.test(pathname) && request.method() === 'GET' && !isAuthor)
      searches.push(search);
  });
  const link = page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Projects', exact: true });
  const visit = async () => {
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Projects', exact: true }).waitFor();
    await page.getByRole('link', { name: 'The Chai That Answers Back' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'The Chai That Answers Back' }).waitFor();
  };
  const begun = Date.now();
  // The dashboard requests the list first.
  await enterAdmin(page, admin);
  await visit();
  const one = () => searches.filter((search) => search.includes(`id=eq.${SEEDED}`)).length;
  const lists = () => searches.length - one();
  expect(one()).toBe(1);
  const listed = lists();
  // The page's clock also continues by itself.
  const gone = Date.now() - begun;
  await page.clock.fastForward(280_000 - gone);
  await visit();
  expect([one(), lists()]).toEqual([1, listed]);
  await page.clock.fastForward(21_000 + gone);
  await visit();
  await expect.poll(one).toBe(2);
  await expect.poll(lists).toBeGreaterThan(listed);
});

it('navigation between pages starts every page at its top, on static and on application pages (ROUTE-25)', async () => {
  const page = await openAt('/case-studies', PHONE);
  await page.evaluate(() => scrollTo(0, 2000));
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click();
  await page.waitForURL('**/about');
  expect(await page.evaluate(() => scrollY)).toBe(0);

  const desk = await openAsAdmin('/admin', { viewport: { width: 1200, height: 500 } });
  await desk.getByRole('heading', { name: 'All Projects' }).waitFor();
  await desk.getByText('Posters That Fade on Purpose').first().scrollIntoViewIfNeeded();
  expect(await desk.evaluate(() => scrollY)).toBeGreaterThan(0);
  await desk.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Case Studies' }).click();
  await desk.getByRole('heading', { level: 1, name: 'Manage Mad Experiments' }).waitFor();
  await expect.poll(() => desk.evaluate(() => scrollY)).toBe(0);
});

it('navigation between pages restores the scroll position and the focused link on back navigation (ROUTE-25)', async () => {
  const page = await openAt('/case-studies');
  const card = page.getByRole('link', { name: /Posters That Fade on Purpose/ }).first();
  await card.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await card.click();
  await page.waitForURL('**/posters-that-fade-on-purpose');
  await page.goBack();
  await page.waitForURL('**/case-studies');
  await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - before)).toBeLessThan(200);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe('Project: Posters That Fade on Purpose');
  // Only on history navigation: a first visit starts at the top.
  await page.goto('/about');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Mad Experiments' }).click();
  await page.waitForURL('**/case-studies');
  await page.waitForLoadState('load');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
});

it('navigation between pages focuses the new screen of the admin area, and the followed link on back navigation (ROUTE-25)', async () => {
  const page = await openAsAdmin('/admin/projects');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href') ?? document.activeElement?.id);
  await page.getByRole('link', { name: 'The Chai That Answers Back' }).first().press('Enter');
  await page.getByRole('heading', { level: 1, name: 'The Chai That Answers Back' }).waitFor();
  await expect.poll(focused).toBe('screen');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Projects', exact: true }).waitFor();
  await expect.poll(focused).toBe(`/admin/projects/${SEEDED}`);
});
