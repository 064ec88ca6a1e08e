import { decodeJwt } from 'jose';
import { beforeEach, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { CONFIRMING, newEmail, openAuthServer, PASSWORD, signedIn } from '../auth-server.ts';
import { fragmentOf, pkceClient } from './peers.ts';

const OTHER_SITE = 'https://app.studio.example/arrived';
const SETTINGS = `[auth]\nadditional_redirect_urls = ["https://app.studio.example/**"]\n${CONFIRMING}`;

let email: string;

const server = forAllTests(() => openAuthServer(SETTINGS));
beforeEach(() => {
  email = newEmail();
});

const submit = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/verify`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual', headers });
const codeOf = (response: Response) => {
  expect(response.status).toBe(303);
  const target = new URL(response.headers.get('location')!);
  expect(target.origin + target.pathname).toBe(OTHER_SITE);
  expect([target.hash, [...target.searchParams.keys()]]).toEqual(['', ['code']]);
  return target.searchParams.get('code')!;
};

it('PKCE client signs up, and exchanges the code from the confirmation page (AUTH-01, AUTH-04)', async () => {
  const client = pkceClient(server);
  await client.signUp({ email, password: PASSWORD, options: { emailRedirectTo: OTHER_SITE } });
  const { tokenHash } = await server.lastEmailTo(email);
  expect(tokenHash).toMatch(/^pkce_/);
  const opened = await server.call(`/verify?token=${tokenHash}&type=signup&redirect_to=${OTHER_SITE}`);
  expect(opened.headers.get('location')).toContain(`${server.site}/confirm?token_hash=${tokenHash}`);
  const code = codeOf(await submit({ token: tokenHash, type: 'signup', redirect_to: 'https://evil.example/' }));
  expect((await pkceClient(server).exchangeCodeForSession(code)).error).not.toBeNull();
  const { data } = await client.exchangeCodeForSession(code);
  expect(data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) });
  expect(decodeJwt(data.session!.access_token)['amr']).toMatchObject([{ method: 'email/signup' }]);
  expect((await submit({ token: tokenHash, type: 'signup' })).headers.get('location')).toContain('otp_expired');
});

it('PKCE client exchanges a code from an e-mail an hour old, and receives the authentication method', async () => {
  await server.service().admin.createUser({ email, password: PASSWORD, email_confirm: true });
  for (const type of ['magiclink', 'recovery']) {
    const client = pkceClient(server);
    if (type === 'recovery') await client.resetPasswordForEmail(email, { redirectTo: OTHER_SITE });
    else await client.signInWithOtp({ email, options: { emailRedirectTo: OTHER_SITE } });
    const { tokenHash } = await server.lastEmailTo(email);
    await server.db.query("update auth.flow_state set created_at = now() - interval '59 minutes'");
    const { data, error } = await client.exchangeCodeForSession(codeOf(await submit({ token: tokenHash, type })));
    expect(error).toBeNull();
    expect(decodeJwt(data.session!.access_token)['amr']).toMatchObject([{ method: type }]);
  }
});

it('PKCE client changes its address through both mailboxes, and receives its code with the second', async () => {
  await server.service().admin.createUser({ email, password: PASSWORD, email_confirm: true });
  const client = pkceClient(server);
  await client.signInWithPassword({ email, password: PASSWORD });
  const newAddress = newEmail();
  await client.updateUser({ email: newAddress }, { emailRedirectTo: OTHER_SITE });
  const pressFor = async (address: string) => {
    const { tokenHash } = await server.lastEmailTo(address);
    return submit({ token: tokenHash, type: 'email_change', redirect_to: OTHER_SITE });
  };
  const half = new URL((await pressFor(email)).headers.get('location')!);
  for (const message of [half.searchParams.get('message'), fragmentOf(half)['message']])
    expect(message).toMatch(/^Confirmation link accepted/);
  const { data } = await client.exchangeCodeForSession(codeOf(await pressFor(newAddress)));
  expect(data.user).toMatchObject({ email: newAddress });
  expect(decodeJwt(data.session!.access_token)['amr']).toMatchObject([{ method: 'email_change' }]);
});

it('PKCE client is redirected to its own page with an error when the address was taken meanwhile', async () => {
  const [old, newAddress] = [email, newEmail()];
  const { client } = await signedIn(server, { email: old });
  await client.updateUser({ email: newAddress });
  for (const address of [old, newAddress]) {
    if (address === newAddress) await server.service().admin.createUser({ email: newAddress, email_confirm: true });
    const { tokenHash } = await server.lastEmailTo(address);
    const answer = await submit({ token: tokenHash, type: 'email_change', redirect_to: OTHER_SITE });
    const parameters = new URL(answer.headers.get('location')!).searchParams;
    expect(parameters.get('error_code')).toBe(address === newAddress ? 'email_exists' : null);
  }
});

it('PKCE client is signed in directly when the link is confirmed on another device', async () => {
  await pkceClient(server).signInWithOtp({ email });
  const { tokenHash } = await server.lastEmailTo(email);
  expect((await server.redeem(tokenHash, 'email')).data.session).not.toBeNull();
  expect(await server.rows('select from auth.flow_state where referrer = $1', server.site)).toHaveLength(0);
});

it('PKCE client receives one code for ten concurrent confirmations', async () => {
  await pkceClient(server).signInWithOtp({ email, options: { emailRedirectTo: OTHER_SITE } });
  const { tokenHash } = await server.lastEmailTo(email);
  const all = await Promise.all(Array.from({ length: 10 }, () => submit({ token: tokenHash, type: 'email' })));
  expect(all.filter((answer) => answer.headers.get('location')!.includes('?code='))).toHaveLength(1);
});

it('a client without PKCE receives the session in the fragment, only on an allowed page', async () => {
  for (const [requested, page] of [
    [OTHER_SITE, OTHER_SITE],
    ['https://evil.example/', `${server.site}/`],
    ['javascript:alert(1)', `${server.site}/`],
  ] as const) {
    email = newEmail();
    await server.client().signInWithOtp({ email });
    const { tokenHash } = await server.lastEmailTo(email);
    const response = await submit({ token: tokenHash, type: 'email', redirect_to: requested });
    const target = new URL(response.headers.get('location')!);
    expect(target.origin + target.pathname).toBe(page);
    const { access_token = '', refresh_token = '' } = fragmentOf(target);
    expect((await server.client().setSession({ access_token, refresh_token })).data.user).toMatchObject({ email });
  }
});

it('PKCE client of another site receives only the confirmation page, and an error redirect on failure', async () => {
  await server.client().signInWithOtp({ email });
  const { tokenHash } = await server.lastEmailTo(email);
  const foreign = await submit({ token: tokenHash, type: 'email' }, { 'sec-fetch-site': 'cross-site' });
  expect(foreign.headers.get('location')).toContain(`${server.site}/confirm?`);
  const refused = await submit({ token: 'x', type: 'email', redirect_to: OTHER_SITE });
  const target = new URL(refused.headers.get('location')!);
  const error_description = 'Email link is invalid or has expired';
  expect(fragmentOf(target)).toEqual({ error: 'access_denied', error_code: 'otp_expired', error_description, sb: '' });
  expect((await submit({ type: 'email' })).status).toBe(400);
  const result = await submit({ token: tokenHash, type: 'email', skip_http_redirect: 'true' });
  expect([result.status, await result.json()]).toEqual([200, { url: expect.stringContaining('#access_token=') }]);
});
