import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { newAddress } from './server.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
} satisfies BrowserContextOptions;
export const DESKTOP = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions;

/** A real browser. Close it in `afterAll`. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: inject('browserPath'), args: FLAGS });

/**
 * A page of a fresh profile at the seeded site. Requests that leave the origin and script errors are collected in
 * `page.complaints`; `expectQuiet` checks that there were none.
 */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = DESKTOP,
  base: string = inject('base'),
): Promise<Page & { complaints: string[] }> {
  const context = await browser.newContext({
    baseURL: base,
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
    ...options,
  });
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  page.on('pageerror', (error) => page.complaints.push(`script error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !/^(data|blob):/.test(url)) page.complaints.push(`left the origin: ${url}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Hydration|hydrat/i.test(message.text())) page.complaints.push(message.text());
  });
  return page;
}

export const expectQuiet = (page: { complaints: string[] }) => expect(page.complaints).toEqual([]);

/** What of axe depends on the colour scheme; everything else is the same in the dark. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** axe with every WCAG 2.2 A and AA rule in light, and with its rules on colour in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page });
    const { violations } = await (colorScheme === 'dark'
      ? axe.withRules(COLOUR_RULES)
      : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    ).analyze();
    expect(
      violations.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
      ),
      page.url(),
    ).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}
