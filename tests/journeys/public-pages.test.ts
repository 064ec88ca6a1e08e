import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { builtInAgency as agency } from '../../app/copy/agency.ts';
import { DESKTOP, expectAccessible, expectQuiet, openBrowser, openPage, PHONE } from '../browser.ts';
import { publish, publishableKey, sessionOf, tidyUp } from './experiments.ts';

let browser: Browser;
const { admin } = inject('accounts');
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await tidyUp(admin);
});

const PAGES = ['/join', '/about', '/privacy', '/terms', '/ai-jewelry-masterclass'];
const SCRIPTLESS = { ...PHONE, javaScriptEnabled: false };
const html = async (path: string) => (await fetch(inject('base') + path)).text();

async function asAdmin(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<void> {
  const headers = {
    apikey: await publishableKey(),
    authorization: `Bearer ${(await sessionOf(admin)).access_token}`,
    'content-type': 'application/json',
  };
  const answer = await fetch(inject('base') + path, { method, headers, body: body ? JSON.stringify(body) : null });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

describe('the page of the collective', () => {
  const row = (page: Page, title: string) =>
    page.locator('details', { has: page.getByRole('heading', { name: title }) });

  it('ROUTE-03, JOIN-01, JOIN-02, JOIN-15: has a frame of its own, and the way in at both ends', async () => {
    const page = await openPage(browser, SCRIPTLESS);
    await page.goto('/join');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Join\s+the collective$/);
    expect(await page.locator('.top-bar, .footer, nav').count()).toBe(0);
    expect(await page.getByRole('banner').getByRole('link').getAttribute('href')).toBe('/');
    for (const name of ['Apply here', 'APPLY NOW']) {
      const link = page.getByRole('link', { name, exact: true });
      expect(await link.isVisible()).toBe(true);
      expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
        agency.applicationForm,
        'noopener noreferrer',
      ]);
    }
  });

  it('keeps APPLY NOW within reach of a thumb', async () => {
    const page = await openPage(browser, SCRIPTLESS);
    await page.goto('/join');
    const box = await page.getByRole('link', { name: 'APPLY NOW' }).boundingBox();
    expect(box!.y + box!.height).toBeLessThanOrEqual(PHONE.viewport.height);
  });

  it('JOIN-04, JOIN-05, JOIN-06, JOIN-07, JOIN-08, JOIN-09, JOIN-10, JOIN-11, JOIN-12, JOIN-13, JOIN-14: has eleven rows', async () => {
    const page = await openPage(browser, SCRIPTLESS);
    await page.goto('/join');
    expect(await page.locator('details h2').allInnerTexts()).toEqual([
      'Vibe check list',
      'What we expect',
      'Money',
      'Life’s perspective',
      'Why we built it',
      'Who we look for',
      'How members are paid',
      'When members are paid',
      'The playground code',
      'A pledge',
      'How to join',
    ]);
    for (const text of await page.locator('details > div').allTextContents()) expect(text.length).toBeGreaterThan(100);
  });

  it.each([true, false])(
    'JOIN-03: opens and closes each row on its own, by pointer and keys (script: %s)',
    async (on) => {
      const page = await openPage(browser, { ...DESKTOP, javaScriptEnabled: on });
      await page.goto('/join');
      const openRows = () => page.locator('details[open] h2').allInnerTexts();
      expect(await openRows()).toEqual(['Vibe check list']);
      await row(page, 'Money').locator('summary').click();
      expect(await openRows()).toEqual(['Vibe check list', 'Money']);
      expect(await row(page, 'Money').getByText('We talk about it first').isVisible()).toBe(true);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await openRows()).toEqual(['Vibe check list', 'Money', 'Life’s perspective']);
      await page.keyboard.press('Space');
      await row(page, 'Money').locator('summary').click();
      expect(await openRows()).toEqual(['Vibe check list']);
      expectQuiet(page);
    },
  );

  it('opens the row that a link leads to, with its heading in view', async () => {
    const page = await openPage(browser, SCRIPTLESS);
    await page.goto('/join#timing');
    expect(await page.getByText('From month 2').isVisible()).toBe(true);
    const heading = await page.getByRole('heading', { name: 'When members are paid' }).boundingBox();
    expect(heading!.y).toBeGreaterThanOrEqual(0);
    expect(heading!.y).toBeLessThan(300);
    await page.goto('/join');
    await row(page, 'Money').locator('summary').click();
    await page.getByRole('link', { name: 'See the split' }).click();
    expect(await page.getByRole('table').isVisible()).toBe(true);
  });

  it('JOIN-18, CONST-30, CONST-31, CONST-32, CONST-33, CONST-34, CONST-35: states the split, and what it leaves over', async () => {
    const page = await openPage(browser);
    await page.goto('/join#split');
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows.slice(1).map((cells) => cells.split('\t').map((cell) => cell.trim()))).toEqual([
      ['Finder’s fee', '15%', '5% to the referrer, 10% to the closer'],
      ['Manager', '15%', expect.any(String)],
      ['Idea person', '5%', 'Without an idea person, it goes to the manager'],
      ['Work team', '25%', 'Shared by input and anonymous peer rating'],
      ['Investors', '0–25%', 'What investors do not take goes to the work team'],
      ['Common pool', '5%', '2% company pool, 2% goals pool, 1% crisis fund'],
      ['Not allocated by the terms', '10%', expect.any(String)],
    ]);
    const widths = await page
      .locator('.split-part')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    expect(widths).toHaveLength(7);
    expect(widths[3]! / widths[0]!).toBeCloseTo(25 / 15, 1);
  });

  it('JOIN-16, JOIN-17, JOIN-19, JOIN-20, JOIN-21, CONST-27, CONST-28, CONST-37, CONST-38, CONST-39, CONST-40: states the terms', async () => {
    const page = await openPage(browser);
    await page.goto('/join');
    const words = (await page.locator('main').textContent())!;
    for (const term of [
      '10 hrs per week',
      'Do-You hours',
      'At least one project a year',
      'Short projects (under 3 months)',
      '50% after the first client payment and 50% after the final one',
      'Monthly projects',
      'From month 2',
      'Longer projects',
      'At start, at milestones and at the end',
      'By application',
      'Members award Silver, Gold and Diamond keys',
      '4 Silver = 2 Gold = 1 Diamond',
      'Only one key per member',
    ]) {
      expect(words).toContain(term);
    }
  });
});

describe('about', () => {
  it('ROUTE-07, ABOUT-01, ABOUT-02, ABOUT-03, ABOUT-05: says what we believe and where to go on', async () => {
    const page = await openPage(browser, SCRIPTLESS);
    await page.goto('/about');
    const title = await page.getByRole('heading', { level: 1 }).innerText();
    expect(title.replace(/\s+/g, ' ')).toBe('Break Rules. Build Brands.');
    const sections = page.getByRole('main').getByRole('heading', { level: 2 });
    expect(await sections.allInnerTexts()).toEqual(
      expect.arrayContaining(['Philosophy', 'Human + AI + Collective', 'Results']),
    );
    const links = await page.locator('main nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['/case-studies', '/#services', '/#contact']);
  });

  it('ABOUT-04: lists results that are counted, not claimed', async () => {
    const counted = async () => {
      const [, count] =
        /amount">([\d,]+)<\/strong> (?:<!-- -->)?Mad Experiments published/.exec(await html('/about')) ?? [];
      return Number(count);
    };
    const before = await counted();
    expect(before).toBeGreaterThan(5);
    await publish(admin, { title: `One more to count ${Date.now()}` });
    expect(await counted()).toBe(before + 1);
    await publish(admin, { title: `Not one to count ${Date.now()}`, status: 'archived' });
    expect(await counted()).toBe(before + 1);
  });
});

describe('the legal texts', () => {
  it('ROUTE-08, ROUTE-09, LEGAL-03: are real, have contents and the day of their last change', async () => {
    const page = await openPage(browser, SCRIPTLESS);
    for (const [path, title] of [
      ['/privacy', 'Privacy Policy'],
      ['/terms', 'Terms of Service'],
    ] as const) {
      await page.goto(path);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
      expect(await page.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\d/);
      const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
      expect(await links.count()).toBeGreaterThan(8);
      const last = links.last();
      await last.click();
      expect(await page.locator(':target h2').innerText()).toBe(await last.innerText());
    }
  });

  it('LEGAL-01, LEGAL-02: change without a release when an admin writes another text', async () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const slug of ['privacy', 'terms']) {
      const body = `<h2>New part of ${slug}</h2><p>From today on.</p><script>alert(1)</script>`;
      await asAdmin('POST', '/rest/v1/site_pages', { slug, body });
      const changed = await html(`/${slug}`);
      await asAdmin('DELETE', `/rest/v1/site_pages?slug=eq.${slug}`);
      expect(changed).toContain(`<section id="new-part-of-${slug}"><h2>New part of ${slug}</h2>`);
      expect(changed).toContain('<p>From today on.</p>');
      expect(changed).toContain(`dateTime="${today}`);
      expect(changed).not.toMatch(/alert\(1\)|Who is responsible|Who we are/);
      expect(await html(`/${slug}`)).toMatch(/Who is responsible|Who we are/);
    }
  });
});

describe('the masterclass', () => {
  it('ROUTE-16, MASTER-01: tells its story in eleven sections', async () => {
    const page = await openPage(browser, SCRIPTLESS);
    await page.goto('/ai-jewelry-masterclass');
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(10);
    const regions = [
      'problem',
      'programme',
      'outcomes',
      'exclusivity',
      'audience',
      'roadmap',
      'instructor',
      'resources',
    ];
    for (const name of [...regions, 'pricing', 'closing']) {
      const text = await page.locator(`section[aria-labelledby="${name}"]`).innerText();
      expect(text.length, name).toBeGreaterThan(50);
    }
  });

  it('MASTER-03, MASTER-04, MASTER-05, MASTER-06, MASTER-08, MASTER-09, MASTER-10, MASTER-11: states its facts', async () => {
    const page = await openPage(browser);
    await page.goto('/ai-jewelry-masterclass');
    const words = (await page.locator('main').textContent())!;
    for (const fact of [
      'A two-day in-person AI masterclass for jewelry business owners',
      'May 10 and 11 (Saturday and Sunday)',
      'Mumbai',
      '2:30 PM to 7:00 PM daily',
      '2 masterclasses per quarter',
      'Standard fee₹12,500rupees',
      'Member rate₹9,985rupees',
      'Up to 90% time and cost saving',
    ]) {
      expect(words).toContain(fact);
    }
    expectQuiet(page);
  });

  it('does not offer a past date to search engines', async () => {
    expect(await html('/ai-jewelry-masterclass')).not.toContain('application/ld+json');
  });
});

describe('every one of these pages', () => {
  it.each(PAGES)('%s can be used by everybody, light and dark, small and large', async (path) => {
    const page = await openPage(browser, DESKTOP);
    await page.goto(path);
    await page.evaluate(() => {
      for (const row of document.querySelectorAll('details')) row.open = true;
    });
    await expectAccessible(page);
    for (const [width, fontSize] of [
      [1440, '200%'],
      [640, '200%'],
      [390, '100%'],
      [320, '100%'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
        return document.documentElement.scrollWidth - innerWidth;
      }, fontSize);
      expect(over, `${path} at ${width} px, ${fontSize}`).toBeLessThanOrEqual(0);
    }
    expectQuiet(page);
  });

  it('META-01, META-04, META-09: says what it is in the first answer, in plain HTML without a framework', async () => {
    const titles = ['Join The Collective', 'About', 'Privacy Policy', 'Terms of Service', 'AI Jewelry Masterclass'];
    for (const [at, path] of PAGES.entries()) {
      const page = await html(`${path}?from=somewhere`);
      expect(page).toContain(`<title>${titles[at]} | ${agency.name}</title>`);
      expect(page).toContain(`<link rel="canonical" href="${inject('base')}${path}"/>`);
      expect(page).toMatch(/<meta name="description" content="[^"]{40,160}"/);
      expect(page.match(/<script/g)).toHaveLength(1);
    }
  });
});
