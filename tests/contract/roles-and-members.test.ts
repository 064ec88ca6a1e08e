import { beforeAll, expect, it } from 'vitest';
import { openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';

let admin: { id: string; token: string };
let member: { id: string; token: string };
let other: { id: string; token: string };
const api = forAllTests(() => openRest({ folder: 'supabase' }, { crowd: true }));
beforeAll(async () => {
  other = await api.person();
  member = await api.person('member@example.com');
  admin = await api.admin();
  const client = api.client(admin.token);
  const { data } = await client.from('projects').insert({ title: 'Lamp', status: 'active' }).select('id').single();
  const row = { project_id: data!.id, user_id: member.id, role: 'Editor', contribution_percentage: 40 };
  await client.from('project_members').insert(row).throwOnError();
});

it('returns the roles to every signed-in user, and an empty list to a guest (M10)', async () => {
  const roles = (token?: string) => api.client(token).from('roles').select('*');
  expect(await roles()).toMatchObject({ status: 200, data: [] });
  expect(await api.client().from('roles').select('*').eq('name', 'admin')).toMatchObject({ status: 200, data: [] });
  for (const { token } of [other, member, admin])
    expect(await roles(token)).toMatchObject({ status: 200, data: [{ name: 'admin' }, { name: 'editor' }] });
  const secret = await api.call('/roles', { headers: { apikey: api.keys.secret } });
  expect(await secret.json()).toMatchObject([{ name: 'admin' }, { name: 'editor' }]);
});

it('embeds the account of a member as user, with the address only for admins and the member (M10)', async () => {
  const users = async (token?: string) => {
    const { status, data } = await api.client(token).from('project_members').select('*,user(email)');
    return { status, users: data?.map(({ user }) => user) };
  };
  expect(await users(admin.token)).toEqual({ status: 200, users: [{ email: 'member@example.com' }] });
  expect(await users(member.token)).toEqual({ status: 200, users: [{ email: 'member@example.com' }] });
  expect(await users(other.token)).toEqual({ status: 200, users: [null] });
  expect(await users()).toEqual({ status: 401, users: undefined });
  const { data } = await api.client(admin.token).from('project_members').select('user:profiles(email)');
  expect(data).toEqual([{ user: { email: 'member@example.com' } }]);
});
