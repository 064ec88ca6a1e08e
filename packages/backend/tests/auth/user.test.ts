import { describe, expect, it } from 'vitest';
import { noteConfirmed } from '../../../../app/features/account/model/account.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { bearer, newEmail, openAuthServer, outdateSessions, PASSWORD, signedUp, WIDE, wrong } from './auth-server.ts';

/** Confirmations off: a sign-up returns a session. */
const open = forAllTests(() => openAuthServer(WIDE));

describe('signed-in user', () => {
  it('is read from the database, and may change only their own metadata (AUTH-13, AUTH-23)', async () => {
    const { client, user } = await signedUp(open);
    await noteConfirmed(client);
    await client.updateUser({ data: { name: 'Ada', role: 'service_role' } });
    const removed = await client.updateUser({ data: { name: null } });
    expect(removed.data.user!.user_metadata).not.toHaveProperty('name');
    expect(removed.data.user!.role).toBe('authenticated');
    expect(await open.rows('select role from auth.users where id = $1', user.id)).toEqual([{ role: 'authenticated' }]);
    const { data } = await client.getUser();
    expect(data.user).toMatchObject({ user_metadata: { email_confirmed: true }, has_password: true });
  });

  it('may store as much metadata as fits into a token, in any number of requests', async () => {
    const { client } = await signedUp(open);
    const some = 'x'.repeat(4000);
    for (const data of [{ first: some }, { second: some }])
      expect((await client.updateUser({ data })).error).toBeNull();
    const refused = await client.updateUser({ data: { third: some } });
    expect(refused.error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await client.getUser()).data.user!.user_metadata).not.toHaveProperty('third');
    const { data, error } = await client.updateUser({ data: { first: null, third: some } });
    expect(error).toBeNull();
    expect(data.user!.user_metadata).toMatchObject({ second: some, third: some });
    expect((await client.refreshSession()).data.session!.access_token.length).toBeLessThan(14_000);
  });

  it('cannot set their own confirmation (AUTH-23)', async () => {
    const { client, user } = await signedUp(open);
    await open.db.query('update auth.users set email_confirmed_at = null where id = $1', [user.id]);
    await noteConfirmed(client);
    const { data } = await client.updateUser({ data: { email_verified: true } });
    expect(data.user!.user_metadata).toMatchObject({ email_confirmed: true, email_verified: true });
    expect(data.user!.email_confirmed_at).toBeUndefined();
    expect(await open.signInError(user.email!)).toBe('email_not_confirmed');
  });

  it('changes the password, which ends other sessions immediately', async () => {
    const { client, email } = await signedUp(open);
    const other = open.client();
    await other.signInWithPassword({ email, password: PASSWORD });
    expect((await client.updateUser({ password: PASSWORD })).error).toMatchObject({ code: 'same_password' });
    expect((await client.updateUser({ password: 'iloveyou' })).error).toMatchObject({ code: 'weak_password' });
    expect((await client.updateUser({ password: 'another bicycle' })).error).toBeNull();
    expect((await client.getUser()).error).toBeNull();
    expect((await client.refreshSession()).error).toBeNull();
    expect((await other.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect(await open.signInError(email)).toBe('invalid_credentials');
    expect(await open.signInError(email, 'another bicycle')).toBeNull();
  });

  it('needs a recent sign-in or the current password for a new password', async () => {
    const { client, session, user } = await signedUp(open);
    await outdateSessions(open, user.id);
    const password = 'another bicycle';
    expect((await client.updateUser({ password })).error?.code).toBe('reauthentication_needed');
    const init = { method: 'PUT', headers: bearer(session.access_token) };
    const put = (current_password: string) => open.call('/user', { json: { password, current_password }, ...init });
    expect(await (await put('guess')).json()).toMatchObject({ error_code: 'current_password_invalid' });
    expect((await put(PASSWORD)).status).toBe(200);
  });

  it('needs the second factor for address, number and password, once there is one', async () => {
    const { client, user } = await signedUp(open);
    const insert = `insert into auth.mfa_factors (user_id, factor_type, status, secret, friendly_name)
      values ($1, 'totp', 'verified', 'x', 'App')`;
    await open.db.query(insert, [user.id]);
    for (const change of [{ password: 'another bicycle' }, { email: newEmail() }])
      expect((await client.updateUser(change)).error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    expect((await client.updateUser({ data: { name: 'Ada' } })).error).toBeNull();
    await open.db.query("update auth.sessions set aal = 'aal2' where user_id = $1", [user.id]);
    expect((await client.updateUser({ password: 'another bicycle' })).error).toBeNull();
  });

  it('receives an emailed code for a new password, with five guesses and one use (AUTH-14)', async () => {
    const { client, user, email } = await signedUp(open);
    const nonceFor = async () => {
      expect((await client.reauthenticate()).error).toBeNull();
      return (await open.lastEmailTo(email)).code;
    };
    await outdateSessions(open, user.id);
    const first = await nonceFor();
    const invalid = wrong(first);
    const guess = (nonce: string) => client.updateUser({ password: 'another bicycle', nonce });
    for (const nonce of [invalid, '', 'nonsense'])
      expect((await guess(nonce)).error?.code).toBe(nonce ? 'reauthentication_not_valid' : 'reauthentication_needed');
    const oldPassword = await client.updateUser({ password: PASSWORD, nonce: invalid });
    expect(oldPassword.error?.code, 'confirms no guess at the password').toBe('reauthentication_not_valid');
    await Promise.all(Array.from({ length: 5 }, () => guess(invalid)));
    const refused = { status: 422, code: 'reauthentication_not_valid', message: 'Nonce has expired or is invalid' };
    expect((await guess(first)).error).toMatchObject(refused);
    const second = await nonceFor();
    expect((await Promise.all([guess(second), guess(second)])).filter(({ error }) => error === null)).toHaveLength(1);
    expect(await open.signInError(email, 'another bicycle')).toBeNull();
  });

  it('makes guesses across codes for a new password wait (TM-05)', async () => {
    const { client, user } = await signedUp(open);
    await outdateSessions(open, user.id);
    const guess = async () => (await client.updateUser({ password: 'another bicycle', nonce: '000000' })).error?.status;
    expect((await Array.fromAsync(Array(16), guess)).join(' ')).toMatch(/^(422 ){11,}429/);
  });

  it('cannot use another user’s code, or a code that was sent for another purpose', async () => {
    const mine = await signedUp(open);
    const theirs = await signedUp(open);
    for (const { client, user } of [mine, theirs]) {
      await client.reauthenticate();
      await outdateSessions(open, user.id);
    }
    const { code } = await open.lastEmailTo(theirs.email);
    const stolen = await mine.client.updateUser({ password: 'another bicycle', nonce: code });
    if (code !== (await open.lastEmailTo(mine.email)).code)
      expect(stolen.error?.code).toBe('reauthentication_not_valid');
    const { error } = await open.client().verifyOtp({ email: theirs.email, token: code, type: 'email' });
    expect(error?.code).toBe('otp_expired');
  });

  it('needs a code besides the old password where the project requires it', async () => {
    await using strict = await openAuthServer(`${WIDE}\nsecure_password_change = true\n`, { db: open.db });
    const { client, user, session } = await signedUp(strict);
    await outdateSessions(strict, user.id);
    const json = { password: 'another bicycle', current_password: PASSWORD };
    const refused = await strict.refusal('/user', { method: 'PUT', json, headers: bearer(session.access_token) });
    expect(refused).toEqual([400, 'reauthentication_needed']);
    await client.reauthenticate();
    const { code } = await strict.lastEmailTo(user.email!);
    expect((await client.updateUser({ password: 'another bicycle', nonce: code })).error).toBeNull();
  });

  it('needs a reauthentication code only with a confirmed address', async () => {
    const { client, user } = await signedUp(open);
    await open.db.query('update auth.users set email_confirmed_at = null where id = $1', [user.id]);
    expect((await client.reauthenticate()).error).toMatchObject({ status: 422, code: 'email_not_confirmed' });
    expect((await open.call('/reauthenticate')).status).toBe(401);
  });

  it.each([
    ['PUT', '/user', { email: 'nonsense' }],
    ['PUT', '/user', { email: 5 }],
    ['PUT', '/user', { data: 'text' }],
    ['PUT', '/user', { data: { a: '\u732b'.repeat(3000) } }],
    ['PUT', '/user', { email: 'a@example.com', code_challenge: 'x' }],
    ['PUT', '/user', { password: 'x'.repeat(600) }],
    ['POST', '/verify', { type: 'email', token: 5, email: 'a@example.com' }],
    ['POST', '/otp', { email: ['a@example.com'] }],
    ['POST', '/otp', { email: 'a@example.com', data: { '\u0000': 1 } }],
  ])('%s %s rejects %j with an error code', async (method, path, json) => {
    const headers = bearer((await signedUp(open)).session.access_token);
    expect(await open.refusal(path, { method, json, headers })).toEqual([400, 'validation_failed']);
  });
});
