import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { forAllTests } from '../../../../../tests/for-all-tests.ts';
import {
  bearer,
  createUser,
  createUserWithApp,
  enrolled,
  eventsOf,
  openFactorsServer,
  signInAgain,
} from './factors-server.ts';

const server = forAllTests(() => openFactorsServer());

const withCodes = async () => {
  const person = await createUserWithApp(server);
  const { data, error } = await person.client.mfa.recoveryCodes.generate();
  if (error) throw error;
  return { ...person, codes: data.codes, setId: data.id };
};

it('ten recovery codes are created, shown once, counted, and deleted with the account', async () => {
  const { id, client, codes, setId } = await withCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[0-9a-z]{16}$/);
  const { data } = await client.mfa.recoveryCodes.getStatus();
  expect(data).toEqual({ id: setId, type: 'recovery_code', total: 10, remaining: 10 });
  const stored = () => server.rows('select * from auth.recovery_codes where user_id = $1', id);
  for (const code of codes) expect(JSON.stringify(await stored())).not.toContain(code);
  await server.service().admin.deleteUser(id, true);
  expect(await stored()).toEqual([]);
});

it('recovery codes raise a session, each once, in any notation', async () => {
  const person = await withCodes();
  const { codes } = person;
  const lost = await signInAgain(server, person);
  const before = (await lost.getSession()).data.session!;
  const typed = ` ${codes[0]!.toUpperCase().replaceAll('0', 'O').replace(/.{4}/g, '$&-')} `;
  const { data, error } = await lost.mfa.recoveryCodes.verify({ code: typed });
  expect(error).toBeNull();
  const amr = [{ method: 'mfa/recovery_code' }, { method: 'password' }];
  expect(decodeJwt(data!.access_token)).toMatchObject({ aal: 'aal2', amr });
  expect(data!.refresh_token).not.toBe(before.refresh_token);
  expect((await lost.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });
  const again = await (await signInAgain(server, person)).mfa.recoveryCodes.verify({ code: codes[0]! });
  expect(again.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
  // The session can remove the factor of the lost phone.
  expect((await lost.mfa.unenroll({ factorId: person.app.factorId })).error).toBeNull();
  expect((await eventsOf(server, person.id)).filter((event) => event.startsWith('recovery'))).toEqual([
    'recovery_codes_made success',
    'recovery_code_used success',
    'recovery_code_used refused mfa_verification_failed',
  ]);
});

it('a recovery code is accepted for one of ten concurrent uses', async () => {
  const person = await withCodes();
  const headers = await bearer(person.client);
  const json = { code: person.codes[3] };
  const uses = Array.from({ length: 10 }, () => server.call('/factors/recovery-codes/verify', { json, headers }));
  expect((await Promise.all(uses)).map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
});

it('recovery codes are replaced by new ones', async () => {
  const { client, codes, setId } = await withCodes();
  const { data } = await client.mfa.recoveryCodes.regenerate();
  expect(data!.codes).toHaveLength(10);
  expect(data!.id).not.toBe(setId);
  expect((await client.mfa.recoveryCodes.verify({ code: codes[1]! })).error?.code).toBe('mfa_verification_failed');
  expect((await client.mfa.recoveryCodes.generate()).data!.codes).toHaveLength(10);
  expect((await client.mfa.recoveryCodes.verify({ code: data!.codes[1]! })).error).not.toBeNull();
});

it('recovery codes are valid for their own user only', async () => {
  const [mine, theirs] = [await withCodes(), await withCodes()];
  const { error } = await mine.client.mfa.recoveryCodes.verify({ code: theirs.codes[0]! });
  expect(error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
});

it('recovery codes are created only by a session that has verified a factor (TM-06)', async () => {
  const person = await withCodes();
  const { recoveryCodes } = (await signInAgain(server, person)).mfa;
  for (const act of [() => recoveryCodes.generate(), () => recoveryCodes.regenerate(), () => recoveryCodes.unenroll()])
    expect((await act()).error).toMatchObject({ status: 403, code: 'insufficient_aal' });
  expect((await person.client.mfa.recoveryCodes.getStatus()).data).toMatchObject({ remaining: 10 });
});

it('recovery codes require another factor, and are deleted with the last one', async () => {
  const { id, client } = await createUser(server);
  const { recoveryCodes } = client.mfa;
  expect((await recoveryCodes.getStatus()).error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' });
  // With `none=ok`, which our pages send, the response is zeros instead of 404.
  const none = await server.answer('/factors/recovery-codes?none=ok', { headers: await bearer(client) });
  expect(none).toEqual([200, { type: 'recovery_code', total: 0, remaining: 0 }]);
  const guess = await recoveryCodes.verify({ code: '0000-0000-0000-0000' });
  expect(guess.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
  await server.db.query("update auth.sessions set aal = 'aal2' where user_id = $1", [id]);
  expect((await recoveryCodes.generate()).error).toMatchObject({ status: 422, code: 'mfa_recovery_codes_sole_factor' });
  const person = await withCodes();
  const other = await enrolled(person.client, 'Tablet');
  const proof = { factorId: other.factorId, code: other.code() };
  expect((await person.client.mfa.challengeAndVerify(proof)).error).toBeNull();
  await person.client.mfa.unenroll({ factorId: person.app.factorId });
  expect((await person.client.mfa.recoveryCodes.getStatus()).error).toBeNull();
  await person.client.mfa.unenroll({ factorId: other.factorId });
  expect((await person.client.mfa.recoveryCodes.getStatus()).error).toMatchObject({ code: 'mfa_factor_not_found' });
});

it('recovery codes can be deleted', async () => {
  const { client, codes, setId } = await withCodes();
  expect((await client.mfa.recoveryCodes.unenroll()).data).toEqual({ id: setId });
  expect((await client.mfa.recoveryCodes.verify({ code: codes[0]! })).error).not.toBeNull();
  expect((await client.mfa.recoveryCodes.unenroll()).error).toMatchObject({ status: 404 });
  expect((await client.mfa.recoveryCodes.regenerate()).error).toMatchObject({ status: 404 });
});

it('guessing recovery codes is slowed down increasingly', async () => {
  const { client, codes } = await withCodes();
  const guess = async (code: string) => (await client.mfa.recoveryCodes.verify({ code })).error;
  for (let at = 0; at < 10; at++) expect(await guess('0000000000000000')).toMatchObject({ status: 422 });
  await guess('0000000000000000');
  await server.db.query("update auth.attempts set blocked_until = now() + interval '1 minute' where failures = 11");
  expect(await guess(codes[0]!)).toMatchObject({ status: 429, code: 'mfa_recovery_codes_locked' });
  const { client: other, app } = await withCodes();
  expect((await other.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() })).error).toBeNull();
});
