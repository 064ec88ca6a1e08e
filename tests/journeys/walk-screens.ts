import type { Page } from 'playwright-core';
import { expectAccessible, mayComplain } from '../browser.ts';
import type { Account } from '../seeded-data.ts';
import { admin, openPage, seeded } from './seeded.ts';
import { dataAs, keepSession } from './signing-in.ts';
import { visualFaults } from './visual-faults.ts';

/** Widths of a small phone, a phone, a tablet, a small laptop with open sidebar, and a desktop. */
export const WIDTHS = [320, 390, 768, 1024, 1440];

const REFUSAL = /^(Admin Login|Access Denied|For admins)$/;

export const resize = (page: Page, width: number) => page.setViewportSize({ width, height: width < 700 ? 844 : 900 });

interface WalkOptions {
  account?: Account;
  site?: typeof seeded;
  colorScheme?: 'light' | 'dark';
  widest?: boolean;
  largeText?: boolean;
  accessible?: boolean;
}

/**
 * Loads each screen once, as a guest or with an account, and resizes the window to every width.
 * @param options `widest`: load at the widest width instead of the narrowest, and leave out 390 px, which has the layout of 320 px; `largeText`: check for horizontal scrolling at 390 px and twice the text size, too; `accessible`: run axe at the first width, too
 * @returns what `visualFaults` finds, and screens that are refused to the account
 */
export async function walk(paths: readonly string[], options: WalkOptions = {}): Promise<string[]> {
  const { account, site = seeded, colorScheme = 'light', widest, largeText, accessible } = options;
  const page = mayComplain(await openPage({ viewport: { width: 1440, height: 900 }, colorScheme }, site.base));
  if (account) await keepSession(page, account, site);
  const found: string[] = [];
  const widths = widest ? WIDTHS.toReversed().filter((width) => width !== 390) : WIDTHS;
  for (const path of paths)
    for (const width of widths) {
      await resize(page, width);
      if (width === widths[0]) await page.goto(path);
      // Two frames: one for the resize event, one for rendering its effect.
      else await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await page.locator('.spinner, [aria-busy=true]').first().waitFor({ state: 'hidden' });
      if (account && (await page.getByRole('heading', { name: REFUSAL }).count()))
        found.push(`${path}: access refused`);
      for (const fault of await visualFaults(page)) found.push(`${path} at ${width}: ${fault}`);
      if (accessible && width === widths[0]) await expectAccessible(page);
      if (!largeText || width !== 390) continue;
      const overflow = await page.evaluate(() => {
        const { documentElement: root } = document;
        root.style.setProperty('font-size', '200%');
        const tooWide = root.scrollWidth - root.clientWidth;
        root.style.removeProperty('font-size');
        return tooWide;
      });
      if (overflow > 0) found.push(`${path} at twice the text size: ${overflow} px wider than its window`);
    }
  await page.context().close();
  return found;
}

const HELPERS = ['/admin', '/admin-help', '/admin-setup', '/admin-login', '/verify-user', '/confirm'];
export const ACCOUNT_SCREENS = ['/sign-in', '/sign-up', '/reset-password', '/case-study-upload', ...HELPERS];
export const MEMBER_SCREENS = ['/my-experiments', '/my-statements', '/account', '/case-study-upload'];
const IN_ADMIN = 'projects projects/new case-studies review media pages users messages settings trash log'.split(' ');
export const ADMIN_SCREENS = ['/admin', ...IN_ADMIN.map((name) => `/admin/${name}`), '/upload-project', '/cleanup'];

/** All screens of the admin area: lists, a project, a submission, and pages of each form in the editor. */
export async function adminScreens(project?: string): Promise<string[]> {
  const data = await dataAs(admin);
  const { data: projects } = await data.from('projects').select('id').order('created_at').limit(1);
  const { data: reviews } = await data.from('reviews').select('project_id').order('arrived_at').limit(1);
  const { data: pages } = await data.from('pages').select('id').in('kind', ['home', 'join', 'frame']);
  const id = project ?? (projects![0]!.id as string);
  return [
    ...ADMIN_SCREENS,
    ...['', '/edit', '/split', '/versions/1'].map((rest) => `/admin/projects/${id}${rest}`),
    `/admin/review/${reviews![0]!.project_id}`,
    ...pages!.map((page) => `/admin/pages/${page.id}`),
  ];
}
