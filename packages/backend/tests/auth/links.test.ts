import type { GenerateLinkParams } from '@supabase/auth-js';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { mailsIn } from '../../../../tests/outbox.ts';
import { bearer, CONFIRMING, newEmail, openAuthServer, PASSWORD, signedIn } from './auth-server.ts';

const SETTINGS = `
[auth]
additional_redirect_urls = ["https://app.example/**"]
${CONFIRMING}`;

const server = forAllTests(() => openAuthServer(SETTINGS));

const admin = () => server.service().admin;
const confirmed = async () => (await signedIn(server)).email;
const linksTo = async (email: string) => {
  await server.settled();
  const mails = (await mailsIn(server.outbox)).filter((mail) => mail.toLowerCase().includes(`to: ${email}`));
  return mails.map((mail) => new URL(/http\S+\/confirm\?\S+/.exec(mail)![0]));
};
const linkFor = async (params: GenerateLinkParams) => {
  const { data, error } = await admin().generateLink(params);
  if (error) throw error;
  return data;
};

describe('invitation', () => {
  it('creates a pending account, and mails a link that activates it (AUTH-12)', async () => {
    const email = newEmail();
    const options = { data: { name: 'Ada' }, redirectTo: `${server.site}/case-studies` };
    const { data } = await admin().inviteUserByEmail(` ${email.toUpperCase()} `, options);
    expect(data.user).toMatchObject({ email, invited_at: expect.any(String), user_metadata: { name: 'Ada' } });
    expect(data.user!.email_confirmed_at).toBeUndefined();
    const message = await server.lastEmailTo(email);
    expect(message).toMatchObject({ type: 'invite', next: '/case-studies' });
    // The account has no password, not even an empty one.
    for (const password of ['', PASSWORD])
      expect((await server.call('/token?grant_type=password', { json: { email, password } })).status).toBe(400);

    const opened = await server.redeem(message.tokenHash, 'invite');
    expect(opened.data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) });
    expect((await server.redeem(message.tokenHash, 'invite')).error?.code).toBe('otp_expired');
  });

  it('can be resent until it is accepted; only the newest link is valid', async () => {
    const email = newEmail();
    const first = await admin().inviteUserByEmail(email);
    expect((await admin().inviteUserByEmail(email)).data.user!.id).toBe(first.data.user!.id);
    const links = await linksTo(email);
    expect(links).toHaveLength(2);
    const outcomes = [];
    for (const link of links)
      outcomes.push((await server.redeem(link.searchParams.get('token_hash')!, 'invite')).error);
    expect(outcomes.filter((error) => error === null)).toHaveLength(1);
  });

  it('is refused for an active account, and to callers without the service key', async () => {
    const { email, session } = await signedIn(server);
    const message = 'A user with this email address has already been registered';
    const taken = { status: 422, code: 'email_exists', message };
    expect((await admin().inviteUserByEmail(email)).error).toMatchObject(taken);
    expect(await linksTo(email)).toEqual([]);
    for (const invalid of ['no-address', ''])
      expect((await admin().inviteUserByEmail(invalid)).error?.code).toBe('validation_failed');
    const json = { email: newEmail() };
    for (const token of [server.keys.publishable, session.access_token])
      expect(await server.refusal('/invite', { json, headers: bearer(token) })).toEqual([403, 'not_admin']);
  });

  it('does not give access to another user who signed up with the address before', async () => {
    for (const way of ['invite', 'signup'] as const) {
      const email = newEmail();
      const theirs = 'the password of another person';
      expect((await server.client().signUp({ email, password: theirs })).error).toBeNull();
      const { properties } = await linkFor({ type: way, email, password: PASSWORD } as GenerateLinkParams);
      expect((await server.redeem(properties.hashed_token, way)).error).toBeNull();
      expect(await server.signInError(email, theirs), way).toBe('invalid_credentials');
      expect(await server.signInError(email)).toBe(way === 'signup' ? null : 'invalid_credentials');
    }
  });
});

describe('link for e-mails sent by others (AUTH-18: generate_link)', () => {
  it('is returned as link, code and token with the user, and not mailed', async () => {
    const email = await confirmed();
    const redirectTo = 'https://app.example/welcome?a=b';
    const { properties, user } = await linkFor({ type: 'recovery', email, options: { redirectTo } });
    const parts = 'action_link email_otp hashed_token redirect_to verification_type';
    expect(Object.keys(properties).sort().join(' ')).toBe(parts);
    expect(properties).toMatchObject({ redirect_to: redirectTo, verification_type: 'recovery' });
    expect(properties.email_otp).toMatch(/^\d{6}$/);
    const link = new URL(properties.action_link);
    expect(link.origin + link.pathname).toBe(`${server.site}/confirm`);
    const query = { token_hash: properties.hashed_token, type: 'recovery', next: redirectTo };
    expect(Object.fromEntries(link.searchParams)).toEqual(query);
    expect(user).toMatchObject({ email, recovery_sent_at: expect.any(String), identities: [{ provider: 'email' }] });
    expect(await linksTo(email)).toEqual([]);
    expect((await server.redeem(properties.hashed_token, 'recovery')).data.user?.id).toBe(user!.id);
    expect((await server.redeem(properties.hashed_token, 'recovery')).error?.code).toBe('otp_expired');
  });

  it('signs a user up with the given password', async () => {
    const email = newEmail();
    const options = { data: { name: 'Ada' } };
    const { properties, user } = await linkFor({ type: 'signup', email, password: PASSWORD, options });
    expect(user).toMatchObject({ email, user_metadata: { name: 'Ada' }, confirmation_sent_at: expect.any(String) });
    expect(await server.signInError(email)).toBe('email_not_confirmed');
    expect((await server.client().verifyOtp({ email, token: properties.email_otp, type: 'signup' })).error).toBeNull();
    expect(await server.signInError(email)).toBeNull();
  });

  it('invites, or signs in by magic link; for an unknown address it signs up', async () => {
    const invited = await linkFor({ type: 'invite', email: newEmail() });
    expect(invited.user!.invited_at).toBeDefined();
    expect((await server.redeem(invited.properties.hashed_token, 'invite')).error).toBeNull();
    const known = await linkFor({ type: 'magiclink', email: await confirmed() });
    expect(known.properties.verification_type).toBe('magiclink');
    expect((await server.redeem(known.properties.hashed_token, 'magiclink')).data.user?.id).toBe(known.user!.id);
    const unknown = await linkFor({ type: 'magiclink', email: newEmail() });
    expect(unknown.properties.verification_type).toBe('signup');
    expect((await server.redeem(unknown.properties.hashed_token, 'signup')).data.user?.id).toBe(unknown.user!.id);
  });

  it('changes an address once both mailboxes confirm, in either order', async () => {
    for (const order of [
      ['email_change_current', 'email_change_new'],
      ['email_change_new', 'email_change_current'],
    ] as const) {
      const email = await confirmed();
      const newest = newEmail();
      const first = await linkFor({ type: order[0], email, newEmail: newest });
      const second = await linkFor({ type: order[1], email, newEmail: newest });
      expect(second.user).toMatchObject({ email, new_email: newest });
      expect(second.properties.verification_type).toBe(order[1]);
      expect(new URL(second.properties.action_link).searchParams.get('type')).toBe('email_change');
      const half = await server.redeem(first.properties.hashed_token, 'email_change');
      expect(half).toMatchObject({ error: null, data: { session: null, user: null } });
      expect((await server.redeem(second.properties.hashed_token, 'email_change')).data.user?.email).toBe(newest);
      expect(await server.signInError(newest)).toBeNull();
    }
  });

  it('rejects invalid requests', async () => {
    const email = await confirmed();
    const other = await confirmed();
    const wrong: [object, number, string, string?][] = [
      [{ type: 'signup', email: newEmail() }, 400, 'validation_failed', 'Signup requires a valid password'],
      [{ type: 'signup', email: newEmail(), password: '123456' }, 422, 'weak_password'],
      [{ type: 'signup', email, password: PASSWORD }, 422, 'email_exists'],
      [{ type: 'invite', email }, 422, 'email_exists'],
      [{ type: 'recovery', email: newEmail() }, 404, 'user_not_found', 'User with this email not found'],
      [{ type: 'email_change_new', email: newEmail(), new_email: newEmail() }, 404, 'user_not_found'],
      [{ type: 'email_change_new', email }, 400, 'validation_failed'],
      [{ type: 'email_change_current', email, new_email: 'no-address' }, 400, 'validation_failed'],
      [{ type: 'email_change_current', email, new_email: other }, 422, 'email_exists'],
      [{ type: 'phone_change', email }, 400, 'validation_failed'],
      [{ email }, 400, 'validation_failed'],
      [{ type: 'recovery' }, 400, 'validation_failed'],
      [{ type: 'recovery', email: 'no-address' }, 400, 'validation_failed'],
    ];
    for (const [json, status, code, message] of wrong) {
      const headers = { apikey: server.keys.secret, 'x-supabase-api-version': '2024-01-01' };
      const answer = await server.answer('/admin/generate_link', { json, headers });
      expect(answer, JSON.stringify(json)).toMatchObject([status, { code, ...(message && { message }) }]);
    }
    const json = { type: 'recovery', email };
    expect(await server.refusal('/admin/generate_link', { json })).toEqual([403, 'not_admin']);
  });

  it('redirects only to allowed addresses', async () => {
    const email = await confirmed();
    for (const redirectTo of ['https://evil.example/', `${server.site}@evil.example/`]) {
      const { properties } = await linkFor({ type: 'magiclink', email, options: { redirectTo } });
      expect(properties.redirect_to).toBe(server.site);
      await server.client().resetPasswordForEmail(email, { redirectTo });
      expect((await server.lastEmailTo(email)).next).toBe('/');
    }
    await server.client().resetPasswordForEmail(email, { redirectTo: 'https://app.example/new?a=1' });
    expect((await server.lastEmailTo(email)).next).toBe('https://app.example/new?a=1');
    // `redirect_to` in the body is used, too.
    const json = { type: 'magiclink', email, redirect_to: 'https://app.example/in' };
    const answer = await server.call('/admin/generate_link', { json, headers: { apikey: server.keys.secret } });
    expect(((await answer.json()) as { redirect_to: string }).redirect_to).toBe('https://app.example/in');
  });
});
