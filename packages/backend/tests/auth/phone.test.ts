import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { openAuthServer, outdateSessions, PASSWORD, wrong } from './auth-server.ts';
import { BY_NUMBER, startSmsReceiver, WIDE_SMS } from './sms-receiver.ts';

const INVALID = 'Invalid phone number format (E.164 required)';
let last = 1000;
let phone: string;

const sms = forAllTests(startSmsReceiver);
const server = forAllTests(() => openAuthServer(WIDE_SMS + BY_NUMBER + sms.settings));
beforeEach(() => {
  phone = `4917155${++last}`;
});
afterEach(() => expect(sms.problems).toEqual([]));

const arrived = async (count = 1) => {
  await expect.poll(() => messages().length, { interval: 5 }).toBeGreaterThanOrEqual(count);
  return sms.codeTo(phone);
};
const messages = () => sms.received.filter((message) => message.sms.phone === phone);
/** Signs in with number and password. @returns the error code, or null */
const signInError = async (password = PASSWORD) =>
  (await server.client().signInWithPassword({ phone, password })).error?.code ?? null;
const verify = (token: string, type: 'sms' | 'phone_change' = 'sms', client = server.client()) =>
  client.verifyOtp({ phone: `+${phone}`, token, type });

it('phone accounts are created with a password and activated by a texted code (AUTH-01, AUTH-07)', async () => {
  const formatted = `+${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`;
  const fields = { phone: formatted, password: PASSWORD, options: { data: { name: 'Ada' } } };
  const { data, error } = await server.client().signUp(fields);
  expect(error).toBeNull();
  expect(data.session).toBeNull();
  expect(data.user).toMatchObject({ phone, email: '', app_metadata: { provider: 'phone', providers: ['phone'] } });
  expect(data.user!.phone_confirmed_at).toBeUndefined();
  const code = await arrived();
  expect(messages()).toMatchObject([{ user: { id: data.user!.id, phone }, sms: { otp: code, phone } }]);
  const early = await server.client().signInWithPassword({ phone, password: PASSWORD });
  expect(early.error).toMatchObject({ status: 400, code: 'phone_not_confirmed', message: 'Phone not confirmed' });

  const verified = await verify(code);
  expect(verified.data.user).toMatchObject({ phone, user_metadata: { name: 'Ada', phone_verified: true } });
  expect(verified.data.user!.phone_confirmed_at).toBeDefined();
  expect(decodeJwt(verified.data.session!.access_token)).toMatchObject({ phone, amr: [{ method: 'otp' }] });
  expect((await verify(code)).error?.code).toBe('otp_expired');
});

it('phone accounts sign in with number and password, with one error for wrong values (AUTH-02)', async () => {
  await server.client().signUp({ phone, password: PASSWORD });
  await verify(await arrived());
  const { data, error } = await server.client().signInWithPassword({ phone: `+${phone}`, password: PASSWORD });
  expect(error).toBeNull();
  expect(decodeJwt(data.session!.access_token)['amr']).toMatchObject([{ method: 'password' }]);
  const refused = { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' };
  for (const json of [
    { phone, password: 'wrong' },
    { phone: '4917100000000', password: PASSWORD },
    { phone: 'not a number', password: PASSWORD },
  ])
    expect(await server.answer('/token?grant_type=password', { json })).toEqual([400, refused]);
});

it('phone accounts return an obfuscated user for a taken number, and send nothing', async () => {
  await server.client().signUp({ phone, password: PASSWORD });
  await verify(await arrived());
  const { data } = await server.client().signUp({ phone, password: 'another bicycle' });
  expect(data.user).toMatchObject({ phone, identities: [], app_metadata: { provider: 'phone' } });
  await server.settled();
  expect(messages()).toHaveLength(1);
  expect(await signInError('another bicycle')).toBe('invalid_credentials');
});

it('phone accounts sign in by code without a password, with the same response for unknown numbers (AUTH-06)', async () => {
  expect((await server.client().signInWithOtp({ phone, options: { data: { name: 'Ada' } } })).error).toBeNull();
  const made = await verify(await arrived());
  expect(made.data.user).toMatchObject({ phone, user_metadata: { name: 'Ada' } });
  const second = await server.client().signInWithOtp({ phone, options: { channel: 'whatsapp' } });
  expect(second.data.messageId).toBe((await arrived(2)) && messages()[1]!.id);
  expect((await verify(sms.codeTo(phone))).data.user!.id).toBe(made.data.user!.id);

  const sent = [200, { message_id: expect.any(String) }];
  for (const number of [phone, '4917199999999'])
    expect(await server.answer('/otp', { json: { phone: number, create_user: false } })).toEqual(sent);
  await arrived(3);
  await server.settled();
  expect(sms.received.some((message) => message.sms.phone === '4917199999999')).toBe(false);
  expect(await server.rows("select from auth.users where phone = '4917199999999'")).toEqual([]);
});

it('phone accounts reject a malformed number before looking it up', async () => {
  const refused = { status: 400, code: 'validation_failed', message: INVALID };
  for (const phone of ['15555550100-invalid', 'call me', '0171', '1'])
    expect((await server.client().verifyOtp({ phone, token: '123456', type: 'sms' })).error).toMatchObject(refused);
});

it('phone accounts lose the password of a user who did not own the number when its owner verifies it', async () => {
  await server.client().signUp({ phone, password: 'the password of another person' });
  await arrived();
  await server.client().signInWithOtp({ phone });
  expect((await verify(await arrived(2))).error).toBeNull();
  expect(await signInError('the password of another person')).toBe('invalid_credentials');
});

it('phone accounts invalidate a code after five wrong guesses from any address (AUTH-07)', async () => {
  await server.client().signInWithOtp({ phone });
  const code = await arrived();
  const clientFrom = (at: number) => server.client({ 'x-test-address': `198.51.100.${at}` });
  const guesses = await Promise.all(Array.from({ length: 5 }, (_, at) => verify(wrong(code), 'sms', clientFrom(at))));
  expect(guesses.map(({ error }) => [error?.status, error?.code])).toEqual(Array(5).fill([403, 'otp_expired']));
  expect((await verify(code)).error).toMatchObject({ message: 'Token has expired or is invalid' });
});

it('phone accounts resend the code only while one is pending, with the same response (AUTH-08)', async () => {
  await server.client().signUp({ phone, password: PASSWORD });
  const first = await arrived();
  const again = await server.client().resend({ type: 'sms', phone });
  expect(again.error).toBeNull();
  const second = await arrived(2);
  expect(again.data.messageId).toBe(messages()[1]!.id);
  if (first !== second) expect((await verify(first)).error?.code).toBe('otp_expired');
  expect((await verify(second)).error).toBeNull();
  const sent = [200, { message_id: expect.any(String) }];
  for (const number of [phone, '4917188888888'])
    for (const type of ['sms', 'phone_change'])
      expect(await server.answer('/resend', { json: { type, phone: number } })).toEqual(sent);
  await server.settled();
  expect(messages()).toHaveLength(2);
});

it('phone accounts change to a verified number, never to a taken one (AUTH-13)', async () => {
  const client = server.client();
  await client.signInWithOtp({ phone });
  await verify(await arrived(), 'sms', client);
  const old = phone;
  phone = `49160${++last}77`;
  expect((await client.updateUser({ phone: `+${phone}` })).data.user).toMatchObject({ phone: old, new_phone: phone });
  await arrived();
  expect((await server.client().resend({ type: 'phone_change', phone: old })).error).toBeNull();
  const code = await arrived(2);
  expect((await verify(code, 'sms')).error?.code).toBe('otp_expired');
  const changed = await verify(code, 'phone_change');
  expect(changed.data.user).toMatchObject({ phone });
  expect(changed.data.user!.new_phone).toBeUndefined();
  expect(changed.data.user!.identities).toMatchObject([{ provider: 'phone', identity_data: { phone } }]);

  const taken = phone;
  phone = `49161${++last}77`;
  const other = server.client();
  await other.signInWithOtp({ phone });
  await verify(await arrived(), 'sms', other);
  expect((await other.updateUser({ phone: taken })).error).toMatchObject({ status: 422, code: 'phone_exists' });
});

it('phone accounts send a fresh code for a new password (AUTH-14)', async () => {
  const client = server.client();
  await client.signInWithOtp({ phone });
  await verify(await arrived(), 'sms', client);
  const { data } = await client.getUser();
  expect((await client.reauthenticate()).error).toBeNull();
  const nonce = await arrived(2);
  await outdateSessions(server, data.user!.id);
  expect((await client.updateUser({ password: PASSWORD })).error?.code).toBe('reauthentication_needed');
  const { error } = await client.updateUser({ password: PASSWORD, nonce: wrong(nonce) });
  expect(error?.code).toBe('reauthentication_not_valid');
  expect((await client.updateUser({ password: PASSWORD, nonce })).error).toBeNull();
  expect(await signInError()).toBeNull();
});

it('phone accounts send nothing to test numbers, which have a fixed code', async () => {
  phone = '15550100';
  expect((await server.client().signInWithOtp({ phone: '+1 555 0100' })).error).toBeNull();
  await server.settled();
  expect((await verify('246810')).error).toBeNull();
  expect(messages()).toEqual([]);
});

const BOTH = 'Only an email address or phone number should be provided on signup.';
const CHALLENGE = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' };

it.each<[fields: object, message: unknown]>([
  ...['12', '+0171555', '1'.repeat(16)].map((phone) => [{ phone, password: PASSWORD }, INVALID] as [object, string]),
  [{ phone: '4917112345', email: 'a@example.com', password: PASSWORD }, BOTH],
  [{ phone: '4917112345', password: PASSWORD, channel: 'pigeon' }, expect.stringContaining('Invalid channel')],
  [{ phone: '4917112345', password: PASSWORD, ...CHALLENGE }, 'PKCE not supported for phone signups'],
])('phone accounts reject %j', async (json, msg) => {
  expect(await server.answer('/signup', { json })).toEqual([400, { code: 400, error_code: 'validation_failed', msg }]);
});

it('phone accounts store codes only as hashes', async () => {
  await server.client().signInWithOtp({ phone });
  const code = await arrived();
  const stored = await server.rows('select * from auth.one_time_tokens where relates_to = $1', phone);
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(`"${code}"`);
});
