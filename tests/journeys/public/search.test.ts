import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, mayComplain, SCRIPTLESS } from '../../browser.ts';
import { draft, publish } from '../experiments.ts';
import { openSignedIn } from '../hands.ts';
import { admin, creator, htmlOf, openAt, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';

startSeeded();

/** More than one page. */
const KETTLES = 49;

beforeAll(async () => {
  const kettles = Array.from({ length: KETTLES }, (_, n) => ({ title: `Kettle number ${n + 1}`, status: 'active' }));
  await (await dataAs(admin)).from('projects').insert(kettles).throwOnError();
  await publish({ title: 'A brand of samovars', client: 'Ghats Trust', description: '<p>Crème <b>brû</b>lée</p>' });
  await publish({ title: 'Archived samovar', status: 'archived' });
  await draft('Samovar that is hidden', { account: creator });
});

const field = (page: Page) => page.getByRole('search').getByRole('searchbox', { name: 'Search experiments' });
const result = (page: Page) => page.locator('.list-result');
/** Waits until the page at an address is complete: a click returns when its response begins. */
const arrivesAt = (page: Page, search: string) => page.waitForURL((url) => url.search === search);
const titles = (page: Page) => page.locator('.cards h2').allInnerTexts();
const chips = async (page: Page) =>
  Object.fromEntries(
    (await page.locator('.chips a').allInnerTexts()).map(
      (text) => /^(.+?)\s+(\d+)$/.exec(text)!.slice(1) as [string, string],
    ),
  );

it('experiment search works without a script, by title, client and text, and finds only public experiments (LIST-29, LIST-33)', async () => {
  const page = await openPage(SCRIPTLESS);
  for (const words of ['samov', 'SAMOVARS brand', 'ghats', 'creme brul']) {
    await page.goto('/case-studies');
    await field(page).fill(words);
    await field(page).press('Enter');
    await arrivesAt(page, `?${new URLSearchParams({ q: words })}`);
    expect(await titles(page), words).toEqual(['Project: A brand of samovars']);
    expect(await result(page).innerText()).toContain(`1 experiment for “${words}”`);
    expect(await field(page).inputValue()).toBe(words);
  }
  expect(await chips(page)).toMatchObject({ All: '1', Branding: '1', 'AI Solutions': '0' });
  await page.getByRole('link', { name: /^Branding/ }).click();
  await page.waitForURL((url) => url.searchParams.get('category') === 'branding');
  expect(await result(page).innerText()).toContain('1 experiment for “creme brul” in Branding');
  await field(page).fill('samovar');
  await page.getByRole('button', { name: 'Search' }).click();
  await arrivesAt(page, '?category=branding&q=samovar');
  const clear = page.getByRole('link', { name: 'Clear search' });
  expect((await clear.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await clear.click();
  await arrivesAt(page, '?category=branding');
  expect(await titles(page)).toContain('Project: A brand of samovars');
});

it('experiment search offers other categories, single words or all experiments when nothing matches (LIST-32, U17)', async () => {
  const page = await openAt('/case-studies?category=ai&q=samovar');
  expect(await page.getByText('No experiments found. Try fewer or other words.').isVisible()).toBe(true);
  expect(await page.getByText('Be the first').count()).toBe(0);
  expect(await result(page).innerText()).toContain('No experiments for “samovar” in AI Solutions');
  await expectAccessible(page);
  await page.locator('.list-instead').getByRole('link', { name: 'Branding' }).click();
  await page.waitForURL('**/case-studies?category=branding&q=samovar');
  expect(await titles(page)).toHaveLength(1);
  await page.goto('/case-studies?q=samovar+xylophone');
  await page.locator('.list-instead').getByRole('link', { name: 'samovar' }).click();
  await page.waitForURL('**/case-studies?q=samovar');
  await page.goto('/case-studies?q=xylophone');
  await page.getByRole('link', { name: 'Show all experiments' }).click();
  await page.waitForURL('**/case-studies');
});

it('experiment search excludes results from search engines, and titles them with page numbers (META-04)', async () => {
  const head = async (path: string) => {
    const html = await htmlOf(path);
    return html.slice(0, html.indexOf('</head>'));
  };
  const found = await head('/case-studies?q=kettle&page=2');
  expect(found).toContain('<meta name="robots" content="noindex"/>');
  expect(found).toMatch(/rel="prev" href="\/case-studies\?q=kettle"/);
  expect(found).toMatch(/rel="next" href="\/case-studies\?q=kettle&amp;page=3"/);
  const everything = await head('/case-studies');
  expect(everything).not.toContain('noindex');
  for (const each of [found, everything, await head('/case-studies?category=ai')])
    expect(each).toMatch(/rel="canonical" href="[^"?]+\/case-studies"/);
});

it.each(["'%22%3B--%20%3C%3E()%26%7C!:*", '%00', '%FF%FE', 'a'.repeat(5000)])(
  'experiment search responds 200 to any search text: %s',
  async (typed) => {
    const answer = await fetch(`${seeded.base}/case-studies?q=${typed}`);
    expect(answer.status).toBe(200);
    expect((await answer.text()).replace(/<style>.*?<\/style>/s, '').length).toBeLessThan(40_000);
  },
);

it('load more ends with a page that says so beyond the last one', async () => {
  for (const address of ['/case-studies?page=99', '/case-studies?q=kettle&page=99']) {
    const html = await htmlOf(address);
    expect(html, address).toContain('There are no more experiments.');
    expect(html, address).not.toContain('No experiments found');
  }
});

it('load more links to the next and the previous page without a script', async () => {
  const page = await openAt('/case-studies?q=kettle', { ...DESKTOP, javaScriptEnabled: false });
  const first = await titles(page);
  expect(first).toHaveLength(24);
  expect(await page.locator('.list-pages p').innerText()).toBe(`Experiments 1–24 of ${KETTLES}`);
  await page.getByRole('link', { name: 'Load more' }).click();
  await arrivesAt(page, '?q=kettle&page=2');
  const second = await titles(page);
  expect(second).toHaveLength(24);
  expect(second.filter((title) => first.includes(title))).toEqual([]);
  await page.getByRole('link', { name: 'Load more' }).click();
  await arrivesAt(page, '?q=kettle&page=3');
  expect(await titles(page)).toHaveLength(KETTLES - 48);
  expect(await page.getByRole('link', { name: 'Load more' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Newer experiments' }).click();
  await arrivesAt(page, '?q=kettle&page=2');
  expect(await titles(page)).toEqual(second);
});

it('load more appends the next page with a script, focuses the first new card, and keeps all after a reload', async () => {
  const page = await openSignedIn(admin, '/case-studies?q=kettle');
  await page.locator('.account-menu').waitFor();
  await page.getByRole('link', { name: 'Load more' }).click();
  await page.locator('.cards > li').nth(47).waitFor();
  const firstNew = page.locator('.cards > li').nth(24).locator('h2 a');
  expect(await firstNew.evaluate((link) => link === document.activeElement)).toBe(true);
  const announced = await page.locator('.list-pages [aria-live=polite]').innerText();
  expect(announced).toBe(`24 more. Experiments 1–48 of ${KETTLES}`);
  expect(new URL(page.url()).search).toBe('?q=kettle&page=2&from=1');
  await page.locator('.cards > li').nth(47).locator('.delete-button').waitFor();
  const shown = await titles(page);
  await page.reload();
  expect(await titles(page)).toEqual(shown);
  await page.getByRole('link', { name: 'Load more' }).press('Enter');
  const last = page.locator('.cards > li').nth(KETTLES - 1);
  await last.waitFor();
  expect(await page.getByRole('link', { name: 'Load more' }).count()).toBe(0);
  expect(new Set(await titles(page)).size).toBe(KETTLES);
  await page.locator('.cards h2 a').nth(48).click();
  await page.waitForURL('**/case-studies/*/kettle-number-*');
  await page.goBack();
  await last.waitFor();
  expect(new URL(page.url()).search).toBe('?q=kettle&page=3&from=1');
});

it('load more follows the link when the next page fails to load', async () => {
  const page = mayComplain(await openAt('/case-studies?q=kettle'));
  await page.route('**/case-studies?q=kettle&page=2', (route) => route.abort(), { times: 1 });
  await page.getByRole('link', { name: 'Load more' }).click();
  await page.waitForURL('**/case-studies?q=kettle&page=2');
  expect(await page.getByRole('link', { name: 'Newer experiments' }).isVisible()).toBe(true);
});
