import { expect } from 'vitest';
import { addEvent, ok, refused, type World } from './event.ts';
import { TABLES, write } from './table-rows.ts';

const STAFF = 'admin, service';
const TEXTS = 'texts, category or tags';

/** A write of these roles, which is refused to guests and members. @param tried words of the refusal */
function writeWithRole(kind: string, by: string, done: string, tried: string) {
  write(kind, by, done);
  write(kind, 'guest, member', refused(tried));
}

write('projects.insert', 'guest, member, creator, admin, service', '{me} created {it}');
write('projects.update', 'admin, service', '{me} changed {it}');
write('projects.update', 'guest, member, creator', refused('change {it}'));
writeWithRole('projects.delete', 'creator, admin, service', '{me} deleted {it}', 'delete {it}');

write('project_media.insert', 'admin, service', '{me} added media: {it}');
write('project_media.insert', 'guest, member, creator', refused('add media'));
write('project_media.update', 'admin, service', '{me} changed media: {it}');
write('project_media.update', 'guest, member, creator', refused('change media: {it}'));
write('project_media.delete', 'admin, service', '{me} deleted media: {it}');
write('project_media.delete', 'guest, member, creator', refused('delete media: {it}'));

writeWithRole('project_members.insert', STAFF, '{me} added a team member: {it}', 'add a team member');
writeWithRole('project_members.update', STAFF, '{me} changed a team member: {it}', 'change a team member: {it}');
writeWithRole('project_members.delete', STAFF, '{me} removed a team member: {it}', 'remove a team member: {it}');

writeWithRole('case_study_metadata.insert', STAFF, `{me} added ${TEXTS} to {it}`, `add ${TEXTS} to a project`);
writeWithRole('case_study_metadata.update', STAFF, `{me} changed ${TEXTS} of {it}`, `change ${TEXTS} of {it}`);
writeWithRole('case_study_metadata.delete', STAFF, '{me} deleted the texts of {it}', 'delete the texts of {it}');

write('project_budgets.insert', 'guest, member, admin', refused('hide a budget'));
write('project_budgets.update', 'guest, member, admin', refused('change a hidden budget'));
writeWithRole('project_budgets.delete', STAFF, '{me} removed the hidden budget of {it}', 'remove a hidden budget');

writeWithRole('review_notes.insert', 'admin', '{me} added a private note', 'add a private note');
write('review_notes.update', 'guest, member, admin', refused('change a private note'));
writeWithRole('review_notes.delete', 'admin', '{me} deleted a private note', 'delete a private note');
writeWithRole('reply_templates.insert', 'admin', '{me} added a reply template', 'add a reply template');
writeWithRole('reply_templates.update', 'admin', '{me} changed a reply template', 'change a reply template');
writeWithRole('reply_templates.delete', 'admin', '{me} deleted a reply template', 'delete a reply template');

writeWithRole('webhooks.insert', 'admin', '{me} added a webhook', 'add a webhook');
writeWithRole('webhooks.update', 'admin', '{me} changed a webhook', 'change a webhook');
writeWithRole('webhooks.delete', 'admin', '{me} deleted a webhook', 'delete a webhook');
addEvent('webhooks.secret', 'admin', '{me} made a new secret for a webhook', async (me, world) => {
  const { filter } = await TABLES['webhooks']!.row(world, true);
  const secrets = [
    await me.invoke('webhook-secret', filter),
    await (await world.admin.again()).invoke('webhook-secret', filter),
  ];
  const one = expect.objectContaining({ success: true, secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) });
  expect(secrets).toEqual([one, one]);
  expect(secrets[0]).not.toEqual(secrets[1]);
  const refusal = { success: false, error: 'Only an admin can make a secret. Nothing was changed.' };
  expect(await (await world.member.again()).invoke('webhook-secret', filter)).toMatchObject(refusal);
});

async function testedWebhook(world: World) {
  const { filter } = await TABLES['webhooks']!.row(world, true);
  const other = await world.admin.again();
  await other.invoke('webhook-secret', filter);
  const call = { p_webhook: filter['id'] };
  await ok(other.data.rpc('test_webhook', call));
  const deliveries = other.data.from('webhook_deliveries').select('id').eq('webhook_id', filter['id']);
  const { data } = await deliveries.single().throwOnError();
  return { call, again: { p_delivery: data['id'] } };
}
addEvent('webhooks.test', 'admin', '{me} tested a webhook', async (me, world) =>
  ok(me.data.rpc('test_webhook', (await testedWebhook(world)).call)),
);
addEvent('webhooks.redeliver', 'admin', '{me} sent an event of a webhook again', async (me, world) =>
  ok(me.data.rpc('redeliver_webhook', (await testedWebhook(world)).again)),
);

writeWithRole('split_sheets.insert', 'admin', '{me} started a split sheet', 'start a split sheet');
writeWithRole('split_sheets.update', 'admin', '{me} changed a split sheet', 'change a split sheet');
writeWithRole('split_sheets.delete', 'admin', '{me} deleted a split sheet', 'delete a split sheet');

write('contact_messages.insert', 'guest, member, admin', refused('add a message'));
writeWithRole('contact_messages.update', 'admin', '{me} marked the message from {it}', 'mark a message');
const STARTED = ['{me} created “Enquiry from {it}”', '{me} started a project from the message from {it}'];
addEvent('contact_messages.start_project', 'admin', STARTED, async (me, world) => {
  const { filter, it } = await TABLES['contact_messages']!.row(world, true);
  await ok(me.data.rpc('start_project', { p_message: filter['id'] }));
  return { it };
});
writeWithRole('contact_messages.delete', 'admin', '{me} deleted a message', 'delete a message');

writeWithRole('roles.insert', 'admin, service', '{me} added the role {it}', 'add a role');
write('roles.update', 'service', '{me} changed the role {it}');
write('roles.update', 'guest, member, admin', refused('change a role'));
write('roles.delete', 'service', '{me} deleted a role');
write('roles.delete', 'guest, member, admin', refused('delete a role'));
writeWithRole('user_roles.insert', 'admin, service', '{me} gave the role {role} to {it}', 'give a role');
write('user_roles.update', 'guest, member, admin', refused('change a role'));
writeWithRole('user_roles.delete', 'admin, service', '{me} took the role {role} from {it}', 'take a role away');

writeWithRole('site_settings.insert', 'admin, service', '{me} changed settings: {it}', 'change settings');
writeWithRole('site_settings.update', 'admin, service', '{me} changed settings: {it}', 'change settings');
writeWithRole('site_settings.delete', 'admin, service', '{me} reset settings: {it}', 'change settings');
writeWithRole('site_pages.insert', 'admin, service', '{me} changed a legal page: {it}', 'change a legal page');
writeWithRole('site_pages.update', 'admin, service', '{me} changed a legal page: {it}', 'change a legal page');
writeWithRole('site_pages.delete', 'admin, service', '{me} reset a legal page: {it}', 'change a legal page');
