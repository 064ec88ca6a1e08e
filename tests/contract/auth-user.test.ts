import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type House, openHouse, openTestDatabase, WIDE } from './auth-house.ts';

const PASSWORD = 'tangerine bicycle';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
/** Confirmations off: whoever signs up is in. */
let open: House;

beforeAll(async () => {
  database = await openTestDatabase();
  open = await openHouse(database.db, WIDE);
});
afterAll(async () => {
  await open?.close();
  await database?.close();
});

const anyone = () => `${randomUUID()}@example.com`;

async function signedUp(house = open, email = anyone()) {
  const client = house.client();
  const { data, error } = await client.signUp({ email, password: PASSWORD });
  if (error) throw error;
  return { client, email, user: data.user!, session: data.session! };
}

describe('the signed-in user', () => {
  it('is read afresh and may change its own metadata only (AUTH-13, AUTH-23)', async () => {
    const { client, user } = await signedUp();
    await client.updateUser({ data: { email_confirmed: true, name: 'Ada', role: 'service_role' } });
    const removed = await client.updateUser({ data: { name: null } });
    expect(removed.data.user!.user_metadata).toMatchObject({ email_confirmed: true });
    expect(removed.data.user!.user_metadata).not.toHaveProperty('name');
    expect(removed.data.user!.role).toBe('authenticated');
    const { rows } = await database.db.query<{ role: string }>('select role from auth.users where id = $1', [user.id]);
    expect(rows[0]!.role).toBe('authenticated');
    expect((await client.getUser()).data.user!.user_metadata['email_confirmed']).toBe(true);
  });

  it('cannot confirm itself by saying so (AUTH-23)', async () => {
    const { client, user } = await signedUp();
    await database.db.query('update auth.users set email_confirmed_at = null where id = $1', [user.id]);
    const { data } = await client.updateUser({ data: { email_confirmed: true, email_verified: true } });
    expect(data.user!.email_confirmed_at).toBeUndefined();
    const again = await open.client().signInWithPassword({ email: user.email!, password: PASSWORD });
    expect(again.error).toMatchObject({ code: 'email_not_confirmed', message: 'Email not confirmed' });
  });

  it('may not touch app_metadata, and is told that an address cannot be changed here', async () => {
    const { session, client } = await signedUp();
    const response = await open.call('/user', {
      method: 'PUT',
      headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ app_metadata: { admin: true } }),
    });
    expect([response.status, await response.json()]).toMatchObject([403, { error_code: 'not_admin' }]);
    const { error } = await client.updateUser({ email: anyone() });
    expect(error).toMatchObject({ status: 422, code: 'feature_disabled' });
  });

  it('changes its password, which ends its other sessions at once', async () => {
    const { client, email } = await signedUp();
    const other = open.client();
    await other.signInWithPassword({ email, password: PASSWORD });
    expect((await client.updateUser({ password: PASSWORD })).error).toMatchObject({ code: 'same_password' });
    expect((await client.updateUser({ password: 'iloveyou' })).error).toMatchObject({ code: 'weak_password' });
    expect((await client.updateUser({ password: 'another bicycle' })).error).toBeNull();
    expect((await client.getUser()).error).toBeNull();
    expect((await client.refreshSession()).error).toBeNull();
    expect((await other.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await open.client().signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
      'invalid_credentials',
    );
    expect((await open.client().signInWithPassword({ email, password: 'another bicycle' })).error).toBeNull();
  });

  it('needs a recent sign-in or its current password for a new one', async () => {
    const { client, session, user } = await signedUp();
    await database.db.query("update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1", [
      user.id,
    ]);
    expect((await client.updateUser({ password: 'another bicycle' })).error).toMatchObject({
      code: 'reauthentication_needed',
    });
    const put = (body: object) =>
      open.call('/user', {
        method: 'PUT',
        headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const wrong = await put({ password: 'another bicycle', current_password: 'guess' });
    expect(await wrong.json()).toMatchObject({ error_code: 'current_password_invalid' });
    expect((await put({ password: 'another bicycle', current_password: PASSWORD })).status).toBe(200);
  });
});
