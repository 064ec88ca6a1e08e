import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { builtInAgency as agency, mailLink, phoneLink } from '../../../app/lib/words/agency.ts';
import { DESKTOP, PHONE, SCRIPTLESS } from '../../browser.ts';
import { openAt, openPage, seeded, startSeeded } from '../seeded.ts';

startSeeded({ readOnly: true });

/** Scrolls to another position, and waits for the scroll event. */
const scroll = (page: Page, top: number) =>
  page.evaluate(async (y) => {
    const scrolled = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
    scrollTo(0, y);
    await scrolled;
  }, top);

const LINKS = [
  ['Home', '/'],
  ['Services', '/#services'],
  ['Mad Experiments', '/case-studies'],
  ['About', '/about'],
  ['Join The Collective', '/join'],
  ['Contact', '/#contact'],
];

const linksIn = (place: Locator) =>
  place.locator('a:visible').evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));

it('top bar stays in view, has the brand mark and exactly these links, and a shadow below 50 px of scrolling (LAY-01, LAY-02, LAY-03, LAY-04, LAY-05, CONST-20)', async () => {
  const page = await openAt('/');
  expect(await linksIn(page.locator('header.top-bar nav'))).toEqual(LINKS);
  await page.mouse.wheel(0, 2000);
  await page.waitForFunction(() => scrollY > 500);
  expect(await page.getByRole('banner').evaluate((bar) => bar.getBoundingClientRect().top)).toBe(0);
  const mark = page.getByRole('banner').getByRole('link', { name: agency.name, exact: true });
  expect([await mark.getAttribute('href'), await mark.textContent()]).toEqual(['/', agency.name]);
  expect(await mark.locator('.brand-plates').isVisible()).toBe(true);
  const shadow = () => page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).boxShadow);
  await scroll(page, 50);
  expect(await shadow()).toBe('none');
  await scroll(page, 51);
  expect(await shadow()).not.toBe('none');
});

it('top bar opens and closes a menu on a phone, also without a script (LAY-06)', async () => {
  const page = await openAt('/case-studies', SCRIPTLESS);
  const about = page.getByRole('banner').locator('nav').getByRole('link', { name: 'About' });
  const button = page.getByRole('button', { name: 'Menu' });
  expect(await about.isVisible()).toBe(false);
  await button.click();
  expect(await about.isVisible()).toBe(true);
  await button.click();
  expect(await about.isVisible()).toBe(false);
});

it('top bar closes the menu on a click outside, on Escape, and after choosing a link (LAY-07)', async () => {
  const page = await openAt('/', PHONE);
  const menu = page.locator('#menu');
  for (const close of [
    () => page.mouse.click(200, 820),
    () => page.keyboard.press('Escape'),
    () => menu.getByRole('link', { name: 'Services' }).click(),
  ]) {
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await menu.isVisible()).toBe(true);
    await close();
    expect(await menu.isVisible()).toBe(false);
  }
});

it('the footer has links and contact details, and each page shows these once, in a section or in the footer (LAY-08, LAY-09, LAY-10, LAY-11, LAY-12)', async () => {
  const page = await openAt('/about', { ...DESKTOP, javaScriptEnabled: false });
  const footer = page.getByRole('contentinfo');
  const part = (title: string) =>
    footer.locator(':scope div > div, nav', { has: page.getByRole('heading', { name: title }) });
  const quick = await linksIn(footer.getByRole('navigation', { name: 'Quick links' }));
  expect.soft(quick.slice(0, LINKS.length)).toEqual(LINKS);
  expect.soft(await linksIn(part('Follow us'))).toEqual(agency.social.map(({ name, href }) => [name, href]));
  expect.soft(await linksIn(part('Contact'))).toEqual([
    [agency.email, mailLink(agency)],
    [agency.phone, phoneLink(agency)],
  ]);
  expect.soft((await linksIn(part('Legal'))).slice(0, 2)).toEqual([
    ['Privacy', '/privacy'],
    ['Terms', '/terms'],
  ]);

  for (const path of ['/', '/contact', '/about', '/case-studies']) {
    await page.goto(path);
    for (const way of [mailLink(agency), phoneLink(agency)])
      expect(await page.locator(`:is(main, footer) a[href="${way}"]`).count(), `${path} ${way}`).toBe(1);
    expect(await page.locator('address').count(), path).toBe(1);
  }
});

it('home page scrolls to the section of the fragment, on load and from another page (ROUTE-02, HOME-11)', async () => {
  const page = await openAt('/#contact');
  const top = (id: string) => page.locator(id).evaluate((section) => Math.round(section.getBoundingClientRect().top));
  await page.waitForFunction(() => scrollY > 500);
  // The browser keeps the position when content above it changes its height.
  await expect.poll(() => top('#contact')).toBeLessThan(400);
  await page.goto('/case-studies');
  await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
  await page.waitForURL('**/#services');
  await page.waitForFunction(() => scrollY > 500);
  await expect.poll(() => top('#services')).toBeLessThan(200);
  expect(await top('#services')).toBeGreaterThanOrEqual(0);
});

it('home page shows what the agency does, and how to book, write, call and visit, without a script (ROUTE-01, HOME-01, HOME-02, HOME-03, HOME-04, HOME-05, HOME-06, HOME-07, HOME-08, HOME-09, HOME-10, HOME-12, SCOPE-02)', async () => {
  const page = await openPage(SCRIPTLESS);
  expect((await page.goto('/'))?.status()).toBe(200);
  const home = page.locator('a', { hasText: /^Home$/ }).first();
  expect(await home.getAttribute('aria-current')).toBe('page');
  expect(await page.locator('h1').innerText()).toMatch(/Handmade\s+with machines/);
  expect(await page.getByRole('link', { name: 'Explore' }).getAttribute('href')).toBe('#work');
  expect(await page.locator('#work li h3').count()).toBe(3);
  const services = await page.locator('#services h3').allInnerTexts();
  expect(services).toEqual(['AI Videos', 'AI Images', 'AI Solutions', 'AI Strategy & Consulting']);
  const text = await page.locator('main').innerText();
  const recipe = page.getByRole('region', { name: 'The recipe' });
  expect(await recipe.locator('dt').allInnerTexts()).toEqual(['Human', 'AI', 'Collective']);
  for (const words of await recipe.locator('dd').allInnerTexts()) expect(words.length).toBeGreaterThan(20);
  expect(text).toMatch(/combines human creators, AI and a collective of freelance creatives who share the profits/);

  const main = page.locator('main');
  const targetOf = (link: Locator) =>
    link.evaluate((one) => ['href', 'target', 'rel'].map((name) => one.getAttribute(name)));
  const book = main.locator('#contact').getByRole('link', { name: 'Book a Mad Meet' });
  expect(await targetOf(book)).toEqual([agency.bookMeeting, '_blank', 'noopener noreferrer']);
  const call = main.locator('#services').getByRole('link', { name: 'Book an AI Strategy Call' });
  expect(await targetOf(call)).toEqual([agency.bookStrategyCall, '_blank', 'noopener noreferrer']);
  expect(await call.isVisible()).toBe(true);
  for (const path of ['/', '/contact']) {
    if (path !== '/') await page.goto(path);
    for (const [name, target] of [
      ['Book a Mad Meet', agency.bookMeeting],
      [agency.email, mailLink(agency)],
      [agency.phone, phoneLink(agency)],
    ] as const) {
      const link = page.locator('#contact').getByRole('link', { name });
      expect([await link.isVisible(), await link.getAttribute('href')], name).toEqual([true, target]);
    }
    expect((await page.locator('#contact address').innerText()).split('\n')).toEqual(agency.address);
  }
  expect(agency.address.join()).toContain('Mumbai');
});

it('unknown path responds 404 with a link to the home page (ROUTE-24, NF-01, NF-02, NF-03)', async () => {
  const page = await openPage(SCRIPTLESS);
  expect((await page.goto('/there/is/nothing/here'))?.status()).toBe(404);
  expect(await page.getByText('404', { exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole('heading', { name: 'Page Not Found', exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/');
  expect(await page.getByRole('button', { name: 'Go Back' }).count()).toBe(0);
  for (const path of ['/admin/nowhere', '/case-studies/a/b/c', '/join/us', '/index.html']) {
    const { status, headers } = await fetch(seeded.base + path);
    expect([status, headers.get('cache-control')], path).toEqual([404, 'no-store']);
  }
});
