import type { GoTrueClient } from '@supabase/auth-js';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import { bearer, createUserWithApp, nextStep, openFactorsServer, signInAgain } from './factors-server.ts';

const server = forAllTests(() => openFactorsServer());

/** A user with an app and a challenge for it. */
async function newChallenge() {
  const { client, app } = await createUserWithApp(server);
  const { factorId } = app;
  const challengeId = (await client.mfa.challenge({ factorId })).data!.id;
  const verify = async (code: string) => (await client.mfa.verify({ factorId, challengeId, code })).error;
  return { ...app, client, challengeId, verify };
}

describe('second factor code (TM-06)', () => {
  it('is accepted once, also in another challenge and another session', async () => {
    const person = await createUserWithApp(server);
    const { factorId } = person.app;
    const code = person.app.code();
    const [here, there] = [await signInAgain(server, person), await signInAgain(server, person)];
    const challenge = (await there.mfa.challenge({ factorId })).data!;
    expect((await person.client.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    const again = await person.client.mfa.challengeAndVerify({ factorId, code });
    expect(again.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
    // Both sessions were aal1 and have been ended.
    for (const client of [here, there])
      expect((await client.mfa.verify({ factorId, challengeId: challenge.id, code })).error).not.toBeNull();
  });

  it('is accepted for one of ten concurrent uses', async () => {
    const person = await createUserWithApp(server);
    const { factorId, code } = person.app;
    const sessions = [person.client];
    for (let at = 1; at < 10; at++) {
      await nextStep(server, person);
      const client = await signInAgain(server, person);
      expect((await client.mfa.challengeAndVerify({ factorId, code: code() })).error).toBeNull();
      sessions.push(client);
    }
    await nextStep(server, person);
    const begin = async (client: GoTrueClient) => ({
      headers: await bearer(client),
      challenge_id: (await client.mfa.challenge({ factorId })).data!.id,
    });
    const tries = await Promise.all(sessions.map(begin));
    const shown = code();
    const verify = ({ headers, challenge_id }: (typeof tries)[number]) =>
      server.call(`/factors/${factorId}/verify`, { json: { challenge_id, code: shown }, headers });
    const answers = await Promise.all(tries.map(verify));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
  });

  it('verifies one challenge once for concurrent uses', async () => {
    const { client, factorId, code, challengeId } = await newChallenge();
    const headers = await bearer(client);
    const json = { challenge_id: challengeId, code: code() };
    const uses = Array.from({ length: 10 }, () => server.call(`/factors/${factorId}/verify`, { json, headers }));
    const answers = await Promise.all(uses);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });
});

describe('guessing second factor codes', () => {
  it('invalidates a challenge after five wrong codes, also for the right one', async () => {
    const { verify, code } = await newChallenge();
    const message = 'Invalid TOTP code entered';
    for (let at = 0; at < 5; at++)
      expect(await verify('000 000')).toMatchObject({ status: 422, code: 'mfa_verification_failed', message });
    expect(await verify(code())).toMatchObject({ status: 422, code: 'mfa_challenge_expired' });
    expect(await verify(code())).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
  });

  it('is slowed down per account, over all challenges, sessions and addresses', async () => {
    const person = await createUserWithApp(server);
    const { factorId, code } = person.app;
    const signInFrom = (address: string) => signInAgain(server, person, { 'x-test-address': address });
    const clients = await Promise.all(['192.0.2.7', '198.51.100.9'].map(signInFrom));
    const guess = async (at: number) =>
      (await clients[at % 2]!.mfa.challengeAndVerify({ factorId, code: '000000' })).error!.status;
    for (let at = 0; at < 10; at++) expect(await guess(at)).toBe(422);
    for (let at = 10; (await guess(at)) !== 429; at++) expect(at).toBeLessThan(20);
    // The wait may be over before the next call of a busy machine.
    await server.db.query("update auth.attempts set blocked_until = now() + interval '1 minute'");
    const { error } = await person.client.mfa.challengeAndVerify({ factorId, code: code() });
    expect(error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    await server.db.query('update auth.attempts set blocked_until = now()');
    await nextStep(server, person);
    expect((await person.client.mfa.challengeAndVerify({ factorId, code: code() })).error).toBeNull();
  });

  it('is limited to five concurrent tries per challenge', async () => {
    const { client, factorId, challengeId } = await newChallenge();
    const headers = await bearer(client);
    const attempt = (code: string) =>
      server.refusal(`/factors/${factorId}/verify`, { json: { challenge_id: challengeId, code }, headers });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => attempt(`00000${at}`)));
    expect(answers.filter(([, code]) => code === 'mfa_verification_failed').length).toBeLessThanOrEqual(5);
    expect(answers.filter(([status]) => status === 200 || status >= 500)).toEqual([]);
  });
});

describe('second factor challenge', () => {
  it('can be verified only from the address that requested it', async () => {
    const { client, factorId, code, challengeId, verify } = await newChallenge();
    const json = { challenge_id: challengeId, code: code() };
    const headers = { ...(await bearer(client)), 'x-test-address': '203.0.113.5' };
    const refused = await server.refusal(`/factors/${factorId}/verify`, { json, headers });
    expect(refused).toEqual([422, 'mfa_ip_address_mismatch']);
    expect(await verify(code())).toBeNull();
  });

  it('expires after five minutes and is deleted', async () => {
    const { code, challengeId, verify } = await newChallenge();
    const age = "update auth.mfa_challenges set created_at = created_at - interval '300 seconds' where id = $1";
    await server.db.query(age, [challengeId]);
    expect(await verify(code())).toMatchObject({ status: 422, code: 'mfa_challenge_expired' });
    expect(await verify(code())).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
  });

  it('is valid for its own factor only', async () => {
    const [mine, { challengeId }] = [await createUserWithApp(server), await newChallenge()];
    const { error } = await mine.client.mfa.verify({ factorId: mine.app.factorId, challengeId, code: mine.app.code() });
    expect(error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
  });
});
