import { randomInt, randomUUID } from 'node:crypto';
import type { GoTrueClient } from '@supabase/auth-js';
import { describe, expect, it } from 'vitest';
import { engines } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { type AuthServer, openAuthServer, PASSWORD, WIDE } from './auth-server.ts';
import { enrolled, fullClient } from './factors/factors-server.ts';

const SETTINGS = `${WIDE}enable_confirmations = true
secure_password_change = true
[auth]
enable_anonymous_sign_ins = true
[auth.mfa.totp]
enroll_enabled = true
verify_enabled = true
[auth.sms]
enable_signup = true
enable_confirmations = true
max_frequency = "0s"
[auth.sms.test_otp]
"15550100" = "246810"
`;

interface Line {
  action: string;
  outcome: string;
  actor_id: string | null;
  actor_role: string | null;
  object_id: string | null;
  session_id: string | null;
  reason: string | null;
  request_id: string;
}

/** A client with its own address, which identifies its log lines. */
interface Visitor {
  address: string;
  email: string;
  client: GoTrueClient;
  call: AuthServer['call'];
}

describe.each(engines)('audit log of the identity service with $name', (engine) => {
  const secrets = new Set<string>([PASSWORD]);
  let visitors = 0;

  const server = forAllTests(() => openAuthServer(SETTINGS, { engine }));

  function visitor(email = `${randomUUID()}@example.com`): Visitor {
    const address = `198.51.100.${++visitors}`;
    const from = { 'x-test-address': address };
    return {
      address,
      email,
      client: fullClient(server, from),
      call: (path, init = {}) => server.call(path, { ...init, headers: { ...from, ...init.headers } }),
    };
  }
  const asService = (who: Visitor, path: string, method: string, json?: object) =>
    who.call(path, {
      method,
      headers: { apikey: server.keys.secret },
      ...(json ? { body: JSON.stringify(json) } : {}),
    });
  /** Waits for the expected number of lines about a visitor, because some are recorded after the response. */
  async function lines({ address }: Pick<Visitor, 'address'>, expected = 1): Promise<Line[]> {
    for (let waited = 0; ; waited += 20) {
      await server.settled();
      const { rows } = await server.db.query<{ payload: Line }>(
        'select payload from auth.audit_log_entries where ip_address = $1 order by created_at, id',
        [address],
      );
      if (rows.length >= expected || waited > 60_000) return rows.map(({ payload }) => payload);
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  const eventsOf = async (who: Visitor, expected?: number) =>
    (await lines(who, expected)).map(({ action, outcome, reason }) =>
      [action, outcome, reason].filter(Boolean).join(' '),
    );
  async function account(more: object = {}): Promise<Visitor & { id: string }> {
    const person = visitor();
    const { data, error } = await server
      .service()
      .admin.createUser({ email: person.email, password: PASSWORD, email_confirm: true, ...more });
    if (error) throw error;
    return { ...person, id: data.user.id };
  }
  async function signedIn() {
    const person = await account();
    const { data, error } = await person.client.signInWithPassword({ email: person.email, password: PASSWORD });
    if (error) throw error;
    secrets.add(data.session.access_token).add(data.session.refresh_token);
    return { ...person, token: data.session.access_token };
  }
  async function lastEmailTo(email: string) {
    const message = await server.lastEmailTo(email);
    if (message.tokenHash) secrets.add(message.tokenHash);
    return message;
  }

  it('records sign-ups, sign-ins, failures and sign-outs', async () => {
    const person = visitor();
    const { email, client } = person;
    await client.signUp({ email, password: PASSWORD });
    await client.signInWithPassword({ email, password: PASSWORD });
    const { tokenHash } = await lastEmailTo(email);
    const { data } = await client.verifyOtp({ token_hash: tokenHash, type: 'signup' });
    await client.verifyOtp({ token_hash: tokenHash, type: 'signup' });
    await client.signUp({ email, password: PASSWORD });
    await client.signInWithPassword({ email, password: 'a guess' });
    await client.signInWithPassword({ email, password: PASSWORD });
    await client.signOut();
    expect(await eventsOf(person, 8)).toEqual([
      'user_signedup success',
      'login refused email_not_confirmed',
      'user_confirmed success',
      'verify refused link',
      'user_repeated_signup refused',
      'login refused invalid_credentials',
      'login success',
      'logout success global',
    ]);
    const all = await lines(person);
    const { id } = data.user!;
    expect(all.filter(({ outcome }) => outcome === 'success').map(({ actor_id: actor }) => actor)).toEqual(
      Array(4).fill(id),
    );
    expect(all.at(-1)!.session_id).toMatch(/^[0-9a-f-]{36}$/);
    for (const { request_id: request } of all) expect(request).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('records sign-ins without a password: anonymous, by link, by code, by message', async () => {
    const anonymous = visitor();
    await anonymous.client.signInAnonymously();
    expect(await eventsOf(anonymous, 1)).toEqual(['user_signedup success']);

    const person = await account();
    await person.client.signInWithOtp({ email: person.email });
    const { code } = await lastEmailTo(person.email);
    await person.client.verifyOtp({
      email: person.email,
      token: code === '000000' ? '000001' : '000000',
      type: 'email',
    });
    await person.client.verifyOtp({ email: person.email, token: code, type: 'email' });
    await person.client.resetPasswordForEmail(person.email);
    const { tokenHash } = await lastEmailTo(person.email);
    await person.client.verifyOtp({ token_hash: tokenHash, type: 'recovery' });
    expect(await eventsOf(person, 5)).toEqual([
      'user_code_requested success',
      'verify refused code',
      'login success',
      'user_recovery_requested success',
      'user_recovered success',
    ]);

    const caller = visitor();
    await caller.client.signInWithOtp({ phone: '+15550100' });
    await eventsOf(caller);
    await caller.client.verifyOtp({ phone: '+15550100', token: '246810', type: 'sms' });
    expect(await eventsOf(caller, 2)).toEqual([
      expect.stringMatching(/^user_(signedup|code_requested) success$/),
      'login success',
    ]);

    const prober = visitor();
    await prober.client.resetPasswordForEmail(`${randomUUID()}@example.com`);
    await prober.client.signInWithOtp({ email: `${randomUUID()}@example.com`, options: { shouldCreateUser: false } });
    expect((await eventsOf(prober, 2)).sort()).toEqual([
      'user_code_requested refused',
      'user_recovery_requested refused',
    ]);
  });

  it('records a reused refresh token, and one of a banned user', async () => {
    const person = await signedIn();
    const { data } = await person.client.refreshSession();
    const stale = data.session!.refresh_token;
    secrets.add(stale);
    await person.client.refreshSession();
    await person.client.refreshSession();
    await server.db.script("update auth.refresh_tokens set updated_at = now() - interval '1 minute' where revoked");
    await person.call('/token?grant_type=refresh_token', { json: { refresh_token: stale } });
    expect((await eventsOf(person)).at(-1)).toBe('token_reused refused');

    const banned = await signedIn();
    const { data: held } = await banned.client.getSession();
    await server.db.query("update auth.users set banned_until = now() + interval '1 hour' where id = $1", [banned.id]);
    await banned.call('/token?grant_type=refresh_token', { json: { refresh_token: held.session!.refresh_token } });
    await banned.client.getUser(banned.token);
    expect((await eventsOf(banned, 3)).slice(1)).toEqual([
      'token_refreshed refused user_banned',
      'request refused user_banned GET /auth/v1/user',
    ]);
    expect((await lines(banned)).map(({ actor_id: actor }) => actor)).toEqual(Array(3).fill(banned.id));
  });

  it('records every change of password and address, and failed attempts', async () => {
    const person = await signedIn();
    const { client } = person;
    await client.updateUser({ password: 'another bicycle', current_password: 'a guess' } as never);
    await client.reauthenticate();
    const { code } = await lastEmailTo(person.email);
    await client.updateUser({ password: 'another bicycle', nonce: code === '000000' ? '000001' : '000000' });
    await client.updateUser({ password: 'another bicycle', nonce: code });
    const email = `${randomUUID()}@example.com`;
    await client.updateUser({ email });
    for (const address of [person.email, email]) {
      const { tokenHash } = await lastEmailTo(address);
      await client.verifyOtp({ token_hash: tokenHash, type: 'email_change' });
    }
    expect((await eventsOf(person, 9)).slice(1)).toEqual([
      'request refused current_password_invalid PUT /auth/v1/user',
      'user_reauthentication_requested success',
      'user_reauthenticated refused',
      'user_reauthenticated success',
      'password_changed success',
      'email_change_requested success',
      'email_change_agreed success',
      'email_changed success',
    ]);
    secrets.add('another bicycle');
  });

  it('records second factors, failed codes and calls that required one', async () => {
    const person = await signedIn();
    const app = await enrolled(person.client);
    secrets.add(app.secret);
    const { data: challenge } = await person.client.mfa.challenge({ factorId: app.factorId });
    const wrong = app.code() === '000000' ? '000001' : '000000';
    await person.client.mfa.verify({ factorId: app.factorId, challengeId: challenge!.id, code: wrong });
    await person.client.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
    await person.call('/user', {
      method: 'PUT',
      body: JSON.stringify({ email: 'new@example.com' }),
      headers: { authorization: `Bearer ${await weak(person)}` },
    });
    await person.client.mfa.unenroll({ factorId: app.factorId });
    const all = (await eventsOf(person, 8)).filter((line) => !line.startsWith('login'));
    expect(all).toEqual([
      'factor_begun success totp',
      'factor_challenged success totp',
      'factor_verified refused mfa_verification_failed',
      'factor_challenged success totp',
      'factor_added success totp',
      'request refused insufficient_aal PUT /auth/v1/user',
      'factor_removed success totp',
    ]);
  });

  async function weak({ email }: Visitor): Promise<string> {
    const { data } = await server.client().signInWithPassword({ email, password: PASSWORD });
    return data.session!.access_token;
  }

  it('records the actions of holders of the service key, and the affected users', async () => {
    const office = visitor();
    const made = await asService(office, '/admin/users', 'POST', { email: `${randomUUID()}@example.com` });
    const { id, email } = (await made.json()) as { id: string; email: string };
    await asService(office, '/invite', 'POST', { email: `${randomUUID()}@example.com` });
    await asService(office, '/admin/generate_link', 'POST', { type: 'magiclink', email });
    await asService(office, `/admin/users/${id}`, 'PUT', {
      email_confirm: true,
      password: PASSWORD,
      ban_duration: '1h',
      app_metadata: { team: 'red' },
    });
    await asService(office, `/admin/users/${id}`, 'PUT', { ban_duration: 'none' });
    await asService(office, `/admin/users/${id}`, 'DELETE', { should_soft_delete: true });
    const other = await account();
    await asService(office, `/admin/users/${other.id}`, 'DELETE');
    expect(await eventsOf(office)).toEqual([
      'user_created success',
      'user_invited success',
      'link_generated success magiclink',
      'user_modified success email_confirm password app_metadata ban',
      'user_modified success unban',
      'user_deleted success soft',
      'user_deleted success hard',
    ]);
    expect(new Set((await lines(office)).map(({ actor_role }) => actor_role))).toEqual(new Set(['service_role']));
    const objects = (await lines(office)).map(({ object_id: object }) => object);
    expect([objects[0], objects[2], objects[3], objects[5], objects[6]]).toEqual([id, id, id, id, other.id]);
  });

  it('records requests for objects of other users, with the kind of token', async () => {
    const person = await signedIn();
    const bearer = { authorization: `Bearer ${person.token}` };
    await person.call('/admin/users', { headers: bearer });
    await person.call(`/admin/users/${randomUUID()}`, { headers: bearer, method: 'DELETE' });
    await person.call('/user', { method: 'PUT', body: '{"app_metadata":{"role":"admin"}}', headers: bearer });
    await person.call('/user', { headers: { authorization: `Bearer ${person.token.slice(0, -6)}AAAAAA` } });
    await person.call('/user', { headers: { authorization: `Bearer ${server.keys.publishable}` } });
    const all = (await lines(person, 5)).slice(1);
    // Lines are recorded after the responses, so their order may differ.
    expect(all.map(({ reason, actor_id: actor }) => `${reason} by ${actor}`).sort()).toEqual([
      // A forged token identifies no user; an API key instead of a token is not recorded.
      'bad_jwt GET /auth/v1/user by null',
      `not_admin DELETE /auth/v1/admin/users/:id by ${person.id}`,
      `not_admin GET /auth/v1/admin/users by ${person.id}`,
      `not_admin PUT /auth/v1/user by ${person.id}`,
    ]);
  });

  it('records a refused removal of the last admin', async () => {
    const admin = await account();
    const office = visitor();
    await server.db.query(
      "insert into public.user_roles (user_id, role_id) select $1, id from public.roles where name = 'admin'",
      [admin.id],
    );
    await asService(office, `/admin/users/${admin.id}`, 'DELETE');
    expect(await eventsOf(office)).toEqual(['request refused conflict DELETE /auth/v1/admin/users/:id']);
  });

  it('records a reached limit once per window', async () => {
    const strict = await openAuthServer('[auth.rate_limit]\nsign_in_sign_ups = 3\n', { db: server.db });
    const address = `203.0.113.${++visitors}`;
    for (let time = 0; time < 20; time++)
      await strict.call('/token?grant_type=password', {
        json: { email: `${randomInt(1e9)}@example.com`, password: 'a guess' },
        headers: { 'x-test-address': address },
      });
    const all = await lines({ address }, 4);
    expect(all.filter(({ action }) => action === 'request').map(({ reason }) => reason)).toEqual([
      'over_request_rate_limit POST /auth/v1/token',
    ]);
    expect(all).toHaveLength(4);
    await strict.close();
  });

  it('contains no passwords, tokens, codes or addresses', async () => {
    const { rows } = await server.db.query<{ text: string }>(
      'select payload::text as text from auth.audit_log_entries',
    );
    expect(rows.length).toBeGreaterThan(40);
    const all = rows.map(({ text }) => text).join('\n');
    expect(secrets.size).toBeGreaterThan(10);
    for (const secret of secrets) expect(all).not.toContain(secret);
    expect(all).not.toContain('@');
    expect(all).not.toMatch(/eyJ|sb_secret|\b\d{6}\b/);
  });
});
