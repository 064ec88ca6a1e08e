import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type House, openHouse, openTestDatabase, WIDE } from './auth-house.ts';

const PASSWORD = 'tangerine bicycle';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let house: House;

beforeAll(async () => {
  database = await openTestDatabase();
  house = await openHouse(database.db, WIDE);
});
afterAll(async () => {
  await house?.close();
  await database?.close();
});

const anyone = () => `${randomUUID()}@example.com`;
const created = async (more: object = {}) => {
  const { data, error } = await house.service().admin.createUser({ email: anyone(), password: PASSWORD, ...more });
  if (error) throw error;
  return data.user;
};

describe('managing accounts with the service key (AUTH-18: its users)', () => {
  it('is refused to everybody else', async () => {
    const user = await created({ email_confirm: true });
    const person = house.client();
    const { data } = await person.signInWithPassword({ email: user.email!, password: PASSWORD });
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    expect((await fetch(`${house.url}/admin/users`)).status).toBe(401);
    for (const init of [{}, bearer(house.keys.publishable), bearer(data.session!.access_token)]) {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', `/${user.id}`],
        ['PUT', `/${user.id}`],
        ['DELETE', `/${user.id}`],
      ]) {
        const response = await house.call(`/admin/users${path}`, { ...init, method: method! });
        expect([method, response.status, await response.json()]).toMatchObject([
          method,
          403,
          { error_code: 'not_admin' },
        ]);
      }
    }
    const forged = await house.call('/admin/users', bearer(`${house.keys.secret}x`));
    expect(forged.status).toBe(403);
    expect((await house.call(`/admin/users?apikey=${house.keys.secret}`)).status).toBe(403);
  });

  it('makes accounts without mails, confirmed when told so', async () => {
    const user = await created({ email_confirm: true, user_metadata: { name: 'Ada' }, app_metadata: { team: 'red' } });
    expect(user).toMatchObject({
      email_confirmed_at: expect.any(String),
      user_metadata: { name: 'Ada' },
      app_metadata: { team: 'red', provider: 'email' },
    });
    expect((await house.client().signInWithPassword({ email: user.email!, password: PASSWORD })).error).toBeNull();
    const waiting = await created();
    expect(waiting.email_confirmed_at).toBeUndefined();
    expect((await house.client().signInWithPassword({ email: waiting.email!, password: PASSWORD })).error?.code).toBe(
      'email_not_confirmed',
    );
    await house.settled();
    await expect(house.letterTo(waiting.email!)).rejects.toThrow('No mail');
  });

  it('refuses what cannot be', async () => {
    const { email } = await created();
    const { admin } = house.service();
    expect((await admin.createUser({ email: email! })).error).toMatchObject({ status: 422, code: 'email_exists' });
    expect((await admin.createUser({})).error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await admin.createUser({ email: anyone(), role: 'service_role' })).error).toMatchObject({
      code: 'validation_failed',
    });
    expect((await admin.createUser({ email: anyone(), ban_duration: 'soon' })).error).toMatchObject({
      code: 'validation_failed',
    });
    expect((await admin.createUser({ email: anyone(), password: '123456' })).error).toMatchObject({
      code: 'weak_password',
    });
    expect((await admin.createUser({ email: anyone(), password_hash: 'md5' })).error).toMatchObject({
      code: 'validation_failed',
    });
    expect((await admin.getUserById(randomUUID())).error).toMatchObject({ status: 404, code: 'user_not_found' });
    expect((await house.call('/admin/users/me', { headers: { apikey: house.keys.secret } })).status).toBe(404);
  });

  it('lists page by page, and finds by address', async () => {
    for (let made = 0; made < 5; made++) await created();
    const { admin } = house.service();
    const first = await admin.listUsers({ page: 1, perPage: 2 });
    if (first.error) throw first.error;
    expect(first.data.users).toHaveLength(2);
    expect(first.data).toMatchObject({ nextPage: 2, aud: 'authenticated' });
    const last = await admin.listUsers({ page: first.data.lastPage, perPage: 2 });
    if (last.error) throw last.error;
    expect(last.data.nextPage).toBeNull();
    expect((first.data.lastPage - 1) * 2 + last.data.users.length).toBe(first.data.total);
    const everybody = await admin.listUsers({ page: 1, perPage: 1000 });
    expect(everybody.data.users.map(({ id }) => id)).not.toContain('00000000-0000-4000-8000-000000000001');

    const wanted = everybody.data.users[0]!;
    const found = await house.call(`/admin/users?filter=${wanted.email}`, { headers: { apikey: house.keys.secret } });
    expect(((await found.json()) as { users: { id: string }[] }).users.map(({ id }) => id)).toEqual([wanted.id]);
    const wildcard = await house.call('/admin/users?filter=%25%25', { headers: { apikey: house.keys.secret } });
    expect(((await wildcard.json()) as { users: unknown[] }).users).toEqual([]);
  });

  it('changes accounts at once, and a new password or a ban ends their sessions', async () => {
    const user = await created({ email_confirm: true });
    const { admin } = house.service();
    const person = house.client();
    await person.signInWithPassword({ email: user.email!, password: PASSWORD });
    const email = anyone();
    const changed = await admin.updateUserById(user.id, {
      email,
      user_metadata: { name: 'Ada' },
      app_metadata: { team: 'red' },
    });
    expect(changed.data.user).toMatchObject({
      email,
      user_metadata: { name: 'Ada', email },
      app_metadata: { team: 'red', provider: 'email' },
    });
    expect(changed.data.user!.identities![0]!.identity_data).toMatchObject({ email });
    expect((await person.getUser()).error).toBeNull();
    await admin.updateUserById(user.id, { password: 'another bicycle' });
    expect((await person.getUser()).error?.name).toBe('AuthSessionMissingError');
    await person.signInWithPassword({ email, password: 'another bicycle' });
    await admin.updateUserById(user.id, { ban_duration: '1h30m' });
    expect((await person.getUser()).error?.code).toBe('user_banned');
    expect((await house.client().signInWithPassword({ email, password: 'another bicycle' })).error?.code).toBe(
      'user_banned',
    );
    expect((await house.client().signInWithPassword({ email, password: 'a guess' })).error?.code).toBe(
      'invalid_credentials',
    );
    await admin.updateUserById(user.id, { ban_duration: 'none' });
    expect((await house.client().signInWithPassword({ email, password: 'another bicycle' })).error).toBeNull();
    expect((await admin.updateUserById(user.id, { email: (await created()).email! })).error?.code).toBe('email_exists');
  });

  it('removes accounts, or what they say about anybody', async () => {
    const [gone, hidden] = [await created({ email_confirm: true }), await created({ email_confirm: true })];
    const { admin } = house.service();
    const person = house.client();
    await person.signInWithPassword({ email: gone.email!, password: PASSWORD });
    expect((await admin.deleteUser(gone.id)).error).toBeNull();
    expect((await person.getUser()).error?.code).toBe('user_not_found');
    expect((await admin.deleteUser(gone.id)).error?.code).toBe('user_not_found');
    expect((await admin.deleteUser(hidden.id, true)).error).toBeNull();
    const { rows } = await database.db.query('select * from auth.users where id = $1', [hidden.id]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(hidden.email);
    expect((await house.client().signUp({ email: hidden.email!, password: PASSWORD })).error).toBeNull();
  });

  it('leaves the guest account and the last admin alone', async () => {
    const { admin } = house.service();
    const guest = '00000000-0000-4000-8000-000000000001';
    expect((await admin.updateUserById(guest, { password: PASSWORD, ban_duration: 'none' })).error?.code).toBe(
      'user_not_found',
    );
    expect((await admin.deleteUser(guest)).error?.code).toBe('user_not_found');
    const only = await created({ email_confirm: true });
    await database.db.query(
      "insert into public.user_roles (user_id, role_id) select $1, id from public.roles where name = 'admin'",
      [only.id],
    );
    expect((await admin.deleteUser(only.id)).error).toMatchObject({ status: 409, code: 'conflict' });
    expect((await admin.updateUserById(only.id, { ban_duration: '24h' })).error).toMatchObject({ status: 409 });
    expect((await admin.getUserById(only.id)).error).toBeNull();
  });
});
