import { randomUUID } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { identityClient } from '../../../packages/backend/tests/auth/identity-client.ts';
import { startIssuer } from '../../../packages/backend/tests/auth/providers/peers.ts';
import { startSmsReceiver } from '../../../packages/backend/tests/auth/sms-receiver.ts';
import { DESKTOP, expectAccessible, expectFocus, fillSignIn, mayComplain, PHONE } from '../../browser.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { clientOf } from '../../operator/client.ts';
import { folderForTests } from '../../operator/folder-for-tests.ts';
import { codeInMail, linkInMail } from '../../outbox.ts';
import { startServerOnPostgres } from '../../server.ts';
import { mockResponse } from '../hands.ts';
import { openAt, openPage } from '../seeded.ts';
import { endSession } from '../signing-in.ts';

const PASSWORD = 'ink-on-both-hands-3';

const google = forAllTests(startIssuer);
const sms = forAllTests(startSmsReceiver);
const supabaseDir = folderForTests();
/** The user that the browser is signed in as at Google. */
let atGoogle = '';

/** A server with every sign-in method enabled. */
const server = forAllTests(async () => {
  google.server.service.on('beforeTokenSigning', ({ payload }: { payload: object }) =>
    Object.assign(payload, { sub: atGoogle, email: `${atGoogle}@gmail.example`, email_verified: true, name: 'Ada' }),
  );
  await cp('supabase', supabaseDir, { recursive: true });
  for (const name of ['config.toml', 'madhouse.toml']) {
    const file = join(supabaseDir, name);
    const settings = (await readFile(file, 'utf8'))
      .replace('[auth.sms]\nenable_signup = false', '[auth.sms]\nenable_signup = true')
      .replace('[auth.external.google]', `[auth.external.google]\nurl = "${google.url}"`)
      .replace('max_frequency = "1m"', 'max_frequency = "0s"')
      .replace(/sign_in_sign_ups = \d+/, 'sign_in_sign_ups = 1000');
    await writeFile(file, settings);
  }
  const [, uri, secret] = /uri = "(.*)"\nsecrets = "(.*)"/.exec(sms.settings)!;
  return startServerOnPostgres({
    SEED: 'none',
    TRUST_PROXY: '1',
    SUPABASE_DIR: supabaseDir,
    SMS_HOOK_URL: uri!,
    SMS_HOOK_SECRET: secret!,
    GOOGLE_CLIENT_ID: 'madhouse',
    GOOGLE_CLIENT_SECRET: 'a secret',
  });
});
const client = clientOf(server);

async function account(name: string): Promise<{ email: string; password: string }> {
  const account = { email: `${name}-${randomUUID().slice(0, 8)}@madhouse.example`, password: PASSWORD };
  await client.createUser(account);
  return account;
}

const visit = (device: BrowserContextOptions = DESKTOP) => openPage(device, server.base);
const session = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('sb-127-auth-token') ?? 'null'));

/** The account page right after signing in. */
async function enter(who: { email: string; password: string }, device: BrowserContextOptions = DESKTOP) {
  const page = await openAt('/sign-in?next=/account', device, server.base);
  await fillSignIn(page, who);
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  return page;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const factor = (page: Page, name: string) =>
  part(page, 'Second factor').getByRole('listitem').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog');

/** Sets up an authenticator app with its default name. */
async function addApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const secret = (await page.locator('.account-secret code').textContent())!.replaceAll('-', '');
  await page.getByLabel('Code from your app').fill(new TOTP({ secret }).generate());
  await page.getByText('Your second factor is set up.').waitFor();
}

it('sign-in methods signs in with an emailed code, and does not disclose whether an address has an account (AUTH-06, AUTH-07)', async () => {
  const { email } = await account('meera');
  const page = await visit(PHONE);
  const said: string[] = [];
  for (const address of ['unknown@madhouse.example', email]) {
    await page.goto('/sign-in?next=/about');
    await page.getByLabel('Email').fill(address);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    // The next button has the same name. The typed address is kept.
    await page.getByText('We email you a code that signs you in.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(address);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code from the email').waitFor();
    said.push((await page.locator('main').innerText()).replaceAll(address, 'ADDRESS').replace(/in \d+ s/, ''));
  }
  expect(said[1]).toBe(said[0]);
  await page.getByLabel('Code from the email').fill(await codeInMail(server.dataDir, email, 'magic_link'));
  await page.waitForURL((url) => url.pathname === '/about');
  expect((await session(page)).user.email).toBe(email);
});

it('sign-in methods signs in with a code by text message, creates the account, and sends a code to the phone before a late change of the password (AUTH-06)', async () => {
  const page = await openAt('/sign-up', PHONE, server.base);
  await page.getByRole('link', { name: 'Use a phone number' }).click();
  const number = page.getByRole('textbox', { name: 'Phone' });
  const local = '98200 12345';
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
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/my-experiments');
  const { user } = await session(page);
  expect(user).toMatchObject({ phone: `91${national}`, user_metadata: { requested_admin: true } });
  await page.goto('/account');
  await part(page, 'Password').getByText('Not set').waitFor();
  await page.getByRole('button', { name: 'Choose your password' }).click();
  await page.getByLabel('New password').fill(PASSWORD);
  // As if the sign-in was a while ago.
  await mockResponse(page, '**/auth/v1/user', { status: 400, json: { error_code: 'reauthentication_needed' } }, 'PUT');
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await page.getByText('We sent a code to your phone.').waitFor();
  await page.unroute('**/auth/v1/user');
  await code.fill(sms.codeTo(`+91${national}`));
  await part(page, 'Password').getByText('Set', { exact: true }).waitFor();
});

it('sign-in methods signs in with Google through the site’s root, which stores no token (AUTH-25, TM-40)', async () => {
  const page = mayComplain(await visit());
  atGoogle = randomUUID();
  const seen: string[] = [];
  page.on('framenavigated', (frame) => seen.push(frame.url()));
  await page.goto('/sign-in?next=/about');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.waitForURL((url) => url.pathname === '/about');
  const { user, access_token } = await session(page);
  expect(user).toMatchObject({ email: `${atGoogle}@gmail.example`, app_metadata: { provider: 'google' } });
  expect(seen.some((url) => url.startsWith(`${server.base}/#access_token=`))).toBe(true);
  const history = await page.evaluate(() =>
    (Reflect.get(window, 'navigation') as { entries(): { url: string }[] }).entries().map(({ url }) => url),
  );
  expect(history.length).toBeGreaterThan(1);
  expect(history.join()).not.toContain(access_token);
});

it('sign-in methods shows our own message when a provider sign-in fails, and continues to the same page (AUTH-25)', async () => {
  const who = await account('ravi');
  const page = mayComplain(await visit(PHONE));
  google.server.service.once('beforeAuthorizeRedirect', ({ url }: { url: URL }) => {
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
  });
  await page.goto('/sign-in?next=/about');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByRole('alert').getByText('You cancelled the sign-in').waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sign-in?next=%2Fabout');
  await fillSignIn(page, who);
  await page.waitForURL((url) => url.pathname === '/about');

  // Such a link can be forged; it must not put text on the page.
  const other = await visit();
  await other.goto('/?error_code=user_locked&error_description=Call+%2B1+555+0100+to+unlock+your+account');
  await other.getByRole('alert').getByText('Signing in did not work.').waitFor();
  expect(await other.getByText('unlock your account').count()).toBe(0);
});

it('sign-in methods accepts an invitation, which requires a new password (AUTH-12)', async () => {
  const email = `zoya-${randomUUID().slice(0, 8)}@madhouse.example`;
  expect((await client.asService('/auth/v1/invite', { json: { email } })).status).toBe(200);
  const page = await openAt(await linkInMail(server.dataDir, email, 'invite'), PHONE, server.base);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await page.getByText('Your new password is set.').waitFor();

  const other = await openAt('/sign-in', DESKTOP, server.base);
  await fillSignIn(other, { email, password: PASSWORD });
  await other.waitForURL((url) => url.pathname === '/my-experiments');

  // Signing out everywhere also ends the phone's session.
  await other.goto('/sign-out');
  await other.getByLabel('On all my other devices too').check();
  await other.getByRole('button', { name: 'Sign Out' }).click();
  await other.getByText('On this device and on every other one.').waitFor();
  const { access_token } = await session(page);
  expect((await client.send('/auth/v1/user', { token: access_token })).status).toBe(403);
});

it('admin gate with second factors requires the second factor of an admin, and its set-up from an admin without one (GATE-06, GATE-08, ENT-28)', async () => {
  const who = await account('first');
  const assigned = await client.asService('/rest/v1/rpc/assign_admin_role', { json: { admin_email: who.email } });
  expect(assigned.ok).toBe(true);
  await client.insert('site_settings', { name: 'admins_need_second_factor', value: true });

  const page = await openAt('/admin', DESKTOP, server.base);
  await fillSignIn(page, who);
  await page.getByText('The admin area needs a second factor').waitFor();
  await expectAccessible(page);
  expect(await page.getByRole('link', { name: 'Set up a second factor' }).getAttribute('href')).toBe('/account');

  const own = identityClient(`${server.base}/auth/v1`, client.publishable);
  await own.signInWithPassword(who);
  const { data: factor } = await own.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' });
  const app = new TOTP({ secret: factor!.type === 'totp' ? factor!.totp.secret : '' });
  expect((await own.mfa.challengeAndVerify({ factorId: factor!.id, code: app.generate() })).error).toBeNull();

  const phone = await openAt('/admin/projects', PHONE, server.base);
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
});

it('account settings sets up an authenticator app with recovery codes, and requires it at the next sign-in (AUTH-35, STATE-04)', async () => {
  const who = await account('ada');
  const page = await enter(who, PHONE);
  const refused: string[] = [];
  page.on('response', (answer) => answer.status() === 404 && refused.push(answer.url()));
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('factor-name');
  await page.getByLabel('Name of the app or device').fill('Ada’s phone');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const picture = page.getByRole('img', { name: 'QR code for your authenticator app' });
  const size = await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
  expect(size).toBeGreaterThan(100);
  await expectAccessible(page);
  const secret = (await page.locator('.account-secret code').textContent())!.replaceAll('-', '');
  // D16: a phone cannot scan its own screen.
  const here = page.getByRole('link', { name: 'Open your authenticator app with one tap' });
  expect(await here.getAttribute('href')).toMatch(new RegExp(`^otpauth://totp/.*secret=${secret}`));
  const field = page.getByLabel('Code from your app');
  const hints = [await field.getAttribute('autocomplete'), await field.getAttribute('inputmode')];
  expect(hints).toEqual(['one-time-code', 'numeric']);
  await field.pressSequentially('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('This code is wrong.').waitFor();
  await field.fill(new TOTP({ secret }).generate());
  await page.getByText('Your second factor is set up.').waitFor();
  await factor(page, 'Ada’s phone').waitFor();

  // The page continues to the codes; having none is no error (D16).
  await page.getByText('One more step: create recovery codes now.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Make recovery codes');
  expect(refused).toEqual([]);
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  const [first] = await codes.allTextContents();
  expect(first).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  expect(await readFile((await (await download).path())!, 'utf8')).toContain(first);
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 of 10 left.').waitFor();
  expect(await page.getByText(first!).count()).toBe(0);

  const other = await openAt('/sign-in?next=/account', DESKTOP, server.base);
  await fillSignIn(other, who);
  // Another tab of this browser requires the same, and continues once it was verified here.
  const gate = await other.context().newPage();
  await gate.goto('/admin');
  await gate.getByRole('heading', { name: 'One more step' }).waitFor();
  await other.getByRole('button', { name: 'Use a recovery code' }).click();
  await other.getByLabel('Recovery code').fill(first!.toUpperCase());
  await other.getByRole('button', { name: 'Continue', exact: true }).click();
  await part(other, 'Recovery codes').getByText('9 of 10 left.').waitFor();
  await gate.getByText('Access Denied').waitFor();

  // The phone is lost: its factor is removed, and the password alone suffices again.
  await other.getByRole('button', { name: 'Remove Ada’s phone' }).click();
  await dialog(other).getByText('This is your only second factor').waitFor();
  await dialog(other).getByRole('button', { name: 'Remove' }).click();
  await other.getByText('“Ada’s phone” is removed.').waitFor();
  expect(await part(other, 'Recovery codes').count()).toBe(0);
  await (await enter(who)).getByText('You have none yet.').waitFor();
});

it('account settings shows new recovery codes until the user confirms saving them, also while the server is unreachable', async () => {
  const page = mayComplain(await enter(await account('vera')));
  await addApp(page);
  const codes = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Make recovery codes' }).click();
  await expect.poll(() => codes.count()).toBe(10);
  const before = await codes.allTextContents();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();

  await mockResponse(page, '**/auth/v1/factors/recovery-codes*', { status: 503, body: 'away' }, 'GET');
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await dialog(page).getByRole('button', { name: 'Make new codes' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  const made = await codes.allTextContents();
  expect(made).toHaveLength(10);
  expect(made).not.toEqual(before);
  await addApp(page);
  await factor(page, 'Authenticator app 2').waitFor();
  expect(await codes.allTextContents()).toEqual(made);
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 of 10 left.').waitFor();
});

it('account settings adds a phone as second factor by keyboard, after a wrong code (AUTH-35)', async () => {
  const who = await account('omar');
  const page = await enter(who);
  await page.getByRole('button', { name: 'Add a phone' }).press('Enter');
  await page.keyboard.type('0171 555 01');
  await page.keyboard.press('Enter');
  await page.getByText('Begin with + and the country code').waitFor();
  await page.getByLabel('Phone number').fill('');
  await page.keyboard.type('+49 171 555 0001');
  await page.keyboard.press('Enter');
  await page.getByText('We sent a code to').waitFor();
  await expectAccessible(page);
  const code = sms.codeTo('+491715550001');
  await page.keyboard.type(code === '000000' ? '111111' : '000000');
  await page.keyboard.press('Enter');
  await page.getByText('This code is wrong or expired.').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await page.getByText('Your second factor is set up.').waitFor();
  await factor(page, '+491715550001').waitFor();

  const other = await openAt('/sign-in?next=/account', PHONE, server.base);
  await fillSignIn(other, who);
  // The form for the password has a button with this name, too.
  await other.getByText('Your account needs a code that we send to').waitFor();
  await other.getByRole('button', { name: 'Text me a code' }).click();
  await other.getByLabel('Code', { exact: true }).waitFor();
  await other.getByLabel('Code', { exact: true }).fill(sms.codeTo('+491715550001'));
  await factor(other, '+491715550001').waitFor();
});

it('account settings changes the name, and the email address after both mailboxes confirm; other tabs update (STATE-04)', async () => {
  const who = await account('nadia');
  const elsewhere = `nadia-${randomUUID()}@elsewhere.example`;
  const page = await enter(who, PHONE);
  const change = page.getByRole('button', { name: 'Change your name' });
  await change.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expectFocus(change);
  await change.click();
  await page.getByLabel('Your name').fill('Nadia');
  await page.getByRole('button', { name: 'Save the name' }).click();
  await page.getByText('Your name is saved.').waitFor();
  await part(page, 'Name').getByText('Nadia', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Change your email' }).click();
  await page.getByLabel('New email').fill(elsewhere);
  await page.getByRole('button', { name: 'Send the links' }).click();
  await page.getByText(`${elsewhere} is not confirmed yet.`).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Sent again.').waitFor();

  const tab = await page.context().newPage();
  await tab.goto('/sign-out');
  await tab.getByText(`You are signed in as ${who.email}.`).waitFor();
  const mailbox = await visit();
  await mailbox.goto(await linkInMail(server.dataDir, `To: ${elsewhere}`, 'email_change', 2));
  await mailbox.getByRole('button', { name: 'Confirm the change' }).click();
  await mailbox.getByText('Address confirmed.').waitFor();
  await part(page, 'Email').getByText(who.email, { exact: true }).waitFor();
  const code = await codeInMail(server.dataDir, `To: ${who.email}`, 'email_change', 2);
  await page.getByLabel('Code from the email').fill(code);
  await page.getByRole('button', { name: 'Confirm the code' }).click();
  await page.getByText(`Your email address is now ${elsewhere}.`).waitFor();
  await tab.getByText(`You are signed in as ${elsewhere}.`).waitFor();
  await expect.poll(() => tab.locator('.account-name').textContent()).toBe(elsewhere);
  expect(await page.getByText('is not confirmed yet').count()).toBe(0);

  // A mail link of a hosted project returns with the session.
  const { access_token, refresh_token } = await session(tab);
  const answer = { access_token, refresh_token, expires_in: '3600', token_type: 'bearer', type: 'email_change' };
  await tab.goto(`/account#${new URLSearchParams(answer)}`);
  await part(tab, 'Email').getByText(elsewhere).waitFor();
  expect(await tab.getByText('The account is connected.').count()).toBe(0);
});

it('account settings changes the password when the current one is given, and signs out other devices', async () => {
  const who = await account('kim');
  const [page, other] = [await enter(who), await enter(who, PHONE)];
  await page.getByRole('button', { name: 'Change your password' }).click();
  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('a-better-one-than-3');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await page.getByText('Your current password is not right.').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await page.getByText('Your new password is set. Other devices are signed out.').waitFor();
  await other.reload();
  await other.getByText('Sign in to see your account.').waitFor();
  const opened = other.waitForEvent('popup');
  await part(other, 'Your account').getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(await opened, { ...who, password: 'a-better-one-than-3' });
  await part(other, 'Password').waitFor();

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByText('You are signed out everywhere but here.').waitFor();
  await other.reload();
  await other.getByText('Sign in to see your account.').waitFor();
  await page.reload();
  await part(page, 'Password').waitFor();
});

it('account settings keeps what is typed when the session ends, until the user signs in again in another tab', async () => {
  const who = await account('tara');
  const page = mayComplain(await enter(who));
  await page.getByRole('button', { name: 'Change your name' }).click();
  await page.getByLabel('Your name').fill('Tara, half typed');
  await endSession(page);
  // The client may have noticed it already, and hidden the form.
  await page.getByText('Save the name').evaluate((button: HTMLElement) => button.click());
  await page.getByText('Sign in to see your account.').waitFor();
  expect(await page.getByLabel('Your name').isVisible()).toBe(false);
  await expectAccessible(page);
  const opened = page.waitForEvent('popup');
  await part(page, 'Your account').getByRole('link', { name: 'Sign in' }).click();
  const tab = await opened;
  await fillSignIn(tab, who);
  await part(tab, 'Password').waitFor();
  await page.getByLabel('Your name').waitFor();
  expect(await page.getByLabel('Your name').inputValue()).toBe('Tara, half typed');
});

it('sign-out page still offers to sign out when the session cannot be renewed, and signs out once it can', async () => {
  const page = mayComplain(await enter(await account('ines')));
  await page.clock.install();
  await page.route('**/auth/v1/token*', (route) => route.abort());
  const expired = JSON.stringify({ ...(await session(page)), expires_at: 1 });
  await page.evaluate((value) => localStorage.setItem('sb-127-auth-token', value), expired);
  await page.goto('/sign-out');
  const button = page.getByRole('main').getByRole('button', { name: 'Sign Out', disabled: false });
  // The client gives up after half a minute.
  await expect.poll(() => page.clock.runFor(31_000).then(() => button.count())).toBe(1);
  await page.getByText('You are signed in.').waitFor();
  await page.unroute('**/auth/v1/token*');
  await button.click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  expect(await session(page)).toBeNull();
});

it('account settings connects and disconnects a provider login, and keeps the last sign-in method', async () => {
  atGoogle = randomUUID();
  const page = mayComplain(await enter(await account('lin')));
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await page.getByText('The account is connected.').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await part(page, 'Connected accounts').getByText(`${atGoogle}@gmail.example`).waitFor();

  // A second factor belongs to one account.
  const rival = mayComplain(await enter(await account('mo')));
  await rival.getByRole('button', { name: 'Connect Google' }).click();
  await rival.getByText('It belongs to another account already.').waitFor();

  await page.getByRole('button', { name: 'Disconnect Google' }).click();
  await dialog(page).getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('Google is disconnected.').waitFor();
  await page.getByRole('button', { name: /^Connect Google/ }).waitFor();
  // The dialog closes shortly after the message appears.
  await expect.poll(() => page.getByRole('button', { name: /^Disconnect/ }).count()).toBe(0);
});

it('account settings offers only what the service supports, and reports when the service is unreachable', async () => {
  const who = await account('jo');
  const page = mayComplain(await visit({ ...PHONE, viewport: { width: 320, height: 640 } }));
  await page.route('**/auth/v1/settings', (route) => route.fulfill({ json: { external: {}, mfa: {} } }));
  await mockResponse(page, '**/auth/v1/factors/recovery-codes*', { status: 404, body: '404 page not found' });
  await page.goto('/sign-in?next=/account');
  await fillSignIn(page, who);
  const add = page.getByRole('button', { name: 'Add an authenticator app' });
  await add.waitFor();
  // Suggestions appear immediately and close when one is chosen.
  expect(await page.getByRole('button', { name: 'Add a phone' }).count()).toBe(0);
  await add.click();
  expect(await part(page, 'Connected accounts').count()).toBe(0);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const secret = (await page.locator('.account-secret code').textContent())!.replaceAll('-', '');
  // At 200 % text size nothing is cut off or needs horizontal scrolling.
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByLabel('Code from your app').fill(new TOTP({ secret }).generate());
  await page.getByText('Your second factor is set up.').waitFor();
  // The factor is listed when the codes are loaded.
  await factor(page, 'Authenticator app').waitFor();
  expect(await part(page, 'Recovery codes').count()).toBe(0);

  await page.route('**/auth/v1/user', (route) => route.abort());
  await page.reload();
  await page.getByText('The server could not be reached.').first().waitFor();
  await page.unroute('**/auth/v1/user');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await part(page, 'Email').getByText(who.email).waitFor();
});
