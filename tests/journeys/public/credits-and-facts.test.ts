import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, PHONE, SCRIPTLESS } from '../../browser.ts';
import { draft, file, publish } from '../experiments.ts';
import { creditsOn, lookOnPhoneAndDesktop, openAsAdmin, openSignedIn, retype, said } from '../hands.ts';
import { admin, htmlOf, member, openAt, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';

startSeeded();

let id: string;
const TITLE = `Looms of the Night ${Date.now()}`;
const CREDITS = [
  { part: 'Idea', made: 'hand', people: ['Zarina Ghadiali', 'Ilyas Momin'] },
  { part: 'Weaving', made: 'hand', tools: ['Jacquard head'] },
  { part: 'Pattern', made: 'together', people: ['Zarina Ghadiali'], tools: ['A picture model'] },
  { part: 'Sorting', made: 'machine' },
];

/** The strip of `CREDITS`, whose shared quarter is drawn half on each side. */
const DRAWN = [75, 50].map((part) => expect.closeTo(part, -0.5));

beforeAll(async () => {
  id = await publish({ title: TITLE });
  await file(id, { category: 'ai', credits: CREDITS });
});

/** Share of the visible strip that each colour covers, in percent. */
const inks = (page: Page, within: string) =>
  page
    .locator(`${within} .credit-strip`)
    .first()
    .evaluate((strip) =>
      ['::before', '::after'].map((ink) =>
        Math.round((100 * Number.parseFloat(getComputedStyle(strip, ink).width)) / strip.getBoundingClientRect().width),
      ),
    );

it.each([
  ['on a phone', SCRIPTLESS],
  ['in the dark, on the narrowest', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' as const }],
])('credits of an experiment are shown under the title, expand and print completely %s', async (_, options) => {
  const page = await openAt(`/case-studies/${id}`, options);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('Jacquard head').isVisible()).toBe(true);
  await page.emulateMedia({ media: null });
  const credits = page.locator('.credits');
  expect(await credits.locator('.credits-line').innerText()).toMatch(/^hand\s63\smachine\s37/i);
  expect(await inks(page, '.credits')).toEqual(DRAWN);
  expect(await credits.getByText('Zarina').first().isVisible()).toBe(false);
  await credits.locator('summary').press('Enter');
  expect(await creditsOn(page)).toEqual([
    'Idea By hand: Zarina Ghadiali, Ilyas Momin',
    'Weaving By hand, with Jacquard head',
    'Pattern By hand and machine together: Zarina Ghadiali, with A picture model',
    'Sorting By machine',
  ]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  if (!('javaScriptEnabled' in options)) await expectAccessible(page);
});

it('experiment list filtered by lead works with links, stores the filter in the address, and combines with category and search', async () => {
  const page = await openAt('/case-studies', SCRIPTLESS);
  const led = page.getByRole('navigation', { name: 'Human or AI?' });
  const numbers = (await led.getByRole('link').allInnerTexts()).map((text) => Number(/\d+$/.exec(text)?.[0]));
  const [all, hand, half, machine] = numbers as [number, number, number, number];
  expect(Math.min(hand, half, machine)).toBeGreaterThan(0);
  expect(hand + half + machine).toBeLessThanOrEqual(all);

  await led.getByRole('link', { name: 'Mostly human' }).click();
  await page.waitForURL((url) => url.search === '?made=hand');
  expect(await page.locator('.list-result').innerText()).toBe(`${hand} mostly-human experiments`);
  const slips = await page.locator('.cards > li > p:first-of-type').allInnerTexts();
  expect(slips).toHaveLength(hand);
  for (const slip of slips) expect(Number(/hand\s(\d+)/i.exec(slip)![1])).toBeGreaterThan(50);
  expect(await page.locator('.cards > li', { hasText: TITLE }).locator('.credit-strip').count()).toBe(1);
  expect(await inks(page, `.cards > li:has-text("${TITLE}")`)).toEqual(DRAWN);

  await page.getByRole('link', { name: /^AI Solutions/ }).click();
  await page.getByRole('searchbox').fill('zarina jacquard');
  await page.getByRole('button', { name: 'Search' }).click();
  const address = Object.fromEntries(new URL(page.url()).searchParams);
  expect(address).toEqual({ category: 'ai', made: 'hand', q: 'zarina jacquard' });
  await expect.poll(() => page.locator('.cards h2').allInnerTexts()).toEqual([`Project: ${TITLE}`]);
  await page.goBack();
  expect(await page.locator('.list-result').innerText()).toMatch(/mostly-human experiments? in AI Solutions$/);
});

it('experiment list filtered by lead offers other filters when nothing matches', async () => {
  const page = await openAt('/case-studies?made=machine&q=jacquard');
  expect(await page.locator('.list-empty').innerText()).toContain('Other mixes:');
  await page.locator('.list-instead').getByRole('link', { name: 'Mostly human' }).click();
  await expect.poll(() => page.locator('.cards h2').allInnerTexts()).toEqual([`Project: ${TITLE}`]);
});

it('facts of projects are defined, filled in, shown, filtered, removed and put back by keyboard alone, at 390 and 1440 pixels', async () => {
  const title = 'A loom that counts';
  const id = await publish({ title });
  const page = await openAsAdmin('/admin/settings#projects', PHONE);
  const choose = async (field: Locator, label: string) => {
    await field.focus();
    await page.keyboard.type(label);
  };
  const useButton = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const fact = (number: number) => page.getByRole('group', { name: `Fact ${number}`, exact: true });

  await page.getByRole('button', { name: 'Add choice', exact: true }).waitFor();
  await useButton('Add choice');
  await retype(fact(1).getByLabel('Name'), 'Industry');
  await retype(fact(1).getByLabel('Choices'), 'Fashion\nFood');
  await choose(fact(1).getByLabel('Shown to readers'), 'On its page and card, and as a filter');
  await useButton('Add number');
  await useButton('Save Changes');
  await fact(2).getByText('Please write something here').waitFor();
  await retype(fact(2).getByLabel('Name'), 'Industry');
  await useButton('Save Changes');
  await page.getByText('Two facts have the same name').waitFor();
  await retype(fact(2).getByLabel('Name'), 'Year made');
  await retype(fact(2).getByLabel('Help text (optional)'), 'When the work was shown.');
  await fact(2).getByLabel('Required').press('Space');
  await useButton('Move Number “Year made” up');
  await lookOnPhoneAndDesktop(page);
  await useButton('Save Changes');
  await said(page, 'Saved. The site shows it from now on.');
  await fact(1).getByText('Number').waitFor();

  await page.goto(`/admin/projects/${id}/edit`);
  const year = page.getByLabel('Year made');
  await page.getByText('When the work was shown. Published projects need it.').waitFor();
  await useButton('Save Changes');
  await page.getByText('Year made is required for a published project').waitFor();
  await retype(year, 'ten');
  await useButton('Save Changes');
  await page.getByText('Year made is a number, such as 1200 or 12.5').waitFor();
  await retype(year, '2026');
  await choose(page.getByLabel('Industry'), 'Food');
  await useButton('Save Changes');
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await expect.poll(() => page.locator('dl.facts').innerText()).toMatch(/Year made\s+2026\s+Industry\s+Food/);
  const version = page.getByRole('main').getByRole('link', { name: /^Version 2/ });
  await version.press('Enter');
  await page.getByRole('term').filter({ hasText: 'Industry' }).waitFor();

  const visitor = await openAt('/case-studies', PHONE);
  const filter = visitor.getByRole('navigation', { name: 'Industry' });
  await filter.getByRole('link', { name: /^Industry: all/ }).waitFor();
  expect(await filter.getByRole('link').count()).toBe(2);
  await filter.getByRole('link', { name: 'Food 1' }).click();
  await visitor.getByText('1 experiment with Industry: Food').waitFor();
  const card = visitor.locator('.cards > li');
  expect(await card.innerText()).toContain('Industry: Food');
  await lookOnPhoneAndDesktop(visitor);
  await card.getByRole('link').click();
  await visitor.getByRole('complementary', { name: 'Facts' }).getByText('Food', { exact: true }).waitFor();
  expect(await htmlOf(`/case-studies/${id}`)).toContain('"name":"Industry","value":"Food"');
  expect(await htmlOf('/case-studies?q=food')).toContain(title);

  await page.goto('/admin/settings#projects');
  await page.getByRole('button', { name: 'Remove Choice “Industry”', exact: true }).waitFor();
  await useButton('Remove Choice “Industry”');
  await useButton('Save Changes');
  await said(page, 'Saved. The site shows it from now on.');
  expect(await htmlOf(`/case-studies/${id}`)).not.toContain('"name":"Industry"');
  expect(await htmlOf('/case-studies?fact=industry%3AFood')).not.toContain('aria-label="Industry"');
  await page.locator('details#history > summary').press('Enter');
  const earlier = page.getByRole('button', { name: 'Put the earlier value into the form (Project facts)' });
  await earlier.first().press('Enter');
  await useButton('Save Changes');
  await expect.poll(() => htmlOf(`/case-studies/${id}`)).toContain('"name":"Industry","value":"Food"');
});

it('facts of projects are on the page of a draft for the account that sent it', async () => {
  const data = await dataAs(admin);
  const setting = { name: 'project_facts', value: [{ name: 'Material', kind: 'text' }] };
  await data.from('site_settings').upsert(setting).throwOnError();
  const id = await draft('A loom at home', { account: member });
  const felt = { facts: { material: 'Felt' }, impact: `<p>${'It hummed at night. '.repeat(60)}</p>` };
  await data.from('projects').update(felt).eq('id', id).throwOnError();
  const page = await openSignedIn(member, `/case-studies/${id}`);
  const facts = page.getByRole('complementary', { name: 'Facts' });
  expect(await facts.innerText()).toMatch(/Material\s+Felt/i);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await sections.getByRole('link', { name: 'Impact' }).click();
  await sections.locator('[aria-current=location]').waitFor();
});
