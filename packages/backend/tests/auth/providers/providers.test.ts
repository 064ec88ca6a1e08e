import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { startHttpServer } from '../../../../../tests/programs/http-server.ts';
import { newEmail, openAuthServer } from '../auth-server.ts';
import { follow, followAll, fragmentOf } from './peers.ts';
import {
  callbackUrl,
  octocat,
  provider,
  signInWith,
  startPeers,
  startUrl,
  userOf,
  verified,
  withProviders,
} from './provider-sign-in.ts';

const peers = forAllTests(startPeers);
/** Never responds. */
const silent = forAllTests(() => startHttpServer(() => {}));

const settings = () =>
  withProviders(peers) +
  provider('gone', 'http://127.0.0.1:1') +
  provider('lost', `${peers.google.url}/nowhere`) +
  provider('silent', silent.url) +
  provider('keycloak', 'https://keycloak.example', 'enabled = false');

const authorize = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  server.call(`/authorize?${new URLSearchParams(query)}`, { headers });
const flows = async () => (await server.rows('select from auth.flow_state')).length;

const server = forAllTests(() => openAuthServer(settings()));
const ownValues = () => ({ client_id: 'madhouse', redirect_uri: `${server.url}/callback`, response_type: 'code' });

describe('redirect to a provider', () => {
  it('has state, PKCE, nonce and our own callback (AUTH-15)', async () => {
    const target = await follow(await startUrl(server, 'google', 'a-user'));
    expect(target.origin + target.pathname).toBe(`${peers.google.url}/authorize`);
    const params = Object.fromEntries(target.searchParams);
    const requested = { scope: 'openid email profile', code_challenge_method: 'S256', login_hint: 'a-user' };
    expect(params).toMatchObject({ ...ownValues(), ...requested });
    expect(params['state']).toMatch(/^[0-9a-f-]{36}$/);
    expect(params['code_challenge']).toHaveLength(43);
    expect(params['nonce']!.length).toBeGreaterThan(20);
  });

  it('adds requested scopes, and forwards client parameters but not reserved ones', async () => {
    const requested = { provider: 'github', scopes: 'read:org user:email', access_type: 'offline' };
    const addresses = { redirect_uri: 'https://evil.example', request_uri: 'https://evil.example/request' };
    const reserved = { ...addresses, state: 'mine', client_id: 'mine', response_type: 'token', nonce: 'mine' };
    const response = await authorize({ ...requested, ...reserved });
    const params = Object.fromEntries(new URL(response.headers.get('location')!).searchParams);
    expect(params).toMatchObject({ ...ownValues(), scope: 'user:email read:org', access_type: 'offline' });
    expect(params['state']).not.toBe('mine');
    expect(params).not.toHaveProperty('request_uri');
  });

  it.each([
    ['unheard', 'Unsupported provider: provider could not be found'],
    ['keycloak', 'Unsupported provider: provider is not enabled'],
    ['', 'Unsupported provider: provider could not be found'],
    ['__proto__', 'Unsupported provider: provider could not be found'],
  ])('rejects the provider "%s" in JSON, and redirects browsers with the message (AUTH-15)', async (name, words) => {
    const refused = { error_code: 'validation_failed', msg: words };
    expect(await server.answer(`/authorize?provider=${name}`)).toMatchObject([400, refused]);
    const address = { provider: name, redirect_to: `${server.site}/sign-in` };
    const page = await authorize(address, { accept: 'text/html,*/*' });
    const back = new URL(page.headers.get('location')!);
    expect([page.status, back.pathname, back.searchParams.get('error_description')]).toEqual([302, '/sign-in', words]);
    expect(fragmentOf(back)).toMatchObject({ error: 'invalid_request', error_code: 'validation_failed' });
  });

  it('rejects half a PKCE pair and invalid scopes', async () => {
    const wrong: Record<string, string>[] = [
      { code_challenge: 'a'.repeat(43) },
      { code_challenge_method: 's256' },
      { code_challenge: 'short', code_challenge_method: 's256' },
      { code_challenge: 'a'.repeat(43), code_challenge_method: 'md5' },
      { scopes: 'a"b' },
    ];
    for (const more of wrong) {
      const query = new URLSearchParams({ provider: 'google', ...more });
      expect(await server.refusal(`/authorize?${query}`), `${query}`).toEqual([400, 'validation_failed']);
    }
  });

  it('redirects back with an error when the provider is unreachable, misconfigured or silent', async () => {
    const started = Date.now();
    for (const name of ['gone', 'lost', 'silent']) {
      const response = await authorize({ provider: name, redirect_to: `${server.site}/sign-in` });
      const back = new URL(response.headers.get('location')!);
      expect([response.status, back.origin + back.pathname]).toEqual([302, `${server.site}/sign-in`]);
      const failure = { error: 'temporarily_unavailable', error_code: 'unexpected_failure' };
      const error_description = `${name} cannot be reached. Try again shortly.`;
      expect(fragmentOf(back)).toMatchObject({ ...failure, error_description });
    }
    expect(Date.now() - started).toBeLessThan(60_000);
  });

  it('is rate limited per address', async () => {
    await using strict = await openAuthServer(settings().replaceAll('= 10000', '= 2'), { db: server.db });
    const authorizeGithub = (headers = {}) => strict.call('/authorize?provider=github', { headers });
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await authorizeGithub()).status);
    const page = new URL((await authorizeGithub({ accept: 'text/html' })).headers.get('location')!);
    expect(statuses).toEqual([302, 302, 429]);
    expect(page.searchParams.get('error_code')).toBe('over_request_rate_limit');
    expect((await authorizeGithub({ 'x-test-address': '192.0.2.2' })).status).toBe(302);
    expect((await strict.call('/callback', { headers: { 'x-test-address': '192.0.2.3' } })).status).toBe(303);
  });

  it('is not started by HEAD, as sent by link previews', async () => {
    const before = await flows();
    const response = await server.call('/authorize?provider=google', { method: 'HEAD' });
    expect([response.status, await flows()]).toEqual([405, before]);
  });
});

describe('response of a provider', () => {
  it('returns tokens in the fragment, and stores the claims in the account (AUTH-15)', async () => {
    const person = verified();
    const arrived = await followAll(server, await startUrl(server, 'google', peers.google.addAccount(person)));
    expect(arrived.origin + arrived.pathname + arrived.search).toBe(`${server.site}/welcome`);
    const tokens = fragmentOf(arrived);
    const keys = 'access_token expires_at expires_in provider_refresh_token provider_token refresh_token sb token_type';
    expect(Object.keys(tokens).sort().join(' ')).toBe(keys);
    const client = server.client();
    const [access_token, refresh_token] = [tokens['access_token']!, tokens['refresh_token']!];
    const { data, error } = await client.setSession({ access_token, refresh_token });
    expect(error).toBeNull();
    const { sub, email, picture } = person;
    const names = { name: 'Ada Lovelace', full_name: 'Ada Lovelace', picture, avatar_url: picture };
    const ids = { iss: peers.google.url, sub, provider_id: sub };
    const claims = { ...ids, ...names, email, email_verified: true, phone_verified: false };
    const app_metadata = { provider: 'google', providers: ['google'] };
    const identity = { provider: 'google', id: sub, identity_data: claims, email };
    expect(data.user).toMatchObject({ email, app_metadata, user_metadata: claims, identities: [identity] });
    expect(data.user!.email_confirmed_at).toBeDefined();
    expect(decodeJwt(tokens['access_token']!)).toMatchObject({ aal: 'aal1', amr: [{ method: 'oauth' }] });
  });

  it('identifies users by the provider’s id, also after their address has changed', async () => {
    const person = verified();
    const first = await signInWith(server, 'google', peers.google.addAccount(person));
    const moved = { ...person, email: newEmail() };
    expect(userOf(await signInWith(server, 'google', peers.google.addAccount(moved)))).toBe(userOf(first));
  });

  it('uses the primary, verified address of GitHub (AUTH-15, AUTH-25)', async () => {
    const mona = octocat();
    const start = await startUrl(server, 'github', peers.github.addAccount(mona), { redirectTo: server.site });
    const arrived = await followAll(server, start);
    expect(arrived.href.split('#')[0]).toBe(`${server.site}/`);
    const tokens = fragmentOf(arrived);
    expect(tokens['provider_token']).toBeTruthy();
    const { data } = await server.client().getUser(tokens['access_token']!);
    const id = String(mona.id);
    const names = { user_name: 'octocat', preferred_username: 'octocat', full_name: 'Mona' };
    const picture = { avatar_url: 'https://images.example/mona.png' };
    const ids = { iss: `${peers.github.url}/api/v3`, sub: id, provider_id: id };
    const user_metadata = { ...ids, ...names, ...picture, email_verified: true };
    expect(data.user).toMatchObject({ email: mona.emails[1]!.email, user_metadata });
  });

  it('requests userinfo when the id token lacks claims, and accepts it for the same subject only', async () => {
    const email = newEmail();
    const said = { email, email_verified: 'true', name: 'Grace' };
    const tokens = await signInWith(server, 'google', peers.google.addAccount({ sub: randomUUID(), userinfo: said }));
    const { data } = await server.client().getUser(tokens['access_token']!);
    expect(data.user).toMatchObject({ email, user_metadata: { name: 'Grace', email_verified: true } });
    const swapped = peers.google.addAccount({ sub: randomUUID(), userinfo: { ...said, sub: 'another-user' } });
    expect(await signInWith(server, 'google', swapped)).toMatchObject({ error_code: 'bad_oauth_callback' });
  });

  it('stores only claims that are plain, short text', async () => {
    const rights = { role: 'service_role', app_metadata: { admin: true } };
    const name = `Ada\u0000\n${'x'.repeat(5000)}`;
    const person = { ...verified(), ...rights, name, picture: 'javascript:alert(1)' };
    const tokens = await signInWith(server, 'google', peers.google.addAccount(person));
    const { data } = await server.client().getUser(tokens['access_token']!);
    expect(data.user!.user_metadata['name']).toBe(`Ada ${'x'.repeat(196)}`);
    for (const claim of ['picture', 'role', 'app_metadata']) expect(data.user!.user_metadata).not.toHaveProperty(claim);
    expect(data.user!.app_metadata).toEqual({ provider: 'google', providers: ['google'] });
  });

  it('is accepted by POST as well', async () => {
    const back = await callbackUrl(server, 'google', peers.google.addAccount(verified()));
    const arrived = await follow(`${server.url}/callback`, { method: 'POST', body: new URLSearchParams(back.search) });
    expect(fragmentOf(arrived)['access_token']).toBeTruthy();
  });
});
