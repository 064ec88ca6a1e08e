import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { builtInAgency as agency, mailLink, phoneLink } from '../../../app/lib/words/agency.ts';
import { DESKTOP, expectQuiet, PHONE } from '../../browser.ts';
import { publish } from '../experiments.ts';
import { openPage, seeded, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';

startSeeded();

const { admin } = inject('accounts');

/** Scrolls to another position, and waits for the scroll event. */
const scroll = (page: Page, top: number) =>
  page.evaluate(
    (y) =>
      new Promise((resolve) => {
        addEventListener('scroll', resolve, { once: true });
        scrollTo(0, y);
      }).then(() => {}),
    top,
  );

const LINKS = [
  ['Home', '/'],
  ['Services', '/#services'],
  ['Mad Experiments', '/case-studies'],
  ['About', '/about'],
  ['Join The Collective', '/join'],
  ['Contact', '/#contact'],
];

describe('top bar', () => {
  it('stays in view and has the brand mark and exactly these links (LAY-01, LAY-02, LAY-03, LAY-04)', async () => {
    const page = await openPage(browser);
    await page.goto('/');
    const links = await page
      .locator('header.top-bar nav a:visible')
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
    expect(links).toEqual(LINKS);
    await page.mouse.wheel(0, 2000);
    await page.waitForFunction(() => scrollY > 500);
    expect(await page.getByRole('banner').evaluate((bar) => bar.getBoundingClientRect().top)).toBe(0);
    const mark = page.getByRole('banner').getByRole('link', { name: agency.name, exact: true });
    expect([await mark.getAttribute('href'), await mark.textContent()]).toEqual(['/', agency.name]);
    expect(await mark.locator('.brand-plates').isVisible()).toBe(true);
    expectQuiet(page);
  });

  it('has a shadow below 50 px of scrolling, and none above (LAY-05, CONST-20)', async () => {
    const page = await openPage(browser);
    await page.goto('/');
    const shadow = () => page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).boxShadow);
    await scroll(page, 50);
    expect(await shadow()).toBe('none');
    await scroll(page, 51);
    expect(await shadow()).not.toBe('none');
    await scroll(page, 0);
    expect(await shadow()).toBe('none');
  });

  it.each([true, false])('opens and closes a menu on a phone (script: %s) (LAY-06)', async (javaScriptEnabled) => {
    const page = await openPage(browser, { ...PHONE, javaScriptEnabled });
    await page.goto('/case-studies');
    const about = page.getByRole('banner').locator('nav').getByRole('link', { name: 'About' });
    const button = page.getByRole('button', { name: 'Menu' });
    expect(await about.isVisible()).toBe(false);
    await button.click();
    expect(await about.isVisible()).toBe(true);
    await button.click();
    expect(await about.isVisible()).toBe(false);
  });

  it('closes the menu on a click outside, on Escape, and after choosing a link (LAY-07)', async () => {
    const page = await openPage(browser, PHONE);
    await page.goto('/');
    const menu = page.locator('#menu');
    const open = async () => {
      await page.getByRole('button', { name: 'Menu' }).click();
      expect(await menu.isVisible()).toBe(true);
    };
    await open();
    await page.mouse.click(200, 820);
    expect(await menu.isVisible()).toBe(false);
    await open();
    await page.keyboard.press('Escape');
    expect(await menu.isVisible()).toBe(false);
    await open();
    await menu.getByRole('link', { name: 'Services' }).click();
    expect(await menu.isVisible()).toBe(false);
    expectQuiet(page);
  });
});

it('the footer has links and contact details (LAY-08, LAY-09, LAY-10, LAY-11, LAY-12)', async () => {
  const page = await openPage(browser, { ...DESKTOP, javaScriptEnabled: false });
  await page.goto('/about');
  const linksIn = (place: Locator) =>
    place.locator('a:visible').evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
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
});

it('each page shows the contact details once, in a section or in the footer', async () => {
  const page = await openPage(browser, { ...DESKTOP, javaScriptEnabled: false });
  for (const path of ['/', '/contact', '/about', '/case-studies']) {
    await page.goto(path);
    for (const way of [mailLink(agency), phoneLink(agency)])
      expect(await page.locator(`:is(main, footer) a[href="${way}"]`).count(), `${path} ${way}`).toBe(1);
    expect(await page.locator('address').count(), path).toBe(1);
  }
});

describe('home page', () => {
  it('lists each client of the public experiments once', async () => {
    const client = `Kettle & Daughters ${Date.now()}`;
    for (const title of ['One kettle', 'Another kettle']) await publish(admin, { title, client });
    await publish(admin, { title: 'No longer listed', client: `Old ${client}`, status: 'archived' });
    const page = await openPage(browser, { ...PHONE, javaScriptEnabled: false });
    await page.goto('/');
    const names = await page.getByRole('region', { name: 'Made for' }).getByRole('listitem').allInnerTexts();
    expect(names.filter((name) => name.endsWith(client))).toEqual([client]);
    expect(names).not.toContain('Client confidential');
    expect(names.length).toBeLessThanOrEqual(12);
  });

  it('scrolls to the section of the fragment, on load and from another page (ROUTE-02, HOME-11)', async () => {
    const page = await openPage(browser);
    const top = (id: string) => page.locator(id).evaluate((section) => Math.round(section.getBoundingClientRect().top));
    await page.goto('/#contact');
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

  it('shows what the agency does without a script (HOME-01, HOME-02, HOME-03, HOME-04, HOME-06, HOME-12)', async () => {
    const page = await openPage(browser, { ...PHONE, javaScriptEnabled: false });
    await page.goto('/');
    expect(await page.locator('h1').innerText()).toMatch(/Handmade\s+with machines/);
    expect(await page.getByRole('link', { name: 'Explore' }).getAttribute('href')).toBe('#work');
    expect(await page.locator('#work li h3').count()).toBe(3);
    expect(await page.locator('#services h3').allInnerTexts()).toEqual([
      'AI Videos',
      'AI Images',
      'AI Solutions',
      'AI Strategy & Consulting',
    ]);
    const text = await page.locator('main').innerText();
    const recipe = page.getByRole('region', { name: 'The recipe' });
    expect(await recipe.locator('dt').allInnerTexts()).toEqual(['Human', 'AI', 'Collective']);
    for (const words of await recipe.locator('dd').allInnerTexts()) expect(words.length).toBeGreaterThan(20);
    expect(text).toMatch(/combines human creators, AI and a collective of freelance creatives who share the profits/);
  });

  it('shows how to book, write, call and visit (HOME-05, HOME-07, HOME-08, HOME-09, HOME-10)', async () => {
    const page = await openPage(browser);
    await page.goto('/');
    const main = page.locator('main');
    const book = main.locator('#contact').getByRole('link', { name: 'Book a Mad Meet' });
    expect([
      await book.getAttribute('href'),
      await book.getAttribute('target'),
      await book.getAttribute('rel'),
    ]).toEqual([agency.bookMeeting, '_blank', 'noopener noreferrer']);
    const call = main.locator('#services').getByRole('link', { name: 'Book an AI Strategy Call' });
    expect([
      await call.getAttribute('href'),
      await call.getAttribute('target'),
      await call.getAttribute('rel'),
    ]).toEqual([agency.bookStrategyCall, '_blank', 'noopener noreferrer']);
    const contact = page.locator('#contact');
    expect(await contact.getByRole('link', { name: agency.email }).getAttribute('href')).toBe(mailLink(agency));
    expect(await contact.getByRole('link', { name: agency.phone }).getAttribute('href')).toBe(phoneLink(agency));
    expect((await contact.locator('address').innerText()).split('\n')).toEqual(agency.address);
    expect(agency.address.join()).toContain('Mumbai');
  });

  it('logs each scroll depth mark to the console once (CONST-21)', async () => {
    const page = await openPage(browser);
    const marks: string[] = [];
    page.on('console', (message) => message.text().startsWith('Scroll depth') && marks.push(message.text()));
    await page.goto('/');
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (const part of [0.3, 0.1, 0.6, 1, 0, 1]) await scroll(page, part * height);
    await expect.poll(() => marks).toEqual([25, 50, 75, 90].map((depth) => `Scroll depth: ${depth}%`));
  });
});

describe('unknown path', () => {
  it('responds 404 with a link to the home page (ROUTE-24, NF-01, NF-02, NF-03)', async () => {
    const page = await openPage(browser, { ...PHONE, javaScriptEnabled: false });
    const answer = await page.goto('/there/is/nothing/here');
    expect(answer?.status()).toBe(404);
    expect(await page.getByText('404', { exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('heading', { name: 'Page Not Found', exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/');
    for (const path of ['/admin/nowhere', '/case-studies/a/b/c', '/join/us', '/index.html']) {
      const { status, headers } = await fetch(seeded.base + path);
      expect([status, headers.get('cache-control')], path).toEqual([404, 'no-store']);
    }
  });

  it('goes back in the browser history (NF-04)', async () => {
    const page = await openPage(browser);
    await page.goto('/case-studies');
    await page.goto('/nothing');
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL('**/case-studies');
    expectQuiet(page);
  });
});

describe('page metadata', () => {
  it('has title, description and canonical address in the first response (META-01, META-04, META-09)', async () => {
    const html = await (await fetch(`${seeded.base}/case-studies?category=ai`)).text();
    expect(html).toContain(`<title>Mad Experiments | ${agency.name}</title>`);
    expect(html).toContain(`<link rel="canonical" href="${seeded.base}/case-studies"/>`);
    expect(html).toMatch(/<meta name="description" content="[^"]{40,160}"/);
    expect(html).toMatch(/<meta property="og:description" content="[^"]{40,160}"/);
  });
});
