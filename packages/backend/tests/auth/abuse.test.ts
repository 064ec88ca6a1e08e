import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { decodeJwt, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { postgresql, withMethods } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { shared } from '../../../../tests/two-machines/shared.ts';
import { errors } from '../../auth/errors.ts';
import { routes } from '../../auth/routes.ts';
import { bearer, CONFIRMING, GUEST, newEmail, openAuthServer, PASSWORD, signedIn } from './auth-server.ts';

const NEW_SHAPE = { 'x-supabase-api-version': '2024-01-01' };

/** While set, queries wait for this promise. */
let held: Promise<void> | null = null;
const wait = async () => held ?? undefined;
const database = forAllTests(() => postgresql.open({ migrated: true }));
const server = forAllTests(() => {
  const { db } = database;
  const slow = withMethods(db, {
    // Rate limits are counted before the account is queried.
    query: (text, values) =>
      (text.includes('internal.limits') ? Promise.resolve() : wait()).then(() => db.query(text, values)),
    transaction: (work, options) => wait().then(() => db.transaction(work, options)),
    batch: (statements, options) => wait().then(() => db.batch(statements, options)),
  });
  return openAuthServer(
    `${CONFIRMING}[auth]
enable_anonymous_sign_ins = true
enable_manual_linking = true
[auth.mfa.totp]
enroll_enabled = true
verify_enabled = true
[auth.sms]
enable_signup = true
`,
    { db: slow },
  );
});

const admin = () => server.service().admin;
async function created(more: object = {}) {
  const account = { email: newEmail(), password: PASSWORD, email_confirm: true, ...more };
  const { data, error } = await admin().createUser(account);
  if (error) throw error;
  return { id: data.user.id, email: data.user.email! };
}
const accessToken = async () => (await signedIn(server)).session.access_token;

/** Addresses of unconfirmed accounts by their kind of creation. */
async function waitingKinds(): Promise<Record<string, string>> {
  const invited = newEmail();
  await admin().inviteUserByEmail(invited);
  const unverified = newEmail();
  const insert = `with made as (insert into auth.users (id, email, raw_app_meta_data) values
      (gen_random_uuid(), $1, '{"provider": "google", "providers": ["google"]}') returning id)
    insert into auth.identities (provider, provider_id, user_id, identity_data)
    select 'google', id::text, id, jsonb_build_object('email', $1::text) from made`;
  await database.db.query(insert, [unverified]);
  return {
    unconfirmed: (await created({ email_confirm: false })).email,
    invited,
    'unverified provider': unverified,
    'with phone': (await created({ email_confirm: false, phone: `1555${randomInt(1_000_000, 9_999_999)}` })).email,
  };
}

/** Addresses of accounts in every state, and one without an account. */
async function everyKind(): Promise<Record<string, string>> {
  const deleted = await created();
  await admin().deleteUser(deleted.id, true);
  const banned = await created();
  await admin().updateUserById(banned.id, { ban_duration: '24h' });
  const company = newEmail();
  const insert = 'insert into auth.users (email, email_confirmed_at, is_sso_user) values ($1, now(), true)';
  await database.db.query(insert, [company]);
  return {
    ...(await waitingKinds()),
    unknown: newEmail(),
    confirmed: (await created()).email,
    'without a password': (await created({ password: undefined })).email,
    banned: banned.email,
    deleted: deleted.email,
    'of a company': company,
  };
}

/** Replaces values that differ between responses. */
const withoutVariableParts = (text: string, email: string) =>
  text
    .replaceAll(email, '<address>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');

/** Everything in a response that could distinguish two addresses. */
async function describeResponse(answer: Response, email: string): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => !['date', 'content-length'].includes(name)).sort();
  const text = withoutVariableParts(await answer.text(), email)
    // Applications rely on one difference of the hosted service: an obfuscated user has no identities and no role.
    .replace(/"identities":\[[^\]]*\]/, '<identities>')
    .replace(/"role":"[a-z]*"/, '<role>');
  return JSON.stringify([answer.status, headers, text]);
}

describe('existence of an account (TM-02)', () => {
  type Attempt = [string, string, (email: string) => object];
  const REQUESTS: Attempt[] = [
    ['a sign-up', '/signup', (email) => ({ email, password: 'another bicycle' })],
    ['a code', '/otp', (email) => ({ email })],
    ['a code for accounts that are there', '/otp', (email) => ({ email, create_user: false })],
    ['a magic link', '/magiclink', (email) => ({ email })],
    ['a recovery', '/recover', (email) => ({ email })],
    ['another confirmation', '/resend', (email) => ({ type: 'signup', email })],
    ['another change of address', '/resend', (email) => ({ type: 'email_change', email })],
    ['a wrong password', '/token?grant_type=password', (email) => ({ email, password: 'a guess' })],
    ['no password', '/token?grant_type=password', (email) => ({ email })],
    ...['signup', 'invite', 'magiclink', 'recovery', 'email', 'email_change'].map(
      (type): Attempt => [`a wrong code (${type})`, '/verify', (email) => ({ type, email, token: '000000' })],
    ),
  ];

  it.each(REQUESTS)('is not disclosed by the response to %s', async (_, path, body) => {
    for (const headers of [{}, NEW_SHAPE]) {
      const answers = new Map<string, string[]>();
      for (const [kind, email] of Object.entries(await everyKind())) {
        const response = await describeResponse(await server.call(path, { json: body(email), headers }), email);
        answers.set(response, [...(answers.get(response) ?? []), kind]);
      }
      expect([...answers.values()]).toHaveLength(1);
    }
    await server.settled();
  });

  it('is not disclosed by a repeated sign-up: the response shows a new user without data of the account', async () => {
    const signUp = async (email: string) =>
      (await server.call('/signup', { json: { email, password: PASSWORD, data: { name: 'Eve' } } })).text();
    const otherUser = newEmail();
    const forUnknownUser = withoutVariableParts(await signUp(otherUser), otherUser);
    for (const [kind, email] of Object.entries(await waitingKinds())) {
      const age = "update auth.users set created_at = now() - interval '1 year' where email = $1 returning id";
      const [user] = await server.rows<{ id: string }>(age, email);
      const requestedAt = Date.now();
      const text = await signUp(email);
      expect([kind, withoutVariableParts(text, email)]).toEqual([kind, forUnknownUser]);
      expect([kind, text]).toEqual([kind, expect.not.stringContaining(user!.id)]);
      for (const [time] of text.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g))
        expect([kind, Date.parse(time)]).toEqual([kind, expect.toSatisfy((at: number) => at >= requestedAt - 1)]);
    }
    await server.settled();
  });

  // Not with two machines: the database is delayed for one process only.
  it.skipIf(shared).each(['/otp', '/magiclink', '/recover', '/resend'])(
    'is not looked up before %s has responded, so the response time is constant',
    async (path) => {
      const kinds = await everyKind();
      const { promise, resolve: release } = Promise.withResolvers<void>();
      held = promise;
      try {
        for (const email of Object.values(kinds)) {
          const json = { email, type: 'signup' };
          expect((await server.call(path, { json, signal: AbortSignal.timeout(60_000) })).status).toBe(200);
        }
      } finally {
        held = null;
        release();
      }
      await server.settled();
    },
  );

  it('is not disclosed by the sign-in time: a password hash is verified in either case', async () => {
    const { email } = await created();
    const took = async (address: string) => {
      const start = performance.now();
      const json = { email: address, password: 'a guess' };
      await server.call('/token?grant_type=password', { json, headers: { 'x-test-address': randomUUID() } });
      return performance.now() - start;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    await took(email);
    for (let sample = 0; sample < 15; sample++) {
      known.push(await took(email));
      unknown.push(await took(newEmail()));
      // Resets the throttling of guesses, which is not measured here.
      await database.db.query('delete from auth.attempts');
    }
    // The minimum, because other load only increases response times.
    const [a, b] = [Math.min(...known), Math.min(...unknown)];
    // Without hashing, the response for an unknown address would be ten times as fast.
    expect(Math.min(a, b) / Math.max(a, b)).toBeGreaterThan(0.4);
  });
});

describe('server-controlled fields (TM-01)', () => {
  const forbiddenFields = {
    id: randomUUID(),
    aud: 'admin',
    role: 'service_role',
    is_super_admin: true,
    is_sso_user: true,
    is_anonymous: false,
    app_metadata: { provider: 'google', role: 'admin' },
    raw_app_meta_data: { role: 'admin' },
    email_confirm: true,
    email_confirmed_at: '2020-01-01T00:00:00Z',
    phone_confirm: true,
    phone_confirmed_at: '2020-01-01T00:00:00Z',
    confirmed_at: '2020-01-01T00:00:00Z',
    banned_until: '2999-01-01T00:00:00Z',
    ban_duration: 'none',
    encrypted_password: 'x',
    password_hash: '$2a$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234',
    identities: [{ provider: 'google', id: '1' }],
    factors: [{ id: randomUUID(), status: 'verified', factor_type: 'totp' }],
    aal: 'aal2',
    session_id: randomUUID(),
  };
  const account = `select id, aud, role, is_super_admin, is_sso_user, raw_app_meta_data as app,
      email_confirmed_at, phone_confirmed_at, banned_until, encrypted_password like '$argon2%' as hashed,
      (select json_agg(provider) from auth.identities where user_id = u.id) as providers,
      (select count(*)::int from auth.mfa_factors where user_id = u.id) as factors
    from auth.users u where email = $1`;
  const rowOf = async (email: string) => (await server.rows(account, email))[0];
  const unset = { is_super_admin: null, phone_confirmed_at: null, banned_until: null, factors: 0 };
  const byEmail = { app: { provider: 'email', providers: ['email'] }, providers: ['email'] };
  const unchangedRow = { ...unset, ...byEmail, aud: 'authenticated', role: 'authenticated', is_sso_user: false };

  const bodies = { '/signup': { password: PASSWORD }, '/otp': {}, '/magiclink': {} };
  it.each(Object.entries(bodies))('cannot be set at %s', async (path, more) => {
    const email = newEmail();
    const answer = await server.call(path, { json: { ...forbiddenFields, ...more, data: forbiddenFields, email } });
    expect(answer.status).toBe(200);
    await server.settled();
    const row = (await rowOf(email))!;
    expect(row).toMatchObject({ ...unchangedRow, email_confirmed_at: null });
    expect(row['id']).not.toBe(forbiddenFields.id);
  });

  it('cannot be set while confirming, signing in or changing an account', async () => {
    const email = newEmail();
    await server.client().signUp({ email, password: PASSWORD });
    const { tokenHash } = await server.lastEmailTo(email);
    const json = { ...forbiddenFields, type: 'signup', token_hash: tokenHash };
    const confirmed = await server.call('/verify', { json });
    expect(confirmed.status).toBe(200);
    const { access_token: token } = (await confirmed.json()) as { access_token: string };
    await server.call('/token?grant_type=password', { json: { ...forbiddenFields, email, password: PASSWORD } });
    const { app_metadata: _, ...rest } = forbiddenFields;
    const put = { method: 'PUT', headers: bearer(token) };
    expect((await server.call('/user', { json: { ...rest, data: forbiddenFields }, ...put })).status).toBe(200);
    const admin = { app_metadata: { role: 'admin' } };
    expect(await server.refusal('/user', { json: admin, ...put })).toEqual([403, 'not_admin']);
    expect(await rowOf(email)).toMatchObject({ ...unchangedRow, hashed: true });
    expect(decodeJwt(token)).toMatchObject({ role: 'authenticated', aud: 'authenticated', aal: 'aal1' });
  });

  it('cannot be set while adding a factor', async () => {
    const secret = 'AAAAAAAAAAAAAAAA';
    const json = { factor_type: 'totp', id: randomUUID(), status: 'verified', user_id: GUEST, secret };
    const answer = await server.call('/factors', { json, headers: bearer(await accessToken()) });
    const factor = (await answer.json()) as { id: string; totp: { secret: string } };
    expect(answer.status).toBe(200);
    expect(factor.totp.secret).not.toBe(secret);
    const { rows } = await database.db.query('select status, user_id from auth.mfa_factors where id = $1', [factor.id]);
    expect(rows).toEqual([{ status: 'unverified', user_id: expect.not.stringMatching(GUEST) }]);
  });
});

it('the guest account gets no token, and is not returned by the admin API (TM-12)', async () => {
  const [{ alg, kid, privateKey }] = server.keys.signing;
  for (const sub of [GUEST, GUEST.toUpperCase(), '00000000-0000-0000-0000-000000000000']) {
    const token = await new SignJWT({ role: 'authenticated', sub })
      .setProtectedHeader({ alg, kid })
      .setIssuer(server.url)
      .setAudience('authenticated')
      .setExpirationTime('1h')
      .sign(privateKey);
    for (const endpoint of ['GET /user', 'PUT /user', 'POST /factors', 'GET /reauthenticate']) {
      const [method, path] = endpoint.split(' ') as [string, string];
      const body = method === 'GET' ? {} : { body: '{}' };
      const answer = await server.call(path, { method, headers: bearer(token), ...body });
      expect([sub, path, answer.status]).toEqual([sub, path, 403]);
    }
  }
  expect((await admin().listUsers({ perPage: 1000 })).data.users.map(({ id }) => id)).not.toContain(GUEST);
  for (const endpoint of ['GET', 'PUT', 'DELETE', 'GET /factors']) {
    const [method = '', path = ''] = endpoint.split(' ');
    const body = method === 'PUT' ? '{"password":"tangerine bicycle","email":"guest@example.com"}' : null;
    const init = { method, headers: { apikey: server.keys.secret }, body };
    const answer = await server.call(`/admin/users/${GUEST}${path}`, init);
    expect([method, path, answer.status]).toEqual([method, path, 404]);
  }
});

const endpoints = (() => {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes().routes) {
    if (method === 'ALL') continue;
    const filled = path.replace(/:\w+/g, '11111111-1111-4111-8111-111111111111');
    methods.set(filled, (methods.get(filled) ?? new Set()).add(method));
  }
  return [...methods];
})();

describe('every endpoint', () => {
  it('lists its methods, with an error in both formats', async () => {
    expect(endpoints.length).toBeGreaterThan(25);
    for (const [path, methods] of endpoints) {
      const old = await server.call(path, { method: 'PATCH' });
      const msg = errors.methodNotAllowed('').message;
      expect(old.status, path).toBe(405);
      expect(await old.json(), path).toEqual({ code: 405, error_code: 'unknown', msg });
      for (const method of methods) expect(old.headers.get('allow'), path).toContain(method);
      const shaped = await server.call(path, { method: 'PATCH', headers: NEW_SHAPE });
      expect(await shaped.json()).toEqual({ code: 'unknown', message: msg });
      expect(shaped.headers.get('x-supabase-api-version')).toBe('2024-01-01');
    }
    for (const path of ['/', '/users', '/admin', '/admin/user', '/signup/', '/token/x', '/.well-known/openid'])
      expect(await server.refusal(path, { headers: NEW_SHAPE }), path).toEqual([404, 'unknown']);
  });

  it('allows cross-origin requests to read the error code, without credentials', async () => {
    for (const [path, methods] of endpoints) {
      const origin = { origin: 'https://else.example' };
      const custom = 'authorization,x-supabase-api-version,x-mine';
      const requested = { 'access-control-request-method': [...methods][0]!, 'access-control-request-headers': custom };
      const preflight = await server.call(path, { method: 'OPTIONS', headers: { ...origin, ...requested } });
      expect([path, preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([path, 200, '*']);
      for (const name of ['authorization', 'apikey', 'x-supabase-api-version', 'x-mine'])
        expect(preflight.headers.get('access-control-allow-headers')!.toLowerCase()).toContain(name);
      for (const name of ['GET', 'POST', 'PUT', 'DELETE'])
        expect(preflight.headers.get('access-control-allow-methods')).toContain(name);
      const answer = await server.call(path, { method: 'PATCH', headers: origin });
      for (const { headers } of [preflight, answer]) {
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('set-cookie')).toBeNull();
      }
      for (const name of ['X-Total-Count', 'Link', 'X-Supabase-Api-Version', 'Retry-After'])
        expect(answer.headers.get('access-control-expose-headers')).toContain(name);
    }
  });

  const odd: string[] = [
    '',
    'null',
    '[]',
    '"text"',
    '{',
    '{}',
    '{"email":null,"phone":null,"password":null,"type":null}',
    '{"email":5,"phone":5,"password":5,"type":5,"token":5,"token_hash":5,"refresh_token":5,"data":5,"code":5}',
    '{"email":["a@b.c"],"phone":{},"password":[],"type":{},"token":{"$ne":null},"data":[],"factor_type":[],"code":[]}',
    '{"email":"a\\u0000@example.com","phone":"\\u0000","password":"\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000","code":"\\u0000"}',
    '{"email":"\\ud800@example.com","password":"\\ud800aaaaaaa","data":{"\\udfff":1},"friendly_name":"\\ud800"}',
    `{"email":"${'a'.repeat(5000)}@example.com","phone":"${'1'.repeat(5000)}","password":"${'a'.repeat(5000)}"}`,
    '{"__proto__":{"role":"service_role"},"constructor":{"prototype":{"x":1}},"email":"a@example.com"}',
    '{"email":"a@example.com\\r\\nBcc: b@example.com","redirect_to":"javascript:alert(1)","password":"tangerine bicycle"}',
    '{"email":"\' or 1=1 --@example.com","phone":"+49\' or 1=1","password":"tangerine bicycle","type":"signup","token":"\' or 1=1"}',
    '{"auth_code":"x","code_verifier":"y","refresh_token":"\' or true --","id_token":"a.b.c","provider":"google"}',
    `{"data":${'{"a":'.repeat(20)}1${'}'.repeat(20)},"email":"a@example.com","password":"tangerine bicycle"}`,
    `${'[{"a":'.repeat(100)}1`,
    '{"type":"constructor","factor_type":"__proto__","challenge_id":"x","code":"000000","email":"a@example.com","token":"1"}',
    '{"id":"x","page":-1,"ban_duration":"9999999999999999999h","app_metadata":"x","user_metadata":null}',
  ];

  it('rejects malformed bodies with 4xx in the error format, without internal details', async () => {
    const token = await accessToken();
    const actors: Record<string, string>[] = [{}, bearer(token), { apikey: server.keys.secret }];
    const grants = ['password', 'refresh_token', 'pkce', 'id_token', '__proto__', ''];
    for (const [path, methods] of endpoints) {
      const paths = path === '/token' ? grants.map((grant) => `/token?grant_type=${grant}`) : [path];
      for (const method of [...methods].filter((name) => name !== 'GET'))
        for (const target of paths)
          for (const headers of actors)
            for (const body of odd) {
              // Signing out would end the session of this test.
              if (path === '/logout' && 'authorization' in headers) continue;
              const answer = await server.call(target, { method, body, headers });
              const text = await answer.text();
              expect(answer.status, `${method} ${target} ${body.slice(0, 80)}`).toBeLessThan(500);
              // Excludes tokens, which may contain any letters.
              const words = text.replace(/"\w*token":"[\w.-]*"/g, '');
              expect(words).not.toMatch(/at .*\.ts|syntax error|select |insert into|pg_|auth\.users/i);
              if (answer.status < 400 || answer.headers.get('content-type')?.includes('html')) continue;
              const { msg, error_description: oauth } = JSON.parse(text) as Record<string, unknown>;
              expect([target, typeof (msg ?? oauth)]).toEqual([target, 'string']);
            }
    }
    await server.settled();
  });

  it('rejects malformed queries with 4xx', async () => {
    const token = await accessToken();
    const actors: Record<string, string>[] = [{}, bearer(token), { apikey: server.keys.secret }];
    const queries = [
      '?page=%00&per_page=%27&filter=%00&query=%00',
      '?filter=%ED%A0%80&query=%ED%A0%80',
      '?provider=__proto__&redirect_to=javascript:alert(1)',
      '?provider=google%00&code_challenge=x&state=%00&code=%00',
      `?token=${'x'.repeat(3000)}&type=__proto__&redirect_to=%5C%5Cevil.example`,
      '?token=%00&type=%00&state=1&error=%00&error_description=%0d%0aset-cookie:a=b',
      '?provider[]=google&page[]=1&grant_type=password&grant_type=pkce',
    ];
    for (const [path, methods] of endpoints) {
      if (!methods.has('GET')) continue;
      for (const headers of actors)
        for (const query of queries) {
          const answer = await server.call(path + query, { headers });
          await answer.arrayBuffer();
          expect(answer.status, path + query).toBeLessThan(500);
          const location = answer.headers.get('location');
          if (location) expect(new URL(location).origin, path + query).toBe(server.site);
          expect(answer.headers.get('set-cookie')).toBeNull();
        }
    }
  });

  it('ignores a key or token in the address (TM-15)', async () => {
    const token = await accessToken();
    for (const name of ['apikey', 'access_token', 'authorization', 'token', 'jwt'])
      for (const secret of [server.keys.secret, token]) {
        const query = `?${name}=${encodeURIComponent(secret)}`;
        expect((await server.call(`/admin/users${query}`)).status).toBe(403);
        expect((await server.call(`/user${query}`)).status).toBe(401);
      }
    const cookie = { cookie: `sb-access-token=${token}; apikey=${server.keys.secret}` };
    expect((await server.call('/user', { headers: cookie })).status).toBe(401);
  });
});

it('addresses in e-mails use the configured site, whatever the request’s Host and redirect target (TM-08, TM-09)', async () => {
  const { port } = new URL(server.site);
  const email = newEmail();
  const { email: known } = await created();
  const evil = 'https://evil.example/steal';
  const host = 'evil.example';
  const forwarded = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https', forwarded: `host=${host}` };
  const forged = { ...forwarded, host, origin: `https://${host}`, referer: evil, redirect_to: evil };
  const headers = { ...forged, apikey: server.keys.publishable, 'content-type': 'application/json' };
  const send = async (path: string, body: object) => {
    const address = `http://127.0.0.1:${port}/auth/v1${path}?redirect_to=${encodeURIComponent(evil)}`;
    const outgoing = request(address, { method: 'POST', headers });
    outgoing.end(JSON.stringify({ ...body, redirect_to: evil }));
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await send('/signup', { email, password: PASSWORD })).toBe(200);
  const confirmation = await server.lastEmailTo(email);
  for (const path of ['/recover', '/otp', '/magiclink']) expect(await send(path, { email: known })).toBe(200);
  for (const { text, next } of [confirmation, await server.lastEmailTo(known)]) {
    expect(text).not.toContain('evil');
    expect(next).toBe('/');
  }
});
