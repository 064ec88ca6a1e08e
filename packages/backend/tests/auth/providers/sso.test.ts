import { createPublicKey, randomUUID, verify } from 'node:crypto';
import type { GoTrueClient } from '@supabase/auth-js';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { openAuthServer, WIDE } from '../auth-server.ts';
import { pkceClient } from './peers.ts';
import { admin, begin, introduce, newEmployee, postResponse, SAML_ON } from './saml/company.ts';
import { startIdentityProvider } from './saml/identity-provider.ts';

let providerId: string;

const start = (json: object) => server.refusal('/sso', { json });

/** Signs in with the official client from start to session. */
async function signIn(options: { redirectTo?: string } = {}) {
  const client = server.client();
  const { data, error: problem } = await client.signInWithSSO({ domain: 'acme.example', options });
  if (problem) throw problem;
  return { client, arrival: await postResponse(server, await acme.visit(data.url)) };
}

/** Gives the client the session in a fragment. */
const setSession = (client: GoTrueClient, fragment: URLSearchParams) =>
  client.setSession({ access_token: fragment.get('access_token')!, refresh_token: fragment.get('refresh_token')! });

const userOf = async (fragment: URLSearchParams) =>
  (await server.client().getUser(fragment.get('access_token')!)).data.user!;

const server = forAllTests(() => openAuthServer(WIDE + SAML_ON));
const acme = forAllTests(() => startIdentityProvider('acme', newEmployee()));
beforeEach(async () => {
  acme.employee = newEmployee();
  providerId = await introduce(server, acme, { domains: ['Acme.example', 'acme.test'] });
});
afterEach(() => admin(server, 'DELETE', `/${providerId}`));

it('company sign-in: signs in by domain and redirects to the requested page with a session (AUTH-10)', async () => {
  const { client, arrival } = await signIn({ redirectTo: `${server.site}/admin` });
  expect(arrival).toMatchObject({ status: 302, place: `${server.site}/admin` });
  const { data } = await setSession(client, arrival.fragment);
  expect(data.user).toMatchObject({
    email: acme.employee.attributes['mail'],
    app_metadata: { provider: `sso:${providerId}`, providers: [`sso:${providerId}`] },
    identities: [{ provider: `sso:${providerId}`, id: acme.employee.nameId }],
    user_metadata: { iss: acme.entityId, sub: acme.employee.nameId, email_verified: true },
  });
  const refreshed = await client.refreshSession();
  for (const token of [arrival.fragment.get('access_token')!, refreshed.data.session!.access_token])
    expect(decodeJwt(token)['amr']).toMatchObject([{ method: 'sso/saml', provider: `sso:${providerId}` }]);
  const rows = await server.rows('select is_sso_user from auth.users where id = $1', data.user!.id);
  expect(rows).toEqual([{ is_sso_user: true }]);
});

it('company sign-in: signs in by provider id, and redirects the browser there unless skip_http_redirect is set (AUTH-10)', async () => {
  const response = await server.call('/sso', { json: { provider_id: providerId } });
  expect(response.status).toBe(303);
  const arrival = await postResponse(server, await acme.visit(response.headers.get('location')!));
  expect(arrival.status).toBe(302);
  expect(arrival.fragment.get('token_type')).toBe('bearer');
});

it('company sign-in: returns a code to a PKCE client, which only that client can exchange', async () => {
  const client = pkceClient(server);
  const { data } = await client.signInWithSSO({ providerId });
  const arrival = await postResponse(server, await acme.visit(data!.url));
  expect(arrival).toMatchObject({ status: 302, place: `${server.site}/` });
  expect([...arrival.fragment]).toEqual([]);
  const exchanged = await client.exchangeCodeForSession(arrival.query.get('code')!);
  expect(exchanged.error).toBeNull();
  expect(decodeJwt(exchanged.data.session!.access_token)['amr']).toMatchObject([{ method: 'sso/saml' }]);
  expect((await client.exchangeCodeForSession(arrival.query.get('code')!)).error).not.toBeNull();
});

it('company sign-in: identifies a user by the company’s id, and updates the user’s claims', async () => {
  const first = await userOf((await signIn()).arrival.fragment);
  acme.employee.attributes = { mail: 'renamed@acme.example' };
  const second = await userOf((await signIn()).arrival.fragment);
  expect(second.id).toBe(first.id);
  expect(second).toMatchObject({ email: 'renamed@acme.example', user_metadata: { email: 'renamed@acme.example' } });
  expect(second.identities).toMatchObject([{ identity_data: { email: 'renamed@acme.example' } }]);
});

it('company sign-in: creates one account for ten concurrent first sign-ins of one user', async () => {
  const visit = async () => acme.visit((await begin(server, { provider_id: providerId })).url);
  const forms = await Promise.all(Array.from({ length: 10 }, visit));
  const arrivals = await Promise.all(forms.map((form) => postResponse(server, form)));
  expect(arrivals.map(({ status }) => status)).toEqual(Array(10).fill(302));
  expect(new Set(arrivals.map(({ fragment }) => decodeJwt(fragment.get('access_token')!).sub)).size).toBe(1);
});

it('company sign-in: never links to another account with the same address, and sends no e-mail sign-in to it', async () => {
  const email = `${randomUUID()}@acme.example`;
  const { data } = await server.client().signUp({ email, password: 'tangerine bicycle' });
  acme.employee = newEmployee({ mail: email });
  const person = await userOf((await signIn()).arrival.fragment);
  expect(person.email).toBe(email);
  expect(person.id).not.toBe(data.user!.id);
  const { data: again } = await server.client().signInWithPassword({ email, password: 'tangerine bicycle' });
  expect(again.user!.id).toBe(data.user!.id);
});

it('company sign-in: leaves address and password of a company user to the company', async () => {
  const { client, arrival } = await signIn();
  const { data } = await setSession(client, arrival.fragment);
  for (const change of [{ email: 'mine@example.com' }, { password: 'tangerine bicycle' }])
    expect((await client.updateUser(change)).error).toMatchObject({ status: 422, code: 'user_sso_managed' });
  expect((await client.updateUser({ data: { nickname: 'Mia' } })).error).toBeNull();
  await server.client().resetPasswordForEmail(data.user!.email!);
  await server.client().signInWithOtp({ email: data.user!.email!, options: { shouldCreateUser: false } });
  await expect(server.lastEmailTo(data.user!.email!)).rejects.toThrow('No e-mail');
});

it('company sign-in: fills metadata by the provider’s attribute mapping', async () => {
  const names = { email: { name: 'work-address' }, full_name: { names: ['nothing', 'display'] } };
  const claims = { teams: { name: 'groups', array: true }, plan: { name: 'none', default: 'basic' } };
  await admin(server, 'PUT', `/${providerId}`, { attribute_mapping: { keys: { ...names, ...claims } } });
  acme.employee = newEmployee({ 'work-address': 'Mia@Acme.example', display: 'Mia', groups: ['design', 'ops'] });
  const person = await userOf((await signIn()).arrival.fragment);
  const custom_claims = { teams: ['design', 'ops'], plan: 'basic' };
  expect(person).toMatchObject({ email: 'mia@acme.example', user_metadata: { full_name: 'Mia', custom_claims } });
  expect(person.role).toBe('authenticated');
});

it('company sign-in: publishes its metadata with the signing key', async () => {
  const response = await server.call('/sso/saml/metadata');
  expect(response.headers.get('content-type')).toContain('xml');
  expect(response.headers.get('cache-control')).toBe('public, max-age=600');
  const xml = await response.text();
  expect(xml).toContain(`entityID="${server.url}/sso/saml/metadata"`);
  expect(xml).toContain(`Location="${server.url}/sso/saml/acs"`);
  const part = (name: string) =>
    Buffer.from(new RegExp(`<ds:${name}>([^<]*)<`).exec(xml)![1]!, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'RSA', n: part('Modulus'), e: part('Exponent') }, format: 'jwk' });
  const { url } = await begin(server, { provider_id: providerId });
  const [signed, signature] = new URL(url).search.slice(1).split('&Signature=');
  expect(verify('sha256', Buffer.from(signed!), key, Buffer.from(decodeURIComponent(signature!), 'base64'))).toBe(true);
});

it('company sign-in: offers its metadata as a file valid for years', async () => {
  const response = await server.call('/sso/saml/metadata?download=true');
  expect(response.headers.get('content-disposition')).toContain('metadata.xml');
  const until = /validUntil="([^"]*)"/.exec(await response.text())![1]!;
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(4 * 365 * 86_400_000);
});

it('company sign-in: rejects requests without a known provider', async () => {
  for (const json of [
    {},
    { domain: 'acme.example', provider_id: providerId },
    { provider_id: 'acme' },
    { domain: 'acme.example', code_challenge: 'short', code_challenge_method: 's256' },
  ])
    expect(await start(json)).toEqual([400, 'validation_failed']);
  for (const json of [{ domain: 'unknown.example' }, { provider_id: randomUUID() }])
    expect(await start(json)).toEqual([404, 'sso_provider_not_found']);
});

it('company sign-in: refuses a sign-in through a disabled provider, before or after the visit there', async () => {
  const form = await acme.visit((await begin(server, { provider_id: providerId })).url);
  await admin(server, 'PUT', `/${providerId}`, { disabled: true });
  expect(await start({ provider_id: providerId })).toEqual([422, 'sso_provider_disabled']);
  const arrival = await postResponse(server, form);
  expect(arrival).toMatchObject({ status: 303, place: `${server.site}/` });
  expect(arrival.query.get('error_code')).toBe('sso_provider_disabled');
});

it('company sign-in: refuses a banned user', async () => {
  const person = await userOf((await signIn()).arrival.fragment);
  await server.service().admin.updateUserById(person.id, { ban_duration: '1h' });
  const { arrival } = await signIn();
  expect(arrival.query.get('error_code')).toBe('user_banned');
  expect(arrival.fragment.get('access_token')).toBeNull();
});

it('company sign-in: does not exist in a project without SAML', async () => {
  await using closed = await openAuthServer(WIDE, { db: server.db });
  const off = [404, 'saml_provider_disabled'];
  expect(await closed.refusal('/sso', { json: { domain: 'acme.example' } })).toEqual(off);
  expect(await closed.refusal('/sso/saml/metadata')).toEqual(off);
  expect((await admin(closed, 'GET')).body.code).toBe('saml_provider_disabled');
  const arrival = await postResponse(closed, { response: 'AAAA', relayState: randomUUID() });
  expect(arrival.query.get('error_code')).toBe('saml_provider_disabled');
});
