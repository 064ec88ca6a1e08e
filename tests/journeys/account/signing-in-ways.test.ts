import { randomInt, randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthClient } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type GitHub,
  type Issuer,
  startGitHub,
  startIssuer,
} from '../../../packages/backend/tests/auth/providers/peers.ts';
import { type SmsReceiver, startSmsReceiver } from '../../../packages/backend/tests/auth/sms-receiver.ts';
import { DESKTOP, expectAccessible, expectQuiet, fillSignIn, openPage, PHONE } from '../../browser.ts';
import { codeInMail, linkInMail } from '../../outbox.ts';
import { keysIn, type RunningServer, startServerOnPostgres } from '../../server.ts';
import { browser } from '../shared-browser.ts';

const PASSWORD = 'ink-on-both-hands-3';

let server: RunningServer;
let google: Issuer;
let github: GitHub;
let sms: SmsReceiver;
let supabaseDir: string;
let key: string;

/** A server with every sign-in method enabled. */
beforeAll(async () => {
  [google, github, sms] = await Promise.all([startIssuer(), startGitHub(), startSmsReceiver()]);
  supabaseDir = await mkdtemp(join(tmpdir(), 'madhouse-project-'));
  await cp('supabase', supabaseDir, { recursive: true });
  for (const name of ['config.toml', 'madhouse.toml']) {
    const file = join(supabaseDir, name);
    const settings = (await readFile(file, 'utf8'))
      .replace('[auth.sms]\nenable_signup = false', '[auth.sms]\nenable_signup = true')
      .replace('[auth.external.google]', `[auth.external.google]\nurl = "${google.url}"`)
      .replace('[auth.external.github]', `[auth.external.github]\nurl = "${github.url}"`);
    await writeFile(file, settings);
  }
  const [, uri, secret] = /uri = "(.*)"\nsecrets = "(.*)"/.exec(sms.settings)!;
  server = await startServerOnPostgres({
    SEED: 'none',
    TRUST_PROXY: '1',
    SUPABASE_DIR: supabaseDir,
    SMS_HOOK_URL: uri!,
    SMS_HOOK_SECRET: secret!,
    GOOGLE_CLIENT_ID: 'madhouse',
    GOOGLE_CLIENT_SECRET: 'a secret',
    GITHUB_CLIENT_ID: 'madhouse',
    GITHUB_CLIENT_SECRET: 'a secret',
  });
  key = keysIn(server.dataDir).secret;
});
afterAll(async () => {
  await Promise.all([server?.stop(), google?.stop(), github?.stop(), sms?.close()]);
  await rm(supabaseDir, { recursive: true, force: true });
});

const visit = (device = DESKTOP as Parameters<typeof openPage>[1]) => openPage(browser, device, server.base);
const session = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('sb-127-auth-token') ?? 'null'));
const asService = () => ({ apikey: key, authorization: `Bearer ${key}` });
const identity = (headers: Record<string, string>) =>
  new AuthClient({ url: `${server.base}/auth/v1`, headers, autoRefreshToken: false, persistSession: false });

/** A new account, so that a retry starts fresh. */
async function account(name: string): Promise<{ email: string; password: string }> {
  const email = `${name}-${randomUUID().slice(0, 8)}@madhouse.example`;
  const made = await identity(asService()).admin.createUser({ email, password: PASSWORD, email_confirm: true });
  if (made.error) throw made.error;
  return { email, password: PASSWORD };
}

describe('sign-in methods', () => {
  it('signs in with an emailed code, and does not disclose whether an address has an account (AUTH-06, AUTH-07)', async () => {
    const { email } = await account('meera');
    const page = await visit(PHONE);
    const said: string[] = [];
    for (const address of ['unknown@madhouse.example', email]) {
      await page.goto('/sign-in?next=/about');
      await page.getByLabel('Email').fill(address);
      await page.getByRole('button', { name: 'Email me a code' }).click();
      // The next button has the same name. The typed address is kept.
      await page.getByText('We mail you a code that signs you in.').waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe(address);
      await page.getByRole('button', { name: 'Email me a code' }).click();
      await page.getByLabel('Code from the mail').waitFor();
      said.push((await page.locator('main').innerText()).replaceAll(address, 'ADDRESS').replace(/in \d+ s/, ''));
    }
    expect(said[1]).toBe(said[0]);
    await expectAccessible(page);
    await page.getByLabel('Code from the mail').fill(await codeInMail(server.dataDir, email, 'magic_link'));
    await page.waitForURL((url) => url.pathname === '/about');
    expect((await session(page)).user.email).toBe(email);
    expectQuiet(page);
  });

  it('signs in with a code by text message, and creates the account (AUTH-06)', async () => {
    const page = await visit(PHONE);
    await page.goto('/sign-up');
    await page.getByRole('link', { name: 'Use a phone number' }).click();
    const number = page.getByRole('textbox', { name: 'Phone' });
    // A new number, so that a retry starts fresh.
    const local = `98200 ${randomInt(10_000, 100_000)}`;
    const national = local.replace(' ', '');
    await number.fill(local);
    await page.getByRole('button', { name: 'Text me a code' }).click();
    await page.getByRole('alert').getByText('Begin with + and the country code').waitFor();
    expect(sms.received.filter(({ sms }) => sms.phone.endsWith(national))).toEqual([]);
    await number.fill(`+91 ${local}`);
    await page.getByRole('button', { name: 'Text me a code' }).click();
    const code = page.getByLabel('Code from the message');
    await code.waitFor();
    await expectAccessible(page);
    await code.pressSequentially(sms.codeTo(`+91${national}`));
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForURL((url) => url.pathname === '/my-experiments');
    expect((await session(page)).user).toMatchObject({
      phone: `91${national}`,
      user_metadata: { requested_admin: true },
    });
    expectQuiet(page);
  });

  it('signs in with Google or GitHub through the site’s root, which stores no token (AUTH-25, TM-40)', async () => {
    const page = await visit();
    // The user that the browser is signed in as at the providers.
    const hints: Record<string, string> = {
      google: google.addAccount({ sub: 'asha', email: 'asha@gmail.example', email_verified: true, name: 'Asha' }),
      github: github.addAccount({
        id: 7,
        login: 'asha',
        name: 'Asha',
        avatar_url: 'https://images.example/asha.png',
        emails: [{ email: 'asha@work.example', primary: true, verified: true }],
      }),
    };
    await page.route('**/auth/v1/authorize?*', (route) => {
      const startUrl = new URL(route.request().url());
      startUrl.searchParams.set('login_hint', hints[startUrl.searchParams.get('provider')!]!);
      return route.continue({ url: startUrl.href });
    });
    const seen: string[] = [];
    page.on('framenavigated', (frame) => seen.push(frame.url()));
    for (const [label, email] of [
      ['Google', 'asha@gmail.example'],
      ['GitHub', 'asha@work.example'],
    ] as const) {
      await page.goto('/sign-in?next=/about');
      await page.getByRole('button', { name: `Continue with ${label}` }).click();
      await page.waitForURL((url) => url.pathname === '/about');
      const { user, access_token } = await session(page);
      expect(user).toMatchObject({ email, app_metadata: { provider: label.toLowerCase() } });
      expect(seen.some((url) => url.startsWith(`${server.base}/#access_token=`))).toBe(true);
      const history = await page.evaluate(() =>
        (Reflect.get(window, 'navigation') as { entries(): { url: string }[] }).entries().map(({ url }) => url),
      );
      expect(history.length).toBeGreaterThan(1);
      expect(history.join()).not.toContain(access_token);
      await page.evaluate(() => localStorage.clear());
      seen.length = 0;
    }
  });

  it('shows our own message when a provider sign-in fails, and continues to the same page (AUTH-25)', async () => {
    const who = await account('ravi');
    const page = await visit(PHONE);
    google.server.service.once('beforeAuthorizeRedirect', ({ url }: { url: URL }) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
    });
    await page.goto('/sign-in?next=/about');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('alert').getByText('You cancelled the sign-in').waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sign-in?next=%2Fabout');
    await expectAccessible(page);
    await fillSignIn(page, who);
    await page.waitForURL((url) => url.pathname === '/about');

    // Such a link can be forged; it must not put text on the page.
    const other = await visit();
    await other.goto('/?error_code=user_locked&error_description=Call+%2B1+555+0100+to+unlock+your+account');
    await other.getByRole('alert').getByText('Signing in did not work.').waitFor();
    expect(await other.getByText('unlock your account').count()).toBe(0);
  });

  it('accepts an invitation, which requires a new password (AUTH-12)', async () => {
    const email = `zoya-${randomUUID().slice(0, 8)}@madhouse.example`;
    const { error } = await identity(asService()).admin.inviteUserByEmail(email);
    expect(error).toBeNull();
    const page = await visit(PHONE);
    await page.goto(await linkInMail(server.dataDir, email, 'invite'));
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save the new password' }).click();
    await page.getByText('Your new password is set.').waitFor();

    const other = await visit();
    await other.goto('/sign-in');
    await fillSignIn(other, { email, password: PASSWORD });
    await other.waitForURL((url) => url.pathname === '/my-experiments');

    // Signing out everywhere also ends the phone's session.
    await other.goto('/sign-out');
    await other.getByLabel('On all my other devices too').check();
    await other.getByRole('button', { name: 'Sign Out' }).click();
    await other.getByText('On this device and on every other one.').waitFor();
    const { access_token } = await session(page);
    const answer = await fetch(`${server.base}/auth/v1/user`, {
      headers: { apikey: key, authorization: `Bearer ${access_token}` },
    });
    expect(answer.status).toBe(403);
    expectQuiet(page);
    expectQuiet(other);
  });
});

describe('admin gate with second factors', () => {
  it('requires the second factor of an admin, and its set-up from an admin without one (GATE-06, GATE-08, ENT-28)', async () => {
    const who = await account('first');
    const service = new PostgrestClient(`${server.base}/rest/v1`, { headers: asService() });
    for (const { error } of [
      await service.rpc('assign_admin_role', { admin_email: who.email }),
      await service.from('site_settings').upsert({ name: 'admins_need_second_factor', value: true }),
    ])
      expect(error).toBeNull();

    const page = await visit();
    await page.goto('/admin');
    await fillSignIn(page, who);
    await page.getByText('The admin area needs a second factor').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('link', { name: 'Set up a second factor' }).getAttribute('href')).toBe('/account');

    const own = identity({ apikey: key });
    await own.signInWithPassword(who);
    const { data: factor } = await own.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' });
    const app = new TOTP({ secret: factor!.type === 'totp' ? factor!.totp.secret : '' });
    expect((await own.mfa.challengeAndVerify({ factorId: factor!.id, code: app.generate() })).error).toBeNull();

    const phone = await visit(PHONE);
    await phone.goto('/admin/projects');
    await fillSignIn(phone, who);
    const code = phone.getByLabel('Code from your app');
    await code.waitFor();
    await expectAccessible(phone);
    expect(await phone.getByText('Access Denied').count()).toBe(0);
    // The code of the next half minute, because the current one was used above.
    await code.fill(app.generate({ timestamp: Date.now() + 30_000 }));
    await phone.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
    expect((await session(phone)).user).toMatchObject({
      email: who.email,
      identities: [{ provider: 'email' }],
      factors: [{ factor_type: 'totp', status: 'verified' }],
    });
    expectQuiet(phone);
  });
});
