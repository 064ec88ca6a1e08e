import { randomUUID } from 'node:crypto';
import type { UserIdentity } from '@supabase/auth-js';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { type AuthServer, bearer, newEmail, openAuthServer, PASSWORD } from '../auth-server.ts';
import { follow, fragmentOf } from './peers.ts';
import { linkingActs, signInWith, startPeers, userOf, withProviders } from './provider-sign-in.ts';

const peers = forAllTests(startPeers);

const { atGoogle, atGitHub, confirmed, linkedAddress, sql } = linkingActs(() => ({ peers, server }));

const entries = `select payload ->> 'outcome' as outcome, payload ->> 'reason' as reason from auth.audit_log_entries
  where payload ->> 'actor_id' = $1 and payload ->> 'action' = $2`;
const eventsOf = (id: string, action: string) => sql(entries, id, action);
const identitiesOf = async (client: ReturnType<AuthServer['client']>): Promise<UserIdentity[]> =>
  (await client.getUserIdentities()).data!.identities;

const server = forAllTests(() =>
  openAuthServer(withProviders(peers, 'enable_manual_linking = true\nenable_anonymous_sign_ins = true')),
);
const closed = forAllTests(() =>
  openAuthServer(withProviders(peers, 'enable_manual_linking = false'), { db: server.db }),
);

describe('linking an identity', () => {
  it('keeps the account, session and metadata of the user (AUTH-15)', async () => {
    const { client, id, email } = await confirmed();
    const arrived = await follow(await linkedAddress(client, 'github', atGitHub(newEmail())));
    expect(arrived.pathname).toBe('/account');
    expect(userOf(fragmentOf(arrived))).toBe(id);
    expect((await identitiesOf(client)).map(({ provider }) => provider)).toEqual(['email', 'github']);
    expect((await client.getUser()).data.user).toMatchObject({ email, user_metadata: { nickname: 'Countess' } });
    expect(await eventsOf(id, 'identity_linked')).toMatchObject([{ outcome: 'success', reason: 'github' }]);
  });

  it('makes an anonymous user permanent', async () => {
    const client = server.client();
    const { data } = await client.signInAnonymously();
    const email = newEmail();
    await follow(await linkedAddress(client, 'google', atGoogle(email)));
    const { data: now } = await client.getUser();
    expect(now.user).toMatchObject({ id: data.user!.id, email, is_anonymous: false });
    expect(now.user!.email_confirmed_at).toBeDefined();
  });

  it('does not give an anonymous user the address of another account', async () => {
    const { email } = await confirmed();
    const client = server.client();
    await client.signInAnonymously();
    const words = fragmentOf(await follow(await linkedAddress(client, 'google', atGoogle(email))));
    expect(words).toMatchObject({ error_code: 'email_exists' });
    expect(await identitiesOf(client)).toEqual([]);
  });

  it('rejects an identity that is linked already, to this user or another', async () => {
    const [one, other] = [await confirmed(), await confirmed()];
    const hint = atGitHub(newEmail());
    await follow(await linkedAddress(one.client, 'github', hint));
    const own = fragmentOf(await follow(await linkedAddress(one.client, 'github', hint)));
    const linked = { error_code: 'identity_already_exists', error_description: 'Identity is already linked' };
    expect(own).toMatchObject(linked);
    const foreign = fragmentOf(await follow(await linkedAddress(other.client, 'github', hint)));
    expect(foreign).toMatchObject({ ...linked, error_description: `${linked.error_description} to another user` });
    expect(userOf(await signInWith(server, 'github', hint))).toBe(one.id);
  });

  it('is granted to one of several users who link an identity concurrently', async () => {
    const hint = atGitHub(newEmail());
    const rivals = await Promise.all(Array.from({ length: 4 }, () => confirmed()));
    const backs = await Promise.all(rivals.map(({ client }) => linkedAddress(client, 'github', hint)));
    const arrived = (await Promise.all(backs.map((back) => follow(back)))).map(fragmentOf);
    expect(arrived.filter((words) => words['access_token'])).toHaveLength(1);
    expect(arrived.filter((words) => words['error_code'] === 'identity_already_exists')).toHaveLength(3);
  });

  it('fails when the account is banned or deleted meanwhile', async () => {
    const [banned, gone] = [await confirmed(), await confirmed()];
    const begin = ({ client }: typeof gone) => linkedAddress(client, 'google', atGoogle(newEmail()));
    const [ofBanned, ofGone] = [await begin(banned), await begin(gone)];
    await server.service().admin.updateUserById(banned.id, { ban_duration: '24h' });
    await server.service().admin.deleteUser(gone.id);
    expect(fragmentOf(await follow(ofBanned))).toMatchObject({ error_code: 'user_banned' });
    expect(fragmentOf(await follow(ofGone))).toMatchObject({ error_code: 'bad_oauth_state' });
  });

  it('requires a user, and redirects clients that do not ask for JSON (AUTH-15)', async () => {
    const { session } = await confirmed();
    expect((await server.call('/user/identities/authorize?provider=google')).status).toBe(401);
    const headers = bearer(session.access_token);
    const response = await server.call('/user/identities/authorize?provider=google', { headers });
    expect([response.status, new URL(response.headers.get('location')!).origin]).toEqual([302, peers.google.url]);
    const refusal = await server.refusal('/user/identities/authorize?provider=unheard', { headers });
    expect(refusal).toEqual([400, 'validation_failed']);
  });

  it('is refused by a project that disables it, for adding and removing (AUTH-15, AUTH-16)', async () => {
    const { email } = await confirmed();
    // Tokens are valid only at their issuer's address.
    const { data } = await closed.client().signInWithPassword({ email, password: PASSWORD });
    const headers = bearer(data.session!.access_token);
    const requests = { GET: '/user/identities/authorize?provider=google', DELETE: `/user/identities/${randomUUID()}` };
    for (const [method, path] of Object.entries(requests))
      expect(await closed.refusal(path, { method, headers })).toEqual([404, 'manual_linking_disabled']);
  });

  it('is refused to company accounts, and requires the second factor where there is one', async () => {
    const [company, guarded] = [await confirmed(), await confirmed()];
    await sql('update auth.users set is_sso_user = true where id = $1', company.id);
    const insert = `insert into auth.mfa_factors (user_id, factor_type, status, friendly_name)
      values ($1, 'totp', 'verified', 'phone')`;
    await sql(insert, guarded.id);
    for (const [person, status, code] of [
      [company, 422, 'user_sso_managed'],
      [guarded, 401, 'insufficient_aal'],
    ] as const) {
      expect((await person.client.linkIdentity({ provider: 'google' })).error).toMatchObject({ status, code });
      const [identity] = await sql<{ id: string }>('select id from auth.identities where user_id = $1', person.id);
      const removed = await person.client.unlinkIdentity({ identity_id: identity!.id } as UserIdentity);
      expect(removed.error).toMatchObject({ status, code });
    }
  });
});

describe('unlinking an identity', () => {
  async function withGoogle(other = newEmail()) {
    const person = await confirmed();
    const hint = atGoogle(other);
    await follow(await linkedAddress(person.client, 'google', hint));
    const identities = await identitiesOf(person.client);
    const [email, google_] = ['email', 'google'].map((name) => identities.find(({ provider }) => provider === name)!);
    return { ...person, hint, other, own: email!, linked: google_! };
  }

  it('removes it, and the provider can no longer sign in (AUTH-16)', async () => {
    const { client, id, linked, hint, email } = await withGoogle();
    const { data, error } = await client.unlinkIdentity(linked);
    expect([data, error]).toEqual([{}, null]);
    const { data: now } = await client.getUser();
    expect(now.user).toMatchObject({ email, app_metadata: { provider: 'email', providers: ['email'] } });
    expect(userOf(await signInWith(server, 'google', hint))).not.toBe(id);
    expect(await eventsOf(id, 'identity_unlinked')).toHaveLength(1);
  });

  it('never removes the last one (AUTH-16)', async () => {
    const { client } = await confirmed();
    const [only] = await identitiesOf(client);
    const { error } = await client.unlinkIdentity(only!);
    expect(error).toMatchObject({ status: 422, code: 'single_identity_not_deletable' });
    expect(error!.message).toBe('User must have at least 1 identity after unlinking');
  });

  it('never removes both of two that are unlinked concurrently', async () => {
    const { client, own, linked } = await withGoogle();
    const answers = await Promise.all([own, linked].map((identity) => client.unlinkIdentity(identity)));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(answers.find(({ error }) => error)!.error).toMatchObject({ code: 'single_identity_not_deletable' });
    expect(await identitiesOf(client)).toHaveLength(1);
  });

  it('rejects malformed and unknown ids, and those of another user (AUTH-16)', async () => {
    const [mine, theirs] = [await withGoogle(), await withGoogle()];
    const remove = (id: string) => mine.client.unlinkIdentity({ identity_id: id } as UserIdentity);
    expect((await remove('1')).error).toMatchObject({ status: 404, code: 'validation_failed' });
    for (const id of [randomUUID(), theirs.linked.identity_id])
      expect((await remove(id)).error).toMatchObject({ status: 422, code: 'identity_not_found' });
    expect(await identitiesOf(theirs.client)).toHaveLength(2);
  });

  it('changes the account to the verified address of the remaining identity, and removes the password (AUTH-16)', async () => {
    const { client, own, email, other, id } = await withGoogle();
    expect((await client.unlinkIdentity(own)).error).toBeNull();
    const { data } = await client.getUser();
    expect(data.user).toMatchObject({ id, email: other, user_metadata: { email: other } });
    expect(data.user!.identities!.map(({ provider }) => provider)).toEqual(['google']);
    for (const address of [email, other]) expect(await server.signInError(address)).toBe('invalid_credentials');
  });

  it('changes nothing when that address belongs to another account (AUTH-16)', async () => {
    const { client, own, email } = await withGoogle((await confirmed()).email);
    const { error } = await client.unlinkIdentity(own);
    expect(error).toMatchObject({ status: 422, code: 'email_conflict_identity_not_deletable' });
    expect(await identitiesOf(client)).toHaveLength(2);
    expect(await server.signInError(email)).toBeNull();
  });

  it('removes an address that no remaining identity has verified', async () => {
    const { client, id } = await confirmed();
    await follow(await linkedAddress(client, 'github', atGitHub(newEmail(), false)));
    await client.unlinkIdentity((await identitiesOf(client)).find(({ provider }) => provider === 'email')!);
    const [row] = await sql('select email, email_confirmed_at from auth.users where id = $1', id);
    expect(row).toEqual({ email: null, email_confirmed_at: null });
  });
});
