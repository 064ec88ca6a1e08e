import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendPasswordReset, signUp as signUpOnSite } from '../../../../app/features/account/model/account.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { CONFIRMING, GUEST, newEmail, openAuthServer, PASSWORD } from './auth-server.ts';

let email: string;

const server = forAllTests(() => openAuthServer(CONFIRMING));
beforeEach(() => {
  email = newEmail();
});

const signUp = (password = PASSWORD, name = 'Ada') =>
  signUpOnSite(server.client(), { email, password, name }, server.site);

async function confirmed() {
  await signUp();
  const { tokenHash } = await server.lastEmailTo(email);
  const client = server.client();
  const { data, error } = await client.verifyOtp({ token_hash: tokenHash, type: 'email' });
  if (error) throw error;
  return { client, user: data.user! };
}

const mailsTo = async (address: string) => {
  await server.settled();
  return (await server.rows('select from auth.one_time_tokens where relates_to = $1', address)).length;
};

describe('confirmation of an address', () => {
  it('is required before the first sign-in, by an emailed link (AUTH-01, AUTH-07, AUTH-20, AUTH-21)', async () => {
    const { data, error } = await signUp();
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) });
    expect(data.user!.identities).toHaveLength(1);
    const early = await server.client().signInWithPassword({ email, password: PASSWORD });
    expect(early.error).toMatchObject({ code: 'email_not_confirmed', message: 'Email not confirmed' });

    const message = await server.lastEmailTo(email);
    expect(message).toMatchObject({ type: 'signup', next: '/admin' });
    const refused = { status: 403, code: 'otp_expired', message: 'Email link is invalid or has expired' };
    expect((await server.redeem(message.tokenHash, 'recovery')).error).toMatchObject(refused);
    const verified = await server.redeem(message.tokenHash, 'signup');
    expect(verified.error).toBeNull();
    expect(verified.data.user!.email_confirmed_at).toBeDefined();
    const metadata = { name: 'Ada', requested_admin: true, email_verified: true };
    expect(verified.data.user!.user_metadata).toMatchObject(metadata);
    expect(decodeJwt(verified.data.session!.access_token)['amr']).toMatchObject([{ method: 'otp' }]);
    expect((await server.redeem(message.tokenHash, 'signup')).error?.code).toBe('otp_expired');
    expect(await server.signInError(email)).toBeNull();
  });

  it('expires after an hour for the link, and after ten minutes for the code', async () => {
    await signUp();
    const { code, tokenHash } = await server.lastEmailTo(email);
    const update = `update auth.one_time_tokens set expires_at = expires_at - make_interval(mins => $2),
      code_expires_at = code_expires_at - make_interval(mins => $2) where relates_to = $1`;
    const age = (minutes: number) => server.db.query(update, [email, minutes]);
    await age(11);
    expect((await server.client().verifyOtp({ email, token: code, type: 'signup' })).error?.code).toBe('otp_expired');
    await age(50);
    expect((await server.redeem(tokenHash, 'signup')).error?.code).toBe('otp_expired');
  });

  it('needs a click: opening the link shows a page with a button', async () => {
    await signUp();
    const { tokenHash } = await server.lastEmailTo(email);
    const address = `/verify?token=${tokenHash}&type=signup&redirect_to=${encodeURIComponent(`${server.site}/admin?x=1`)}`;
    for (const method of ['HEAD', 'GET', 'GET']) {
      const response = await server.call(address, { method });
      expect(response.status).toBe(303);
      const page = new URL(response.headers.get('location')!);
      expect(page.origin + page.pathname).toBe(`${server.site}/confirm`);
      const next = '/admin?x=1';
      expect(Object.fromEntries(page.searchParams)).toEqual({ token_hash: tokenHash, type: 'signup', next });
    }
    expect((await server.redeem(tokenHash, 'signup')).error).toBeNull();
    expect((await server.call('/verify?type=signup')).status).toBe(400);
  });

  it('never redirects to another site', async () => {
    for (const target of ['https://evil.example/', 'javascript:alert(1)', `${server.site}//evil.example`]) {
      const response = await server.call(`/verify?token=x&type=signup&redirect_to=${encodeURIComponent(target)}`);
      expect(new URL(response.headers.get('location')!).searchParams.get('next')).toBe('/');
    }
  });

  it('can be resent, with the same response for every address (AUTH-08)', async () => {
    await signUp();
    const first = await server.lastEmailTo(email);
    expect((await server.client().resend({ type: 'signup', email })).error).toBeNull();
    const second = await server.lastEmailTo(email);
    expect(second.tokenHash).not.toBe(first.tokenHash);
    expect((await server.redeem(first.tokenHash, 'signup')).error?.code).toBe('otp_expired');
    expect((await server.redeem(second.tokenHash, 'signup')).error).toBeNull();
    for (const address of [email, 'unknown@example.com']) {
      expect(await server.answer('/resend', { json: { type: 'signup', email: address } })).toEqual([200, {}]);
      expect(await mailsTo(address)).toBe(0);
    }
  });

  it('returns an obfuscated user for a sign-up with a taken address, and changes nothing', async () => {
    await confirmed();
    const { data } = await signUp('another bicycle', 'Eve');
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email, identities: [], role: '', user_metadata: { name: 'Eve' } });
    expect(await server.rows('select from auth.users where id = $1', data.user!.id)).toHaveLength(0);
    expect(await mailsTo(email)).toBe(0);
    expect(await server.signInError(email, 'another bicycle')).toBe('invalid_credentials');
    expect(await server.signInError(email)).toBeNull();
  });

  it.each([
    [{ token_hash: 'x' }, 'Verify requires a verification type'],
    [{ type: 'signup' }, 'Verify requires either a token or a token hash'],
    [{ type: 'signup', token: '1', token_hash: 'x' }, 'Verify requires either a token or a token hash'],
    [{ type: 'signup', token_hash: 'x', email: 'a@example.com' }, 'Only the token_hash and type should be provided'],
    [{ type: 'signup', token: '1' }, 'Only an email address or phone number should be provided on verify'],
  ])('rejects %j', async (json, msg) => {
    const refused = { code: 400, error_code: 'validation_failed', msg };
    expect(await server.answer('/verify', { json })).toEqual([400, refused]);
  });
});

describe('forgotten password', () => {
  it('is replaced through an emailed link, which ends every other session (AUTH-09, AUTH-24)', async () => {
    const { client: recovering } = await confirmed();
    await sendPasswordReset(server.client(), email, server.site);
    const message = await server.lastEmailTo(email);
    expect(message).toMatchObject({ type: 'recovery', next: '/reset-password' });
    const client = server.client();
    expect((await client.verifyOtp({ token_hash: message.tokenHash, type: 'recovery' })).error).toBeNull();
    expect((await client.updateUser({ password: 'another bicycle' })).error).toBeNull();
    expect((await recovering.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect(await server.signInError(email)).toBe('invalid_credentials');
    expect(await server.signInError(email, 'another bicycle')).toBeNull();
  });

  it('returns the same response for every address, and sends e-mail only to the owner', async () => {
    await confirmed();
    for (const address of [email, 'unknown@example.com', `${GUEST}@example.com`]) {
      expect(await server.answer('/recover', { json: { email: address, code_challenge: null } })).toEqual([200, {}]);
      expect(await mailsTo(address)).toBe(address === email ? 1 : 0);
    }
  });
});

it('e-mails contain user input as text, never as markup or a header', async () => {
  await signUp(PASSWORD, '<b>x</b>{{ .Token }}\r\nBcc: eve@example.com');
  const { text } = await server.lastEmailTo(email);
  expect(text).not.toContain('<b>x</b>');
  expect(text.slice(0, text.indexOf('\n\n'))).not.toContain('eve@example.com');
  expect(text).toContain('Subject: ');
  expect(text.match(/^To: .*/m)![0]).toBe(`To: ${email}`);
});
