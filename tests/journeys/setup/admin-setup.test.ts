import type { BrowserContextOptions } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectAccessible, fillSignIn, hold, mayComplain, PHONE, stopClock } from '../../browser.ts';
import { clientOf } from '../../operator/client.ts';
import { linkInMail } from '../../outbox.ts';
import { type RunningServer, setupKeyOf, startServerOnPostgres } from '../../server.ts';
import { expectLeavesAfter, requestsOf } from '../hands.ts';
import { openAt, openPage } from '../seeded.ts';

let server: RunningServer;
let key: string;
// Each test sets up the first admin.
beforeEach(async () => {
  server = await startServerOnPostgres({ SEED: 'none' });
  key = setupKeyOf(server);
});
afterEach(() => server?.stop());

const visit = (device?: BrowserContextOptions) => openPage(device, server.base);

const FIRST = { email: 'first@madhouse.example', password: 'plates-in-register-7' };
const WRONG = 'Invalid admin key. Please enter the correct key to create an admin account.';

it('Direct Admin Setup creates the first admin, once (SETUP-01, SETUP-09, SETUP-03, SETUP-04, SETUP-05, SETUP-08, SETUP-10, SETUP-16, SETUP-17, SETUP-18, CONST-10, ROUTE-10)', async () => {
  const page = await visit();
  expect(await (await page.goto('/admin-setup'))!.text()).not.toContain(key);
  await page.locator('button[type=submit]:enabled').first().waitFor();
  expect(await page.getByLabel('Setup key').inputValue()).toBe('');
  expect(await page.getByLabel('Email').getAttribute('type')).toBe('email');
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Show password' }).click();
  expect(await page.getByLabel('Password').getAttribute('type')).toBe('text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expectAccessible(page);

  await page.getByLabel('Setup key').fill('a-key-that-was-not-printed-anywhere');
  await page.getByLabel('Email').fill('first@madhouse.example');
  await page.getByLabel('Password').fill('five5');
  for (const wrong of ['', 'first@']) {
    await page.getByLabel('Email').fill(wrong);
    await page.getByRole('button', { name: 'Direct API Method' }).click();
    const field = page.getByLabel('Email');
    const held = await field.evaluate((at: HTMLInputElement) => [at.validity.valid, at === document.activeElement]);
    expect(held, wrong).toEqual([false, true]);
  }
  expect(await page.getByRole('log').count()).toBe(0);
  await page.getByLabel('Email').fill('first@madhouse.example');
  await page.getByRole('button', { name: 'Direct API Method' }).click();
  await page.getByRole('alert').getByText('Must be at least 6 characters').waitFor();
  expect(await page.getByRole('log').count()).toBe(0);

  await page.getByLabel('Password').fill('plates-in-register-7');
  const go = await hold(page, '**/functions/v1/admin-setup');
  await page.getByRole('button', { name: 'Direct API Method' }).click();
  await page.getByRole('button', { name: 'Processing...' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Manual instructions' }).count()).toBe(0);
  go();
  await page.getByRole('alert').getByText(WRONG, { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Manual instructions' }).waitFor();
  expect(await page.getByRole('main').innerText()).not.toContain('SETUP_KEY');
  expect(await page.getByRole('link', { name: 'Go to Admin Login' }).getAttribute('href')).toBe('/admin');
  await expectAccessible(page);
  const lines = async () =>
    (await page.getByRole('log').getByRole('listitem').allInnerTexts()).map((line) => line.replace(/\s+/g, ' '));
  const tried = ['Direct API Method started.', 'Creating the admin account on the server.', `Failed: ${WRONG}`];
  const timed = (texts: string[]) =>
    texts.map((text) => expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d ${RegExp.escape(text)}$`)));
  expect(await lines()).toEqual(timed(tried));

  await page.getByRole('button', { name: 'Try Again' }).click();
  await page.getByLabel('Setup key').fill(key);
  await stopClock(page);
  await page.getByRole('button', { name: 'Direct API Method' }).click();
  await page.getByRole('status').getByText('Admin Setup Complete!', { exact: true }).waitFor();
  expect(await lines()).toEqual(
    timed([
      ...tried,
      ...tried.slice(0, 2),
      'The account was created and has the admin role.',
      'Signing in.',
      'Admin Setup Complete!',
    ]),
  );
  await expectLeavesAfter(page, 3_000);
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();

  const rival = await openAt('/admin-setup', PHONE, server.base);
  await rival.getByLabel('Setup key').fill(key);
  await fillSignIn(rival, { ...FIRST, email: 'second@madhouse.example' }, 'Direct API Method');
  await rival.getByRole('alert').getByText(WRONG).waitFor();
});

it('Direct Admin Setup creates the first admin by email, with a confirmation of the address (SETUP-02, SETUP-06, SETUP-07, SETUP-14, SETUP-15, AUTH-20, AUTH-21)', async () => {
  const page = await visit();
  const run = async (setupKey = key) => {
    await page.getByLabel('Setup key').fill(setupKey);
    await fillSignIn(page, FIRST, 'Email Signup Method');
  };
  await page.goto('/admin-setup');
  // M5: a wrong key is refused before an account or a mail exists.
  const signUps = requestsOf(page, (request) => request.url().includes('/auth/v1/signup'));
  await run('a-key-that-was-never-printed-anywhere');
  await page.getByRole('alert').getByText(WRONG, { exact: true }).waitFor();
  expect(signUps.length).toBe(0);
  await page.getByRole('button', { name: 'Try Again' }).click();

  const signUp = page.waitForRequest('**/auth/v1/signup*');
  await run();
  const request = await signUp;
  expect(new URL(request.url()).searchParams.get('redirect_to')).toBe(`${server.base}/admin`);
  expect(request.postDataJSON()).toMatchObject({ data: { requested_admin: true, name: 'first' } });
  const manual = page.getByRole('region', { name: 'Manual instructions' });
  const required = 'Email confirmation required! Please check your inbox and click the confirmation link.';
  await manual.getByText(required).waitFor();
  await manual.getByText('You may need to manually assign the admin role after confirming your email.').waitFor();
  await manual.getByRole('button', { name: 'Try Again' }).click();
  await manual.waitFor({ state: 'detached' });

  await page.goto(await linkInMail(server.dataDir, 'first@madhouse.example', 'confirmation'));
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await page.waitForURL((url) => url.pathname === '/my-experiments');

  await page.goto('/admin-setup');
  // The page would redirect automatically.
  await stopClock(page);
  await run();
  await page.getByText('Admin Setup Complete!').first().waitFor();
  await page.getByRole('link', { name: 'Open the admin area' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});

it('Direct Admin Setup shows the backend’s message, and a response without a user; Direct Admin Access accepts the key too (SETUP-11, SETUP-12, SETUP-13, DIRECT-07, DIRECT-10)', async () => {
  const page = mayComplain(await visit());
  await page.route('**/functions/v1/admin-setup', (route) => route.fulfill({ json: { success: true, error: null } }));
  const json = { code: 422, error_code: 'weak_password', msg: 'Too easy to guess' };
  let signUp: Record<string, unknown> = { status: 422, json };
  await page.route('**/auth/v1/signup*', (route) => route.fulfill(signUp));
  await page.goto('/admin-setup');
  await page.getByLabel('Setup key').fill('some-key-or-other-of-the-right-length');
  await fillSignIn(page, FIRST, 'Direct API Method');
  await page.getByRole('alert').getByText('No user data returned', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Email Signup Method' }).click();
  await page.getByRole('alert').getByText('Too easy to guess').waitFor();
  signUp = { json: {} };
  await page.getByRole('button', { name: 'Email Signup Method' }).click();
  await page.getByRole('alert').getByText('No user data returned from signup', { exact: true }).waitFor();

  await page.unroute('**/auth/v1/signup*');
  await clientOf(server).createUser(FIRST);
  await page.goto('/admin-login');
  await page.getByLabel('Setup key').fill('a-key-that-was-not-printed-anywhere');
  await fillSignIn(page, FIRST);
  await page.getByText(`Failed to assign admin role: ${WRONG}`, { exact: true }).waitFor();
  await page.getByLabel('Setup key').fill(key);
  await fillSignIn(page, FIRST);
  await page.getByText('You are in.').waitFor();
  await page.getByRole('link', { name: 'Open the admin area' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});
