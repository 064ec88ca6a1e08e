import { createHmac, randomUUID } from 'node:crypto';
import { decodeJwt, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { shared } from '../../../../tests/two-machines/shared.ts';
import { DatabaseUnavailable } from '../../database/database.ts';
import { bearer, newEmail, openAuthServer, PASSWORD, signedUp, WIDE } from './auth-server.ts';

let good: string;
let header: Record<string, unknown>;
let claims: Record<string, unknown>;

const server = forAllTests(() => openAuthServer(WIDE));
beforeAll(async () => {
  good = (await signedUp(server)).session.access_token;
  header = JSON.parse(Buffer.from(good.split('.')[0]!, 'base64url').toString());
  claims = decodeJwt(good);
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const getUser = (token: string) => server.call('/user', { headers: bearer(token) });
const signedAs = (payload: Record<string, unknown>, extra: Record<string, unknown> = {}) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: server.keys.signing[0]!.kid, ...extra })
    .sign(server.keys.signing[0]!.privateKey);

const UNUSABLE_HEADERS = [
  ...['another', "x' or '1'='1", '__proto__', undefined].map((kid) => ({ kid })),
  { jku: 'https://evil.example/keys.json' },
  { x5u: 'https://evil.example/chain.pem' },
  { x5c: ['AAAA'] },
];

describe('invalid token', () => {
  it('is rejected when unsigned, signed by another key, or signed with our public key as a secret', async () => {
    const spki = await exportSPKI(server.keys.signing[0]!.publicKey);
    const publicText = JSON.stringify(server.keys.signing[0]!.publicJwk);
    const hmac = (secret: string) => {
      const input = `${encode({ alg: 'HS256', typ: 'JWT', kid: header['kid'] })}.${encode(claims)}`;
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    };
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const foreign = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: header['kid'] as string });
    const jwk = await crypto.subtle.exportKey('jwk', publicKey);
    const withOwnKey = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', jwk: jwk as never });
    const forged = [
      `${encode({ alg: 'none' })}.${encode(claims)}.`,
      `${encode({ alg: 'None', kid: header['kid'] })}.${encode(claims)}.`,
      hmac(spki),
      hmac(publicText),
      hmac(''),
      await foreign.sign(privateKey),
      await withOwnKey.sign(privateKey),
      ...(await Promise.all(UNUSABLE_HEADERS.map((extra) => signedAs(claims, extra)))),
      await signedAs(claims, { kid: ['0', header['kid']] }),
      await signedAs(claims, { kid: `../${header['kid']}` }),
      await signedAs(claims, { jwk: server.keys.signing[0]!.publicJwk }),
      `${good.split('.')[0]}.${encode({ ...claims, role: 'service_role' })}.${good.split('.')[2]}`,
      `${good.slice(0, -6)}AAAAAA`,
      'a.b.c',
      'no token at all',
      '..',
    ];
    for (const token of forged) {
      const [status, code] = await server.refusal('/user', { headers: bearer(token) });
      expect([401, 403], token.slice(0, 30)).toContain(status);
      expect(['bad_jwt', 'no_authorization']).toContain(code);
    }
    expect((await getUser(good)).status).toBe(200);
  });

  it('is rejected when expired, without expiry, or for another audience, issuer or role', async () => {
    const { exp: _, ...endless } = claims;
    const wrong = [
      { ...claims, exp: Math.floor(Date.now() / 1000) - 60 },
      endless,
      { ...claims, nbf: Math.floor(Date.now() / 1000) + 600 },
      { ...claims, aud: 'other' },
      { ...claims, iss: 'https://evil.example/auth/v1' },
      { ...claims, role: 'service_role' },
      { ...claims, role: 'postgres' },
    ];
    for (const payload of wrong)
      expect(await server.refusal('/user', { headers: bearer(await signedAs(payload)) })).toEqual([403, 'bad_jwt']);
  });

  it('gets an error code for its defect', async () => {
    const GONE = 'Session from session_id claim in JWT does not exist';
    const answers: [Record<string, unknown>, number, string, string | null][] = [
      [{ ...claims, sub: undefined }, 403, 'bad_jwt', 'invalid claim: missing sub claim'],
      [{ ...claims, sub: 'me' }, 400, 'bad_jwt', null],
      [{ ...claims, sub: randomUUID() }, 403, 'user_not_found', 'User from sub claim in JWT does not exist'],
      [{ ...claims, sub: '00000000-0000-0000-0000-000000000000' }, 403, 'user_not_found', null],
      [{ ...claims, sub: '00000000-0000-4000-8000-000000000001' }, 403, 'user_banned', 'User is banned'],
      [{ ...claims, session_id: randomUUID() }, 403, 'session_not_found', GONE],
      [{ ...claims, session_id: 5 }, 403, 'session_not_found', null],
    ];
    for (const [payload, status, code, message] of answers) {
      const token = await signedAs(JSON.parse(JSON.stringify(payload)));
      const headers = { ...bearer(token), 'x-supabase-api-version': '2024-01-01' };
      expect(await server.answer('/user', { headers })).toMatchObject([status, { code, ...(message && { message }) }]);
    }
  });

  it('a missing token gets 401, and an API key has no user', async () => {
    const msg = 'This endpoint requires a valid Bearer token';
    expect(await (await server.call('/user')).json()).toEqual({ code: 401, error_code: 'no_authorization', msg });
    for (const key of [server.keys.publishable, server.keys.secret])
      expect(await (await getUser(key)).json()).toMatchObject({ code: 403, msg: 'invalid claim: missing sub claim' });
  });
});

describe('key set', () => {
  it('contains public parts only, is cacheable, and verifies our tokens (AUTH-19, CONST-05)', async () => {
    const response = await server.call('/.well-known/jwks.json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=600');
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
    expect(Object.keys(keys[0]!).sort()).toEqual(['alg', 'crv', 'key_ops', 'kid', 'kty', 'use', 'x', 'y']);
    expect(keys[0]).toMatchObject({ alg: 'ES256', use: 'sig', key_ops: ['verify'], kid: header['kid'] });
    const { data, error } = await server.client().getClaims(good);
    expect(error).toBeNull();
    expect(data!.claims.sub).toBe(claims['sub']);
  });

  it('distinguishes a forged signature, an empty set and a missing key (AUTH-30, AUTH-31, AUTH-32)', async () => {
    const tampered = `${good.split('.')[0]}.${encode({ ...claims, email: 'x@example.com' })}.${good.split('.')[2]}`;
    expect((await server.client().getClaims(tampered)).error?.message).toBe('Invalid JWT signature');
    await using other = await openAuthServer(WIDE, { db: server.db });
    expect((await other.client().getClaims(good)).error?.message).toContain('No matching signing key found in JWKS');
    other.keys.signing.splice(0);
    expect((await other.client().getClaims(good)).error?.message).toContain('JWKS is empty');
  });
});

describe('errors', () => {
  it('have the format of the requested API version, with the code in a header', async () => {
    const json = { refresh_token: 'abcdefghijklmnopqrstuvwx' };
    const send = (headers: Record<string, string>) => server.call('/token?grant_type=refresh_token', { json, headers });
    const [error_code, msg] = ['refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'];
    for (const version of ['', 'soon']) {
      const old = await send(version ? { 'x-supabase-api-version': version } : {});
      expect(old.headers.get('x-supabase-api-version')).toBeNull();
      expect(await old.json()).toEqual({ code: 400, error_code, msg });
    }
    for (const version of ['2024-01-01', '2026-05-05']) {
      const response = await send({ 'x-supabase-api-version': version });
      expect(response.headers.get('x-supabase-api-version')).toBe('2024-01-01');
      expect(response.headers.get('x-sb-error-code')).toBe(error_code);
      expect(response.headers.get('access-control-expose-headers')).toContain('X-Supabase-Api-Version');
      expect(await response.json()).toEqual({ code: error_code, message: msg });
    }
  });

  it('are 400 for bodies that are not JSON', async () => {
    for (const body of ['', '{', '[]', '"text"', 'null', '{"a":'.repeat(40)])
      expect(await server.refusal('/signup', { method: 'POST', body }), body).toEqual([400, 'bad_json']);
    expect((await server.call('/signup', { method: 'POST', body: new Uint8Array([0xff, 0xfe]) })).status).toBe(400);
  });
});

// Not with two machines: only one process loses its database.
it.skipIf(shared)(
  'the official client distinguishes a missing session from a busy service, and doubles its delay before each refresh attempt (AUTH-33, CONST-04)',
  async () => {
    expect((await server.client().getUser()).error?.name).toBe('AuthSessionMissingError');
    const client = server.client();
    await client.signUp({ email: newEmail(), password: PASSWORD });
    const unavailable = new DatabaseUnavailable('The database is restarting');
    vi.spyOn(server.db, 'query').mockRejectedValueOnce(unavailable);
    expect((await client.getUser()).error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 });
    const refreshing = vi.spyOn(server.db, 'batch');
    for (let tries = 0; tries < 3; tries++) refreshing.mockRejectedValueOnce(unavailable);
    const begun = performance.now();
    expect((await client.refreshSession()).error).toBeNull();
    // Timers may fire a millisecond early.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(200 + 400 + 800 - 3);
    vi.restoreAllMocks();
  },
);
