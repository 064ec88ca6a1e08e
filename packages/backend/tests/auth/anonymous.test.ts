import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { newEmail, openAuthServer, PASSWORD, signedIn, WIDE } from './auth-server.ts';
import { BY_NUMBER, startSmsReceiver, WIDE_SMS } from './sms-receiver.ts';

const ON = '[auth]\nenable_anonymous_sign_ins = true\n';

const sms = forAllTests(startSmsReceiver);
const server = forAllTests(() => {
  const settings = ON + WIDE_SMS.replace('[auth.email]', 'anonymous_users = 10000\n[auth.email]');
  return openAuthServer(`${settings}\nenable_confirmations = true\n${BY_NUMBER}${sms.settings}`);
});

async function signInAnonymously() {
  const client = server.client();
  const { data, error } = await client.signInAnonymously({ options: { data: { cart: 3 } } });
  if (error) throw error;
  return { client, user: data.user!, session: data.session! };
}

it('an anonymous user signs in, and is identified by the session alone (AUTH-01)', async () => {
  const { client, user, session } = await signInAnonymously();
  const empty = { email: '', phone: '', identities: [], app_metadata: {} };
  expect(user).toMatchObject({ ...empty, is_anonymous: true, user_metadata: { cart: 3 } });
  const claims = { is_anonymous: true, role: 'authenticated', amr: [{ method: 'anonymous' }] };
  expect(decodeJwt(session.access_token)).toMatchObject(claims);
  expect((await client.getUser()).data.user!.id).toBe(user.id);
  expect((await client.refreshSession()).data.session).not.toBeNull();
});

it('an anonymous user keeps the account when adding an address, once it is confirmed (AUTH-13)', async () => {
  const { client, user } = await signInAnonymously();
  const email = newEmail();
  const update = await client.updateUser({ email });
  expect(update.data.user).toMatchObject({ is_anonymous: true, email: '', new_email: email });
  const { tokenHash } = await server.lastEmailTo(email);
  const { data } = await server.redeem(tokenHash, 'email_change');
  const app_metadata = { provider: 'email', providers: ['email'] };
  const identity = { provider: 'email', identity_data: { email, email_verified: true } };
  const permanent = { is_anonymous: false, app_metadata, user_metadata: { cart: 3, email_verified: true } };
  expect(data.user).toMatchObject({ id: user.id, email, ...permanent, identities: [identity] });
  expect(decodeJwt(data.session!.access_token)).toMatchObject({ is_anonymous: false, email });
  expect(decodeJwt((await client.refreshSession()).data.session!.access_token)['is_anonymous']).toBe(false);
  expect((await client.updateUser({ password: PASSWORD })).error).toBeNull();
  expect(await server.signInError(email)).toBeNull();
});

it('an anonymous user keeps the account when adding a number, once it is confirmed (AUTH-13)', async () => {
  const { client, user } = await signInAnonymously();
  const phone = '4917155501';
  expect((await client.updateUser({ phone })).data.user).toMatchObject({ is_anonymous: true, new_phone: phone });
  const { data } = await client.verifyOtp({ phone, token: sms.codeTo(phone), type: 'phone_change' });
  const app_metadata = { provider: 'phone', providers: ['phone'] };
  const unchanged = { id: user.id, user_metadata: { cart: 3 } };
  expect(data.user).toMatchObject({ ...unchanged, phone, is_anonymous: false, app_metadata });
});

it('an anonymous user cannot set a password without a confirmed address, nor reauthenticate', async () => {
  const { client } = await signInAnonymously();
  const refused = { status: 422, code: 'validation_failed' };
  expect((await client.updateUser({ password: PASSWORD })).error).toMatchObject(refused);
  expect((await client.reauthenticate()).error).toMatchObject({ ...refused, status: 400 });
  const { email: taken } = await signedIn(server);
  expect((await client.updateUser({ email: taken })).error).toMatchObject({ status: 422, code: 'email_exists' });
  const email = newEmail();
  expect((await client.updateUser({ email, password: PASSWORD })).error).toBeNull();
  expect(await server.signInError(email)).toBe('invalid_credentials');
  await server.redeem((await server.lastEmailTo(email)).tokenHash, 'email_change');
  expect(await server.signInError(email)).toBeNull();
});

it('an anonymous sign-in is refused when the project disables it, when sign-ups are closed, and above its own limit', async () => {
  const codes = { anonymous_provider_disabled: WIDE, signup_disabled: `${ON}enable_signup = false\n${WIDE}` };
  for (const [code, settings] of Object.entries(codes)) {
    await using closed = await openAuthServer(settings, { db: server.db });
    expect((await closed.client().signInAnonymously()).error).toMatchObject({ status: 422, code });
  }
  const settings = ON + WIDE.replace('sign_in_sign_ups = 10000', 'sign_in_sign_ups = 1\nanonymous_users = 2');
  await using narrow = await openAuthServer(settings, { db: server.db });
  for (let count = 0; count < 2; count++) expect((await narrow.client().signInAnonymously()).error).toBeNull();
  const refused = { status: 429, code: 'over_request_rate_limit' };
  expect((await narrow.client().signInAnonymously()).error).toMatchObject(refused);
  expect((await narrow.client({ 'x-test-address': '198.51.100.9' }).signInAnonymously()).error).toBeNull();
});
