import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import sharp from 'sharp';
import { fillSignIn } from '../browser.ts';
import { findBrowser } from '../programs/chromium.ts';
import { publicPages } from '../public-pages.ts';
import { demoAccountsIn } from '../seeded-data.ts';
import { startServer } from '../server.ts';

const FOLDER = 'screenshots';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Viewport and theme of each variant; light by default. */
const LOOKS: Record<string, BrowserContextOptions & { print?: boolean; text?: number }> = {
  desktop: { viewport: { width: 1440, height: 900 } },
  'desktop-dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  phone: PHONE,
  'phone-dark': { ...PHONE, colorScheme: 'dark' },
  'phone-text-200': { ...PHONE, text: 200 },
  narrow: { viewport: { width: 320, height: 640 } },
  tablet: { viewport: { width: 768, height: 1024 } },
  laptop: { viewport: { width: 1024, height: 768 } },
  wide: { viewport: { width: 1920, height: 1080 } },
  'forced-colors': { viewport: { width: 1440, height: 900 }, forcedColors: 'active' },
  print: { viewport: { width: 794, height: 1123 }, print: true },
};

const GUEST_SCREENS = {
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
  'reset-password': '/reset-password',
  'admin-login': '/admin',
  'admin-setup': '/admin-setup',
  'admin-help': '/admin-help',
  'verify-user': '/verify-user',
  'upload-project': '/upload-project',
};

const ADMIN_SCREENS = {
  submit: '/case-study-upload',
  account: '/account',
  dashboard: '/admin',
  review: '/admin/review',
  projects: '/admin/projects',
  'new-project': '/admin/projects/new',
  'case-studies': '/admin/case-studies',
  media: '/admin/media',
  pages: '/admin/pages',
  users: '/admin/users',
  messages: '/admin/messages',
  settings: '/admin/settings',
  trash: '/admin/trash',
  log: '/admin/log',
  project: '/admin/projects/e0000000-0000-4000-8000-000000000007',
  'edit-project': '/admin/projects/e0000000-0000-4000-8000-000000000007/edit',
  cleanup: '/cleanup',
};

/** Size of a page on a contact sheet in pixels, and pages per row. */
const [THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT, GAP, PER_ROW] = [300, 420, 20, 6];

/** Combines the tops of all pages of a variant in one picture, with their names. */
async function writeContactSheet(look: string, names: readonly string[]): Promise<void> {
  const [cellWidth, cellHeight] = [THUMBNAIL_WIDTH + GAP, THUMBNAIL_HEIGHT + GAP * 2];
  const cells = names.map(async (name, index) => {
    const [left, top] = [GAP + (index % PER_ROW) * cellWidth, GAP + Math.floor(index / PER_ROW) * cellHeight];
    const page = sharp(join(FOLDER, `${name}-${look}.png`));
    const { width, height } = await page.metadata();
    const isTall = height / width > THUMBNAIL_HEIGHT / THUMBNAIL_WIDTH;
    const picture = await page
      .resize({ width: THUMBNAIL_WIDTH, ...(isTall && { height: THUMBNAIL_HEIGHT, fit: 'cover', position: 'top' }) })
      .toBuffer();
    const label = { text: { text: name, dpi: 90, rgba: true } };
    return [
      { input: label, left, top },
      { input: picture, left, top: top + GAP },
    ];
  });
  const [width, height] = [GAP + PER_ROW * cellWidth, GAP + Math.ceil(names.length / PER_ROW) * cellHeight];
  await sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .composite((await Promise.all(cells)).flat())
    .png()
    .toFile(join(FOLDER, `all-${look}.png`));
}

/** A pixel counts as different when a channel differs by more than this. */
const TOLERANCE = 8;

/** Describes how a page differs from its picture in another folder; null when equal. */
async function differenceTo(folder: string, file: string): Promise<string | null> {
  const pixels = (place: string) => sharp(join(place, file)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [now, before] = await Promise.all([FOLDER, folder].map(pixels));
  if (now!.info.width !== before!.info.width || now!.info.height !== before!.info.height)
    return `${before!.info.width} × ${before!.info.height} → ${now!.info.width} × ${now!.info.height}`;
  let differing = 0;
  for (let at = 0; at < now!.data.length; at += 3)
    if ([0, 1, 2].some((channel) => Math.abs(now!.data[at + channel]! - before!.data[at + channel]!) > TOLERANCE))
      differing++;
  return differing ? `${differing} pixels differ` : null;
}

/**
 * Writes a screenshot of every public page and admin screen in every variant to `screenshots/`, and a contact sheet per variant.
 * Arguments select pages or variants: `npm run screenshots -- home phone`. `--against FOLDER` compares with earlier
 * screenshots, lists the pages that differ, and fails if there are any.
 */
const optionTypes = { against: { type: 'string' } } as const;
const { values: options, positionals: wanted } = parseArgs({ options: optionTypes, allowPositionals: true });
const executablePath = findBrowser();
const server = await startServer({ SEED: 'demo', LOG_LEVEL: 'silent' });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
let failed = false;
try {
  const pages: Record<string, string> = { ...(await publicPages(server.base)), ...GUEST_SCREENS, ...ADMIN_SCREENS };
  const unknown = wanted.find((name) => !(name in pages) && !(name in LOOKS));
  const known = `Pages: ${Object.keys(pages).join(', ')}. Looks: ${Object.keys(LOOKS).join(', ')}.`;
  if (unknown) throw new Error(`There is no page or look "${unknown}". ${known}`);
  const chosen = (names: string[]) => {
    const named = names.filter((name) => wanted.includes(name));
    return named.length ? named : names;
  };
  if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const look of chosen(Object.keys(LOOKS))) {
    const { print, text, ...device } = LOOKS[look]!;
    const context = await browser.newContext({ baseURL: server.base, reducedMotion: 'reduce', ...device });
    let signedIn = false;
    // Public pages come first, before the sign-in.
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
      // Scrolls to each lazy picture, so that it loads.
      await page.evaluate(async () => {
        for (const image of document.images) image.loading = 'eager';
        await Promise.allSettled([...document.images].map((image) => image.decode()));
        await document.fonts.ready;
      });
      await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage: true });
      await page.close();
      const difference = options.against && (await differenceTo(options.against, `${name}-${look}.png`));
      if (difference) {
        console.log(`${name} ${look}: ${difference}`);
        failed = true;
      }
    }
    await context.close();
    await writeContactSheet(look, chosen(Object.keys(pages)));
    console.log(`${look}: done`);
  }
  console.log(`Screenshots are in ${FOLDER}/, contact sheets in all-VARIANT.png.`);
} catch (error) {
  console.error((error as Error).message);
  failed = true;
} finally {
  await browser.close();
  await server.stop();
}
process.exit(failed ? 1 : 0);
