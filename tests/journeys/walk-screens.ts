import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import type { Account } from '../seeded-data.ts';
import { openPage, seeded } from './seeded.ts';
import { dataAs, keepSession } from './signing-in.ts';
import { visualFaults } from './visual-faults.ts';

/** Widths of a small phone, a phone, a tablet, a small laptop with open sidebar, and a desktop. */
export const WIDTHS = [320, 390, 768, 1024, 1440];
/** Widths at which a page is loaded; at the others the window is resized. */
const LOADED_AT = [320, 1024];

export const heightAt = (width: number): number => (width < 700 ? 844 : 900);

/** Opens screens at every width, as a guest or with an account. @returns what `visualFaults` finds */
export async function walk(
  browser: Browser,
  paths: readonly string[],
  {
    account,
    base = seeded.base,
    colorScheme = 'light',
  }: { account?: Account; base?: string; colorScheme?: 'light' | 'dark' } = {},
): Promise<string[]> {
  const page = await openPage(browser, { viewport: { width: 1440, height: 900 }, colorScheme }, base);
  if (account) await keepSession(page, account, base);
  const found: string[] = [];
  for (const path of paths)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: heightAt(width) });
      if (LOADED_AT.includes(width)) await page.goto(path);
      // Two frames: one for the resize event, one for rendering its effect.
      else await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await page.locator('.spinner, [aria-busy=true]').first().waitFor({ state: 'hidden' });
      for (const fault of await visualFaults(page)) found.push(`${path} at ${width}: ${fault}`);
    }
  await page.context().close();
  return found;
}

export const ACCOUNT_SCREENS = [
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/case-study-upload',
  '/admin',
  '/admin-help',
  '/admin-setup',
  '/admin-login',
  '/verify-user',
  '/confirm',
];
export const MEMBER_SCREENS = ['/my-experiments', '/my-statements', '/account', '/case-study-upload'];
export const ADMIN_SCREENS = [
  '/admin',
  '/admin/projects',
  '/admin/projects/new',
  '/admin/case-studies',
  '/admin/review',
  '/admin/media',
  '/admin/pages',
  '/admin/users',
  '/admin/messages',
  '/admin/settings',
  '/admin/trash',
  '/admin/log',
  '/upload-project',
  '/cleanup',
];

/** All screens of the admin area: lists, a project, and a submission. */
export async function adminScreens(project?: string): Promise<string[]> {
  const data = await dataAs(inject('accounts').admin);
  const { data: projects } = await data.from('projects').select('id').order('created_at').limit(1);
  const { data: reviews } = await data.from('reviews').select('project_id').order('arrived_at').limit(1);
  const id = project ?? (projects![0]!.id as string);
  return [
    ...ADMIN_SCREENS,
    ...['', '/edit', '/split', '/versions/1'].map((rest) => `/admin/projects/${id}${rest}`),
    `/admin/review/${reviews![0]!.project_id}`,
  ];
}
