import type { RouteConfigEntry } from '@react-router/dev/routes';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import routes, { guardOf } from '../../app/routes.ts';
import { mayComplain } from '../browser.ts';
import type { Account } from '../seeded-data.ts';
import { admin, member, openPage, seeded, startSeeded } from './seeded.ts';
import { dataAs, keepSession, newEditor } from './signing-in.ts';
import { ACCOUNT_SCREENS } from './walk-screens.ts';

startSeeded({ readOnly: true });

type Guard = 'open' | 'signedIn' | 'editorsOnly' | 'adminOnly';
type Seen = 'content' | 'sign-in prompt' | 'admin login' | 'access denied' | 'for admins';

interface Visit {
  path: string;
  guard: Guard | undefined;
  /** Routes without a page: feeds, images, endpoints. */
  isResource: boolean;
}

const PARAMS = {
  'sitemaps/:part': 'projects-1.xml',
  'social/:file': 'none.png',
  'versions/:number': '1',
  '*': 'no-such-page',
};

let visits: Visit[];
let accounts: Record<'member' | 'editor', Account>;
beforeAll(async () => {
  const data = await dataAs(admin);
  accounts = { member, editor: await newEditor() };
  const { data: reviews } = await data.from('reviews').select('project_id').order('arrived_at').limit(1);
  const { data: projects } = await data.from('projects').select('id').eq('status', 'active').limit(1);
  const fill = (path: string) =>
    Object.entries(PARAMS)
      .reduce((filled, [pattern, value]) => filled.replace(pattern, pattern.replace(/:\w+|\*/, value)), path)
      .replace('/:slug?', '')
      .replace(/(review|drafts)\/:id/, `$1/${reviews![0]!.project_id}`)
      .replace(':id', projects![0]!.id as string);
  visits = leaves(routes).map((visit) => ({ ...visit, path: fill(visit.path) }));
});

function leaves(entries: readonly RouteConfigEntry[], parent = '', inherited?: Guard): Visit[] {
  return entries.flatMap((entry) => {
    const path = entry.path ? `${parent}/${entry.path}` : parent;
    const guard = guardOf.get(entry) ?? inherited;
    if (entry.children) return leaves(entry.children, path, guard);
    return { path: path || '/', guard, isResource: !entry.file.endsWith('.tsx') };
  });
}

async function see(page: Page, path: string): Promise<Seen> {
  await page.goto(path);
  await page.locator('.spinner, [aria-busy=true]').first().waitFor({ state: 'hidden' });
  await page.locator('h1').first().waitFor();
  if (await page.getByRole('heading', { name: 'Admin Login', exact: true }).count()) return 'admin login';
  if (await page.getByText('Access Denied').count()) return 'access denied';
  if (await page.getByRole('heading', { name: 'For admins', exact: true }).count()) return 'for admins';
  const next = new URLSearchParams({ next: path });
  const prompt = page.locator(`main a[href="/sign-in?next=${path}"], main a[href="/sign-in?${next}"]`);
  // Not the prompt to sign in again of an open screen, which has its own form.
  if (await prompt.filter({ hasNotText: 'No password?' }).count()) return 'sign-in prompt';
  return 'content';
}

const SEEN: Record<'guest' | 'member' | 'editor', Record<Guard, Seen>> = {
  guest: { open: 'content', signedIn: 'sign-in prompt', editorsOnly: 'admin login', adminOnly: 'admin login' },
  member: { open: 'content', signedIn: 'content', editorsOnly: 'access denied', adminOnly: 'access denied' },
  editor: { open: 'content', signedIn: 'content', editorsOnly: 'content', adminOnly: 'for admins' },
};

/**
 * The pages for everyone that do not know accounts are opened in every-page, all screens by an admin in every-screen. An open
 * page treats an editor like a member.
 */
it('route guards cover every route, and refuse no one on open resources', async () => {
  expect(visits.filter(({ guard }) => guard === undefined)).toEqual([]);
  expect(visits.length).toBeGreaterThan(40);
  const mine = visits.filter(({ path }) => /^\/(my-|account)/.test(path));
  expect(mine.map(({ guard }) => guard)).toEqual(mine.map(() => 'signedIn'));
  const adminScreens = visits.filter(({ path }) => /^\/admin(\/|$)/.test(path));
  expect(adminScreens.filter(({ guard }) => guard !== 'editorsOnly' && guard !== 'adminOnly')).toEqual([]);

  for (const { path } of visits.filter(({ isResource }) => isResource))
    expect([401, 403], path).not.toContain((await fetch(seeded.base + path)).status);
});

for (const role of ['guest', 'member', 'editor'] as const)
  it(`route guards let ${role === 'editor' ? 'an' : 'a'} ${role} open exactly the routes of the table`, async () => {
    const page = mayComplain(await openPage());
    if (role !== 'guest') await keepSession(page, accounts[role]);
    const requests: string[] = [];
    page.on('response', (response) => {
      if (/\/rest\/v1\//.test(response.url()) && response.request().method() === 'GET') requests.push(response.url());
    });
    const wrong: string[] = [];
    for (const { path, guard, isResource } of visits) {
      if (isResource || (guard === 'open' && (role === 'editor' || !ACCOUNT_SCREENS.includes(path)))) continue;
      requests.length = 0;
      const seen = await see(page, path);
      const expected = SEEN[role][guard!];
      if (seen !== expected) wrong.push(`${path} (${guard}): ${seen} instead of ${expected}`);
      // Behind a closed guard no screen has been mounted, so none has requested its data.
      else if (
        seen !== 'content' &&
        requests.some((url) => !/user_roles|is_admin|can_edit_content/.test(url)) &&
        seen !== 'for admins'
      )
        wrong.push(`${path} (${guard}): requested ${requests.join()}`);
    }
    expect(wrong).toEqual([]);
    if (role === 'editor') {
      await page.goto('/admin-login');
      await page.waitForURL(`${seeded.base}/admin`);
    }
  });
