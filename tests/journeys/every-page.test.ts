import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { DESKTOP, expectAccessible } from '../browser.ts';
import { publicPages } from '../public-pages.ts';
import { openPage, seeded, startSeeded } from './seeded.ts';

startSeeded({ readOnly: true });

let pages: [name: string, path: string][];
beforeAll(async () => {
  pages = Object.entries(await publicPages(seeded.base));
});

/** A small phone, and a window of 1280 pixels at 400 % zoom. */
const NARROWEST = { width: 320, height: 256 };

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Checks that a page loads at most 5 kB of script and 100 kB of fonts. */
async function expectLight(page: Page, name: string): Promise<void> {
  const bytes = await page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const sum = (ending: string) =>
      loaded.filter((each) => each.name.endsWith(ending)).reduce((all, each) => all + each.encodedBodySize, 0);
    return { script: sum('.js'), faces: sum('.woff2') };
  });
  expect(bytes.script, name).toBeLessThanOrEqual(5_000);
  expect(bytes.script, name).toBeGreaterThan(0);
  expect(bytes.faces, name).toBeLessThanOrEqual(100_000);
}

/** Checks that each tab stop of a page is visible and marked. */
async function expectOperableByKeyboard(page: Page, name: string): Promise<void> {
  const stops = new Set<string>();
  for (let press = 0; press < 120; press++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      if (!at || at === document.body) return null;
      const box = at.getBoundingClientRect();
      // A focused card is outlined as a whole, and the search field by its underline.
      const marked = [at, at.closest('li'), at.closest('form')].filter((each) => each !== null);
      const ring = marked.some((each) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      });
      const inSight = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      at.dataset['stop'] ??= String(performance.now());
      return { id: at.dataset['stop'], what: at.outerHTML.slice(0, 120), inSight, ring };
    });
    if (!stop || stops.has(stop.id)) break;
    stops.add(stop.id);
    expect(stop, name).toMatchObject({ inSight: true, ring: true });
  }
  expect(stops.size, name).toBeGreaterThan(3);
}

it('every public page is readable without an account: services, portfolio, About, collective and masterclass; it is valid HTML (SCOPE-01)', async () => {
  const services = ['AI Videos', 'AI Images', 'AI Solutions', 'AI Strategy &amp; Consulting'];
  const work = ['The Chai That Answers Back', 'A Brand for a Bank That Hates Paper'];
  const words: Record<string, string[]> = {
    home: [...services, ...work, 'Forty Fishermen, One Brand Voice'],
    about: ['Philosophy', 'Results'],
    join: ['Vibe check list', 'APPLY NOW'],
    masterclass: ['AI Jewelry Masterclass'],
    list: ['Project: '],
    experiment: ['The Brief', 'The Impact'],
  };
  const validator = new HtmlValidate(
    new StaticConfigLoader({ root: true, extends: ['html-validate:standard', 'html-validate:a11y'] }),
  );
  for (const [name, path] of pages) {
    const answer = await fetch(seeded.base + path);
    expect(answer.status, name).toBe(name === 'not-found' ? 404 : 200);
    const html = await answer.text();
    for (const word of words[name] ?? []) expect(html, name).toContain(word);
    const { results } = await validator.validateString(html);
    const faults = results.flatMap(({ messages }) => messages.map((each) => `${each.ruleId}: ${each.message}`));
    expect(faults, name).toEqual([]);
  }
});

it('every public page is light, accessible in both themes, fits at 400 % zoom and twice the text size, and is operable by keyboard', async () => {
  const page = await openPage();
  for (const [name, path] of pages) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expectLight(page, name);
    // A category page is a list, and the terms look like the privacy text.
    const isRepeated = name === 'category' || name === 'terms';
    if (!isRepeated) await expectAccessible(page);
    await page.setViewportSize(NARROWEST);
    if (!isRepeated) await expectAccessible(page);
    expect(await overflow(page), `${path} at 400 %`).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => {
      for (const row of document.querySelectorAll('details')) row.open = true;
      document.documentElement.style.setProperty('font-size', '200%');
    });
    expect(await overflow(page), `${path} at twice the text size`).toBeLessThanOrEqual(0);
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
    await page.setViewportSize(DESKTOP.viewport);
    await expectOperableByKeyboard(page, name);
  }
});
