import { expect, it } from 'vitest';
import { builtInAgency as agency } from '../../../app/lib/words/agency.ts';
import { SCRIPTLESS } from '../../browser.ts';
import { publicPages } from '../../public-pages.ts';
import { htmlOf, openAt, openPage, seeded, startSeeded } from '../seeded.ts';

startSeeded({ readOnly: true });

const PAGES = ['/join', '/about', '/privacy', '/terms', '/ai-jewelry-masterclass'];

it('About page shows the agency’s principles and links onwards (ROUTE-07, ABOUT-01, ABOUT-02, ABOUT-03, ABOUT-05)', async () => {
  const page = await openAt('/about', SCRIPTLESS);
  const title = await page.getByRole('heading', { level: 1 }).innerText();
  expect(title.replace(/\s+/g, ' ')).toBe('Break Rules. Build Brands.');
  const sections = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
  expect(sections).toEqual(expect.arrayContaining(['Philosophy', 'Human + AI + Collective', 'Results']));
  const philosophy = await page.getByRole('region', { name: 'Philosophy' }).locator('p').allInnerTexts();
  expect(philosophy.join(' ').length).toBeGreaterThan(300);
  const terms = page.getByRole('region', { name: /^Human/ }).locator('dt');
  expect(await terms.allInnerTexts()).toEqual(['Human', 'AI', 'Collective']);
  const links = await page.locator('main nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links).toEqual(['/case-studies', '/#services', '/#contact']);
  // The tasks of a working day are told apart by text as well as colour.
  const tasks = page.locator('section[aria-labelledby="tuesday"] tbody tr td:last-child');
  expect(await tasks.count()).toBeGreaterThan(5);
  for (const text of await tasks.allInnerTexts()) expect(text.trim()).toMatch(/^(Human|AI|Collective)$/);
});

it('legal texts have a text, contents and the date of the last change (ROUTE-08, ROUTE-09, LEGAL-03)', async () => {
  const page = await openPage(SCRIPTLESS);
  for (const [path, title] of [
    ['/privacy', 'Privacy Policy'],
    ['/terms', 'Terms of Service'],
  ] as const) {
    await page.goto(path);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    const day = await page.locator('time').getAttribute('datetime');
    const shown = new Date(day!).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    expect(await page.locator('.legal-head p').innerText()).toMatch(new RegExp(`^last changed ${shown}$`, 'i'));
    const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    expect(await links.count()).toBeGreaterThan(8);
    const last = links.last();
    await last.click();
    expect(await page.locator(':target h2').innerText()).toBe(await last.innerText());
  }
});

it('legal texts mark the section in view in the contents', async () => {
  const page = await openAt('/terms#law');
  await page.evaluate(() => scrollBy(0, 1));
  await expect.poll(() => page.locator('.legal-contents [aria-current]').count()).toBe(1);
  await page.evaluate(() => document.getElementById('accounts')!.scrollIntoView());
  await page.getByRole('navigation', { name: 'Contents' }).locator('a[href="#accounts"][aria-current]').waitFor();
});

it('unknown page is drawn misregistered until the link back has hover or focus, goes back in the browser history, and leads home from a tab that has no page before it (NF-04)', async () => {
  const page = await openAt('/about');
  await page.goto('/nowhere');
  const plate = () =>
    page.locator('.not-found-number').evaluate((number) => getComputedStyle(number, '::after').translate);
  expect(await plate()).not.toBe('none');
  const back = page.getByRole('button', { name: 'Go Back' });
  await back.focus();
  expect(await plate()).toBe('none');
  await back.blur();
  expect(await plate()).not.toBe('none');
  await back.hover();
  expect(await plate()).toBe('none');
  await back.click();
  await page.waitForURL(/\/about$/);

  const [tab] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void open('/nowhere'))]);
  await tab.getByRole('button', { name: 'Go Back' }).click();
  await tab.waitForURL(`${seeded.base}/`);
});

it('every public page is plain HTML without a framework, with its metadata (META-09)', async () => {
  for (const path of PAGES) {
    const page = await htmlOf(path);
    expect(page).toMatch(/<meta name="description" content="[^"]{40,160}"/);
    expect(page.match(/<script(?! type="application\/ld\+json")/g)).toHaveLength(1);
  }
});

it('every public page has no empty link and no unfilled placeholder (CFG-03)', async () => {
  for (const [name, path] of Object.entries(await publicPages(seeded.base))) {
    const page = (await htmlOf(path)).replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '');
    expect(page.match(/href="(mailto:|tel:|https:\/\/wa\.me\/\??|#)?"/g), name).toBeNull();
    expect(page.match(/\{[a-z ]+\}|undefined|\[object/g), name).toBeNull();
  }
});

/** Every page of the site with its title, and its first heading if different. */
const TITLES: Record<string, [title: string, heading?: string]> = {
  '/': [agency.defaultTitle, 'Handmade with machines.'],
  '/case-studies': ['Mad Experiments'],
  '/about': ['About', 'Break Rules. Build Brands.'],
  '/contact': ['Contact', 'Say hello'],
  '/join': ['Join The Collective', 'Join the collective'],
  '/privacy': ['Privacy Policy'],
  '/terms': ['Terms of Service'],
  '/ai-jewelry-masterclass': ['AI Jewelry Masterclass', 'Shine without the shoot'],
  '/there/is/nothing': ['Page Not Found'],
  '/case-studies/nonsense': ['Experiment not found', 'Error Loading Experiment'],
  '/case-study-upload': ['Submit an Experiment'],
  '/my-experiments': ['My experiments'],
  '/my-statements': ['My statements'],
  '/admin-setup': ['Direct Admin Setup'],
  '/admin-help': ['Admin Help'],
  '/admin-login': ['Direct Admin Access'],
  '/upload-project': ['Simple Project Upload'],
  '/cleanup': ['Database Cleanup Utility'],
  '/verify-user': ['Verify User'],
  '/sign-in': ['Sign in'],
  '/sign-up': ['Create an account'],
  '/sign-out': ['Sign out'],
  '/account': ['Your account'],
  '/confirm': ['Confirm', 'This link is incomplete'],
  '/reset-password': ['Reset password'],
  '/admin': ['Admin dashboard', 'MAD Admin'],
  '/admin/projects': ['Projects', 'MAD Admin'],
  '/admin/projects/new': ['New Project', 'MAD Admin'],
  '/admin/case-studies': ['Manage Mad Experiments', 'MAD Admin'],
  '/admin/users': ['Users', 'MAD Admin'],
  '/admin/settings': ['Settings', 'MAD Admin'],
};

it('every page has its title, heading and address in the first response (META-01, META-02, META-03, META-04, META-09, ROUTE-10..15, SCOPE-04)', async () => {
  for (const [path, [title, heading = title]] of Object.entries(TITLES)) {
    const page = await htmlOf(`${path}?from=somewhere`);
    expect.soft(/<title>(.*?)<\/title>/.exec(page)?.[1], path).toBe(`${title} | ${agency.name}`);
    expect.soft(/<h1.*?<\/h1>/.exec(page)?.[0].replaceAll(/<[^>]+>/g, ''), path).toBe(heading);
    expect.soft(/<link rel="canonical" href="([^"]*)"/.exec(page)?.[1], path).toBe(seeded.base + path);
  }
  // Pages without a description use that of the site.
  expect(/<meta name="description" content="([^"]*)"/.exec(await htmlOf('/'))?.[1]).toBe(agency.defaultDescription);
});
