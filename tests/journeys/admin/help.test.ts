import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, expectAccessible, expectFocus, fillSignIn, mayComplain, PHONE, stopClock } from '../../browser.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { linkInMail } from '../../outbox.ts';
import { setupKeyOf, startServerOnPostgres } from '../../server.ts';
import { expectLeavesAfter, requestsOf } from '../hands.ts';
import { admin, creator, member, openAt, openPage, seeded, startSeeded } from '../seeded.ts';
import { keepSession, newAccount, rolesOf } from '../signing-in.ts';

startSeeded();

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none' }));

it('Admin Help has three tabs that arrow keys switch (HELP-01, HELP-07, HELP-08, ROUTE-11)', async () => {
  const page = await openAt('/admin-help', PHONE);
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Login Help', 'Assign Role', 'Troubleshoot']);
  await expectAccessible(page);
  // The button and the tabs work once the page is hydrated.
  await page.locator('button[type=submit]:enabled').first().waitFor();
  await page.getByRole('tab', { name: 'Login Help' }).press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'Assign Role' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('End');
  for (const name of ['Captcha failure', 'Role assignment fails', 'Missing database tables'])
    await page.getByRole('tabpanel', { name: 'Troubleshoot' }).getByRole('heading', { name }).waitFor();
  await expectAccessible(page);
  expect(await page.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe('/admin');
});

it('Admin Help sends a reset link, with the same response for an unknown address (HELP-02, HELP-03)', async () => {
  const { email } = await newAccount();
  const page = await openPage();
  const panel = page.getByRole('tabpanel', { name: 'Login Help' });
  const answers: string[] = [];
  for (const address of ['nobody-at-all@madhouse.example', email]) {
    await page.goto('/admin-help');
    await panel.getByLabel('Email').fill(address);
    const request = page.waitForRequest('**/auth/v1/recover*');
    await panel.getByRole('button', { name: 'Send reset link' }).click();
    expect(new URL((await request).url()).searchParams.get('redirect_to')).toBe(`${seeded.base}/reset-password`);
    await panel.getByText('Password reset link sent! Check your email inbox.', { exact: true }).waitFor();
    answers.push(await panel.innerText());
  }
  expect(answers[1]).toBe(answers[0]);
  await page.goto(await linkInMail(seeded.dataDir, email, 'recovery'));
  await page.getByRole('button', { name: 'Choose a new password' }).click();
  await page.waitForURL((url) => url.pathname === '/reset-password');
  await page.getByLabel('New password').waitFor();
});

async function assign(page: Page, email: string, key = '') {
  await page.goto('/admin-help?tab=assign');
  await page.getByLabel('Email of the new admin').fill(email);
  await page.getByLabel('Setup key').fill(key);
  await page.getByRole('button', { name: 'Assign admin role' }).click();
}

it('Admin Help refuses to assign the role for a guest, a member and a wrong key, shows why, and assigns it for an admin (HELP-04, HELP-05, HELP-06)', async () => {
  const { email, id } = await newAccount();
  const page = await openPage();
  const refusal = page.getByRole('alert');
  await assign(page, email);
  await refusal.getByText('Only an admin can assign the admin role.').waitFor();
  await assign(page, email, 'a-key-that-was-never-printed-anywhere');
  await refusal.getByText('Invalid admin key. Please enter the correct key to create an admin account.').waitFor();
  await keepSession(page, member);
  await assign(page, email);
  await refusal.getByText('Only an admin can assign the admin role.').waitFor();
  expect(await page.getByText('Admin role assigned successfully!').count()).toBe(0);
  expect(await rolesOf(id)).toEqual([]);

  await keepSession(page, admin);
  await assign(page, email);
  const assigned = 'Admin role assigned successfully! You can now log in with your credentials.';
  await page.getByText(assigned, { exact: true }).waitFor();
  expect(await rolesOf(id)).toEqual(['admin']);
});

it('Direct Admin Access signs in, and shows that the role was refused (DIRECT-01, DIRECT-02, DIRECT-03, DIRECT-05, DIRECT-07, ROUTE-12)', async () => {
  const page = await openAt('/admin-login');
  await page.getByRole('heading', { name: 'Direct Admin Access' }).waitFor();
  await expectAccessible(page);
  expect(await page.getByLabel('Email').getAttribute('type')).toBe('email');
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('password');
  for (const name of ['Sign In', 'Create Account']) await page.getByRole('button', { name, exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/');
  await fillSignIn(page, creator);
  const refusal = 'Failed to assign admin role: Only an admin can assign the admin role.';
  await page.getByRole('alert').getByText(refusal, { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/admin-login');
});

it('Direct Admin Access redirects an admin after a second, and immediately on the next visit (DIRECT-04, DIRECT-06, CONST-11)', async () => {
  const page = await openAt('/admin-login');
  await stopClock(page);
  await fillSignIn(page, admin);
  await page.getByText('You are in.').waitFor();
  await expectLeavesAfter(page, 1_000);
  await page.clock.resume();
  await page.goto('/admin-login');
  await page.waitForURL((url) => url.pathname === '/admin');
});

it('Direct Admin Access creates an ordinary account without the key (DIRECT-08, DIRECT-10)', async () => {
  const hopeful = 'eager@madhouse.example';
  const page = await openAt('/admin-login', DESKTOP, server.base);
  await fillSignIn(page, { email: hopeful, password: 'hopeful-password-5' }, 'Create Account');
  const refusal = 'Account created but failed to assign admin role: Only an admin can assign the admin role.';
  await page.getByText(refusal).waitFor();
  // A confirmed account has no access to the admin area.
  await page.goto(await linkInMail(server.dataDir, hopeful, 'confirmation'));
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await page.waitForURL((url) => url.pathname === '/my-experiments');
  await page.goto('/admin');
  await page.getByText('Access Denied').waitFor();
});

it('Verify User asks for an address, and refuses guests and members (VERIFY-01, VERIFY-02, VERIFY-04, VERIFY-05, VERIFY-06, VERIFY-07, ROUTE-15)', async () => {
  const page = mayComplain(await openAt('/verify-user', PHONE, server.base));
  await expectAccessible(page);
  const sent = requestsOf(page, (request) => request.url().includes('/functions/v1/'));
  expect(await page.getByLabel('Email').getAttribute('type')).toBe('email');
  await page.getByRole('button', { name: 'Verify Email', exact: true }).click();
  await page.getByText('Please enter a valid email address', { exact: true }).waitFor();
  await expectFocus(page.getByLabel('Email'));
  expect(sent.length).toBe(0);
  expect(await page.getByRole('link', { name: 'Back to Admin' }).getAttribute('href')).toBe('/admin');
  const call = page.waitForRequest('**/functions/v1/auto-verify');
  await page.getByLabel('Email').fill('hopeful@madhouse.example');
  await page.getByRole('button', { name: 'Verify Email' }).click();
  expect((await call).postDataJSON()).toEqual({ email: 'hopeful@madhouse.example' });
  const refusal = page.getByRole('alert');
  await refusal.getByText('Only an admin can verify an account.').waitFor();
  for (const [answer, words] of [
    [{ success: false, error: 'The press is jammed' }, 'The press is jammed'],
    [{ success: false, error: null }, 'Failed to verify email'],
    [{}, 'Unknown error occurred'],
    [null, 'Failed to verify user'],
  ] as const) {
    await page.route('**/functions/v1/auto-verify', (route) =>
      answer ? route.fulfill({ json: answer }) : route.abort(),
    );
    await page.getByRole('button', { name: 'Verify Email' }).click();
    await refusal.getByText(words, { exact: true }).waitFor();
  }
  expect(new URL(page.url()).pathname).toBe('/verify-user');
});

it('Verify User accepts the setup key, reports an address without an account, and redirects after three seconds (VERIFY-03, VERIFY-06, CONST-10, M1)', async () => {
  const account = { email: 'mailless@madhouse.example', password: 'hopeful-password-6' };
  const page = await openAt('/sign-up', DESKTOP, server.base);
  await fillSignIn(page, account, 'Create Account');
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();

  await page.goto('/verify-user');
  await page.getByLabel('Setup key').fill(setupKeyOf(server));
  await page.getByLabel('Email').fill('unknown@madhouse.example');
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByRole('alert').getByText('No account has this address', { exact: true }).waitFor();
  await page.getByLabel('Email').fill(account.email);
  await stopClock(page);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByText('User Verified Successfully!').waitFor();
  await expectLeavesAfter(page, 3_000);
  await page.clock.resume();
  await fillSignIn(page, account);
  await page.getByText('Access Denied').waitFor();
});

// The last test of this server, because it uses up the setup key.
it('setup key makes a user an admin once their address is confirmed (HELP-04, HELP-06, DIRECT-08)', async () => {
  const first = 'first@madhouse.example';
  const page = await openAt('/admin-login', DESKTOP, server.base);
  await page.getByLabel('Setup key').fill(setupKeyOf(server));
  await fillSignIn(page, { email: first, password: 'hopeful-password-8' }, 'Create Account');
  const refusal = 'Account created but failed to assign admin role: No confirmed account has this email address.';
  await page.getByText(refusal, { exact: true }).waitFor();
  await page.goto(await linkInMail(server.dataDir, first, 'confirmation'));
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await page.waitForURL((url) => url.pathname === '/my-experiments');
  await assign(page, first, setupKeyOf(server));
  await page.getByText('Admin role assigned successfully!').waitFor();
  await page.getByRole('link', { name: 'Back to login' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});
