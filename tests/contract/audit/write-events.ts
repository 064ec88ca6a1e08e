import { expect } from 'vitest';
import { addEvent, ok, refused } from './event.ts';
import { TABLES, write } from './table-rows.ts';

write('projects.insert', 'guest, member, creator, admin, service', '{me} created {it}');
write('projects.update', 'admin, service', '{me} changed {it}');
write('projects.update', 'guest, member, creator', refused('change {it}'));
write('projects.delete', 'creator, admin, service', '{me} deleted {it}');
write('projects.delete', 'guest, member', refused('delete {it}'));

write('project_media.insert', 'admin, service', '{me} added media: {it}');
write('project_media.insert', 'guest, member, creator', refused('add media'));
write('project_media.update', 'admin, service', '{me} changed media: {it}');
write('project_media.update', 'guest, member, creator', refused('change media: {it}'));
write('project_media.delete', 'admin, service', '{me} deleted media: {it}');
write('project_media.delete', 'guest, member, creator', refused('delete media: {it}'));

write('project_members.insert', 'admin, service', '{me} added a team member: {it}');
write('project_members.insert', 'guest, member', refused('add a team member'));
write('project_members.update', 'admin, service', '{me} changed a team member: {it}');
write('project_members.update', 'guest, member', refused('change a team member: {it}'));
write('project_members.delete', 'admin, service', '{me} removed a team member: {it}');
write('project_members.delete', 'guest, member', refused('remove a team member: {it}'));

write('case_study_metadata.insert', 'admin, service', '{me} added texts, category or tags to {it}');
write('case_study_metadata.insert', 'guest, member', refused('add texts, category or tags to a project'));
write('case_study_metadata.update', 'admin, service', '{me} changed texts, category or tags of {it}');
write('case_study_metadata.update', 'guest, member', refused('change texts, category or tags of {it}'));
write('case_study_metadata.delete', 'admin, service', '{me} deleted the texts of {it}');
write('case_study_metadata.delete', 'guest, member', refused('delete the texts of {it}'));

write('project_budgets.insert', 'guest, member, admin', refused('hide a budget'));
write('project_budgets.update', 'guest, member, admin', refused('change a hidden budget'));
write('project_budgets.delete', 'admin, service', '{me} removed the hidden budget of {it}');
write('project_budgets.delete', 'guest, member', refused('remove a hidden budget'));

write('review_notes.insert', 'admin', '{me} added a private note');
write('review_notes.insert', 'guest, member', refused('add a private note'));
write('review_notes.update', 'guest, member, admin', refused('change a private note'));
write('review_notes.delete', 'admin', '{me} deleted a private note');
write('review_notes.delete', 'guest, member', refused('delete a private note'));
write('reply_templates.insert', 'admin', '{me} added a reply template');
write('reply_templates.insert', 'guest, member', refused('add a reply template'));
write('reply_templates.update', 'admin', '{me} changed a reply template');
write('reply_templates.update', 'guest, member', refused('change a reply template'));
write('reply_templates.delete', 'admin', '{me} deleted a reply template');
write('reply_templates.delete', 'guest, member', refused('delete a reply template'));

write('webhooks.insert', 'admin', '{me} added a webhook');
write('webhooks.insert', 'guest, member', refused('add a webhook'));
write('webhooks.update', 'admin', '{me} changed a webhook');
write('webhooks.update', 'guest, member', refused('change a webhook'));
write('webhooks.delete', 'admin', '{me} deleted a webhook');
write('webhooks.delete', 'guest, member', refused('delete a webhook'));
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

write('split_sheets.insert', 'admin', '{me} started a split sheet');
write('split_sheets.insert', 'guest, member', refused('start a split sheet'));
write('split_sheets.update', 'admin', '{me} changed a split sheet');
write('split_sheets.update', 'guest, member', refused('change a split sheet'));
write('split_sheets.delete', 'admin', '{me} deleted a split sheet');
write('split_sheets.delete', 'guest, member', refused('delete a split sheet'));

write('contact_messages.insert', 'guest, member, admin', refused('add a message'));
write('contact_messages.update', 'admin', '{me} marked the message from {it}');
write('contact_messages.update', 'guest, member', refused('mark a message'));
addEvent(
  'contact_messages.start_project',
  'admin',
  ['{me} created “Enquiry from {it}”', '{me} started a project from the message from {it}'],
  async (me, world) => {
    const { filter, it } = await TABLES['contact_messages']!.row(world, true);
    await ok(me.data.rpc('start_project', { p_message: filter['id'] }));
    return { it };
  },
);
write('contact_messages.delete', 'admin', '{me} deleted a message');
write('contact_messages.delete', 'guest, member', refused('delete a message'));

write('roles.insert', 'admin, service', '{me} added the role {it}');
write('roles.insert', 'guest, member', refused('add a role'));
write('roles.update', 'service', '{me} changed the role {it}');
write('roles.update', 'guest, member, admin', refused('change a role'));
write('roles.delete', 'service', '{me} deleted a role');
write('roles.delete', 'guest, member, admin', refused('delete a role'));
write('user_roles.insert', 'admin, service', '{me} gave the role {role} to {it}');
write('user_roles.insert', 'guest, member', refused('give a role'));
write('user_roles.update', 'guest, member, admin', refused('change a role'));
write('user_roles.delete', 'admin, service', '{me} took the role {role} from {it}');
write('user_roles.delete', 'guest, member', refused('take a role away'));

write('site_settings.insert', 'admin, service', '{me} changed settings: {it}');
write('site_settings.insert', 'guest, member', refused('change settings'));
write('site_settings.update', 'admin, service', '{me} changed settings: {it}');
write('site_settings.update', 'guest, member', refused('change settings'));
write('site_settings.delete', 'admin, service', '{me} reset settings: {it}');
write('site_settings.delete', 'guest, member', refused('change settings'));
write('site_pages.insert', 'admin, service', '{me} changed a legal page: {it}');
write('site_pages.insert', 'guest, member', refused('change a legal page'));
write('site_pages.update', 'admin, service', '{me} changed a legal page: {it}');
write('site_pages.update', 'guest, member', refused('change a legal page'));
write('site_pages.delete', 'admin, service', '{me} reset a legal page: {it}');
write('site_pages.delete', 'guest, member', refused('change a legal page'));
