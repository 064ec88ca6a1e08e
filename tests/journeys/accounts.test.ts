import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, expectQuiet, openBrowser, openPage, PHONE } from '../browser.ts';
import { linkInMail } from '../outbox.ts';
import { type RunningServer, startServer } from '../server.ts';
import { fillSignIn } from './signing-in.ts';

let browser: Browser;
let house: RunningServer;
beforeAll(async () => {
  [browser, house] = await Promise.all([openBrowser(), startServer({ SEED: 'none' })]);
});
afterAll(() => Promise.all([browser.close(), house.stop()]));

const visit = (device = DESKTOP as Parameters<typeof openPage>[1]) => openPage(browser, device, house.base);

describe('an account', () => {
  it('ROUTE-28, AUTH-22, CONST-02: is made, confirmed by a button, signed out of and into again', {
    timeout: 120_000,
  }, async () => {
    const page = await visit(PHONE);
    const account = { email: 'nadia@madhouse.example', password: 'ink-on-both-hands-3' };
    await page.goto('/sign-up');
    await expectAccessible(page);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();

    await page.goto('/sign-in');
    await fillSignIn(page, account);
    await page.getByRole('alert').getByText('Email not confirmed').waitFor();
    await page.getByRole('button', { name: 'Send the confirmation link again' }).waitFor();

    const link = await linkInMail(house.dataDir, account.email, 'confirmation');
    // A mail scanner opens the link and presses nothing.
    expect((await fetch(link)).status).toBe(200);
    await page.goto(link);
    await expectAccessible(page);
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Confirm my email address' }).click();
    await page.waitForURL((url) => url.pathname === '/case-studies');
    expect(await page.evaluate(() => Object.keys(localStorage))).toContain('sb-127-auth-token');

    await page.goto('/sign-out');
    await page.getByText(`You are signed in as ${account.email}.`).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('sb-127-auth-token');

    await page.goto('/sign-in?next=//evil.example/');
    await expectAccessible(page);
    await fillSignIn(page, account);
    await page.waitForURL((url) => url.pathname === '/case-studies');
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm my email address' }).click();
    await page.getByText('This link has expired or was used before.').waitFor();
    expectQuiet(page);
  });

  it('ROUTE-27, AUTH-24, STATE-04: gets a new password by mail, and the link is silent about who has an account', {
    timeout: 120_000,
  }, async () => {
    const email = 'omar@madhouse.example';
    const page = await visit();
    await page.goto('/sign-up');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('the-first-password-9');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await page.goto(await linkInMail(house.dataDir, email, 'confirmation'));
    await page.getByRole('button', { name: 'Confirm my email address' }).click();
    await page.waitForURL((url) => url.pathname === '/case-studies');

    const other = await visit(PHONE);
    await other.goto('/reset-password');
    await expectAccessible(other);
    for (const address of ['nobody@madhouse.example', email]) {
      await other.getByLabel('Email').fill(address);
      const asked = other.waitForRequest('**/auth/v1/recover*');
      await other.getByRole('button', { name: 'Send the link' }).click();
      expect(new URL((await asked).url()).searchParams.get('redirect_to')).toBe(`${house.base}/reset-password`);
      await other.getByText('Password reset link sent! Check your email inbox.').waitFor();
    }
    const answer = await other.goto(await linkInMail(house.dataDir, email, 'recovery'));
    expect(answer?.headers()['referrer-policy']).toBe('no-referrer');
    await other.getByRole('button', { name: 'Choose a new password' }).click();
    await other.waitForURL((url) => url.pathname === '/reset-password');
    await other.getByLabel('New password').fill('the-second-password-9');
    await expectAccessible(other);
    await other.getByRole('button', { name: 'Save the new password' }).click();
    await other.getByText('Your new password is set.').waitFor();
    await other.goto('/sign-out');
    await other.getByRole('button', { name: 'Sign Out' }).click();
    await other.getByRole('link', { name: 'Sign in again' }).click();
    await fillSignIn(other, { email, password: 'the-first-password-9' });
    await other.getByText('Invalid login credentials').waitFor();
    await fillSignIn(other, { email, password: 'the-second-password-9' });
    await other.waitForURL((url) => url.pathname === '/case-studies');
    expectQuiet(other);
  });

  it('refuses a confirmation link that is not whole', async () => {
    const page = await visit();
    await page.goto('/confirm?type=signup');
    await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  });
});
