import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { newEmail, openAuthServer, WIDE } from '../auth-server.ts';
import { startIssuer } from './peers.ts';
import { provider, startPeers, withProviders } from './provider-sign-in.ts';

const peers = forAllTests(startPeers);
const acme = forAllTests(startIssuer);
const acmes = () =>
  provider('acme', acme.url, 'enabled = true\nadditional_client_ids = ["madhouse-ios", "madhouse-android"]');
const server = forAllTests(() => {
  const gone = provider('gone', 'http://127.0.0.1:1');
  return openAuthServer(withProviders(peers, 'enable_manual_linking = true') + gone + acmes());
});
const closed = forAllTests(() => {
  const google = provider('google', peers.google.url, 'enabled = false');
  return openAuthServer(`${WIDE}[auth]\nenable_signup = false\n${google}${acmes()}`, { db: server.db });
});

const verified = { aud: 'madhouse', email_verified: true, name: 'Ada Lovelace' };
const person = () => ({ ...verified, sub: randomUUID(), email: newEmail() });

const exchange = (body: object, at = server, headers: Record<string, string> = {}) =>
  at.answer('/token?grant_type=id_token', { json: body, headers });
const OK = [200, expect.anything()];

describe('id token sign-in', () => {
  it('creates an account for a Google token, and finds it again (AUTH-05)', async () => {
    const claims = person();
    const client = server.client();
    const signIn = async (by: typeof client) =>
      by.signInWithIdToken({ provider: 'google', token: await peers.google.sign(claims) });
    const { data } = await signIn(client);
    const app_metadata = { provider: 'google', providers: ['google'] };
    const names = { iss: peers.google.url, sub: claims.sub, provider_id: claims.sub, full_name: 'Ada Lovelace' };
    const identities = [{ provider: 'google', id: claims.sub }];
    expect(data.user).toMatchObject({ email: claims.email, app_metadata, user_metadata: names, identities });
    expect(decodeJwt(data.session!.access_token)).toMatchObject({ amr: [{ method: 'oauth' }] });
    expect((await client.getUser()).data.user!.id).toBe(data.user!.id);
    expect((await signIn(server.client())).data.user!.id).toBe(data.user!.id);
  });

  it('accepts tokens of any configured issuer for each of its audiences (AUTH-05)', async () => {
    for (const audience of ['madhouse', 'madhouse-ios', 'madhouse-android', ['another', 'madhouse-ios']]) {
      const answer = await exchange({ provider: 'acme', id_token: await acme.sign({ ...person(), aud: audience }) });
      expect(answer).toMatchObject([200, { user: { identities: [{ provider: 'acme' }] } }]);
    }
  });

  it('accepts client id and issuer instead of a provider name (AUTH-05)', async () => {
    const claims = { ...person(), aud: 'madhouse-ios' };
    const body = { client_id: 'madhouse-ios', issuer: acme.url, id_token: await acme.sign(claims) };
    for (const issuer of [acme.url, `${acme.url}/`]) expect(await exchange({ ...body, issuer })).toEqual(OK);
    for (const wrong of [{ issuer: 'https://evil.example' }, { client_id: 'evil' }])
      expect(await exchange({ ...body, ...wrong })).toMatchObject([400, { error_code: 'provider_disabled' }]);
  });

  it('takes only the identity from the claims, and no rights', async () => {
    const claims = { ...person(), role: 'service_role', app_metadata: { admin: true }, aal: 'aal2', is_admin: true };
    const rights = { role: 'service_role', app_metadata: { admin: true }, email_confirm: true };
    const [, answer] = await exchange({ provider: 'google', id_token: await peers.google.sign(claims), ...rights });
    const { access_token: token, user } = answer as { access_token: string; user: { user_metadata: object } };
    expect(decodeJwt(token)).toMatchObject({ role: 'authenticated', aal: 'aal1' });
    expect(user).toMatchObject({ app_metadata: { provider: 'google', providers: ['google'] } });
    for (const claim of ['role', 'app_metadata', 'is_admin']) expect(user.user_metadata).not.toHaveProperty(claim);
  });
});

describe('valid id token', () => {
  it('is rejected with the service’s own error when the provider is disabled (AUTH-05)', async () => {
    const { error } = await closed.client().signInWithIdToken({ provider: 'google', token: 'whatever' });
    expect(error).toMatchObject({ status: 400, code: 'provider_disabled' });
  });

  it('gets 503 with Retry-After when the issuer’s keys cannot be fetched', async () => {
    const json = { provider: 'gone', id_token: await peers.google.sign(person()) };
    const response = await server.call('/token?grant_type=id_token', { json });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  });

  it('of a new user is rejected while sign-ups are closed, of a banned user always', async () => {
    const otherUser = await exchange({ provider: 'acme', id_token: await acme.sign(person()) }, closed);
    expect(otherUser).toMatchObject([422, { error_code: 'signup_disabled' }]);
    const claims = person();
    const signIn = async () => exchange({ provider: 'acme', id_token: await acme.sign(claims) });
    const { user } = (await signIn())[1] as { user: { id: string } };
    await server.service().admin.updateUserById(user.id, { ban_duration: '24h' });
    expect(await signIn()).toMatchObject([403, { error_code: 'user_banned' }]);
  });

  it('with an unverified address returns no session, and sends an e-mail', async () => {
    const claims = { ...person(), email_verified: false };
    const token = await peers.google.sign(claims);
    const { error } = await server.client().signInWithIdToken({ provider: 'google', token });
    expect(error).toMatchObject({ status: 422, code: 'provider_email_needs_verification' });
    expect((await server.lastEmailTo(claims.email)).type).toBe('signup');
  });
});

describe('linking with an id token', () => {
  async function signedIn() {
    const client = server.client();
    const { data } = await client.signInWithIdToken({ provider: 'acme', token: await acme.sign(person()) });
    return { client, user: data.user!, session: data.session! };
  }

  it('adds the identity to the signed-in user', async () => {
    const { client, user } = await signedIn();
    const { data } = await client.linkIdentity({ provider: 'google', token: await peers.google.sign(person()) });
    expect(data.user!.id).toBe(user.id);
    expect(data.user!.identities!.map(({ provider }) => provider)).toEqual(['acme', 'google']);
    expect(data.user!.email).toBe(user.email);
  });

  it('requires a signed-in user and a project that enables linking', async () => {
    const body = { provider: 'acme', id_token: await acme.sign(person()), link_identity: true };
    expect((await exchange(body))[0]).toBe(401);
    const asKey = await exchange(body, server, { authorization: `Bearer ${server.keys.publishable}` });
    expect(asKey).toMatchObject([403, { error_code: 'bad_jwt' }]);
    const claims = person();
    await exchange({ provider: 'acme', id_token: await acme.sign(claims) });
    const client = closed.client();
    await client.signInWithIdToken({ provider: 'acme', token: await acme.sign(claims) });
    const { error } = await client.linkIdentity({ provider: 'acme', token: await acme.sign(person()) });
    expect(error).toMatchObject({ status: 404, code: 'manual_linking_disabled' });
  });

  it('rejects an identity of another user, and one that is linked already', async () => {
    const theirs = person();
    await exchange({ provider: 'google', id_token: await peers.google.sign(theirs) });
    const { client } = await signedIn();
    const foreign = await client.linkIdentity({ provider: 'google', token: await peers.google.sign(theirs) });
    expect(foreign.error).toMatchObject({ status: 422, code: 'identity_already_exists' });
    const mine = person();
    await client.linkIdentity({ provider: 'google', token: await peers.google.sign(mine) });
    const twice = await client.linkIdentity({ provider: 'google', token: await peers.google.sign(mine) });
    expect(twice.error).toMatchObject({ code: 'identity_already_exists', message: 'Identity is already linked' });
  });
});
