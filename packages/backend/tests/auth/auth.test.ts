import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { type AuthServer, newEmail, openAuthServer, PASSWORD, signedUp, WIDE } from './auth-server.ts';

const COMMON = 'Password is known to be weak and easy to guess, please choose a different one.';
const open = forAllTests(() => openAuthServer(WIDE));

describe('sign-up', () => {
  it('creates an account and signs it in when no confirmation is required (AUTH-01, ENT-30)', async () => {
    const email = newEmail();
    const account = { email: ` ${email.toUpperCase()} `, password: PASSWORD, options: { data: { name: 'Ada' } } };
    const { data, error } = await open.client().signUp(account);
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { id: data.user!.id } });
    expect(data.session!.expires_at).toBe(decodeJwt(data.session!.access_token).exp);
    expect(data.session!.expires_at! - 3600).toBe(decodeJwt(data.session!.access_token).iat);
    expect(data.session!.refresh_token.length).toBeGreaterThanOrEqual(22);
    const app_metadata = { provider: 'email', providers: ['email'] };
    const user_metadata = { name: 'Ada', email, email_verified: true };
    const roles = { aud: 'authenticated', role: 'authenticated', is_anonymous: false };
    expect(data.user).toMatchObject({ ...roles, email, phone: '', app_metadata, user_metadata });
    expect(data.user!.identities).toHaveLength(1);
    expect(data.user!.email_confirmed_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it.each<[password: string, reason: string, message: string]>([
    ['short', 'length', 'Password should be at least 6 characters.'],
    ...['Password1', '12345678', '777777'].map((password) => [password, 'pwned', COMMON] as [string, string, string]),
  ])('refuses the weak password %s', async (password, reason, message) => {
    const { error } = await open.client().signUp({ email: newEmail(), password });
    expect(error).toMatchObject({ status: 422, code: 'weak_password', reasons: [reason], message });
  });

  it('accepts a common password only where configured', async () => {
    await using lenient = await openAuthServer(`[auth]\nreject_common_passwords = false\n${WIDE}`, { db: open.db });
    const email = newEmail();
    for (const password of ['Password1', '12345678', email])
      expect((await lenient.client().signUp({ email: newEmail(), password })).error).toBeNull();
    expect((await lenient.client().signUp({ email, password: email })).error).toBeNull();
    const { data, error } = await lenient.client().signInWithPassword({ email, password: email });
    expect([error, data.weakPassword]).toEqual([null, undefined]);
    expect((await lenient.client().signUp({ email: newEmail(), password: '12345' })).error?.code).toBe('weak_password');
  });

  it('requires as many characters as configured', async () => {
    await using strict = await openAuthServer(`[auth]\nminimum_password_length = 12\n${WIDE}`, { db: open.db });
    const { error } = await strict.client().signUp({ email: newEmail(), password: 'elevenchars' });
    expect(error).toMatchObject({ code: 'weak_password', message: 'Password should be at least 12 characters.' });
  });

  it.each([
    [{ email: 'no-address', password: PASSWORD }, 400, 'validation_failed'],
    [{ email: 'a@b@example.com', password: PASSWORD }, 400, 'validation_failed'],
    [{ email: 'a@example.com\r\nBcc: b@example.com', password: PASSWORD }, 400, 'validation_failed'],
    [{ email: `${'a'.repeat(300)}@example.com`, password: PASSWORD }, 400, 'validation_failed'],
    [{ email: 'a@example.com', password: '' }, 400, 'validation_failed'],
    [{ email: 'a@example.com', phone: '+441234567890', password: PASSWORD }, 400, 'validation_failed'],
    [{ phone: '+441234567890', password: PASSWORD }, 400, 'phone_provider_disabled'],
    [{ data: {} }, 422, 'anonymous_provider_disabled'],
    [{ email: 5, password: PASSWORD }, 400, 'validation_failed'],
    [{ email: 'nul@example.com', password: PASSWORD, data: { name: 'a\u0000b' } }, 400, 'validation_failed'],
    [{ email: 'half@example.com', password: PASSWORD, data: { name: '\ud800' } }, 400, 'validation_failed'],
  ])('responds to invalid input %j with %i %s', async (json, status, code) => {
    expect(await open.refusal('/signup', { json })).toEqual([status, code]);
  });

  it('can be disabled', async () => {
    await using closed = await openAuthServer(`[auth]\nenable_signup = false\n${WIDE}`, { db: open.db });
    const { error } = await closed.client().signUp({ email: newEmail(), password: PASSWORD });
    const message = 'Signups not allowed for this instance';
    expect(error).toMatchObject({ status: 422, code: 'signup_disabled', message });
  });
});

describe('sign-in', () => {
  it('returns a session with the claims of the contract (AUTH-02, AUTH-22)', async () => {
    const { email } = await signedUp(open);
    const client = open.client();
    const { data, error } = await client.signInWithPassword({ email: email.toUpperCase(), password: PASSWORD });
    expect(error).toBeNull();
    const claims = decodeJwt(data.session!.access_token);
    const account = { sub: data.user!.id, aud: 'authenticated', role: 'authenticated', email, phone: '' };
    const amr = [{ method: 'password', timestamp: expect.any(Number) }];
    const session = { aal: 'aal1', amr, session_id: expect.any(String), is_anonymous: false };
    expect(claims).toMatchObject({ iss: open.url, ...account, ...session });
    expect(claims.exp! - claims.iat!).toBe(3600);
    expect((await client.getSession()).data.session?.access_token).toBe(data.session!.access_token);
  });

  it('returns the same error for an unknown address, a wrong password and the guest account', async () => {
    const { email } = await signedUp(open);
    const tries = [
      { email: newEmail(), password: PASSWORD },
      { email, password: 'not the password' },
      { email, password: '' },
      { email: '00000000-0000-4000-8000-000000000001', password: PASSWORD },
    ];
    const error = { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' };
    for (const json of tries) expect(await open.answer('/token?grant_type=password', { json })).toEqual([400, error]);
  });

  it('requires an address or a phone number, and a password (AUTH-26)', async () => {
    const words = 'You must provide either an email or phone number and a password';
    const nothing = {} as Parameters<ReturnType<AuthServer['client']>['signInWithPassword']>[0];
    expect((await open.client().signInWithPassword(nothing)).error?.message).toBe(words);
    expect((await open.client().signUp(nothing)).error?.message).toBe(words);
    const response = await open.call('/token?grant_type=password', { json: { password: PASSWORD } });
    expect(await response.json()).toMatchObject({ error_code: 'validation_failed', msg: 'missing email or phone' });
  });

  it('is not sent by the client when a credential is missing (AUTH-27, AUTH-28)', async () => {
    const nothing = {} as Parameters<ReturnType<AuthServer['client']>['signInWithOtp']>[0];
    const { error } = await open.client().signInWithOtp(nothing);
    expect(error?.message).toBe('You must provide either an email or phone number.');
    for (const tokens of [
      { access_token: '', refresh_token: 'x' },
      { access_token: 'x', refresh_token: '' },
    ])
      expect((await open.client().setSession(tokens)).error?.name).toBe('AuthSessionMissingError');
    // The service rejects the same calls of other clients.
    for (const [path, json, msg] of [
      ['/otp', {}, 'One of email or phone must be set'],
      ['/token?grant_type=refresh_token', { refresh_token: '' }, 'Refresh token is not valid'],
    ] as const)
      expect(await open.answer(path, { json })).toMatchObject([400, { error_code: 'validation_failed', msg }]);
  });

  it('supports no other grants', async () => {
    const error = { error_code: 'invalid_credentials', msg: 'unsupported_grant_type' };
    for (const grant of ['web3', 'constructor', '__proto__', ''])
      expect(await open.answer(`/token?grant_type=${grant}`, { json: {} })).toMatchObject([400, error]);
  });
});
