import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../programs/postgres.ts';
import { openRest, type RestServer } from './rest/rest-server.ts';

const SETUP_KEY = 'a-setup-key-for-this-test-only';

describe.each(['the embedded engine', 'PostgreSQL'])('M10 on %s', (engine) => {
  let server: TestPostgres | null = null;
  let api: RestServer;
  let admin: { id: string; token: string };
  let member: { id: string; token: string };
  let other: { id: string; token: string };
  beforeAll(async () => {
    if (engine === 'PostgreSQL') server = await startPostgres();
    api = await openRest({ folder: 'supabase' }, { crowd: true, ...(server && { server: server.url }) });
    other = await api.person();
    member = await api.person('member@example.com');
    admin = await api.person('admin@example.com');
    await api.db.query('select private.set_setup_key($1)', [createHash('sha256').update(SETUP_KEY).digest('hex')]);
    const client = api.client(admin.token, { 'x-setup-key': SETUP_KEY });
    await client.rpc('assign_admin_role', { admin_email: 'admin@example.com' }).throwOnError();
    const { data } = await client.from('projects').insert({ title: 'Lamp', status: 'active' }).select('id').single();
    const row = { project_id: data!.id, user_id: member.id, role: 'Editor', contribution_percentage: 40 };
    await client.from('project_members').insert(row).throwOnError();
  });
  afterAll(async () => {
    await api?.close();
    await server?.stop();
  });

  it('returns the roles to everyone who is signed in, and an empty list to a guest', async () => {
    const roles = (token?: string) => api.client(token).from('roles').select('*');
    expect(await roles()).toMatchObject({ status: 200, data: [] });
    expect(await api.client().from('roles').select('*').eq('name', 'admin')).toMatchObject({ status: 200, data: [] });
    for (const { token } of [other, member, admin])
      expect(await roles(token)).toMatchObject({ status: 200, data: [{ name: 'admin' }] });
    const secret = await api.call('/roles', { headers: { apikey: api.keys.secret } });
    expect(await secret.json()).toMatchObject([{ name: 'admin' }]);
  });

  it('embeds the account of a member as user, with the address only for admins and the member', async () => {
    const users = async (token?: string) => {
      const { status, data } = await api.client(token).from('project_members').select('*,user(email)');
      return { status, users: data?.map(({ user }) => user) };
    };
    expect(await users(admin.token)).toEqual({ status: 200, users: [{ email: 'member@example.com' }] });
    expect(await users(member.token)).toEqual({ status: 200, users: [{ email: 'member@example.com' }] });
    expect(await users(other.token)).toEqual({ status: 200, users: [null] });
    expect(await users()).toEqual({ status: 401, users: undefined });
    // The name of the table works as before.
    const { data } = await api.client(admin.token).from('project_members').select('user:profiles(email)');
    expect(data).toEqual([{ user: { email: 'member@example.com' } }]);
  });
});
