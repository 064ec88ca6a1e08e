import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type LogLine, sentenceOf } from '../../../app/features/audit/model/audit-log.ts';
import { groupsFor } from '../../../app/lib/words/admin.ts';
import { DESKTOP, expectAccessible, fillSignIn, hold, mayComplain, PHONE, stopClock } from '../../browser.ts';
import { mockError, mockResponse, openAsAdmin, requestsOf } from '../hands.ts';
import { admin, creator, member, openAt, openPage, startSeeded } from '../seeded.ts';
import { dataAs, enterAdmin, keepSession, newEditor } from '../signing-in.ts';

startSeeded();

/** The cached `is_admin` answer of this tab, or null. */
const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('madhouse-admin'));

it('admin gate shows “Verifying” before the role is known, with and without JavaScript (GATE-01, ALAY-08)', async () => {
  const said = ['Loading...', 'Verifying admin permissions...'];
  const plain = await openPage({ ...DESKTOP, javaScriptEnabled: false });
  const answer = await plain.goto('/admin');
  const headers = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' };
  expect(answer?.headers()).toMatchObject(headers);
  for (const words of said) await plain.getByText(words, { exact: true }).waitFor();

  const page = await openPage();
  await keepSession(page, admin);
  const go = await hold(page, '**/rpc/is_admin');
  const request = page.waitForRequest('**/rpc/is_admin');
  await page.goto('/admin');
  await request;
  for (const words of said) await page.getByText(words, { exact: true }).waitFor();
  expect(await page.getByRole('navigation', { name: 'Admin' }).count()).toBe(0);
  go();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  for (const words of said) expect(await page.getByText(words, { exact: true }).count()).toBe(0);
});

it('admin gate falls back to the roles when is_admin fails, and shows the error when both fail (GATE-02, ERR-08, PERM-05)', async () => {
  const page = mayComplain(await openPage());
  await mockError(page, '**/rest/v1/rpc/is_admin', 500, 'broken');
  await enterAdmin(page, admin);
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();

  // A role other than admin and editor.
  await page.evaluate(() => sessionStorage.clear());
  await page.route('**/rest/v1/user_roles*', (route) => route.fulfill({ json: [{ roles: { name: 'reader' } }] }));
  await page.reload();
  await page.getByText('Access Denied').waitFor();

  await mockError(page, '**/rest/v1/user_roles*', 500, 'no roles today');
  await page.reload();
  await page.getByText('Error: API Error: no roles today').waitFor();
  expect(await page.getByRole('heading', { name: 'Dashboard' }).count()).toBe(0);

  await page.route('**/rest/v1/**', (route) => route.abort());
  await page.reload();
  await page.getByText('Error: Failed to verify admin status').waitFor();
});

it('admin gate shows the sign-in form to a guest, with other methods under advanced options; it requires both fields, is busy during the request, and shows the server’s message with hints (GATE-03, GATE-04, GATE-05, GATE-09, GATE-10, GATE-11, GATE-12, STATE-07)', async () => {
  const page = await openPage();
  const signIns = requestsOf(page, (request) => request.url().includes('/auth/v1/token'));
  const go = await hold(page, '**/auth/v1/token*');
  await page.goto('/admin/case-studies');
  await page.getByRole('heading', { name: 'Admin Login' }).waitFor();
  await expectAccessible(page);
  const setUp = page.getByRole('link', { name: 'Admin Setup' });
  expect(await setUp.isVisible()).toBe(false);
  await page.getByText('Advanced options').press('Enter');
  expect(await setUp.isVisible()).toBe(true);
  expect(await setUp.getAttribute('href')).toBe('/admin-setup');
  expect(await page.getByRole('link', { name: 'Admin Help' }).getAttribute('href')).toBe('/admin-help');
  expect(await page.getByRole('link', { name: 'Simple Admin Login' }).getAttribute('href')).toBe('/admin-login');

  const email = page.getByLabel('Email');
  const password = page.getByLabel('Password');
  for (const [address, secret, missing] of [
    ['', '', email],
    ['nobody@madhouse.example', '', password],
    ['', 'wrong-password', email],
    ['not an address', 'wrong-password', email],
    ['nobody@', 'wrong-password', email],
  ] as const) {
    await email.fill(address);
    await password.fill(secret);
    await page.getByRole('button', { name: 'Sign In' }).click();
    const held = await missing.evaluate((at: HTMLInputElement) => [at.validity.valid, at === document.activeElement]);
    expect(held, `${address} ${secret}`).toEqual([false, true]);
  }
  expect(signIns.length).toBe(0);
  await email.fill('nobody@madhouse.example');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('button', { name: 'Signing In...' }).waitFor();
  go();
  const refusal = page.getByRole('alert');
  await refusal.getByText('Invalid login credentials', { exact: true }).waitFor();
  expect(signIns.length).toBe(1);
  const hint = refusal.getByRole('listitem');
  expect(await hint.count()).toBe(0);
  for (const [msg, shown, hints, links] of [
    ['', 'Failed to log in', [], []],
    [
      'captcha verification process failed',
      'captcha verification process failed',
      [
        'Turn off your VPN and try again.',
        'Try another browser.',
        'Use the advanced option below: Simple Admin Login.',
      ],
      ['/admin-login'],
    ],
    [
      'Email not confirmed',
      'Email not confirmed',
      ['Open the confirmation link in your inbox first.', 'Or use the Simple Admin Login or Admin Setup.'],
      ['/admin-login', '/admin-setup'],
    ],
  ] as const) {
    await mockResponse(page, '**/auth/v1/token*', { status: 400, json: { code: 400, error_code: 'unheard_of', msg } });
    await page.getByRole('button', { name: 'Sign In' }).click();
    await refusal.getByText(shown).waitFor();
    expect(await hint.allInnerTexts()).toEqual(hints);
    const targets = await refusal.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(targets).toEqual(links);
  }
  await expectAccessible(page);
});

it('admin gate denies access to a signed-in user without the role and shows no data (GATE-06, GATE-07, GATE-14, STATE-07)', async () => {
  const page = mayComplain(await openAt('/admin/users'));
  await fillSignIn(page, creator);
  const denial = 'Access Denied: Your account does not have admin privileges required to access this area.';
  await page.getByText(denial).waitFor();
  expect(await page.getByRole('link', { name: 'Set Up Admin Access' }).getAttribute('href')).toBe('/admin-setup');
  expect(await page.getByRole('link', { name: 'Admin Help' }).getAttribute('href')).toBe('/admin-help');
  expect(await page.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/');
  await expectAccessible(page);

  // With a forged answer the gate opens, but the database still returns nothing.
  await page.route('**/rest/v1/rpc/is_admin', (route) => route.fulfill({ json: true }));
  await page.reload();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  await page.getByText('Only an admin can manage users.').waitFor();
  expect(await page.getByText(admin.email).count()).toBe(0);
  await page.goto('/admin/log');
  await page.getByText('Only an admin can read the log.').waitFor();
  await page.goto('/admin/trash');
  await page.getByText('Only an editor can look into the trash.').waitFor();
});

it('admin gate requests the admin role only where the server can grant it, so a plain sign-in is not recorded as an attempt (GATE-13, M4)', async () => {
  const attempts = async () => {
    const { data, error } = await (await dataAs(admin)).rpc('read_log', { what: 'admin_role.', who: member.email });
    expect(error).toBeNull();
    return (data as { rows: LogLine[] }).rows.map(sentenceOf);
  };
  const before = await attempts();
  const page = await openPage();
  const requests = requestsOf(page, (request) => request.url().endsWith('/rpc/assign_admin_role'));
  await page.goto('/admin');
  await fillSignIn(page, member);
  await page.getByText('Access Denied').waitFor();
  expect(requests).toEqual([]);
  expect(await attempts()).toEqual(before);

  expect((await (await dataAs(member)).rpc('assign_admin_role', { admin_email: member.email })).status).toBe(403);
  expect(await attempts()).toEqual([`${member.email} tried to make an account an admin and was refused`, ...before]);

  const own = mayComplain(await openPage());
  const warnings: string[] = [];
  own.on('console', (line) => line.type() === 'warning' && warnings.push(line.text()));
  await mockError(own, '**/rest/v1/rpc/assign_admin_role', 403, 'Not today.', { code: '42501' });
  const attempt = own.waitForRequest('**/rest/v1/rpc/assign_admin_role');
  await own.goto('/admin');
  await fillSignIn(own, admin);
  expect((await attempt).postDataJSON()).toEqual({ admin_email: admin.email });
  await own.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await expect.poll(() => warnings.join()).toContain('Assigning the admin role failed');
});

it('admin gate admits an admin and caches the answer for five minutes, also across documents, then closes when the role is lost (ALAY-09, GATE-08, PERM-06, CACHE-03, CONST-01)', async () => {
  const page = await openPage();
  const checks = requestsOf(page, (request) => request.url().endsWith('/rpc/is_admin'));
  await stopClock(page);
  await enterAdmin(page, admin);
  await page.goto('/admin/projects');
  await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
  expect(checks.length).toBe(1);
  await page.clock.fastForward(290_000);
  await page.goto('/admin');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  expect(checks.length).toBe(1);

  for (const name of ['is_admin', 'can_edit_content'])
    await page.route(`**/rest/v1/rpc/${name}`, (route) => route.fulfill({ json: false }));
  const entries = await page.evaluate(() => history.length);
  await page.clock.fastForward(301_000);
  await expect.poll(() => checks.length).toBe(2);
  await page.clock.resume();
  await page.waitForURL((url) => url.pathname === '/');
  // The entry of the screen is replaced.
  expect(await page.evaluate(() => history.length)).toBe(entries);
});

it('admin gate signs out to the home page, and Back does not return (AUTH-34, ALAY-07, PERM-06)', async () => {
  const page = mayComplain(await openAt('/about'));
  await enterAdmin(page, admin, '/admin/settings');
  expect(await kept(page)).toContain('"role":"admin"');
  await page.route('**/auth/v1/logout*', (route) => route.fulfill({ status: 403, json: { msg: 'gone' } }));
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(await kept(page)).toBeNull();
  await page.goBack();
  expect(new URL(page.url()).pathname).not.toMatch(/^\/admin/);
});

it('admin gate reports an address without a session, and returns to the requested page after sign-in with another method (AUTH-29)', async () => {
  const page = mayComplain(await openAt('/admin#access_token=only-this'));
  await page.getByText('No session defined in URL').waitFor();
  await page.goto('/admin/log?what=project.#newest');
  const other = await page.getByRole('link', { name: 'Other ways to sign in' }).getAttribute('href');
  await page.goto(other!);
  await fillSignIn(page, admin);
  await page.getByRole('heading', { level: 1, name: 'Log' }).waitFor();
  const { pathname, search, hash } = new URL(page.url());
  expect(`${pathname}${search}${hash}`).toBe('/admin/log?what=project.#newest');
});

it('admin gate shows the sign-in form when the session ends in another tab, and opens when one starts there (STATE-04, STATE-06, PERM-06)', async () => {
  const another = await newEditor();
  const page = await openAt('/admin/review?mine=1');
  await fillSignIn(page, admin);
  await page.getByRole('heading', { level: 1, name: 'Review' }).waitFor();
  expect(await kept(page)).toContain('"role":"admin"');
  const other = await page.context().newPage();
  await other.goto('/sign-out');
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.getByRole('heading', { name: 'Admin Login' }).waitFor();
  expect(await kept(page)).toBeNull();
  // A sign-in in the other tab opens it again, and one of an editor opens it for that one.
  await other.getByRole('link', { name: 'Sign in again' }).click();
  await Promise.all([other.waitForURL('**/admin'), fillSignIn(other, admin)]);
  await page.getByRole('heading', { level: 1, name: 'Review' }).waitFor();
  await other.goto('/sign-in');
  await fillSignIn(other, another);
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0);
});

it('admin gate checks the role again after it changed in this browser; a password reset leads admins to the admin area (PERM-06)', async () => {
  await (await dataAs(admin)).rpc('assign_admin_role', { admin_email: member.email }).throwOnError();
  const page = await openPage();
  await enterAdmin(page, member, `/admin/users?search=${member.email}`);
  expect(await kept(page)).toContain('"role":"admin"');

  // D16: the link is only for admins (accounts.test.ts).
  const tab = await page.context().newPage();
  await tab.goto('/reset-password');
  await tab.getByLabel('New password').fill(`${member.password}-2`);
  await tab.getByRole('button', { name: 'Save the new password' }).click();
  expect(await tab.getByRole('link', { name: 'Go to the admin area' }).getAttribute('href')).toBe('/admin');

  await page.getByLabel(`Actions for ${member.email}`).click();
  await page.getByRole('button', { name: 'Withdraw admin role' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw admin role' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  expect(await kept(page)).toBeNull();
  await page.goto('/admin');
  await page.getByText('Access Denied: Your account does not have admin privileges').waitFor();
});

it('admin layout has these sidebar entries in groups, marks the current one and hides icons from screen readers; its menu opens and closes on a phone (ALAY-01, ALAY-02, ALAY-03, ALAY-04, ALAY-05, ALAY-06)', async () => {
  const page = await openAsAdmin('/admin/trash');
  await page.getByText('MAD Admin', { exact: true }).waitFor();
  const navigation = page.getByRole('navigation', { name: 'Admin' });
  const links = await navigation
    .locator('li a')
    .evaluateAll((all) => all.map((link) => [link.textContent!.replace(/ \d.*/, ''), link.getAttribute('href')]));
  expect(links).toEqual([
    ['Dashboard', '/admin'],
    ['Projects', '/admin/projects'],
    ['Case Studies', '/admin/case-studies'],
    ['Review', '/admin/review'],
    ['Media', '/admin/media'],
    ['Pages', '/admin/pages'],
    ['Users', '/admin/users'],
    ['Messages', '/admin/messages'],
    ['Settings', '/admin/settings'],
    ['Trash', '/admin/trash'],
    ['Log', '/admin/log'],
  ]);
  for (const { title, screens } of groupsFor('admin')) {
    if (!title) continue;
    const grouped = navigation.getByRole('list', { name: title, exact: true }).getByRole('link');
    expect((await grouped.allTextContents()).map((text) => text.replace(/ \d.*/, ''))).toEqual(
      screens.map(({ label }) => label),
    );
  }
  expect(await navigation.locator('[aria-current=page]').allTextContents()).toEqual(['Trash']);
  expect(await navigation.locator('li').count()).toBe(await navigation.locator('li svg[aria-hidden=true]').count());

  await page.setViewportSize(PHONE.viewport);
  await page.getByRole('button', { name: 'Menu' }).click();
  await navigation.getByRole('link', { name: 'Case Studies', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Manage Mad Experiments', exact: true }).waitFor();
  expect(await navigation.isVisible()).toBe(false);
});
