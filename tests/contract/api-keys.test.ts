import { FunctionsClient, type FunctionsHttpError } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { identityClient } from '../../packages/backend/tests/auth/identity-client.ts';
import { postgresql } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { openBackend, SITE } from './open-backend.ts';

const JWT_SECRET = 'the secret of an operator, long enough';
const ENDPOINTS = [
  '/auth/v1/settings',
  '/auth/v1/admin/users',
  '/rest/v1/projects?limit=1',
  '/storage/v1/bucket',
  '/functions/v1/check-health',
];

const database = forAllTests(() => postgresql.open({ migrated: true }));
const backend = forAllTests(() => openBackend({ DATABASE_URL: database.url!, JWT_SECRET }));
const send = (input: RequestInfo | URL, init?: RequestInit) => backend.sendFrom('192.0.2.1')(input, init);
const call = (path: string, headers: Record<string, string>) =>
  send(`${SITE}${path}`, path.startsWith('/functions') ? { method: 'POST', body: '{}', headers } : { headers });
const statuses = async (headers: Record<string, string>) =>
  Promise.all(ENDPOINTS.map(async (path) => (await call(path, headers)).status));

describe('unregistered API key', () => {
  const wrong = () => {
    const { publishableKey, secret } = backend;
    return [`${publishableKey}x`, publishableKey.slice(0, -1), 'sb_publishable_', `${secret}x`, 'sb_secret_anything'];
  };

  it('gets 401 "Invalid API key" from every service, as on a hosted project (F3)', async () => {
    for (const key of wrong())
      for (const path of ENDPOINTS)
        for (const headers of [
          { apikey: key },
          { authorization: `Bearer ${key}` },
          { apikey: key, authorization: `Bearer ${key}` },
          { apikey: key, authorization: `Bearer ${backend.secret}` },
          { apikey: backend.secret, authorization: `bearer ${key}` },
        ]) {
          const response = await call(path, headers as Record<string, string>);
          const hint = 'Double check your Supabase `anon` or `service_role` API key.';
          expect(response.status, path).toBe(401);
          expect(await response.json()).toEqual({ message: 'Invalid API key', hint });
          expect(response.headers.get('access-control-allow-origin')).toBe('*');
          expect(response.headers.get('cache-control')).toBe('no-store');
          expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        }
  });

  it('shows the message through each official client (F3)', async () => {
    const key = `${backend.publishableKey}x`;
    const headers = { apikey: key, Authorization: `Bearer ${key}` };
    const auth = identityClient(`${SITE}/auth/v1`, key, { fetch: send });
    const signIn = await auth.signInWithPassword({ email: 'asha@example.com', password: 'tangerine bicycle' });
    const read = await new PostgrestClient(`${SITE}/rest/v1`, { headers, fetch: send }).from('projects').select();
    const list = await new StorageClient(`${SITE}/storage/v1`, headers, send).listBuckets();
    const { error } = await new FunctionsClient(`${SITE}/functions/v1`, { headers, customFetch: send }).invoke('x');
    const invoked = await ((error as FunctionsHttpError).context as Response).json();
    for (const problem of [signIn.error, read.error, list.error, invoked])
      expect(problem?.message).toBe('Invalid API key');
    expect([signIn.error?.status, read.status]).toEqual([401, 401]);
  });

  it('does not affect registered keys, other tokens and preflights', async () => {
    expect(await statuses({ apikey: backend.publishableKey })).toEqual([200, 403, 200, 200, 200]);
    expect(await statuses({ apikey: backend.secret })).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses({ apikey: 'a.b.c' })).toEqual([200, 403, 401, 400, 200]);
    const headers = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'apikey' };
    expect((await send(`${SITE}/rest/v1/projects`, { method: 'OPTIONS', headers })).status).toBe(200);
  });
});

describe('legacy API key signed with JWT_SECRET', () => {
  const legacyKey = (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setExpirationTime('10y')
      .sign(Buffer.from(JWT_SECRET));

  it('is accepted with and without the issuer of upstream’s demo keys (F4)', async () => {
    for (const role of ['anon', 'service_role']) {
      const expected = await statuses({ apikey: await legacyKey({ role }) });
      expect(expected).toEqual(role === 'anon' ? [200, 403, 200, 200, 200] : [200, 200, 200, 200, 200]);
      for (const iss of ['supabase-demo', 'supabase']) {
        const key = await legacyKey({ iss, role });
        for (const headers of [
          { apikey: key },
          { authorization: `Bearer ${key}` },
          { apikey: key, authorization: `Bearer ${key}` },
        ])
          expect([role, iss, await statuses(headers as Record<string, string>)]).toEqual([role, iss, expected]);
      }
    }
  });

  it('does not relax user tokens: another issuer gets 401 (TM-14)', async () => {
    const token = await legacyKey({ iss: 'supabase-demo', role: 'authenticated', sub: crypto.randomUUID() });
    const headers = { apikey: backend.publishableKey, authorization: `Bearer ${token}` };
    expect((await call('/rest/v1/projects', headers)).status).toBe(401);
  });
});
