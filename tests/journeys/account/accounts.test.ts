import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, expectAccessible, expectFocus, fillSignIn, hold, PHONE } from '../../browser.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { clientOf } from '../../operator/client.ts';
import { codeInMail, linkInMail } from '../../outbox.ts';
import { startServerOnPostgres } from '../../server.ts';
import { openAt, openPage } from '../seeded.ts';

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none' }));

const visit = (device: BrowserContextOptions = DESKTOP) => openPage(device, server.base);

it('sign-up and password reset signs up, confirms by a button, signs out and signs in again (ROUTE-28, AUTH-22, AUTH-23, CONST-02, CONST-19)', async () => {
  const page = await visit(PHONE);
  // The shortest password that is accepted.
  const account = { email: 'nadia@madhouse.example', password: 'k7#qzW' };
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.waitForURL((url) => url.pathname === '/sign-up');
  await page.getByLabel('Email').fill(account.email);
  const password = page.getByLabel('Password');
  await password.fill(account.password.slice(0, 5));
  await page.getByRole('button', { name: 'Create Account' }).click();
  // D25: our message is at the field, which has the focus.
  await page.getByRole('alert').getByText('Must be at least 6 characters').waitFor();
  await expectFocus(password);
  expect(await password.getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await password.fill(account.password);
  await page.getByRole('button', { name: 'Show password' }).click();
  expect(await password.getAttribute('type')).toBe('text');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  await expectAccessible(page);

  await page.goto('/sign-in');
  await fillSignIn(page, account);
  await page.getByRole('alert').getByText('Email not confirmed').waitFor();
  await page.getByRole('button', { name: 'Send the confirmation link again' }).waitFor();
  expect(await password.getAttribute('type')).toBe('password');

  const link = await linkInMail(server.dataDir, account.email, 'confirmation');
  // A mail scanner opens the link without a click.
  expect((await fetch(link)).status).toBe(200);
  await page.goto(link);
  await expectAccessible(page);
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await page.waitForURL((url) => url.pathname === '/my-experiments');
  const { user } = await page.evaluate(() => JSON.parse(localStorage.getItem('sb-127-auth-token')!));
  expect(user.user_metadata).toMatchObject({ email_confirmed: true });

  await page.goto('/sign-out');
  await page.getByText(`You are signed in as ${account.email}.`).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('sb-127-auth-token');

  await page.goto('/sign-in?next=//evil.example/');
  await fillSignIn(page, account);
  await page.waitForURL((url) => url.pathname === '/my-experiments');
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await page.getByText('This link has expired or was used before.').waitFor();

  // The header of every public page can sign out, too.
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('banner').getByText(account.email).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('#account a[href="/sign-in"]').waitFor({ state: 'attached' });
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('sb-127-auth-token');
});

it('sign-up and password reset resets a password by email, and does not disclose whether an address has an account (ROUTE-27, AUTH-24, STATE-04)', async () => {
  const email = 'omar@madhouse.example';
  await clientOf(server).createUser({ email, password: 'the-first-password-9' });
  const other = await openAt('/reset-password', PHONE, server.base);
  await expectAccessible(other);
  const said: string[] = [];
  for (const address of ['unknown@madhouse.example', email]) {
    await other.getByLabel('Email').fill(address);
    const recoverRequest = other.waitForRequest('**/auth/v1/recover*');
    await other.getByRole('button', { name: 'Send the link' }).click();
    const { searchParams } = new URL((await recoverRequest).url());
    expect(searchParams.get('redirect_to')).toBe(`${server.base}/reset-password`);
    await other.getByText('Password reset link sent! Check your email inbox.').waitFor();
    said.push((await other.locator('main').innerText()).replaceAll(address, 'ADDRESS').replace(/in \d+ s/, ''));
    if (address !== email) await other.getByRole('button', { name: 'Wrong address?' }).click();
  }
  expect(said[1]).toBe(said[0]);
  const { headers } = await fetch(await linkInMail(server.dataDir, email, 'recovery'));
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  await other.getByLabel('Code from the email').fill(await codeInMail(server.dataDir, email, 'recovery'));
  await other.getByLabel('New password').fill('the-second-password-9');
  await other.getByRole('button', { name: 'Save the new password' }).click();
  await other.getByText('Your new password is set.').waitFor();
  // D16: the admin area is for admins.
  await other.getByRole('link', { name: 'Go to my experiments' }).waitFor();
  expect(await other.getByRole('link', { name: 'Go to the admin area' }).count()).toBe(0);
  await other.goto('/sign-out');
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await other.getByRole('link', { name: 'Sign in again' }).click();
  await fillSignIn(other, { email, password: 'the-first-password-9' });
  await other.getByText('Invalid login credentials').waitFor();
  await fillSignIn(other, { email, password: 'the-second-password-9' });
  await other.waitForURL((url) => url.pathname === '/my-experiments');
});

it('sign-up and password reset confirms an account with the emailed code on another device, and keeps the sign-up data, also what is typed before hydration (AUTH-21, ENT-29)', async () => {
  const email = 'tara@madhouse.example';
  const phone = await visit(PHONE);
  /** Opens a page whose script arrives when the returned function is called. */
  const openEarly = async (page: Page, path: string) => {
    const go = await hold(page, '**/assets/entry.client*');
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    return go;
  };
  let go = await openEarly(phone, '/sign-up');
  await phone.getByLabel('Email').fill(email);
  await phone.getByLabel('Password').fill('plates-and-ink-77');
  await phone.getByLabel('Name').fill('Tara');
  go();
  await phone.getByRole('button', { name: 'Create Account' }).click();
  const field = phone.getByLabel('Code from the email');
  expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
  expect(await field.getAttribute('inputmode')).toBe('numeric');
  await expectFocus(field);
  const again = phone.getByRole('button', { name: /Send it again in \d+ s/ });
  expect(await again.getAttribute('aria-disabled')).toBe('true');
  const code = await codeInMail(server.dataDir, email, 'confirmation');
  const wrong = code === '111111' ? '222222' : '111111';
  await field.fill(wrong);
  await phone.getByRole('alert').getByText('This code is wrong or expired.').waitFor();

  // A link whose token is missing, opened on a desktop.
  const desk = await visit();
  go = await openEarly(desk, '/confirm?type=signup');
  await desk.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  await desk.getByLabel('Email').fill(email);
  await desk.getByRole('textbox', { name: 'Code' }).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  go();
  await desk.getByRole('button', { name: 'Continue', exact: true }).click();
  await desk.waitForURL((url) => url.pathname === '/my-experiments');
  const { user } = await desk.evaluate(() => JSON.parse(localStorage.getItem('sb-127-auth-token')!));
  expect(user).toMatchObject({
    email,
    user_metadata: { requested_admin: true, name: 'Tara', email_verified: true },
    identities: [{ provider: 'email' }],
  });
});
