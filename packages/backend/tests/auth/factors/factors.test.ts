import { randomUUID } from 'node:crypto';
import type { GoTrueClient } from '@supabase/auth-js';
import { decodeJwt } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { TOTP } from '../../../../../tests/packages/packages.ts';
import { openSeed, sealSeed } from '../../../auth/factors/totp.ts';
import { type AuthServer, bearer as bearerOf, openAuthServer, PASSWORD, WIDE } from '../auth-server.ts';
import {
  bearer,
  createUser,
  createUserWithApp,
  enrolled,
  eventsOf,
  openFactorsServer,
  signInAgain,
} from './factors-server.ts';

const claimsOf = async (client: GoTrueClient) => decodeJwt((await client.getSession()).data.session!.access_token);
const methodsIn = (claims: Record<string, unknown>) => (claims['amr'] as { method: string }[]).map((m) => m.method);
/** Loads the site's identity client in a browser without stored data. */
async function siteClient({ site, keys }: AuthServer) {
  const store = new Map<string, string>();
  vi.resetModules();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('dispatchEvent', () => true);
  vi.stubGlobal('location', new URL(site));
  vi.stubGlobal('document', {
    addEventListener() {},
    visibilityState: 'hidden',
    querySelector: () => ({ content: site, dataset: { key: keys.publishable } }),
  });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  });
  const { clients } = await import('../../../../../app/session/browser.ts');
  return { clients, ...(await import('../../../../../app/session/current-user.ts')) };
}

const server = forAllTests(() => openFactorsServer());

it('second factors: an authenticator app is enrolled and signs in (AUTH-17)', async () => {
  const { client, email } = await createUser(server);
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone', issuer: 'Madhouse' });
  expect(error).toBeNull();
  expect(data).toMatchObject({ type: 'totp', friendly_name: 'Phone' });
  const { qr_code: picture, secret, uri } = data!.totp!;
  expect(picture).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]*<\/svg>$/);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(uri).toContain(`otpauth://totp/Madhouse:${encodeURIComponent(email)}?`);
  expect(uri).toContain(`secret=${secret}`);
  expect((await client.mfa.listFactors()).data).toMatchObject({ totp: [], all: [{ status: 'unverified' }] });
  const level = async () => (await client.mfa.getAuthenticatorAssuranceLevel()).data;
  expect(await level()).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });

  const { data: challenge } = await client.mfa.challenge({ factorId: data!.id });
  expect(challenge).toMatchObject({ type: 'totp' });
  expect(challenge!.expires_at - Date.now() / 1000).toBeCloseTo(300, -1);
  const seen: string[] = [];
  client.onAuthStateChange((event) => void seen.push(event));
  const before = (await client.getSession()).data.session!;
  const proof = { factorId: data!.id, challengeId: challenge!.id, code: new TOTP({ secret }).generate() };
  const { data: raised, error: refused } = await client.mfa.verify(proof);
  expect(refused).toBeNull();
  expect(seen).toContain('MFA_CHALLENGE_VERIFIED');
  const claims = decodeJwt(raised!.access_token);
  expect(claims['aal']).toBe('aal2');
  expect(methodsIn(claims)).toEqual(['totp', 'password']);
  expect(claims['session_id']).toBe(decodeJwt(before.access_token)['session_id']);
  expect(raised!.refresh_token).not.toBe(before.refresh_token);
  expect(raised!.user.factors).toMatchObject([{ status: 'verified', factor_type: 'totp', friendly_name: 'Phone' }]);
  expect(await level()).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
  expect((await client.mfa.listFactors()).data!.totp).toHaveLength(1);
  await client.refreshSession();
  expect(methodsIn(await claimsOf(client))).toEqual(['totp', 'password']);
  expect((await claimsOf(client))['aal']).toBe('aal2');
});

it('second factors: the site’s own client emits every session event until the last subscriber leaves (STATE-04)', async () => {
  const { email, client: otherClient } = await createUser(server);
  const { clients, onSessionChange, signOut } = await siteClient(server);
  const { auth } = clients();
  const events: string[] = [];
  const stop = onSessionChange((event) => void events.push(event));
  /** Waits for an event. @returns the events before it */
  const until = async (event: string) => {
    await vi.waitFor(() => expect(events).toContain(event), { timeout: 60_000 });
    return events.splice(0).filter((other) => other !== event);
  };
  expect(await until('INITIAL_SESSION')).toEqual([]);
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  expect(await until('SIGNED_IN')).toEqual([]);
  expect((await auth.refreshSession()).error).toBeNull();
  expect(await until('TOKEN_REFRESHED')).toEqual([]);
  expect((await auth.updateUser({ data: { name: 'Ada' } })).error).toBeNull();
  expect(await until('USER_UPDATED')).toEqual([]);
  const app = await enrolled(auth);
  expect((await auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() })).error).toBeNull();
  await until('MFA_CHALLENGE_VERIFIED');
  await signOut();
  expect(await until('SIGNED_OUT')).toEqual([]);
  expect((await otherClient.resetPasswordForEmail(email)).error).toBeNull();
  const { tokenHash } = await server.lastEmailTo(email);
  expect((await auth.verifyOtp({ token_hash: tokenHash, type: 'recovery' })).error).toBeNull();
  await until('PASSWORD_RECOVERY');
  stop();
  await auth.refreshSession();
  expect(events).toEqual([]);
  await auth.stopAutoRefresh();
  vi.unstubAllGlobals();
});

it('second factors: the next sign-in requires the factor, and accepts challenge and code in one call', async () => {
  const person = await createUserWithApp(server);
  const phone = await signInAgain(server, person);
  const level = await phone.mfa.getAuthenticatorAssuranceLevel();
  expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
  const { factorId } = person.app;
  expect((await phone.mfa.challengeAndVerify({ factorId, code: person.app.code() })).error).toBeNull();
  expect((await claimsOf(phone))['aal']).toBe('aal2');
  expect((await person.client.getUser()).error).toBeNull();
});

it('second factors: enrolling ends other sessions with a lower level, and deletes unverified factors', async () => {
  const person = await createUser(server);
  const [left, right] = [await signInAgain(server, person), await signInAgain(server, person)];
  await enrolled(right, 'Begun and left');
  const app = await enrolled(person.client, 'Phone');
  expect((await person.client.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() })).error).toBeNull();
  for (const client of [left, right]) {
    expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await client.refreshSession()).error).not.toBeNull();
  }
  expect((await person.client.mfa.listFactors()).data!.all).toMatchObject([{ friendly_name: 'Phone' }]);
});

it('second factors: a tab that lost the response receives the raised session', async () => {
  const person = await createUser(server);
  const app = await enrolled(person.client);
  const before = (await person.client.getSession()).data.session!;
  const { data } = await person.client.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
  const tab = await server.call('/token?grant_type=refresh_token', { json: { refresh_token: before.refresh_token } });
  const answer = (await tab.json()) as { refresh_token: string; access_token: string };
  expect(answer.refresh_token).toBe(data!.refresh_token);
  expect(decodeJwt(answer.access_token)['aal']).toBe('aal2');
});

describe('second factor errors', () => {
  it('are equal for another user’s factor and a missing one', async () => {
    const [mine, theirs] = [await createUserWithApp(server), await createUserWithApp(server)];
    const headers = await bearer(mine.client);
    const json = { challenge_id: randomUUID(), code: '1' };
    const missing = [404, 'mfa_factor_not_found'];
    for (const id of [theirs.app.factorId, randomUUID()]) {
      for (const path of [`/factors/${id}/challenge`, `/factors/${id}/verify`])
        expect(await server.refusal(path, { json, headers })).toEqual(missing);
      expect(await server.refusal(`/factors/${id}`, { method: 'DELETE', headers })).toEqual(missing);
    }
    expect((await theirs.client.mfa.listFactors()).data!.totp).toHaveLength(1);
  });

  it('name the invalid field', async () => {
    const person = await createUserWithApp(server);
    const headers = await bearer(person.client);
    const { factorId } = person.app;
    const verify = `${factorId}/verify`;
    const totp = { factor_type: 'totp' };
    for (const [path, json, status, code] of [
      ['', {}, 400, 'validation_failed'],
      ['', { factor_type: 'carrier pigeon' }, 400, 'validation_failed'],
      ['', { ...totp, friendly_name: 'x'.repeat(101) }, 400, 'validation_failed'],
      ['', { ...totp, friendly_name: 'a\nb' }, 400, 'validation_failed'],
      ['', { ...totp, friendly_name: 7 }, 400, 'validation_failed'],
      ['', { factor_type: 'webauthn' }, 422, 'mfa_webauthn_enroll_not_enabled'],
      ['', { factor_type: 'phone', phone: '+15555550100' }, 422, 'mfa_phone_enroll_not_enabled'],
      ['', { ...totp, friendly_name: 'Phone' }, 422, 'mfa_factor_name_conflict'],
      [verify, { challenge_id: randomUUID(), code: ' ' }, 400, 'validation_failed'],
      [verify, { challenge_id: 'x', code: '123456' }, 422, 'mfa_factor_not_found'],
      ['x/verify', { challenge_id: 'x', code: '123456' }, 404, 'validation_failed'],
    ] as const)
      expect(await server.refusal(path ? `/factors/${path}` : '/factors', { json, headers })).toEqual([status, code]);
    expect(await server.refusal('/factors', { json: totp })).toEqual([401, 'no_authorization']);
    const other = await server.call(`/factors/${factorId}`, { headers });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'DELETE']);
  });

  it('require the second factor before another is added or one is removed (TM-06)', async () => {
    const person = await createUserWithApp(server);
    const onlyPassword = await signInAgain(server, person);
    const added = await onlyPassword.mfa.enroll({ factorType: 'totp', friendlyName: 'Thief' });
    expect(added.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    const removed = await onlyPassword.mfa.unenroll({ factorId: person.app.factorId });
    expect(removed.error).toMatchObject({ status: 422, code: 'insufficient_aal' });
    expect((await person.client.mfa.listFactors()).data!.totp).toHaveLength(1);
    expect((await person.client.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' })).error).toBeNull();
  });

  it('refuse anonymous users', async () => {
    const { client, id } = await createUser(server);
    await server.db.query('update auth.users set is_anonymous = true where id = $1', [id]);
    const { error } = await client.mfa.enroll({ factorType: 'totp' });
    expect(error).toMatchObject({ status: 403, code: 'no_authorization' });
  });

  it('limit an account to ten factors and to one per name, also for concurrent requests', async () => {
    const { client, id } = await createUser(server);
    const enroll = () => client.mfa.enroll({ factorType: 'totp', friendlyName: 'Same' });
    const named = await Promise.all(Array.from({ length: 5 }, enroll));
    expect(named.filter(({ error }) => !error)).toHaveLength(1);
    expect(new Set(named.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['mfa_factor_name_conflict']));
    const more = await Promise.all(Array.from({ length: 12 }, () => client.mfa.enroll({ factorType: 'totp' })));
    expect(more.filter(({ error }) => !error)).toHaveLength(9);
    const tooMany = { status: 422, code: 'too_many_enrolled_mfa_factors' };
    expect(more.find(({ error }) => error)!.error).toMatchObject(tooMany);
    // Unverified factors are deleted after five minutes.
    const age = "update auth.mfa_factors set created_at = created_at - interval '6 minutes' where user_id = $1";
    await server.db.query(age, [id]);
    expect((await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Same' })).error).toBeNull();
  });
});

it('second factors: removing a factor lowers the session’s level', async () => {
  const person = await createUserWithApp(server);
  const { data, error } = await person.client.mfa.unenroll({ factorId: person.app.factorId });
  expect([data, error]).toEqual([{ id: person.app.factorId }, null]);
  await person.client.refreshSession();
  const claims = await claimsOf(person.client);
  expect(claims['aal']).toBe('aal1');
  expect(methodsIn(claims)).toEqual(['password']);
  expect((await person.client.mfa.listFactors()).data!.all).toEqual([]);
});

it('second factors: seeds are stored encrypted, each for its own factor', async () => {
  const { factorId, secret } = (await createUserWithApp(server)).app;
  const rows = await server.rows<{ id: string; secret: string }>('select * from auth.mfa_factors');
  expect(JSON.stringify(rows)).not.toContain(secret);
  const sealed = rows.find((row) => row.id === factorId)!.secret;
  expect(openSeed(server.keys, factorId, sealed)).toBe(secret);
  expect(() => openSeed(server.keys, randomUUID(), sealed)).toThrow();
  expect(() => openSeed(server.keys, factorId, secret)).toThrow();
  const id = randomUUID();
  expect(sealSeed(server.keys, id, 'SEED')).not.toBe(sealSeed(server.keys, id, 'SEED'));
});

describe('second factors for holders of the service key', () => {
  const asService = () => bearerOf(server.keys.secret);

  it('can be listed, renamed and removed per user (AUTH-18)', async () => {
    const person = await createUserWithApp(server);
    const admin = server.service().admin;
    const { data } = await admin.mfa.listFactors({ userId: person.id });
    expect(data!.factors).toMatchObject([{ id: person.app.factorId, friendly_name: 'Phone', status: 'verified' }]);
    const path = `/admin/users/${person.id}/factors/${person.app.factorId}`;
    const json = { friendly_name: 'Old phone' };
    expect(await server.answer(path, { method: 'PUT', json, headers: asService() })).toMatchObject([200, json]);
    expect((await admin.mfa.deleteFactor({ id: person.app.factorId, userId: person.id })).error).toBeNull();
    expect((await admin.mfa.listFactors({ userId: person.id })).data!.factors).toEqual([]);
    await person.client.refreshSession();
    expect((await claimsOf(person.client))['aal']).toBe('aal1');
    expect(await eventsOf(server, person.id)).toContain('factor_removed success totp');
  });

  it('are refused to all other callers, and unknown factors are reported (AUTH-18)', async () => {
    const person = await createUserWithApp(server);
    const path = `/admin/users/${person.id}/factors`;
    expect((await server.call(path, { headers: await bearer(person.client) })).status).toBe(403);
    expect((await server.call(path)).status).toBe(403);
    for (const [at, status, code] of [
      [`${path}/${randomUUID()}`, 404, 'mfa_factor_not_found'],
      [`${path}/x`, 404, 'validation_failed'],
      [`/admin/users/${randomUUID()}/factors/${person.app.factorId}`, 404, 'user_not_found'],
    ] as const)
      expect(await server.refusal(at, { method: 'DELETE', headers: asService() })).toEqual([status, code]);
    const number = { method: 'PUT', json: { phone: '+15555550100' }, headers: asService() };
    expect(await server.refusal(`${path}/${person.app.factorId}`, number)).toEqual([400, 'validation_failed']);
  });
});

it('second factors: the service reports when they are disabled', async () => {
  await using off = await openAuthServer(WIDE, { db: server.db });
  const { client, id } = await createUser(off);
  const { error } = await client.mfa.enroll({ factorType: 'totp' });
  expect(error).toMatchObject({ status: 422, code: 'mfa_totp_enroll_not_enabled' });
  const factorId = randomUUID();
  const insert = `insert into auth.mfa_factors (id, user_id, factor_type, status, secret)
    values ($1, $2, 'totp', 'verified', $3)`;
  await server.db.query(insert, [factorId, id, sealSeed(off.keys, factorId, 'GEZDGNBVGY3TQOJQ')]);
  const request = { json: { code: '123456' }, headers: await bearer(client) };
  for (const path of [`/factors/${factorId}/challenge`, `/factors/${factorId}/verify`])
    expect(await off.refusal(path, request)).toEqual([422, 'mfa_totp_verify_not_enabled']);
});
