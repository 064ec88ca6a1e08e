import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DESKTOP, expectAccessible, expectQuiet, fillSignIn, openBrowser, PHONE, stopClock } from '../browser.ts';
import { linkInMail } from '../outbox.ts';
import { type RunningServer, startServer } from '../server.ts';
import { openPage } from './seeded.ts';
import { enterAdmin } from './signing-in.ts';

let browser: Browser;
let house: RunningServer;
let key: string;
beforeAll(async () => {
  [browser, house] = await Promise.all([openBrowser(), startServer({ SEED: 'none' })]);
  key = /Setup key[^\n]*: (\S{20,})/.exec(house.output())![1]!;
});
afterAll(() => Promise.all([browser.close(), house.stop()]));

/** An address nobody had before, so that a second try begins anew. */
const someone = (name: string) => `${name}-${randomUUID().slice(0, 8)}@madhouse.example`;

describe('Admin Help', () => {
  it('HELP-01, HELP-07, HELP-08, ROUTE-11: has three tabs that the keyboard turns', async () => {
    const page = await openPage(browser, PHONE);
    await page.goto('/admin-help');
    expect(await page.getByRole('tab').allTextContents()).toEqual(['Login Help', 'Assign Role', 'Troubleshoot']);
    await expectAccessible(page);
    // The button comes alive with the page, and the tabs with it.
    await page.locator('button[type=submit]:enabled').first().waitFor();
    await page.getByRole('tab', { name: 'Login Help' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel', { name: 'Assign Role' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('End');
    const tips = page.getByRole('tabpanel', { name: 'Troubleshoot' });
    for (const name of ['Captcha failure', 'Role assignment fails', 'Missing database tables']) {
      await tips.getByRole('heading', { name }).waitFor();
    }
    await expectAccessible(page);
    expect(await page.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe('/admin');
    expectQuiet(page);
  });

  it('HELP-02, HELP-03: sends a reset link, and says the same of an unknown address', async () => {
    const page = await openPage(browser);
    await page.goto('/admin-help');
    await page.getByLabel('Email', { exact: false }).first().fill('nobody-at-all@madhouse.example');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByText('Password reset link sent! Check your email inbox.').waitFor();
  });

  it('HELP-04, HELP-06: refuses to assign the role for a stranger, and says why', async () => {
    const page = await openPage(browser);
    await page.goto('/admin-help?tab=assign');
    await page.getByLabel('Email of the new admin').fill(inject('accounts').creator.email);
    await page.getByRole('button', { name: 'Assign admin role' }).click();
    await page.getByRole('alert').getByText('Only an admin can assign the admin role.').waitFor();
  });

  it('HELP-05: assigns it for an admin', async () => {
    const page = await openPage(browser);
    await enterAdmin(page, inject('accounts').admin);
    await page.goto('/admin-help?tab=assign');
    await page.getByLabel('Email of the new admin').fill(inject('accounts').admin.email);
    await page.getByRole('button', { name: 'Assign admin role' }).click();
    await page.getByText('Admin role assigned successfully! You can now log in with your credentials.').waitFor();
  });
});

describe('Direct Admin Access', () => {
  it('DIRECT-01, DIRECT-02, DIRECT-03, DIRECT-05, DIRECT-07, ROUTE-12: signs in, and says that the role was refused', async () => {
    const page = await openPage(browser);
    await page.goto('/admin-login');
    await page.getByRole('heading', { name: 'Direct Admin Access' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create Account' }).waitFor();
    expect(await page.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/');
    await fillSignIn(page, inject('accounts').creator);
    await page.getByText('Failed to assign admin role: Only an admin can assign the admin role.').waitFor();
  });

  it('DIRECT-04, DIRECT-06, CONST-11: moves an admin on after a second, and at once when they come back', async () => {
    const page = await openPage(browser);
    await page.goto('/admin-login');
    await stopClock(page);
    await fillSignIn(page, inject('accounts').admin);
    await page.getByText('You are in.').waitFor();
    await page.clock.runFor(900);
    expect(new URL(page.url()).pathname).toBe('/admin-login');
    await page.clock.runFor(200);
    await page.waitForURL((url) => url.pathname === '/admin');
    await page.clock.resume();
    await page.goto('/admin-login');
    await page.waitForURL((url) => url.pathname === '/admin');
    expectQuiet(page);
  });

  it('DIRECT-08, DIRECT-10: makes an ordinary account without the key', async () => {
    const page = await openPage(browser, DESKTOP, house.base);
    const hopeful = someone('hopeful');
    await page.goto('/admin-login');
    await page.getByLabel('Email').fill(hopeful);
    await page.getByLabel('Password').fill('hopeful-password-5');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page
      .getByText('Account created but failed to assign admin role: Only an admin can assign the admin role.')
      .waitFor();
    await linkInMail(house.dataDir, hopeful, 'confirmation');
  });
});

describe('Verify User', () => {
  it('VERIFY-01, VERIFY-02, VERIFY-04, VERIFY-05, VERIFY-06, VERIFY-07, ROUTE-15: asks for an address and refuses strangers', async () => {
    const page = await openPage(browser, PHONE, house.base);
    await page.goto('/verify-user');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Verify Email' }).click();
    await page.getByText('Please enter a valid email address').waitFor();
    expect(await page.getByRole('link', { name: 'Back to Admin' }).getAttribute('href')).toBe('/admin');
    const call = page.waitForRequest('**/functions/v1/auto-verify');
    await page.getByLabel('Email').fill('hopeful@madhouse.example');
    await page.getByRole('button', { name: 'Verify Email' }).click();
    expect((await call).postDataJSON()).toEqual({ email: 'hopeful@madhouse.example' });
    await page.getByRole('alert').getByText('Only an admin can verify an account.').waitFor();
    await page.route('**/functions/v1/auto-verify', (route) =>
      route.fulfill({ json: { success: false, error: null } }),
    );
    await page.getByRole('button', { name: 'Verify Email' }).click();
    await page.getByText('Failed to verify email').waitFor();
    await page.unroute('**/functions/v1/auto-verify');
    await page.route('**/functions/v1/auto-verify', (route) => route.abort());
    await page.getByRole('button', { name: 'Verify Email' }).click();
    await page.getByText('Failed to verify user').waitFor();
  });

  it('VERIFY-03, CONST-10: takes the setup key, and moves on after three seconds', async () => {
    const page = await openPage(browser, DESKTOP, house.base);
    const account = { email: someone('mailless'), password: 'hopeful-password-6' };
    await page.goto('/sign-up');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();

    await page.goto('/verify-user');
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Setup key').fill(key);
    await stopClock(page);
    await page.getByRole('button', { name: 'Verify Email' }).click();
    await page.getByText('User Verified Successfully!').waitFor();
    await page.clock.runFor(2_900);
    expect(new URL(page.url()).pathname).toBe('/verify-user');
    await page.clock.runFor(200);
    await page.waitForURL((url) => url.pathname === '/admin');
    await page.clock.resume();
    await fillSignIn(page, account);
    await page.getByText('Access Denied').waitFor();
    expectQuiet(page);
  });
});
