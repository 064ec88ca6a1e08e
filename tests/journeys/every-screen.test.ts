import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openBrowser } from '../browser.ts';
import { publicPages } from '../public-pages.ts';
import { openPage, seeded } from './seeded.ts';
import type { Account } from './setup.ts';
import { dataAs, keepSession } from './signing-in.ts';
import { fillIn, openForm, picture, send, stay } from './submit-form.ts';
import { isInFirstScreen, visualFaults } from './visual-faults.ts';

const WIDTHS = [320, 390, 768, 1024, 1440];

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Looks at one screen at every width, in light and dark. */
async function faultsAt(page: Page, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 700 ? 844 : 900 });
    await page.goto(path);
    await page.locator('.spinner, [aria-busy=true]').first().waitFor({ state: 'hidden' });
    for (const fault of await visualFaults(page)) found.push(`${path} at ${width}: ${fault}`);
  }
  return found;
}

const ACCOUNT = [
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
const MEMBER = ['/my-experiments', '/my-statements', '/account', '/case-study-upload'];
const ADMIN = [
  '/admin',
  '/admin/projects',
  '/admin/projects/new',
  '/admin/case-studies',
  '/admin/review',
  '/admin/users',
  '/admin/messages',
  '/admin/settings',
  '/admin/trash',
  '/admin/log',
  '/upload-project',
  '/cleanup',
];

async function walk(paths: string[], account?: Account): Promise<string[]> {
  const page = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  if (account) await keepSession(page, account);
  const found: string[] = [];
  for (const path of paths) found.push(...(await faultsAt(page, path)));
  await page.context().close();
  return found;
}

describe('every screen at five widths', () => {
  it('shows a guest nothing split, covered, cut off or too tall', async () => {
    expect(await walk([...Object.values(await publicPages(seeded.base)), ...ACCOUNT])).toEqual([]);
  }, 300_000);

  it('shows a member nothing split, covered, cut off or too tall', async () => {
    expect(await walk(MEMBER, inject('accounts').creator)).toEqual([]);
  }, 180_000);

  it('shows an admin nothing split, covered, cut off or too tall', async () => {
    const data = await dataAs(inject('accounts').admin);
    const { data: projects } = await data.from('projects').select('id').order('created_at').limit(1);
    const { data: reviews } = await data.from('reviews').select('project_id').limit(1);
    const id = projects![0]!.id as string;
    const of = ['', '/edit', '/split', '/versions/1'].map((rest) => `/admin/projects/${id}${rest}`);
    const review = `/admin/review/${reviews![0]!.project_id}`;
    expect(await walk([...ADMIN, ...of, review], inject('accounts').admin)).toEqual([]);
  }, 300_000);
});

it('shows what was submitted, with the link to keep and the ways on, in the first screen', async () => {
  const page = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await openForm(page);
  await fillIn(page, 'A lamp that hums', [await picture('lamp.png')]);
  await send(page);
  await stay(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 700 ? 844 : 900 });
    expect(await visualFaults(page), `at ${width}`).toEqual([]);
    for (const purpose of ['.submitted h1', '.submitted-link button', '.submitted a[href="/case-studies"]'])
      expect(await isInFirstScreen(page, purpose), `${purpose} at ${width}`).toBe(true);
  }
}, 120_000);
