import { expect } from 'vitest';
import { planFor } from '../../../app/features/splits/model/plan.ts';
import { issueOf } from '../../../app/features/splits/model/records.ts';
import { computeSheet } from '../../../app/features/splits/model/sheet.ts';
import { addEvent, as, events, expectError, ok, project, refused, type World, withApp } from './event.ts';
import { type Client, newEmail, PASSWORD } from './site.ts';
import { insertAsAdmin } from './table-rows.ts';

const ISSUED = ['{me} changed a split sheet', '{me} issued a split sheet'];
addEvent('split_sheets.issue', 'admin', ISSUED, async (me, world) => {
  await world.site.service().data.from('site_settings').upsert({ name: 'unallocated_share_to', value: 'The pool' });
  const { id, title } = await project(world);
  const dates = { start_date: '2027-01-10', end_date: '2027-02-20' };
  const draftPlan = planFor({ title, client: null, budget: 1000, ...dates, members: [] }, '2027-01-01');
  const people = draftPlan.people.map((person) => ({ ...person, name: `The ${person.cut}`, input: '1' }));
  const ravi = { cut: 'team' as const, name: 'Ravi', member: null, input: '2' };
  const plan = { ...draftPlan, amount: '1000', people: [...people, ravi] };
  const sheet = await insertAsAdmin(world, 'split_sheets', { project_id: id, plan }, 'id,updated_at');
  const issue = issueOf(computeSheet(plan, null).result!);
  await ok(me.data.rpc('issue_split_sheet', { p_sheet: sheet['id'], p_seen: sheet['updated_at'], p_issue: issue }));
});

/** An issued statement. @returns its id */
async function statement(world: World): Promise<string> {
  const event = events.find(({ kinds }) => kinds.includes('split_sheets.issue'))!;
  const me = await world.admin.again();
  await event.act(me, world, 'admin');
  const { data } = await ok(me.data.from('split_statements').select('id').order('issued_at').limit(500));
  return (data as { id: string }[]).at(-1)!.id;
}
addEvent('split_sheets.pay', 'admin', '{me} marked an instalment as paid', async (me, world) => {
  const call = { p_statement: await statement(world), p_place: 1, p_paid_on: '2026-01-01' };
  await ok(me.data.rpc('mark_instalment', call));
});
addEvent('split_sheets.unpay', 'admin', '{me} marked an instalment as not paid', async (me, world) => {
  const call = { p_statement: await statement(world), p_place: 1 };
  await ok((await world.admin.again()).data.rpc('mark_instalment', { ...call, p_paid_on: '2026-01-01' }));
  await ok(me.data.rpc('mark_instalment', { ...call, p_paid_on: null }));
});
addEvent('account.download', 'member', '{me} downloaded their own data', async (_, { member }) => {
  const me = await member.client();
  await ok(me.data.rpc('own_data'));
  return { me };
});
addEvent('account.delete', 'member', 'A deleted account deleted their own account', async (_, { site }) => {
  const me = await (await site.account()).client();
  await ok(me.data.rpc('delete_account', { p_typed: 'DELETE' }));
  return { me: as(me, 'A deleted account') };
});

const managed =
  (order: object, more: object = {}) =>
  async (me: Client, { site }: World) => {
    const account = await site.account(more);
    expect(await me.invoke('manage-users', { id: account.id, ...order })).toMatchObject({ success: true });
    return { it: account.email };
  };
addEvent('user.ban', 'admin', '{me} banned {it}', managed({ action: 'ban', duration: '24h' }));
addEvent('user.unban', 'admin', '{me} unbanned {it}', managed({ action: 'unban' }, { ban_duration: '24h' }));
addEvent('user.confirm', 'admin', '{me} verified {it}', managed({ action: 'confirm' }, { email_confirm: false }));
addEvent('user.reset_password', 'admin', '{me} sent a reset link to {it}', managed({ action: 'reset_password' }));
addEvent('user.delete', 'admin', '{me} deleted an account', managed({ action: 'delete' }));
addEvent('user.remove_factors', 'admin', '{me} removed the second factors of {it}', async (me, world) => {
  const account = await world.site.account();
  await withApp(await account.client());
  const response = await me.invoke('manage-users', { action: 'remove_factors', id: account.id });
  expect(response).toMatchObject({ success: true, removed: 1 });
  return { it: account.email };
});
addEvent('user.invite', 'admin', '{me} invited {it}', async (me) => {
  const email = newEmail();
  expect(await me.invoke('manage-users', { action: 'invite', email })).toMatchObject({ success: true });
  return { it: email };
});
for (const [action, tried] of [
  ['list', 'list the users'],
  ['invite', 'invite a user'],
  ['ban', 'ban {it}'],
  ['unban', 'unban {it}'],
  ['confirm', 'verify {it}'],
  ['remove_factors', 'remove the second factors of {it}'],
  ['reset_password', 'send a reset link to {it}'],
  ['delete', 'delete {it}'],
  ['unknown', 'use an unknown action on users'],
] as const)
  addEvent(`user.${action}`, 'guest, member, service', refused(tried), async (me, { member }) => {
    const response = await me.invoke('manage-users', { action, id: member.id, email: newEmail() });
    expect(response.error).toBe('Only an admin can manage users.');
    return { it: member.email };
  });
addEvent('user.ban', 'admin', refused('ban {it}'), async (me, { admin }) => {
  const response = await me.invoke('manage-users', { action: 'ban', id: admin.id });
  expect(response).toEqual({ success: false, error: 'You cannot ban yourself.' });
  return { it: admin.email };
});
addEvent('user.verify', 'admin, setup key', '{me} verified {it}', async (me, { site }) => {
  const { email } = await site.account({ email_confirm: false });
  expect(await me.invoke('auto-verify', { email })).toEqual({ success: true, error: null });
  return { it: email };
});
addEvent('user.verify', 'admin', refused('verify an account'), async (me) => {
  const response = await me.invoke('auto-verify', { email: newEmail() });
  expect(response).toEqual({ success: false, error: 'No account has this address' });
});
addEvent('user.verify', 'guest, member, service', refused('verify an account'), async (me, { member }) => {
  const response = await me.invoke('auto-verify', { email: member.email });
  expect(response).toEqual({ success: false, error: 'Only an admin can verify an account.' });
});
const WRONG_KEY = { 'x-setup-key': 'a wrong guess of a setup key' };
addEvent('setup_key.check', 'guest', refused('use the setup key'), async (_, { site }) => {
  const me = site.guest(WRONG_KEY);
  const response = await me.invoke('admin-setup', { email: newEmail(), password: PASSWORD });
  expect(response.error).toContain('Invalid admin key');
  return { me };
});
addEvent('setup_key.check', 'member', refused('use the setup key'), async (_, { member }) => {
  const me = await member.again(WRONG_KEY);
  expect(await me.invoke('admin-setup', { check: true })).toMatchObject({ success: false });
  return { me };
});
const KEY_REFUSED = [refused('use the setup key'), refused('verify an account')];
addEvent('setup_key.check', 'guest', KEY_REFUSED, async (_, { site, member }) => {
  const me = site.guest(WRONG_KEY);
  expect(await me.invoke('auto-verify', { email: member.email })).toMatchObject({ success: false });
  return { me };
});
addEvent('admin_role.assign', 'admin, service', '{me} made {it} an admin', async (me, { site }) => {
  const { email } = await site.account();
  await ok(me.data.rpc('assign_admin_role', { admin_email: email }));
  return { it: email };
});
addEvent('admin_role.assign', 'guest, member', refused('make an account an admin'), async (me, { member }) => {
  await expectError(me.data.rpc('assign_admin_role', { admin_email: member.email }));
});

const SECOND_FACTOR = [
  '{me} turned the second factor for admins on',
  '{me} changed settings: Admins need a second factor',
  '{me} turned the second factor for admins off',
  '{me} reset settings: Admins need a second factor',
];
addEvent('admins_need_second_factor', 'service', SECOND_FACTOR, async (me) => {
  const name = 'admins_need_second_factor';
  await ok(me.data.from('site_settings').insert({ name, value: true }));
  await ok(me.data.from('site_settings').delete().eq('name', name));
});
addEvent('archive.download', 'admin', ['{me} started to download everything'], async (_, { admin }) => {
  const me = await admin.client();
  await ok(me.data.rpc('begin_archive_download'));
  return { me };
});
addEvent('archive.download', 'guest, member', refused('download everything'), async (me) => {
  await expectError(me.data.rpc('begin_archive_download'));
});
addEvent('cleanup.begin', 'guest, member', refused('delete all case studies'), async (me) => {
  await expectError(me.data.rpc('begin_cleanup'));
});
