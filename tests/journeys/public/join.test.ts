import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { splitProblems } from '../../../app/features/splits/words/terms.ts';
import { builtInAgency as agency } from '../../../app/lib/words/agency.ts';
import { DESKTOP, expectAccessible, PHONE, SCRIPTLESS } from '../../browser.ts';
import { openAt, openPage, seeded, startSeeded } from '../seeded.ts';

startSeeded({ readOnly: true });

const row = (page: Page, title: string) => page.locator('details', { has: page.getByRole('heading', { name: title }) });

it('collective page has its own header, links to the application, eleven rows, the terms, and a vibe check, without a script (ROUTE-03, JOIN-01, JOIN-02, JOIN-04, JOIN-05, JOIN-06, JOIN-07, JOIN-08, JOIN-09, JOIN-10, JOIN-11, JOIN-12, JOIN-13, JOIN-14, JOIN-15, JOIN-16, JOIN-17, JOIN-19, JOIN-20, JOIN-21, CONST-27, CONST-28, CONST-37, CONST-38, CONST-39, CONST-40, SCOPE-02)', async () => {
  const page = await openAt('/join', SCRIPTLESS);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Join\s+the collective$/);
  expect(await page.locator('.top-bar, .footer, nav').count()).toBe(0);
  expect(await page.getByRole('banner').getByRole('link').getAttribute('href')).toBe('/');
  for (const name of ['Apply here', 'APPLY NOW']) {
    const link = page.getByRole('link', { name, exact: true });
    expect(await link.isVisible()).toBe(true);
    const target = [await link.getAttribute('href'), await link.getAttribute('rel')];
    expect(target).toEqual([agency.applicationForm, 'noopener noreferrer']);
  }
  const box = await page.getByRole('link', { name: 'APPLY NOW' }).boundingBox();
  expect(box!.y + box!.height).toBeLessThanOrEqual(PHONE.viewport.height);

  const us = ['Vibe check list', 'What we expect', 'Money', 'Life’s perspective', 'Why we built it', 'Who we look for'];
  const terms = ['How members are paid', 'When members are paid', 'The playground code', 'A pledge', 'How to join'];
  expect(await page.locator('details h2').allInnerTexts()).toEqual([...us, ...terms]);
  for (const text of await page.locator('details > div').allTextContents()) expect(text.length).toBeGreaterThan(100);
  const words = (await page.locator('main').textContent())!;
  const hours = ['10 hrs per week', 'Do-You hours', 'At least one project a year', 'to stay involved'];
  const ways = ['By application', 'By earning keys', 'Members award Silver, Gold and Diamond keys'];
  const keys = ['4 Silver = 2 Gold = 1 Diamond', 'Only one key per member'];
  for (const term of [...hours, ...ways, ...keys]) expect(words).toContain(term);
  const pairs = row(page, 'When members are paid').locator('dl > div');
  const paid = await pairs.evaluateAll((all) => all.map((pair) => [...pair.children].map((one) => one.textContent)));
  expect(paid).toEqual([
    ['Short projects (under 3 months)', '50% after the first client payment and 50% after the final one'],
    ['Monthly projects', 'From month 2'],
    ['Longer projects', 'At start, at milestones and at the end'],
  ]);

  const verdicts = page.locator('.vibe-verdict span');
  const marked = () =>
    verdicts.evaluateAll((all) =>
      all.filter((one) => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)').map((one) => one.className),
    );
  const boxes = page.getByRole('group', { name: 'Tick what is true of you' }).getByRole('checkbox');
  expect(await boxes.count()).toBe(6);
  for (const at of [0, 1]) await boxes.nth(at).check();
  expect(await marked()).toEqual([]);
  await boxes.nth(5).check();
  expect(await marked()).toEqual(['vibe-three']);
  for (const at of [2, 3, 4]) await boxes.nth(at).check();
  expect(await marked()).toEqual(['vibe-all']);
});

it.each([true, false])(
  'collective page opens and closes each row by pointer and keyboard (script: %s) (JOIN-03)',
  async (on) => {
    const page = await openAt('/join', { ...DESKTOP, javaScriptEnabled: on });
    const openRows = () => page.locator('details[open] h2').allInnerTexts();
    expect(await openRows()).toEqual(['Vibe check list']);
    await row(page, 'Money').locator('summary').click();
    expect(await openRows()).toEqual(['Vibe check list', 'Money']);
    expect(await row(page, 'Money').getByText('We talk about it first').isVisible()).toBe(true);
    await row(page, 'Life’s perspective').locator('summary').press('Enter');
    expect(await openRows()).toEqual(['Vibe check list', 'Money', 'Life’s perspective']);
    await page.keyboard.press('Space');
    await row(page, 'Money').locator('summary').click();
    expect(await openRows()).toEqual(['Vibe check list']);
  },
);

it('collective page opens the row of a link, with its heading in view', async () => {
  const page = await openAt('/join#timing', SCRIPTLESS);
  await page.getByText('From month 2').waitFor();
  const heading = async () => (await page.getByRole('heading', { name: 'When members are paid' }).boundingBox())!.y;
  // The browser scrolls there with its next frame.
  await expect.poll(heading).toBeLessThan(300);
  expect(await heading()).toBeGreaterThanOrEqual(0);
  await page.goto('/join');
  await row(page, 'Money').locator('summary').click();
  await page.getByRole('link', { name: 'See the split' }).click();
  await page.getByRole('table', { name: 'Shares of one project’s profit' }).waitFor();
});

/** The lines of the calculator, by their names. */
const lines = async (page: Page) => {
  const cellsOf = (rows: Element[]) => rows.map((row) => [...row.children].map((cell) => cell.textContent!.trim()));
  const rows = await page.locator('.calculator-lines tr:has(td)').evaluateAll(cellsOf);
  return Object.fromEntries(rows.map(([name, ...cells]) => [name, cells.join(' ')]));
};

it('collective page states the profit split and the unallocated tenth; the calculator updates while the user types, without a layout shift (JOIN-18, CONST-30, CONST-31, CONST-32, CONST-33, CONST-34, CONST-35)', async () => {
  const page = await openAt('/join#split');
  const table = page.getByRole('table', { name: 'Shares of one project’s profit' });
  await table.waitFor();
  const rows = await table.getByRole('row').allInnerTexts();
  expect(rows.slice(1).map((cells) => cells.split('\t').map((cell) => cell.trim()))).toEqual([
    ['Finder’s fee', '15%', '5% to the referrer, 10% to the closer'],
    ['Manager', '15%', expect.any(String)],
    ['Idea person', '5%', 'Without an idea person, it goes to the manager'],
    ['Work team', '25%', 'Shared by input and anonymous peer rating'],
    ['Investors', '0–25%', 'What investors do not take goes to the work team'],
    ['Common pool', '5%', '2% company pool, 2% goals pool, 1% crisis fund'],
    ['Not allocated by the terms', '10%', expect.any(String)],
  ]);
  const parts = page.locator('.split-part');
  const widths = await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().width));
  expect(widths).toHaveLength(7);
  expect(widths[3]! / widths[0]!).toBeCloseTo(25 / 15, 1);

  const profit = page.getByLabel('Profit of the project');
  const heading = page.getByRole('heading', { name: 'When members are paid' });
  const place = () => heading.evaluate((one) => one.getBoundingClientRect().y + scrollY);
  // The row must be expanded.
  await profit.waitFor();
  const before = await place();
  await profit.fill('20,00,000');
  await page.getByText('₹1,00,000').first().waitFor();
  await expect.poll(async () => (await lines(page))['Work team']).toBe('25% ₹5,00,000 ₹1,00,000');
  await page.getByLabel('Investors take').fill('0');
  await expect.poll(async () => (await lines(page))['Work team']).toBe('50% ₹10,00,000 ₹2,00,000');
  expect((await lines(page))['Not allocated by the terms']).toBe('10% ₹2,00,000 ₹0');
  await page.getByText('Your share: ₹2,00,000. 10% of the profit').waitFor({ state: 'attached' });
  await profit.fill('lots');
  await expect.poll(() => page.locator('#profit-note').innerText()).toBe(splitProblems.notANumber);
  expect(await profit.getAttribute('aria-invalid')).toBe('true');
  expect(await place()).toBe(before);
  await profit.fill('0');
  await expect.poll(() => profit.getAttribute('aria-invalid')).toBeNull();
  expect((await lines(page))['Total']).toBe('100% ₹0 ₹0');
});

it('rows of the collective page open for a link from another page, a changed fragment, and a find-in-page match', async () => {
  const page = await openAt('/about');
  await page.evaluate(() => location.assign('/join#code'));
  await page.getByText('If you build on a castle').waitFor();
  await page.evaluate(() => location.assign('#pledge'));
  await page.getByText('I will bring my own hand').waitFor();
  await page.goto('/join#:~:text=From%20month%202');
  await page.getByText('From month 2').waitFor();
});

it('rows of the collective page print completely, open and close together, and have copyable addresses', async () => {
  const page = await openPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/join');
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media });
    for (const words of ['From month 2', 'If you build on a castle', 'I will share the credit', 'By earning keys'])
      expect(await page.getByText(words).isVisible(), words).toBe(media === 'print');
    expect(await page.getByRole('link', { name: 'Apply here' }).isVisible(), media).toBe(true);
  }
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: 'Open all' }).click();
  expect(await page.locator('details:not([open])').count()).toBe(0);
  await expectAccessible(page);
  const link = page.getByRole('link', { name: 'Link to “The playground code”' });
  await link.hover();
  // Shown for two seconds.
  await Promise.all([page.locator('.join-link[data-said]').waitFor(), link.click()]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${seeded.base}/join#code`);
  await page.getByRole('button', { name: 'Close all' }).click();
  expect(await page.locator('details[open]').count()).toBe(0);
});

it('profit split calculator calculates a share without a script, with the unallocated tenth on its own line, sends each form as a new request, and keeps the page’s canonical address (JOIN-18, CONST-36)', async () => {
  const page = await openAt('/join#split', SCRIPTLESS);
  await page.getByLabel('Profit of the project').fill('1,00,001.01');
  await page.getByLabel('I closed the deal').check();
  await page.getByLabel('My part of the team’s share').fill('50');
  await page.getByLabel('Investors take').fill('5');
  await page.getByLabel('no one', { exact: true }).check();
  await page.getByRole('button', { name: 'Calculate' }).click();
  await page.waitForURL(/profit=1/);
  expect(page.url()).toMatch(/#split$/);
  expect(await lines(page)).toEqual({
    Referrer: '5% ₹5,000.05 ₹0.00',
    Closer: '10% ₹10,000.10 ₹10,000.10',
    Manager: '15% ₹15,000.15 ₹0.00',
    'Idea person, to the manager': '5% ₹5,000.05 ₹0.00',
    'Work team': '45% ₹45,000.46 ₹22,500.23',
    Investors: '5% ₹5,000.05 ₹0.00',
    'Company pool': '2% ₹2,000.02 ₹0.00',
    'Goals pool': '2% ₹2,000.02 ₹0.00',
    'Crisis fund': '1% ₹1,000.01 ₹0.00',
    'Not allocated by the terms': '10% ₹10,000.10 ₹0.00',
    Total: '100% ₹1,00,001.01 ₹32,500.33',
  });
  expect(await page.locator('.calculator-sum').innerText()).toBe('₹32,500.33');
  expect(await page.getByLabel('I closed the deal').isChecked()).toBe(true);
  expect(await page.getByLabel('Investors take').inputValue()).toBe('5');
  const title = page.getByRole('heading', { name: 'What would you earn?' });
  await expect.poll(async () => (await title.boundingBox())!.y).toBeLessThan(PHONE.viewport.height);

  const caching = async (path: string) => {
    const answer = await fetch(seeded.base + path);
    expect(await answer.text()).toContain(`<link rel="canonical" href="${seeded.base}/join"/>`);
    return answer.headers.get('cache-control');
  };
  expect(await caching('/join?profit=7')).toBe('no-cache');
  expect(await caching('/join')).toBe('public, max-age=0, must-revalidate');
});
