import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { CONFIRMING, newEmail, openAuthServer, signedIn, wrong } from './auth-server.ts';

let email: string;

const server = forAllTests(() => openAuthServer(CONFIRMING));
beforeEach(() => {
  email = newEmail();
});

const emails = async (address = email) => {
  await server.settled();
  const purposes = 'select purpose from auth.one_time_tokens where relates_to = $1 order by purpose';
  return (await server.rows<{ purpose: string }>(purposes, address)).map(({ purpose }) => purpose);
};

describe('emailed codes and links: passwordless sign-in', () => {
  it('creates an account for a new address, confirmed by its code (AUTH-06, AUTH-07)', async () => {
    const sent = await server.client().signInWithOtp({ email, options: { data: { name: 'Ada' } } });
    expect(sent).toMatchObject({ error: null, data: { user: null, session: null } });
    const message = await server.lastEmailTo(email);
    expect(message.type).toBe('signup');
    const { data } = await server.client().verifyOtp({ email, token: message.code, type: 'email' });
    expect(data.user).toMatchObject({ email, user_metadata: { name: 'Ada', email_verified: true } });
    expect(decodeJwt(data.session!.access_token)['amr']).toMatchObject([{ method: 'otp' }]);
  });

  it('creates an account for a client that does not set create_user (AUTH-06)', async () => {
    expect((await server.call('/otp', { json: { email } })).status).toBe(200);
    expect((await server.lastEmailTo(email)).type).toBe('signup');
  });

  it('sends a magic link to a known address, valid once and for sign-in only', async () => {
    const { id } = await signedIn(server, { email });
    await server.client().signInWithOtp({ email, options: { emailRedirectTo: `${server.site}/admin` } });
    const message = await server.lastEmailTo(email);
    expect(message).toMatchObject({ type: 'magiclink', next: '/admin' });
    const verify = (type: 'recovery' | 'signup' | 'magiclink') => server.redeem(message.tokenHash, type);
    for (const type of ['recovery', 'signup'] as const)
      expect((await verify(type)).error).toMatchObject({ status: 403, code: 'otp_expired' });
    expect((await verify('magiclink')).data.user!.id).toBe(id);
    expect((await verify('magiclink')).error?.code).toBe('otp_expired');
  });

  it('limits guesses across the codes of an address, and leaves its links alone (TM-05)', async () => {
    await signedIn(server, { email });
    const verify = (token: string) => server.client().verifyOtp({ email, token, type: 'email' });
    for (let guess = 0; guess < 11; guess++) {
      await server.client().signInWithOtp({ email });
      const { code } = await server.lastEmailTo(email);
      expect((await verify(wrong(code))).error?.code).toBe('otp_expired');
    }
    await server.db.query(`update auth.attempts set blocked_until = now() + interval '1 minute' where failures = 11`);
    const { code, tokenHash } = await server.lastEmailTo(email);
    expect((await verify(code)).error?.status).toBe(429);
    expect((await server.redeem(tokenHash, 'magiclink')).error).toBeNull();
  });

  it('accepts requests at /magiclink too', async () => {
    expect(await server.answer('/magiclink', { json: { email, data: { name: 'Ada' } } })).toEqual([200, {}]);
    const { code } = await server.lastEmailTo(email);
    const { data } = await server.client().verifyOtp({ email, token: code, type: 'signup' });
    expect(data.user!.user_metadata).toMatchObject({ name: 'Ada' });
    expect((await server.call('/magiclink', { json: {} })).status).toBe(422);
  });

  it('returns the same response for every address, and sends nothing where no account may be created', async () => {
    const { id } = await signedIn(server, { email });
    const otherUser = newEmail();
    for (const address of [email, otherUser]) {
      const response = await server.call('/otp', { json: { email: address, create_user: false } });
      expect([response.status, await response.text()]).toEqual([200, '{}']);
    }
    expect(await emails()).toEqual(['magiclink']);
    expect(await emails(otherUser)).toEqual([]);
    await server.service().admin.updateUserById(id, { ban_duration: '1h' });
    await server.db.query('delete from auth.one_time_tokens where user_id = $1', [id]);
    expect((await server.client().signInWithOtp({ email })).error).toBeNull();
    expect(await emails()).toEqual([]);
  });

  it.each(['magiclink', 'recovery'] as const)(
    'removes the password set by a user who created the account without owning the address: %s',
    async (type) => {
      await server.client().signUp({ email, password: 'the password of another person' });
      if (type === 'magiclink') await server.client().signInWithOtp({ email });
      else await server.client().resetPasswordForEmail(email);
      const message = await server.lastEmailTo(email);
      expect(message.type).toBe(type);
      expect((await server.redeem(message.tokenHash, type)).error).toBeNull();
      expect(await server.signInError(email, 'the password of another person')).toBe('invalid_credentials');
    },
  );

  it('keeps the password of an account that its owner has confirmed', async () => {
    await signedIn(server, { email });
    await server.client().signInWithOtp({ email });
    const { code } = await server.lastEmailTo(email);
    await server.client().verifyOtp({ email, token: code, type: 'magiclink' });
    expect(await server.signInError(email)).toBeNull();
  });

  it.each([
    ['/otp', {}, 400],
    ['/otp', { email: 'a@example.com', phone: '4917112345' }, 400],
    ['/otp', { email: 'not an address' }, 400],
    ['/otp', { email: 'a@example.com', code_challenge: 'x'.repeat(43) }, 400],
    ['/otp', { email: 'a@example.com', code_challenge: 'short', code_challenge_method: 's256' }, 400],
    ['/otp', { email: 'a@example.com', code_challenge: 'x'.repeat(43), code_challenge_method: 'rot13' }, 400],
    ['/otp', { email: 'a@example.com', create_user: 'yes' }, 400],
    ['/recover', {}, 400],
    ['/recover', { email: 'a@example.com', code_challenge_method: 's256' }, 400],
    ['/resend', { type: 'signup' }, 400],
    ['/resend', { type: 'sms', email: 'a@example.com' }, 400],
    ['/resend', { type: 'invite', email: 'a@example.com' }, 400],
    ['/magiclink', { email: ' ' }, 422],
  ])('%s rejects %j', async (path, json, status) => {
    expect(await server.refusal(path, { json })).toEqual([status, 'validation_failed']);
  });
});

describe('emailed codes and links: verification', () => {
  it('returns one session for ten concurrent uses of one link (AUTH-07)', async () => {
    await server.client().signInWithOtp({ email });
    const { tokenHash, code } = await server.lastEmailTo(email);
    const use = (at: number) =>
      at % 2 ? server.redeem(tokenHash, 'email') : server.client().verifyOtp({ email, token: code, type: 'email' });
    const all = await Promise.all(Array.from({ length: 10 }, (_, at) => use(at)));
    expect(all.filter(({ data }) => data.session)).toHaveLength(1);
    const sessions = 'select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1';
    expect(await server.rows(sessions, email)).toHaveLength(1);
  });

  it('invalidates a code after five wrong guesses, also concurrent ones, and keeps the link valid for one use (C8)', async () => {
    await signedIn(server, { email });
    await server.client().signInWithOtp({ email });
    const { tokenHash, code } = await server.lastEmailTo(email);
    const guess = (at: number) => {
      const client = server.client({ 'x-test-address': `198.51.100.${at}` });
      return client.verifyOtp({ email, token: wrong(code), type: at % 2 ? 'email' : 'magiclink' });
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => guess(at)));
    const attempts = 'select attempts from auth.one_time_tokens where relates_to = $1';
    expect(await server.rows(attempts, email)).toEqual([{ attempts: 5 }]);
    const byCode = { email, token: code, type: 'email' } as const;
    const byLink = { token_hash: tokenHash, type: 'email' } as const;
    expect((await server.client().verifyOtp(byCode)).error).toMatchObject({ status: 403, code: 'otp_expired' });
    expect((await server.client().verifyOtp(byLink)).error).toBeNull();
    for (const proof of [byCode, byLink])
      expect((await server.client().verifyOtp(proof)).error).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  it('returns the same error for an unknown address, a wrong code, another type and a banned account', async () => {
    const { id } = await signedIn(server, { email });
    await server.client().signInWithOtp({ email });
    const { code } = await server.lastEmailTo(email);
    await server.service().admin.updateUserById(id, { ban_duration: '1h' });
    const json = { email, token: code, type: 'email' };
    const refused = { code: 403, error_code: 'otp_expired', msg: 'Token has expired or is invalid' };
    const types = ['sms', 'reauthentication', '__proto__', 'magiclink'].map((type) => ({ type }));
    for (const change of [{ email: 'unknown@example.com' }, { token: wrong(code) }, ...types])
      expect(await server.answer('/verify', { json: { ...json, ...change } })).toEqual([403, refused]);
  });
});
