import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { fillSignIn } from './browser.ts';
import { findBrowser } from './programs/chromium.ts';
import { publicPages } from './public-pages.ts';
import { demoAccountsIn } from './seeded-house.ts';
import { startServer } from './server.ts';

const FOLDER = 'screenshots';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** How each page is looked at. Every kind is light unless it says otherwise. */
const LOOKS: Record<string, BrowserContextOptions & { print?: boolean; text?: number }> = {
  desktop: { viewport: { width: 1440, height: 900 } },
  'desktop-dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  phone: PHONE,
  'phone-dark': { ...PHONE, colorScheme: 'dark' },
  'phone-text-200': { ...PHONE, text: 200 },
  narrow: { viewport: { width: 320, height: 640 } },
  tablet: { viewport: { width: 820, height: 1180 } },
  wide: { viewport: { width: 2200, height: 1200 } },
  'forced-colors': { viewport: { width: 1440, height: 900 }, forcedColors: 'active' },
  print: { viewport: { width: 794, height: 1123 }, print: true },
};

/** What an admin sees, taken signed in. */
const ADMIN_SCREENS = {
  submit: '/case-study-upload',
  account: '/account',
  dashboard: '/admin',
  review: '/admin/review',
  projects: '/admin/projects',
  'new-project': '/admin/projects/new',
  'case-studies': '/admin/case-studies',
  users: '/admin/users',
  messages: '/admin/messages',
  settings: '/admin/settings',
  trash: '/admin/trash',
  log: '/admin/log',
  cleanup: '/cleanup',
};

/**
 * Takes a picture of every public page and admin screen in every look into `screenshots/`, for people to look at.
 * Arguments name pages or looks to take only those: `npm run screenshots -- home phone`.
 */
const wanted = process.argv.slice(2);
const executablePath = findBrowser();
const server = await startServer({ SEED: 'demo', LOG_LEVEL: 'silent' });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
let failed = false;
try {
  const pages: Record<string, string> = { ...(await publicPages(server.base)), ...ADMIN_SCREENS };
  const unknown = wanted.find((name) => !(name in pages) && !(name in LOOKS));
  if (unknown)
    throw new Error(
      `There is no page or look "${unknown}". Pages: ${Object.keys(pages).join(', ')}. Looks: ${Object.keys(LOOKS).join(', ')}.`,
    );
  const chosen = (names: string[]) => {
    const named = names.filter((name) => wanted.includes(name));
    return named.length ? named : names;
  };
  if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const look of chosen(Object.keys(LOOKS))) {
    const { print, text, ...options } = LOOKS[look]!;
    const context = await browser.newContext({ baseURL: server.base, reducedMotion: 'reduce', ...options });
    let signedIn = false;
    // Public pages come first, as a visitor sees them.
    for (const name of chosen(Object.keys(pages))) {
      if (name in ADMIN_SCREENS && !signedIn) {
        const page = await context.newPage();
        await page.goto('/sign-in');
        await fillSignIn(page, demoAccountsIn(server.output()).admin);
        await page.waitForURL((url) => url.pathname !== '/sign-in');
        await page.close();
        signedIn = true;
      }
      const page = await context.newPage();
      if (print) await page.emulateMedia({ media: 'print' });
      await page.goto(pages[name]!);
      await page.locator('.spinner, [aria-busy=true]').first().waitFor({ state: 'hidden' });
      if (text)
        await page.evaluate((percent) => document.documentElement.style.setProperty('font-size', `${percent}%`), text);
      // Pictures are lazy: each has to come near once.
      await page.evaluate(async () => {
        for (const image of document.images) image.loading = 'eager';
        await Promise.allSettled([...document.images].map((image) => image.decode()));
        await document.fonts.ready;
      });
      await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage: true });
      await page.close();
    }
    await context.close();
    console.log(`${look}: done`);
  }
  console.log(`The pictures lie in ${FOLDER}/.`);
} catch (error) {
  console.error((error as Error).message);
  failed = true;
} finally {
  await browser.close();
  await server.stop();
}
process.exit(failed ? 1 : 0);
