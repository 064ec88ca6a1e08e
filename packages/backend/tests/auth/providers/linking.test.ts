import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { newEmail, openAuthServer, PASSWORD } from '../auth-server.ts';
import { follow, fragmentOf } from './peers.ts';
import { callbackUrl, linkingActs, signInWith, startPeers, userOf, withProviders } from './provider-sign-in.ts';

const peers = forAllTests(startPeers);

const { atGoogle, atGitHub, confirmed, linkedAddress, sql } = linkingActs(() => ({ peers, server }));

const server = forAllTests(() => openAuthServer(withProviders(peers, 'enable_manual_linking = true')));
const closed = forAllTests(() => openAuthServer(withProviders(peers, 'enable_signup = false'), { db: server.db }));

describe('address verified by account and provider', () => {
  it('links the identity to the account, which keeps its password (AUTH-15)', async () => {
    const { id, email, client } = await confirmed();
    expect(userOf(await signInWith(server, 'google', atGoogle(email.toUpperCase())))).toBe(id);
    const { data } = await client.getUser();
    expect(data.user!.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'google'] });
    expect(data.user!.identities!.map(({ provider }) => provider)).toEqual(['email', 'google']);
    expect(data.user!.user_metadata).toMatchObject({ nickname: 'Countess', full_name: 'Ada' });
    expect(await server.signInError(email)).toBeNull();
  });

  it('links also when the account’s metadata has its maximum size', async () => {
    const { id, email, client } = await confirmed();
    for (const data of [{ story: 'x'.repeat(8000) }, { more: 'x'.repeat(1990) }])
      expect((await client.updateUser({ data })).error).toBeNull();
    expect(userOf(await signInWith(server, 'google', atGoogle(email)))).toBe(id);
  });

  it('links by the address of another provider too', async () => {
    const { id, client } = await confirmed();
    const second = newEmail();
    await follow(await linkedAddress(client, 'google', atGoogle(second)));
    expect(userOf(await signInWith(server, 'github', atGitHub(second)))).toBe(id);
  });

  it('creates one account for concurrent sign-ins with both providers', async () => {
    const email = newEmail();
    const backs = await Promise.all([
      ...Array.from({ length: 4 }, () => callbackUrl(server, 'google', atGoogle(email))),
      ...Array.from({ length: 4 }, () => callbackUrl(server, 'github', atGitHub(email))),
    ]);
    const arrived = await Promise.all(backs.map((back) => follow(back)));
    expect(new Set(arrived.map((target) => userOf(fragmentOf(target)))).size).toBe(1);
    expect(await sql('select from auth.users where email = $1', email)).toHaveLength(1);
  });

  it('links nothing when two accounts have the address', async () => {
    const [first, second] = [await confirmed(), await confirmed()];
    await follow(await linkedAddress(second.client, 'google', atGoogle(first.email)));
    const words = await signInWith(server, 'github', atGitHub(first.email));
    expect(words).toMatchObject({ error_code: 'unexpected_failure' });
    expect(words['error_description']).toContain('Multiple accounts');
    expect(words).not.toHaveProperty('access_token');
  });

  it('does not link company accounts', async () => {
    const { id, email } = await confirmed();
    await sql('update auth.users set is_sso_user = true where id = $1', id);
    expect(userOf(await signInWith(server, 'google', atGoogle(email)))).not.toBe(id);
  });
});

describe('account created earlier by a user who never confirmed the address', () => {
  it('passes to its owner without the other user’s password, sessions, identities, e-mails and metadata', async () => {
    const email = newEmail();
    const otherUser = server.client();
    const { data } = await otherUser.signUp({ email, password: PASSWORD, options: { data: { name: 'Mallory' } } });
    const { tokenHash } = await server.lastEmailTo(email);
    const id = data.user!.id;
    await sql("insert into auth.sessions (id, user_id, aal) values (gen_random_uuid(), $1, 'aal1')", id);
    const identity = 'insert into auth.identities (provider, provider_id, user_id, identity_data)';
    await sql(`${identity} values ('github', $1, $2, '{}')`, randomUUID(), id);
    const tokens = await signInWith(server, 'google', atGoogle(email));
    expect(userOf(tokens)).toBe(id);
    const { data: now } = await server.client().getUser(tokens['access_token']!);
    expect(now.user!.identities!.map(({ provider }) => provider)).toEqual(['google']);
    expect(now.user!.app_metadata).toEqual({ provider: 'google', providers: ['google'] });
    expect(now.user!.user_metadata).toMatchObject({ name: 'Ada', email_verified: true });
    expect(now.user!.email_confirmed_at).toBeDefined();
    expect(await sql('select from auth.sessions where user_id = $1', id)).toHaveLength(1);
    expect(await server.signInError(email)).toBe('invalid_credentials');
    const late = await otherUser.verifyOtp({ token_hash: tokenHash, type: 'signup' });
    expect(late.error).toMatchObject({ code: 'otp_expired' });
  });

  it('keeps other verified data: a user with a verified number keeps the account and loses the address', async () => {
    const email = newEmail();
    const phone = `1555${randomInt(1_000_000, 9_999_999)}`;
    const { data } = await server.service().admin.createUser({ email, phone, phone_confirm: true });
    expect(userOf(await signInWith(server, 'google', atGoogle(email)))).not.toBe(data.user!.id);
    const [kept] = await sql('select email, phone from auth.users where id = $1', data.user!.id);
    expect(kept).toEqual({ email: null, phone });
  });
});

describe('address that the provider has not verified', () => {
  it('needs an emailed confirmation before the sign-in (AUTH-15)', async () => {
    const email = newEmail();
    const hint = atGitHub(email, false);
    const words = await signInWith(server, 'github', hint);
    const refused = { error: 'access_denied', error_code: 'provider_email_needs_verification' };
    const error_description = 'Unverified email with github. A confirmation email has been sent to your github email';
    expect(words).toMatchObject({ ...refused, error_description });
    const [user] = await sql('select * from auth.users where email = $1', email);
    expect(user).toMatchObject({ email_confirmed_at: null });
    expect((await signInWith(server, 'github', hint))['error_code']).toBe('provider_email_needs_verification');
    const { tokenHash } = await server.lastEmailTo(email);
    expect((await server.redeem(tokenHash, 'signup')).error).toBeNull();
    expect((await signInWith(server, 'github', hint))['access_token']).toBeTruthy();
    expect(await sql('select from auth.users where email = $1', email)).toHaveLength(1);
  });

  it('links no account, and returns the same response whether or not an account has it', async () => {
    const { id, email } = await confirmed();
    const known = await signInWith(server, 'github', atGitHub(email, false));
    const unknown = await signInWith(server, 'github', atGitHub(newEmail(), false));
    expect(known).toEqual(unknown);
    expect(await sql('select from auth.identities where user_id = $1', id)).toHaveLength(1);
    await expect(server.lastEmailTo(email)).rejects.toThrow('No e-mail');
  });

  it.each(['sign-up', 'request to resend'] as const)(
    'gives another user no access once the owner confirms the e-mail of a new %s (TM-10)',
    async (how) => {
      const email = newEmail();
      const hint = atGitHub(email, false);
      await signInWith(server, 'github', hint);
      const otherUsersEmail = await server.lastEmailTo(email);
      const owner = server.client();
      if (how === 'sign-up') await owner.signUp({ email, password: PASSWORD });
      else await owner.resend({ type: 'signup', email });
      const { tokenHash, type } = await server.lastEmailTo(email);
      expect(type).toBe('magiclink');
      expect((await server.redeem(otherUsersEmail.tokenHash, 'signup')).error).toMatchObject({ code: 'otp_expired' });
      const { data } = await owner.verifyOtp({ token_hash: tokenHash, type: 'magiclink' });
      expect(data.user).toMatchObject({ email, email_confirmed_at: expect.any(String), identities: [] });
      expect((await signInWith(server, 'github', hint))['error_code']).toBe('provider_email_needs_verification');
      expect((await owner.getUser()).data.user!.identities).toEqual([]);
    },
  );

  it('is confirmed with the code of that e-mail too, entered as a sign-up code', async () => {
    const email = newEmail();
    const hint = atGitHub(email, false);
    await signInWith(server, 'github', hint);
    await server.client().signUp({ email, password: PASSWORD });
    const { code } = await server.lastEmailTo(email);
    expect((await server.client().verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull();
    expect(await signInWith(server, 'github', hint)).not.toHaveProperty('access_token');
  });

  it('changes nothing in a pending account', async () => {
    const email = newEmail();
    await server.client().signUp({ email, password: PASSWORD });
    const fragment = await signInWith(server, 'github', atGitHub(email, false));
    expect(fragment['error_code']).toBe('provider_email_needs_verification');
    const { tokenHash } = await server.lastEmailTo(email);
    await server.redeem(tokenHash, 'signup');
    expect(await server.signInError(email)).toBeNull();
  });

  it('activates the account once the provider has verified it', async () => {
    const email = newEmail();
    const sub = randomUUID();
    await signInWith(server, 'google', atGoogle(email, false, sub));
    expect((await signInWith(server, 'google', atGoogle(email, true, sub)))['access_token']).toBeTruthy();
  });

  it('is required: without an address no account is created', async () => {
    const error_description = 'Error getting user email from external provider';
    const refusal = { error_code: 'email_address_invalid', error_description };
    expect(await signInWith(server, 'google', atGoogle(undefined))).toMatchObject(refusal);
    expect(await signInWith(server, 'github', atGitHub(null))).toMatchObject(refusal);
  });
});

describe('refused provider sign-ins', () => {
  it('include new users while sign-ups are closed; existing accounts can sign in', async () => {
    const { id, email } = await confirmed();
    const refusal = { error: 'access_denied', error_code: 'signup_disabled' };
    expect(await signInWith(closed, 'google', atGoogle(newEmail()))).toMatchObject(refusal);
    expect(userOf(await signInWith(closed, 'google', atGoogle(email)))).toBe(id);
  });

  it('include identities whose linking began before the account signed out everywhere or changed its password', async () => {
    for (const act of ['sign out', 'new password'] as const) {
      const { client, id } = await confirmed();
      const back = await linkedAddress(client, 'google', atGoogle(newEmail()));
      if (act === 'sign out') await client.signOut();
      else await client.updateUser({ password: 'another bicycle' });
      expect(fragmentOf(await follow(back))).toMatchObject({ error_code: 'bad_oauth_state' });
      expect(await sql('select from auth.identities where user_id = $1', id)).toHaveLength(1);
    }
  });

  it('include banned users, by identity or by address', async () => {
    const email = newEmail();
    const hint = atGoogle(email);
    const id = userOf(await signInWith(server, 'google', hint));
    await server.service().admin.updateUserById(id, { ban_duration: '24h' });
    const refusal = { error: 'access_denied', error_code: 'user_banned' };
    expect(await signInWith(server, 'google', hint)).toMatchObject(refusal);
    expect(await signInWith(server, 'github', atGitHub(email))).toMatchObject(refusal);
  });
});
