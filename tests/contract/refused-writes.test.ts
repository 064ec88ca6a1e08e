import { beforeAll, expect, it } from 'vitest';
import { queryAsCaller } from '../../packages/backend/database/run-as-caller.ts';
import { anonymous } from '../../packages/backend/http/caller.ts';
import { openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';
import { shared } from '../two-machines/shared.ts';

const MISSING = 'b0000000-0000-4000-8000-00000000dead';

let member: { id: string; token: string };
let project: string;
let role: string;
const api = forAllTests(() => openRest({ folder: 'supabase' }));
beforeAll(async () => {
  member = await api.person();
  await api.db.query(`insert into public.roles (name) values ('admin') on conflict do nothing`);
  const roles = await api.db.query<{ id: string }>(`select id from public.roles where name = 'admin'`);
  const PLANT = `insert into public.projects (title, status) values ('Theirs', 'active') returning id`;
  const made = await api.db.query<{ id: string }>(PLANT);
  [role, project] = [roles.rows[0]!.id, made.rows[0]!.id];
});

const LINES = `select actor, actor_kind, address::text, action, object, request_id is not null as "hasRequest"
  from public.audit_log where outcome = 'refused' order by id`;
const lines = async () => (await api.db.query<Record<string, unknown>>(LINES)).rows;
const count = async () => (await lines()).length;
const send = (method: string, path: string, json?: object, token?: string) =>
  api.call(path, { method, json, ...(token && { token }) });

it('a refused direct write is logged for every role (C10, L8, PERM-14)', async () => {
  const tried = [
    ['guest', 'POST', 'user_roles', { user_id: member.id, role_id: role }, 401],
    ['user', 'POST', 'user_roles', { user_id: member.id, role_id: role }, 403],
    ['guest', 'POST', 'audit_log', { action: 'made up', outcome: 'done', actor_kind: 'server' }, 401],
    ['user', 'POST', 'roles', { name: 'owner' }, 403],
    ['user', 'POST', 'site_settings', { key: 'x', value: 'y' }, 403],
    ['guest', 'PATCH', `projects?id=eq.${project}`, { title: 'Mine' }, 401],
    ['guest', 'DELETE', `projects?id=eq.${project}`, undefined, 401],
    // Policies hide the row, so the response is as for a missing row.
    ['user', 'PATCH', `projects?id=eq.${project}`, { title: 'Mine' }, 204],
  ] as const;
  for (const [who, method, path, body, status] of tried) {
    const before = await lines();
    const response = await send(method, `/${path}`, body, who === 'user' ? member.token : undefined);
    // The settings table may reject the column names before checking privileges.
    if (path !== 'site_settings') expect([path, response.status]).toEqual([path, status]);
    else if (response.status === 400) continue;
    await expect.poll(count, { message: `${who} ${method} ${path}` }).toBe(before.length + 1);
    const verb = { POST: 'insert', PATCH: 'update', DELETE: 'delete' }[method];
    const actor = who === 'user' ? member.id : null;
    const action = `${path.split('?')[0]}.${verb}`;
    const grant = path === 'user_roles' && { object: expect.stringContaining(member.id) };
    const change = path.includes('id=eq') && { object: project };
    const line = { actor, actor_kind: who, address: '127.0.0.1', action, hasRequest: true, ...grant, ...change };
    expect((await lines()).at(-1)).toMatchObject(line);
  }
});

it('a write is not logged when no row matched, or nothing was refused', async () => {
  const before = await lines();
  for (const [query, change] of [
    [`id=eq.${MISSING}`, { title: 'x' }],
    // Another has changed the row meanwhile.
    [`id=eq.${project}&title=eq.Before`, { title: 'x' }],
    [`id=eq.${project}`, {}],
  ] as const)
    expect((await send('PATCH', `/projects?${query}`, change, member.token)).status).toBe(204);
  const INSERT_OWN = `insert into public.projects (title, status, created_by) values ('Own', 'draft', $1) returning id`;
  const own = await api.db.query<{ id: string }>(INSERT_OWN, [member.id]);
  expect((await send('DELETE', `/projects?id=eq.${own.rows[0]!.id}`, undefined, member.token)).status).toBe(204);
  // A recorded refusal follows, to wait for both.
  await send('DELETE', `/projects?id=eq.${project}`);
  await expect.poll(async () => (await lines()).length).toBe(before.length + 1);
});

// Not with two machines: each process sums up the refusals above the limit.
it.skipIf(shared)(
  'the log receives twenty lines an hour per address, and one more per caller with the rest (C10, M2)',
  async () => {
    for (let n = 0; n < 30; n++) await send('DELETE', `/projects?id=eq.${project}`);
    await expect.poll(async () => (await lines()).length).toBe(20);
    for (let n = 0; n < 3; n++) await send('DELETE', `/projects?id=eq.${project}`, undefined, member.token);
    await api.rest.close();
    const REFUSALS = `select actor, actor_kind, address, reason from public.audit_log where action = 'writes.refused' order by actor nulls first`;
    const { rows } = await api.db.query<{ reason: string }>(REFUSALS);
    const more = expect.stringMatching(/^\d+ more refused$/);
    const guest = { actor: null, actor_kind: 'guest', address: '127.0.0.1', reason: more };
    const user = { actor: member.id, actor_kind: 'user', address: '127.0.0.1', reason: '3 more refused' };
    expect(rows).toEqual([guest, user]);
    expect(Number.parseInt(rows[0]!.reason, 10)).toBeGreaterThanOrEqual(18);
  },
);

it('a hundred refused calls block the procedure for their address only, and refusals of others are recorded (C10)', async () => {
  const { db } = api;
  const call = async (address: string) => {
    const request = { method: 'POST', path: '/rpc/assign_admin_role', headers: {}, origin: { address, id: 'one' } };
    const text = `select public.assign_admin_role('someone@example.com') as answer, current_setting('response.status', true) as status`;
    const { rows } = await queryAsCaller<{ status: string }>(db, anonymous, request, { text }, { readOnly: false });
    return Number(rows[0]!.status);
  };
  for (let n = 0; n < 100; n++) expect(await call('192.0.2.1')).toBe(403);
  expect(await call('192.0.2.1')).toBe(429);
  expect(await call('192.0.2.2')).toBe(403);
  const ASSIGNMENTS = `select 1 from public.audit_log where action = 'admin_role.assign' and address = '192.0.2.2'`;
  const { rows } = await db.query(ASSIGNMENTS);
  expect(rows).toHaveLength(1);
});
