import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { expectAccessible, expectQuiet, PHONE } from '../../browser.ts';
import { file, publish } from '../experiments.ts';
import { openAt, startSeeded } from '../seeded.ts';

startSeeded();

let id: string;
const { admin } = inject('accounts');
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
  id = await publish(admin, { title: TITLE });
  await file(admin, id, { category: 'ai', credits: CREDITS });
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

describe('credits of an experiment', () => {
  it.each([
    ['on a phone', { ...PHONE, javaScriptEnabled: false }],
    ['in the dark, on the narrowest', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' as const }],
  ])('are shown under the title, expand and print completely %s', async (_, options) => {
    const page = await openAt(`/case-studies/${id}`, options);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Jacquard head').isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    const credits = page.locator('.credits');
    expect(await credits.locator('.credits-line').innerText()).toMatch(/^hand\s63\smachine\s37/i);
    expect(await inks(page, '.credits')).toEqual(DRAWN);
    expect(await credits.getByText('Zarina').first().isVisible()).toBe(false);
    await credits.locator('summary').press('Enter');
    const parts = await credits.locator('.credit-list > div').allInnerTexts();
    expect(parts.map((part) => part.replace(/\s+/g, ' '))).toEqual([
      'Idea By hand: Zarina Ghadiali, Ilyas Momin',
      'Weaving By hand, with Jacquard head',
      'Pattern By hand and machine together: Zarina Ghadiali, with A picture model',
      'Sorting By machine',
    ]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (!('javaScriptEnabled' in options)) await expectAccessible(page);
    expectQuiet(page);
  });
});

describe('experiment list filtered by lead', () => {
  it('works with links, stores the filter in the address, and combines with category and search', async () => {
    const page = await openAt('/case-studies', { ...PHONE, javaScriptEnabled: false });
    const led = page.getByRole('navigation', { name: 'Human or AI?' });
    const numbers = (await led.getByRole('link').allInnerTexts()).map((text) => Number(/\d+$/.exec(text)?.[0]));
    const [all, hand, half, machine] = numbers as [number, number, number, number];
    expect(Math.min(hand, half, machine)).toBeGreaterThan(0);
    expect(hand + half + machine).toBeLessThanOrEqual(all);

    await led.getByRole('link', { name: 'Mostly human' }).click();
    expect(new URL(page.url()).search).toBe('?made=hand');
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
    expect(await page.locator('.cards h2').allInnerTexts()).toEqual([`Project: ${TITLE}`]);
    await page.goBack();
    expect(await page.locator('.list-result').innerText()).toMatch(/mostly-human experiments? in AI Solutions$/);
  });

  it('offers other filters when nothing matches', async () => {
    const page = await openAt('/case-studies?made=machine&q=jacquard');
    expect(await page.locator('.list-empty').innerText()).toContain('Other mixes:');
    await page.locator('.list-instead').getByRole('link', { name: 'Mostly human' }).click();
    expect(await page.locator('.cards h2').allInnerTexts()).toEqual([`Project: ${TITLE}`]);
  });
});
