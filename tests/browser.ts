import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { expect, inject, onTestFinished, TestRunner } from 'vitest';
import type { Account } from './seeded-data.ts';
import { newAddress } from './server.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page of a test lives for seconds: optimizing its scripts and a network process of its own cost more than they save.
  '--js-flags=--no-opt --no-maglev',
  '--enable-features=NetworkServiceInProcess2',
];
/** All pages share one renderer process, and the browser prepares no spare one. */
const ONE_PROCESS = ['--renderer-process-limit=1'];

export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
} satisfies BrowserContextOptions;
/** A phone without JavaScript. */
export const SCRIPTLESS = { ...PHONE, javaScriptEnabled: false } satisfies BrowserContextOptions;

/** Timeout for page actions: ten times the duration on a busy machine. */
const TIMEOUT_MS = 120_000;

export const DESKTOP = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions;

/** Starts a browser, to be closed in `afterAll`. @param args `[]` gives each page its own process, for tests that crash one */
export const openBrowser = (processes = ONE_PROCESS): Promise<Browser> =>
  chromium.launch({ executablePath: inject('browserPath'), args: [...FLAGS, ...processes] });

const pagesThatMayComplain = new WeakSet<Page>();

/** Allows complaints of a page whose requests a test breaks, or which leaves the origin. */
export function mayComplain<T extends Page>(page: T): T {
  pagesThatMayComplain.add(page);
  return page;
}

/**
 * Opens a page in a new profile, which closes at the end of the test. Script errors and requests to other origins are
 * collected in `page.complaints` and fail the test, unless the page `mayComplain`.
 */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions,
  base: string,
): Promise<Page & { complaints: string[] }> {
  const extraHTTPHeaders = { 'x-forwarded-for': newAddress() };
  const context = await browser.newContext({ baseURL: base, reducedMotion: 'reduce', extraHTTPHeaders, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  if (TestRunner.getCurrentTest())
    onTestFinished(async ({ task }) => {
      const complaints = [...page.complaints];
      if (!page.isClosed()) {
        // What the person would have seen says more than the locator that found nothing.
        if (task.result?.state === 'fail')
          console.error(page.url(), await page.locator('body').innerText({ timeout: 5_000 }).catch(String));
        // A route that still waits for its response would fail after the test.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      }
      await context.close();
      if (!pagesThatMayComplain.has(page)) expect(complaints).toEqual([]);
    });
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

/** Waits until the tab has stored unsaved input. */
export const keptInTab = (page: Page, words: string) =>
  expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join('\n'))).toContain(words);

/** Holds a page's requests to a URL until they are released, or aborted with the given error. */
export async function hold(page: Page, address: string | RegExp): Promise<(refusal?: string) => void> {
  const gate = Promise.withResolvers<string | undefined>();
  await page.route(address, async (route) => {
    const message = await gate.promise;
    await (message ? route.fulfill({ status: 422, json: { code: 'PT422', message } }) : route.fallback());
  });
  return (refusal) => gate.resolve(refusal);
}

/** Waits until a control has the focus. */
export const expectFocus = (control: Locator) =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true);

/**
 * Stops the clock of a page at one minute from now: its timers advance only by `page.clock.runFor`, independent of the
 * duration of the test. axe hangs while the clock is stopped; `page.clock.resume` restarts it.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  // The clock runs until it is paused, and cannot be paused at a time in the past.
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Records when a page is left. @returns waits for the next page and returns the time between by the page's clock */
export async function noteLeaving(page: Page): Promise<(path: string) => Promise<number>> {
  const startedAt = await page.evaluate(() => {
    // The URL changes after the document, so it is read late.
    navigation.addEventListener('navigate', () => sessionStorage.setItem('left', String(Date.now())));
    return Date.now();
  });
  return async (path) => {
    await page.waitForURL((url) => url.pathname === path);
    return Number(await page.evaluate(() => sessionStorage.getItem('left'))) - startedAt;
  };
}

/** Fills in a form with an email address and a password, and clicks its button. */
export async function fillSignIn(page: Page, { email, password }: Account, button = 'Sign In'): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: button }).click();
}

/** Half as long as the readable source, which each document compiles. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The axe rules that depend on the colour scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Combinations of text style and backgrounds whose contrast axe has passed in this test file, by colour scheme. */
const passedPaints = { light: new Set<string>(), dark: new Set<string>() };

/** axe's check of contrast, which takes two thirds of its time, with the elements that passed in the light theme. */
interface ContrastCheck {
  evaluate: (this: unknown, node: Element, ...rest: unknown[]) => boolean | undefined;
  measure?: ContrastCheck['evaluate'];
  passed?: Set<Element>;
}

/** Runs axe on a page whose colour scheme is set. Combinations that passed before are not measured again. */
const runAxe = (page: Page, colorScheme: 'light' | 'dark') =>
  page.evaluate(
    async ({ runOnly, known, isDark }) => {
      const passed = new Set(known);
      const layers = new Map<Element, string>();
      const layersOf = (element: Element): string => {
        const cached = layers.get(element);
        if (cached !== undefined) return cached;
        const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = getComputedStyle(element);
        const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join();
        const isTransparent = backgroundColor === 'rgba(0, 0, 0, 0)';
        // What is behind a positioned element without a background depends on its place: it is always measured.
        const isUnknown = isTransparent && /absolute|fixed|sticky/.test(position);
        const isPlain = own === 'rgba(0, 0, 0, 0),none,1,none,normal' && !isUnknown;
        const below = element.parentElement ? layersOf(element.parentElement) : '';
        const all = isPlain ? below : `${below}|${own}${isUnknown ? Math.random() : ''}`;
        layers.set(element, all);
        return all;
      };
      const paintOf = (element: Element) => {
        const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
        const around = element.parentElement && getComputedStyle(element.parentElement).color;
        return [color, fontSize, fontWeight, textShadow, textDecorationLine, around, layersOf(element)].join();
      };
      const page = (window as unknown as { axe: typeof axe & { _audit: { checks: Record<string, ContrastCheck> } } })
        .axe;
      const check = page._audit.checks['color-contrast']!;
      if (isDark && [...check.passed!].every((element) => passed.has(paintOf(element))))
        return { found: [], passed: [] };
      check.measure ??= check.evaluate;
      const { measure } = check;
      const elements = new Set<Element>();
      check.evaluate = function (element, ...rest) {
        const paint = paintOf(element);
        const result = passed.has(paint) || measure.call(this, element, ...rest);
        if (result) {
          passed.add(paint);
          elements.add(element);
        }
        return result;
      };
      // Everything behind a modal dialog is inert, and was checked before it opened or by the tour of all screens.
      // Of a part with a frame, axe would expect the frame to be a page of its own.
      const root = document.querySelector('dialog:modal:not(:has(iframe))') ?? document;
      const { violations } = await page.run(root, { runOnly, resultTypes: ['violations'] });
      check.passed = elements;
      return {
        found: violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`),
        passed: [...passed],
      };
    },
    {
      runOnly: (colorScheme === 'dark'
        ? { type: 'rule', values: COLOUR_RULES }
        : { type: 'tag', values: STANDARDS }) satisfies RunOptions['runOnly'],
      known: [...passedPaints[colorScheme]],
      isDark: colorScheme === 'dark',
    },
  );

/** Runs all WCAG 2.2 A and AA rules of axe in the light theme, and those on colour in the dark one. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const frame of page.mainFrame().childFrames()) {
    await frame.waitForLoadState();
    await frame.locator('.spinner').first().waitFor({ state: 'hidden' });
  }
  // Through the debugger, which bypasses the content security policy.
  for (const frame of page.frames()) if (await frame.evaluate(() => !('axe' in window))) await frame.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { found, passed } = await runAxe(page, colorScheme);
    expect(found, `${page.url()} (${colorScheme})`).toEqual([]);
    for (const paint of passed) passedPaints[colorScheme].add(paint);
  }
  await page.emulateMedia({ colorScheme: null });
}
