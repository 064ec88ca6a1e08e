import { randomUUID } from 'node:crypto';
import { hash as bcrypt } from '@node-rs/bcrypt';
import type { GenerateLinkParams } from '@supabase/auth-js';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { type AuthServer, bearer, GUEST, newEmail, openAuthServer, PASSWORD, signedIn, WIDE } from './auth-server.ts';

const server = forAllTests(() => openAuthServer(WIDE));
const admin = () => server.service().admin;

const created = async (more: object = {}) => {
  const { data, error } = await admin().createUser({ email: newEmail(), password: PASSWORD, ...more });
  if (error) throw error;
  return data.user;
};

describe('managing accounts with the service key (AUTH-18)', () => {
  it('is refused to all other callers', async () => {
    const { id, session } = await signedIn(server);
    expect((await fetch(`${server.url}/admin/users`)).status).toBe(401);
    for (const headers of [{}, bearer(server.keys.publishable), bearer(session.access_token)])
      for (const endpoint of ['GET', 'POST', `GET /${id}`, `PUT /${id}`, `DELETE /${id}`]) {
        const [method, path = ''] = endpoint.split(' ');
        expect(await server.refusal(`/admin/users${path}`, { method, headers }), method).toEqual([403, 'not_admin']);
      }
    expect((await server.call('/admin/users', { headers: bearer(`${server.keys.secret}x`) })).status).toBe(403);
  });

  it('creates accounts without e-mails, confirmed on request', async () => {
    const user = await created({ email_confirm: true, user_metadata: { name: 'Ada' }, app_metadata: { team: 'red' } });
    const metadata = { user_metadata: { name: 'Ada' }, app_metadata: { team: 'red', provider: 'email' } };
    expect(user).toMatchObject({ email_confirmed_at: expect.any(String), ...metadata });
    expect(await server.signInError(user.email!)).toBeNull();
    const waiting = await created();
    expect(waiting.email_confirmed_at).toBeUndefined();
    expect(await server.signInError(waiting.email!)).toBe('email_not_confirmed');
    await expect(server.lastEmailTo(waiting.email!)).rejects.toThrow('No e-mail');
  });

  it('rejects invalid accounts', async () => {
    const { email } = await created();
    const hash = await bcrypt(PASSWORD, 4);
    const expensive = '$argon2id$v=19$m=999999,t=3,p=1$YWJjZGVmZ2hpams$YWJjZGVmZ2hpamtsbW5vcA';
    for (const [fields, status, code] of [
      [{ email }, 422, 'email_exists'],
      [{ password: '123456' }, 422, 'weak_password'],
      [{ email: '' }, 400, 'validation_failed'],
      [{ role: 'service_role' }, 400, 'validation_failed'],
      [{ ban_duration: 'soon' }, 400, 'validation_failed'],
      [{ password_hash: 'md5' }, 400, 'validation_failed'],
      [{ password_hash: `$2a$31$${hash.slice(7)}` }, 400, 'validation_failed'],
      [{ password_hash: expensive }, 400, 'validation_failed'],
      [{ password_hash: hash, password: PASSWORD }, 400, 'validation_failed'],
      [{ id: '00000000-0000-0000-0000-000000000000' }, 400, 'validation_failed'],
      [{ id: 'me' }, 400, 'validation_failed'],
      [{ aud: 'other' }, 400, 'validation_failed'],
      [{ phone: 'call me' }, 400, 'validation_failed'],
    ] as [object, number, string][]) {
      const { error } = await admin().createUser({ email: newEmail(), ...fields });
      expect(error, JSON.stringify(fields)).toMatchObject({ status, code });
    }
    expect((await admin().createUser({ id: GUEST, email: newEmail() })).error).toMatchObject({ status: 422 });
    expect((await admin().getUserById(randomUUID())).error).toMatchObject({ status: 404, code: 'user_not_found' });
    expect((await server.call('/admin/users/me', { headers: { apikey: server.keys.secret } })).status).toBe(404);
  });

  it('lists users by page', async () => {
    for (let made = 0; made < 5; made++) await created();
    const first = await admin().listUsers({ page: 1, perPage: 2 });
    if (first.error) throw first.error;
    expect(first.data.users).toHaveLength(2);
    expect(first.data).toMatchObject({ nextPage: 2, aud: 'authenticated' });
    const last = await admin().listUsers({ page: first.data.lastPage, perPage: 2 });
    if (last.error) throw last.error;
    expect(last.data.nextPage).toBeNull();
    expect((first.data.lastPage - 1) * 2 + last.data.users.length).toBe(first.data.total);
  });

  it('changes accounts immediately, and ends sessions after a new password or a ban', async () => {
    const { client: person, id } = await signedIn(server);
    const email = newEmail();
    const change = { email, user_metadata: { name: 'Ada' }, app_metadata: { team: 'red' } };
    const { user } = (await admin().updateUserById(id, change)).data;
    expect(user).toMatchObject({ ...change, app_metadata: { team: 'red', provider: 'email' } });
    expect(user!.identities![0]!.identity_data).toMatchObject({ email });
    expect((await person.getUser()).error).toBeNull();
    await admin().updateUserById(id, { password: 'another bicycle' });
    expect((await person.getUser()).error?.name).toBe('AuthSessionMissingError');
    await person.signInWithPassword({ email, password: 'another bicycle' });
    await admin().updateUserById(id, { ban_duration: '1h30m' });
    expect((await person.getUser()).error?.code).toBe('user_banned');
    expect(await server.signInError(email, 'another bicycle')).toBe('user_banned');
    expect(await server.signInError(email, 'a guess')).toBe('invalid_credentials');
    await admin().updateUserById(id, { ban_duration: 'none' });
    expect(await server.signInError(email, 'another bicycle')).toBeNull();
    expect((await admin().updateUserById(id, { email: (await created()).email! })).error?.code).toBe('email_exists');
  });

  it('deletes accounts, or soft-deletes their personal data', async () => {
    const [gone, hidden] = [await signedIn(server), await created({ email_confirm: true })];
    expect((await admin().deleteUser(gone.id)).error).toBeNull();
    expect((await gone.client.getUser()).error?.code).toBe('user_not_found');
    expect((await admin().deleteUser(gone.id)).error?.code).toBe('user_not_found');
    expect((await admin().deleteUser(hidden.id, true)).error).toBeNull();
    const rows = await server.rows('select * from auth.users where id = $1', hidden.id);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(hidden.email);
    expect((await admin().deleteUser(hidden.id)).error).toBeNull();
    expect((await server.client().signUp({ email: hidden.email!, password: PASSWORD })).error).toBeNull();
  });

  it('does not remove the last admin', async () => {
    const only = await created({ email_confirm: true });
    const sql = "insert into public.user_roles (user_id, role_id) select $1, id from public.roles where name = 'admin'";
    await server.db.query(sql, [only.id]);
    expect((await admin().deleteUser(only.id)).error).toMatchObject({ status: 409, code: 'conflict' });
    expect((await admin().updateUserById(only.id, { ban_duration: '24h' })).error).toMatchObject({ status: 409 });
    expect((await admin().getUserById(only.id)).error).toBeNull();
  });

  it('accepts phone numbers as a unique sign-in name', async () => {
    const digits = `49${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
    const { data } = await admin().createUser({ phone: `+${digits}`, password: PASSWORD, phone_confirm: true });
    const contact = { phone: digits, email: '', phone_confirmed_at: expect.any(String) };
    const app_metadata = { provider: 'phone', providers: ['phone'] };
    expect(data.user).toMatchObject({ ...contact, app_metadata, identities: [{ provider: 'phone' }] });
    expect((await admin().createUser({ phone: digits })).error).toMatchObject({ status: 422, code: 'phone_exists' });
    const other = await created();
    expect((await admin().updateUserById(other.id, { phone: digits })).error).toMatchObject({ code: 'phone_exists' });
    const another = String(Number(digits) + 1);
    const change = { phone: another, phone_confirm: true, email_confirm: true };
    const changed = await admin().updateUserById(other.id, change);
    const confirmed = { phone_confirmed_at: expect.any(String), email_confirmed_at: expect.any(String) };
    const both = { provider: 'email', providers: ['email', 'phone'] };
    expect(changed.data.user).toMatchObject({ ...confirmed, phone: another, app_metadata: both });
    const none = await admin().createUser({ email: newEmail(), phone_confirm: true });
    expect(none.data.user!.phone_confirmed_at).toBeUndefined();
  });

  it('accepts ids and imported password hashes of common cost', async () => {
    const id = '11111111-1111-1111-1111-111111111111';
    const hash = await bcrypt(PASSWORD, 4);
    const { data } = await admin().createUser({ id, email: newEmail(), password_hash: hash, email_confirm: true });
    expect(data.user!.id).toBe(id);
    const email = data.user!.email!;
    expect(await server.signInError(email, 'a guess')).not.toBeNull();
    expect(await server.signInError(email)).toBeNull();
    expect((await admin().createUser({ id, email: newEmail() })).error).toMatchObject({ status: 422 });
  });

  it('accepts concurrent sign-ins while an imported hash is rehashed', async () => {
    const email = newEmail();
    const account = { email, password_hash: await bcrypt(PASSWORD, 12), email_confirm: true };
    expect((await admin().createUser(account)).error).toBeNull();
    const signIn = () => server.signInError(email);
    // The first sign-in replaces the hash while the others are still compared with the old one.
    expect(await signIn()).toBeNull();
    expect(await Promise.all([signIn(), signIn()])).toEqual([null, null]);
    await server.settled();
    const kind = 'select left(encrypted_password, 7) as kind from auth.users where email = $1';
    expect(await server.rows(kind, email)).toEqual([{ kind: '$argon2' }]);
  });

  it('stores user_metadata unchanged, and writes its own claims to identities only', async () => {
    const phone = `4917${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
    const user = await created({ user_metadata: { a: 1 } });
    expect(user.user_metadata).toEqual({ a: 1 });
    const unverified = { email_verified: false, phone_verified: false };
    expect(user.identities![0]!.identity_data).toEqual({ sub: user.id, email: user.email, ...unverified });
    const email = newEmail();
    const change = { email, phone, phone_confirm: true, user_metadata: { b: 2 } };
    expect((await admin().updateUserById(user.id, change)).data.user!.user_metadata).toEqual({ a: 1, b: 2 });
    const { identities } = (await admin().getUserById(user.id)).data.user!;
    expect(identities!.map(({ identity_data }) => identity_data)).toMatchObject([
      { sub: user.id, email },
      { sub: user.id, phone, phone_verified: true },
    ]);
    // As in the hosted service, a confirmed address sets this field.
    const confirmed = await created({ email_confirm: true, user_metadata: { a: 1 } });
    expect(confirmed.user_metadata).toEqual({ a: 1, email_verified: true });
    expect(await metadataOf('invite')).toEqual({ a: 1 });
    expect(await metadataOf('signup')).toEqual({ a: 1 });
    const invited = await admin().inviteUserByEmail(newEmail(), { data: { a: 1 } });
    expect(invited.data.user!.user_metadata).toEqual({ a: 1 });

    // A sign-up copies the address into the metadata, so the copy is updated.
    const signedUp = (await server.client().signUp({ email: newEmail(), password: PASSWORD })).data.user!;
    const newNumber = { phone: `${phone}1`.slice(1), phone_confirm: true };
    const followed = await admin().updateUserById(signedUp.id, { email: newEmail(), ...newNumber });
    expect(followed.data.user!.user_metadata).toMatchObject({ email: followed.data.user!.email, phone_verified: true });

    async function metadataOf(type: 'invite' | 'signup') {
      const link = { type, email: newEmail(), password: PASSWORD, options: { data: { a: 1 } } } as GenerateLinkParams;
      return (await admin().generateLink(link)).data.user!.user_metadata;
    }
  });

  it('merges metadata, deletes keys set to null, and treats providers as read-only', async () => {
    const user = await created({ user_metadata: { a: 1, b: 2 }, app_metadata: { team: 'red', keep: true } });
    const user_metadata = { a: null, c: { d: [1] } };
    const app_metadata = { team: null, provider: 'none', providers: [] };
    const { data } = await admin().updateUserById(user.id, { user_metadata, app_metadata });
    expect(data.user).toMatchObject({ user_metadata: { b: 2, c: { d: [1] } } });
    expect(data.user!.user_metadata).not.toHaveProperty('a');
    expect(data.user!.app_metadata).toEqual({ keep: true, provider: 'email', providers: ['email'] });
    expect((await admin().getUserById(user.id)).error).toBeNull();
  });

  it('finds users by address, name, number in any notation, and id; lists newest first', async () => {
    const name = `Zora ${randomUUID()}`;
    const phone = `49170555${String(Math.floor(Math.random() * 1e4)).padStart(4, '0')}`;
    const older = await created({ user_metadata: { name } });
    const newer = await created({ user_metadata: { full_name: name.toUpperCase() }, phone });
    const find = async (filter: string) => {
      const query = new URLSearchParams({ page: '', per_page: '', filter });
      const answer = await server.call(`/admin/users?${query}`, { headers: { apikey: server.keys.secret } });
      return ((await answer.json()) as { users: { id: string }[] }).users.map(({ id }) => id);
    };
    expect(await find(older.email!)).toEqual([older.id]);
    expect(await find(name.toLowerCase())).toEqual([newer.id, older.id]);
    expect(await find(older.id.toUpperCase())).toEqual([older.id]);
    expect(await find(`+${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`)).toEqual([newer.id]);
    for (const filter of ['_', '%', "' or true --", '\\', '---'])
      expect([filter, await find(filter)]).toEqual([filter, []]);
  });

  it('rejects invalid page parameters', async () => {
    const headers = { apikey: server.keys.secret };
    for (const query of ['page=0', 'page=-1', 'page=x', 'per_page=1.5', 'page=99999999'])
      expect(await server.refusal(`/admin/users?${query}`, { headers }), query).toEqual([400, 'validation_failed']);
    expect((await admin().listUsers({ page: 100_000, perPage: 50 })).data.users).toEqual([]);
  });

  it('accepts a service_role token only with JWT_SECRET, and only while its session exists', async () => {
    const JWT_SECRET = 'the secret of an operator, long enough';
    const key = (claims: object = {}, header: object = {}, secret = JWT_SECRET) =>
      new SignJWT({ role: 'service_role', ...claims })
        .setProtectedHeader({ alg: 'HS256', ...header })
        .setExpirationTime('1h')
        .sign(Buffer.from(secret));
    const request = async (of: AuthServer, token: string) =>
      (await of.call('/admin/users', { headers: bearer(token) })).status;
    expect(await request(server, await key())).toBe(403);
    await using legacy = await openAuthServer(WIDE, { environment: { JWT_SECRET }, db: server.db });
    expect(await request(legacy, await key())).toBe(200);
    for (const wrong of [
      key({ role: 'authenticated', sub: randomUUID() }),
      key({ role: 'anon' }),
      key({}, { kid: legacy.keys.signing[0]!.kid }),
      key({}, { alg: 'HS512' }, JWT_SECRET.repeat(2)),
      key({}, {}, `${JWT_SECRET}!`),
      key({ session_id: randomUUID(), sub: randomUUID() }),
    ])
      expect(await request(legacy, await wrong)).toBe(403);
  });

  it('returns the audit log newest first, by page, to holders of the service key alone', async () => {
    const user = await created();
    await admin().updateUserById(user.id, { ban_duration: '1h', user_metadata: { a: 1 } });
    await admin().deleteUser(user.id, true);
    const request = (query: string, key = server.keys.secret) =>
      server.call(`/admin/audit?${query}`, { headers: { apikey: key } });
    const answer = await request(`query=object:${user.id}`);
    const rows = (await answer.json()) as { payload: Record<string, unknown>; ip_address: string }[];
    expect(rows.map(({ payload }) => [payload['action'], payload['reason']])).toEqual([
      ['user_deleted', 'soft'],
      ['user_modified', 'user_metadata ban'],
      ['user_created', null],
    ]);
    expect(Object.keys(rows[0]!).sort()).toEqual(['created_at', 'id', 'ip_address', 'payload']);
    expect(rows[0]!.ip_address).toBe('192.0.2.1');
    expect(JSON.stringify(rows)).not.toContain(user.email);
    const one = await request(`page=2&per_page=1&query=object:${user.id}`);
    expect(one.headers.get('x-total-count')).toBe('3');
    expect(one.headers.get('link')).toContain('?page=3&per_page=1>; rel="next"');
    expect(((await one.json()) as typeof rows)[0]!.payload['action']).toBe('user_modified');
    expect(((await (await request('query=user_modified')).json()) as unknown[]).length).toBeGreaterThan(0);
    expect(await (await request('query=action:nothing%25')).json()).toEqual([]);
    for (const query of ['query=payload:x', 'query=__proto__:x', 'page=x'])
      expect((await request(query)).status).toBe(400);
    expect((await request('', server.keys.publishable)).status).toBe(403);
  });
});
