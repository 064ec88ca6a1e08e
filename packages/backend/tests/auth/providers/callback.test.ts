import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { Events } from '../../../../../tests/packages/packages.ts';
import { openAuthServer } from '../auth-server.ts';
import { follow, followAll, fragmentOf } from './peers.ts';
import { callbackUrl, octocat, startPeers, startUrl, verified, withProviders } from './provider-sign-in.ts';

const peers = forAllTests(startPeers);

const server = forAllTests(() =>
  openAuthServer(withProviders(peers, 'additional_redirect_urls = ["https://friend.example/**"]')),
);

/** Signs a new user in at Google. @returns our callback URL, not yet opened */
const googleCallback = () => callbackUrl(server, 'google', peers.google.addAccount(verified()));
/** Signs a new user in at GitHub. @returns our callback URL, not yet opened */
const gitHubCallback = () => callbackUrl(server, 'github', peers.github.addAccount(octocat()));
const codeAt = async (address: URL) => (await follow(address)).searchParams.get('error_code');

describe('provider callback', () => {
  it('redirects only to the site or allowed addresses, whatever redirect_to says', async () => {
    const friend = 'https://friend.example/in?x=1';
    for (const [redirectTo, expected] of [
      ['https://evil.example/', `${server.site}/`],
      [`${server.site}@evil.example/`, `${server.site}/`],
      ['//evil.example', `${server.site}/`],
      [friend, friend],
    ] as const) {
      const start = await startUrl(server, 'google', peers.google.addAccount(verified()), { redirectTo });
      expect((await followAll(server, start)).href.split('#')[0]).toBe(expected);
    }
  });

  it.each([
    ['without state', (back: URL) => back.searchParams.delete('state')],
    ['with a made-up state', (back: URL) => back.searchParams.set('state', randomUUID())],
    ['with a state that is no id', (back: URL) => back.searchParams.set('state', "' or true --")],
    ['with two states', (back: URL) => back.searchParams.append('state', randomUUID())],
  ])('rejects a response %s', async (_, spoil) => {
    const back = await googleCallback();
    spoil(back);
    const response = await fetch(back, { redirect: 'manual' });
    const target = new URL(response.headers.get('location')!);
    expect([response.status, target.origin + target.pathname]).toEqual([303, `${server.site}/`]);
    const refused = { error: 'invalid_request', error_code: 'bad_oauth_state' };
    expect(Object.fromEntries(target.searchParams)).toMatchObject(refused);
    expect(target.href).not.toContain('access_token');
  });

  it('accepts a state once, within five minutes', async () => {
    const back = await googleCallback();
    expect(fragmentOf(await follow(back))['access_token']).toBeTruthy();
    expect(await codeAt(back)).toBe('bad_oauth_state');
    const late = await googleCallback();
    const age = "update auth.flow_state set created_at = now() - interval '301 seconds' where id = $1";
    await server.db.query(age, [late.searchParams.get('state')!]);
    expect(await codeAt(late)).toBe('bad_oauth_state');
  });

  it('does not consume a state on HEAD, as sent by link previews', async () => {
    const back = await googleCallback();
    expect((await fetch(back, { method: 'HEAD', redirect: 'manual' })).status).toBe(405);
    expect(fragmentOf(await follow(back))['access_token']).toBeTruthy();
  });

  it('completes a sign-in only in the browser in which it began, to prevent login CSRF', async () => {
    const back = await googleCallback();
    const location = new URL((await fetch(back, { redirect: 'manual' })).headers.get('location')!);
    expect(location.searchParams.get('error_code')).toBe('bad_oauth_state');
    expect(fragmentOf(location)['access_token']).toBeUndefined();
    // The state was consumed by the first try.
    expect(await codeAt(back)).toBe('bad_oauth_state');
  });

  it('sets a cookie that scripts cannot read, for the callback path only', async () => {
    const address = await startUrl(server, 'google', peers.google.addAccount(verified()));
    const start = await fetch(address, { redirect: 'manual' });
    const state = new URL(start.headers.get('location')!).searchParams.get('state');
    const cookie = `flow-${state}=1; Max-Age=300; Path=/auth/v1/callback; HttpOnly; SameSite=Lax`;
    expect(start.headers.getSetCookie()).toEqual([cookie]);
  });

  it('accepts one of ten concurrent responses with the same state', async () => {
    const person = verified();
    const back = await callbackUrl(server, 'google', peers.google.addAccount(person));
    const arrived = await Promise.all(Array.from({ length: 10 }, () => follow(back)));
    expect(arrived.filter((target) => fragmentOf(target)['access_token'])).toHaveLength(1);
    expect(await server.rows('select from auth.users where email = $1', person.email)).toHaveLength(1);
  });

  it('rejects a code obtained with the state of another flow', async () => {
    const [victim, attacker] = [await googleCallback(), await googleCallback()];
    victim.searchParams.set('code', attacker.searchParams.get('code')!);
    expect(fragmentOf(await follow(victim))).toMatchObject({ error_code: 'bad_oauth_callback' });
  });

  it('rejects a response that names another issuer, or has the state of another provider', async () => {
    for (const back of await Promise.all([googleCallback(), gitHubCallback()])) {
      back.searchParams.set('iss', 'https://evil.example');
      expect(fragmentOf(await follow(back))).toMatchObject({ error_code: 'bad_oauth_callback' });
    }
    const [fromGoogle, fromGitHub] = await Promise.all([googleCallback(), gitHubCallback()]);
    fromGoogle.searchParams.set('state', fromGitHub.searchParams.get('state')!);
    expect(fragmentOf(await follow(fromGoogle))).toMatchObject({ error_code: 'bad_oauth_callback' });
  });

  it.each([
    ['another nonce', { nonce: 'forged' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another client' }],
    ['a time that is over', { exp: 1 }],
  ])('rejects an id token with %s from the issuer', async (_, claims) => {
    const back = await callbackUrl(server, 'google', peers.google.addAccount({ ...verified(), ...claims }));
    const error_description = 'Unable to exchange external code';
    const failure = { error: 'invalid_request', error_code: 'bad_oauth_callback', error_description };
    expect(fragmentOf(await follow(back))).toMatchObject(failure);
  });

  it('rejects an id token that the issuer has not signed', async () => {
    peers.google.server.service.once(Events.BeforeResponse, (response) => {
      const body = response.body as { id_token: string };
      const [head, payload] = body.id_token.split('.');
      body.id_token = `${head}.${payload}.${Buffer.from('nonsense').toString('base64url')}`;
    });
    expect(fragmentOf(await follow(await googleCallback()))).toMatchObject({ error_code: 'bad_oauth_callback' });
  });

  it('forwards the provider’s error, and uses up the state', async () => {
    const back = await googleCallback();
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', 'The person changed their mind');
    const target = await follow(back);
    expect(target.pathname).toBe('/welcome');
    const words = { error: 'access_denied', error_description: 'The person changed their mind' };
    expect(Object.fromEntries(target.searchParams)).toEqual(words);
    expect(fragmentOf(target)).toMatchObject(words);
    expect(await codeAt(back)).toBe('bad_oauth_state');
  });

  it('redirects with an error when GitHub fails or its response is malformed', async () => {
    for (const [status, body, words] of [
      [503, {}, 'temporarily_unavailable'],
      [200, { error: 'bad_verification_code' }, 'invalid_request'],
      [200, { access_token: 'unknown', token_type: 'bearer' }, 'invalid_request'],
    ] as const) {
      const back = await gitHubCallback();
      peers.github.answerNext(status, body);
      expect(fragmentOf(await follow(back))).toMatchObject({ error: words });
    }
  });
});
