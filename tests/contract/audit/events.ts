import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { URI } from 'otpauth';
import { expect } from 'vitest';
import { planFor } from '../../../app/features/splits/model/plan.ts';
import { issueOf } from '../../../app/features/splits/model/records.ts';
import { computeSheet } from '../../../app/features/splits/model/sheet.ts';
import type { Issuer } from '../../../packages/backend/tests/auth/providers/peers.ts';
import { newEmployee, postResponse } from '../../../packages/backend/tests/auth/providers/saml/company.ts';
import type { IdentityProvider } from '../../../packages/backend/tests/auth/providers/saml/identity-provider.ts';
import type { SmsReceiver } from '../../../packages/backend/tests/auth/sms-receiver.ts';
import { png } from '../../../packages/backend/tests/storage/files.ts';
import { type Account, type Client, newEmail, PASSWORD, type Site } from './site.ts';

/** Callers that a line can name. `setup key` is a guest who sends the key; `creator` owns the draft. */
export type Role = 'guest' | 'member' | 'creator' | 'admin' | 'service' | 'setup key' | 'server';

export interface World {
  site: Site;
  admin: Account;
  member: Account;
  creator: Account;
  google: Issuer;
  acme: IdentityProvider;
  sms: SmsReceiver;
}

/** Values for `{it}` and `{role}` in the expected sentences, and the caller if it differs from the given one. */
export interface Known {
  me?: Client;
  it?: string;
  role?: string;
}

export interface AuditEvent {
  kinds: string[];
  by: Role[];
  /** Lines of the call, oldest first, as the screen shows them; `{me}` is the caller. */
  templates: string[];
  /** @returns `Known`, if needed */
  act(me: Client, world: World, role: Role): Promise<unknown>;
}

export const events: AuditEvent[] = [];
/**
 * Registers an event.
 * @param kinds expected kinds of lines, separated by spaces
 * @param by roles, separated by commas
 */
const addEvent = (kinds: string, by: string, templates: string | string[], act: AuditEvent['act']) =>
  events.push({ kinds: kinds.split(' '), by: by.split(', ') as Role[], templates: [templates].flat(), act });
const refused = (tried: string) => `{me} tried to ${tried} and was refused`;

const as = (me: Client, name: string): Client => ({ ...me, name });

let count = 0;
const newTitle = () => `Lamp ${++count}`;
const quoted = (title: string) => `“${title}”`;
const newSecret = () => randomBytes(32).toString('base64url');

async function ok<Answer extends { error: unknown }>(call: PromiseLike<Answer>): Promise<Answer> {
  const response = await call;
  if (response.error) throw Object.assign(new Error(JSON.stringify(response.error)), { cause: response.error });
  return response;
}

async function expectError(call: PromiseLike<{ error: unknown }>): Promise<void> {
  expect((await call).error).toBeTruthy();
}

async function project(world: World, more: object = {}): Promise<{ id: string; title: string }> {
  const row = { title: newTitle(), status: 'active', ...more };
  const { data } = await ok(world.site.service().data.from('projects').insert(row).select('id,title').single());
  return data as { id: string; title: string };
}

/** Stores a picture without a use, which the media library lists. */
async function storedFile({ site }: World) {
  const name = `images/${randomUUID()}.png`;
  const body = new Uint8Array(await png());
  const headers = { 'content-type': 'image/png' };
  const { status } = await site
    .service()
    .call(`/storage/v1/object/case-studies/${name}`, { method: 'POST', headers, body });
  expect(status).toBe(200);
  const { data } = await ok(site.service().data.from('media_files').select('id,updated_at').eq('name', name).single());
  return { name, ...(data as { id: string; updated_at: string }) };
}

/** Creates a submission of a guest or user with a picture; `secret` gives access to the draft. */
async function submission({ site }: World, client: Client | null = null) {
  const secret = newSecret();
  const sender = client ?? site.guest({ 'x-draft-secret': secret });
  const title = newTitle();
  const { data: id } = await ok(
    sender.data.rpc('create_case_study', { title, description: '<p>A lamp</p>', client: null, status: 'draft' }),
  );
  const picture = { project_id: id, type: 'image', url: 'https://pictures.example/lamp.png', order: 0 };
  await ok(sender.data.from('project_media').insert(picture));
  await ok(
    sender.data.rpc('save_case_study_metadata', { p_id: id, p_understanding: 'a', p_actions: 'b', p_impact: 'c' }),
  );
  return { id: id as string, title, secret, sender };
}

async function answerReview({ site, admin }: World, me: Client | null, id: string, response: string) {
  const reader = await admin.again();
  const { data: version } = await ok(reader.data.rpc('review_version', { p_project: id }));
  const call = { p_project: id, p_answer: response, p_words: 'Because.', p_mail: false, p_seen: version };
  return (me ?? (site && reader)).data.rpc('answer_review', call);
}

// Direct writes to every audited table, and refusals of callers without access.

interface Row {
  row: object;
  filter: Record<string, string>;
  it: string;
  role?: string;
}

interface Table {
  name: string;
  row(world: World, isThere: boolean): Promise<Row>;
  change?: object;
}

const insertAsService = async (world: World, table: string, row: object, columns = 'id') =>
  (await ok(world.site.service().data.from(table).insert(row).select(columns).single())).data as unknown as Record<
    string,
    string
  >;
const insertAsAdmin = async (world: World, table: string, row: object, columns = 'id') => {
  const { data } = await ok((await world.admin.again()).data.from(table).insert(row).select(columns).single());
  return data as unknown as Record<string, string>;
};

const relatedTable = (name: string, row: object, it: (title: string) => string, change: object): Table => ({
  name,
  async row(world, isThere) {
    const { id, title } = await project(world);
    const completeRow = { project_id: id, ...row };
    return { row: completeRow, filter: isThere ? await insertAsService(world, name, completeRow) : {}, it: it(title) };
  },
  change,
});

const TABLES: Record<string, Table> = Object.fromEntries(
  [
    {
      name: 'projects',
      async row(world: World, isThere: boolean) {
        const row = { title: newTitle() };
        const filter: Record<string, string> = isThere ? { id: (await project(world, row)).id } : {};
        return { row, filter, it: quoted(row.title) };
      },
      change: { client: 'Acme' },
    },
    relatedTable(
      'project_media',
      { type: 'image', url: 'https://pictures.example/a.png', title: 'Shade', order: 0 },
      (title) => `“Shade” in “${title}”`,
      { title: 'Shade', order: 3 },
    ),
    relatedTable(
      'project_members',
      { name: 'Ravi', role: 'Editor', contribution_percentage: 10 },
      (title) => `“Ravi” in “${title}”`,
      { contribution_percentage: 20 },
    ),
    relatedTable('case_study_metadata', { tags: ['lamp'] }, quoted, { tags: ['lamp', 'light'] }),
    {
      name: 'project_budgets',
      async row(world: World) {
        const { id, title } = await project(world, { budget: 100, show_budget: false });
        return { row: { project_id: id, amount: 5 }, filter: { project_id: id }, it: quoted(title) };
      },
      change: { amount: 7 },
    },
    {
      name: 'review_notes',
      async row(world: World, isThere: boolean) {
        const { id } = await submission(world);
        const row = { project_id: id, body: 'Call them.' };
        return { row, filter: isThere ? await insertAsAdmin(world, 'review_notes', row) : {}, it: '' };
      },
      change: { body: 'Call them today.' },
    },
    {
      name: 'reply_templates',
      async row(world: World, isThere: boolean) {
        const row = { answer: 'ask', name: newTitle(), body: 'Please add a picture.' };
        return { row, filter: isThere ? await insertAsAdmin(world, 'reply_templates', row) : {}, it: '' };
      },
      change: { body: 'Please add two pictures.' },
    },
    {
      name: 'webhooks',
      async row(world: World, isThere: boolean) {
        const row = { url: `https://example.com/${++count}`, events: ['message.received'] };
        return { row, filter: isThere ? await insertAsAdmin(world, 'webhooks', row) : {}, it: '' };
      },
      change: { active: false },
    },
    {
      name: 'split_sheets',
      async row(world: World, isThere: boolean) {
        const row = { project_id: (await project(world)).id, plan: {} };
        return { row, filter: isThere ? await insertAsAdmin(world, 'split_sheets', row) : {}, it: '' };
      },
      change: { plan: { amount: '1' } },
    },
    {
      name: 'contact_messages',
      async row({ site, admin }: World) {
        const name = newTitle();
        await ok(
          site.guest().data.rpc('send_message', { p_name: name, p_email: newEmail(), p_message: 'A lamp, please.' }),
        );
        const { data } = await ok(
          (await admin.again()).data.from('contact_messages').select('id').eq('name', name).single(),
        );
        return {
          row: { name, email: newEmail(), message: 'A lamp, please.' },
          filter: data as { id: string },
          it: name,
        };
      },
      change: { handled: true },
    },
    {
      name: 'roles',
      async row(world: World, isThere: boolean) {
        const row = { name: newTitle() };
        return { row, filter: isThere ? await insertAsService(world, 'roles', row) : {}, it: quoted(row.name) };
      },
      change: { created_at: '2026-01-01' },
    },
    {
      name: 'user_roles',
      async row(world: World, isThere: boolean) {
        const { id, email } = await world.site.account();
        const role = newTitle();
        const row = { user_id: id, role_id: (await insertAsService(world, 'roles', { name: role }))['id']! };
        if (isThere) await insertAsService(world, 'user_roles', row, 'user_id');
        return { row, filter: row, it: email, role: quoted(role) };
      },
      change: { created_at: '2026-01-01' },
    },
    {
      name: 'site_settings',
      async row({ site }: World, isThere: boolean) {
        const row = { name: 'tagline', value: 'Lamps' };
        await site.service().data.from('site_settings').delete().eq('name', 'tagline');
        if (isThere) await ok(site.service().data.from('site_settings').insert(row));
        return { row, filter: { name: 'tagline' }, it: 'tagline' };
      },
      change: { value: 'Lamps and light' },
    },
    {
      name: 'site_pages',
      async row({ site }: World, isThere: boolean) {
        const row = { slug: 'privacy', body: '<p>We keep what you send.</p>' };
        await site.service().data.from('site_pages').delete().eq('slug', 'privacy');
        if (isThere) await ok(site.service().data.from('site_pages').insert(row));
        return { row, filter: { slug: 'privacy' }, it: 'privacy' };
      },
      change: { body: '<p>We keep what you send for a year.</p>' },
    },
  ].map((table) => [table.name, table as Table]),
);

function write(kind: string, by: string, templates: string | string[]) {
  const [name, verb] = kind.split('.') as [string, 'insert' | 'update' | 'delete'];
  const isRefused = [templates].flat().join().includes('was refused');
  addEvent(kind, by, templates, async (me, world, role) => {
    const table = TABLES[name]!;
    const { row, filter, ...known }: Row =
      role === 'creator' && name === 'projects'
        ? await ownDraft(world, verb !== 'insert')
        : await table.row(world, verb !== 'insert');
    const query =
      verb === 'insert'
        ? me.data.from(name).insert(row)
        : verb === 'update'
          ? me.data.from(name).update(table.change!).match(filter)
          : me.data.from(name).delete().match(filter);
    const { error } = await query;
    // Hidden rows do not exist for the caller, so changing none is no error.
    if (error && !isRefused) throw new Error(JSON.stringify(error));
    return known;
  });
}

async function ownDraft({ creator }: World, isThere: boolean) {
  const row = { title: newTitle() };
  if (!isThere) return { row, filter: {}, it: quoted(row.title) };
  const { data } = await ok((await creator.again()).data.from('projects').insert(row).select('id').single());
  return { row, filter: data as { id: string }, it: quoted(row.title) };
}

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

addEvent('projects.publish', 'admin, service', ['{me} published {it}', '{me} changed {it}'], async (me, world) => {
  const { id, title } = await project(world, { status: 'draft' });
  await ok(me.data.from('projects').update({ status: 'active' }).eq('id', id));
  return { it: quoted(title) };
});
addEvent('projects.unpublish', 'admin, service', ['{me} unpublished {it}', '{me} changed {it}'], async (me, world) => {
  const { id, title } = await project(world);
  await ok(me.data.from('projects').update({ status: 'draft' }).eq('id', id));
  return { it: quoted(title) };
});
addEvent('projects.restore', 'admin', '{me} restored {it} from the trash', async (me, world) => {
  const { id, title } = await project(world);
  await ok(world.site.service().data.from('projects').delete().eq('id', id));
  await ok(me.data.rpc('restore_from_trash', { projects: [id], media: [] }));
  return { it: quoted(title) };
});
addEvent('project_media.restore', 'admin', '{me} restored media from the trash: {it}', async (me, world) => {
  const { row, filter, it } = await TABLES['project_media']!.row(world, true);
  expect(row).toBeTruthy();
  await ok(world.site.service().data.from('project_media').delete().match(filter));
  await ok(me.data.rpc('restore_from_trash', { projects: [], media: [filter['id']] }));
  return { it };
});
async function newPage(me: Client): Promise<{ id: string; title: string }> {
  const title = newTitle();
  const { data: id } = await ok(
    me.data.rpc('create_page', { title, path: `/${title.toLowerCase().replace(' ', '-')}` }),
  );
  await ok(me.data.rpc('save_page_draft', { page: id, content: {}, title, seen: 1 }));
  return { id: id as string, title };
}
addEvent('pages.insert', 'admin', '{me} created the page {it}', async (me) => {
  const { title } = await newPage(me);
  return { it: quoted(title) };
});
for (const [act, sentence, args] of [
  ['publish', 'published', { seen: 2 }],
  ['move', 'moved', { path: '/moved' }],
  ['delete', 'deleted', {}],
] as const)
  addEvent(`pages.${act}`, 'admin', `{me} ${sentence} the page {it}`, async (me, world) => {
    const { id, title } = await newPage(await world.admin.again());
    await ok(me.data.rpc(`${act}_page`, { page: id, ...args }));
    return { it: quoted(title) };
  });
addEvent('pages.restore', 'admin', '{me} restored the page {it}', async (me, world) => {
  const other = await world.admin.again();
  const { id, title } = await newPage(other);
  await ok(other.data.rpc('delete_page', { page: id }));
  await ok(me.data.rpc('restore_page', { page: id }));
  return { it: quoted(title) };
});
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const schedule = (who: Client, kind: 'publish' | 'unpublish', of: { p_project: string } | { p_page: string }) =>
  ok(who.data.rpc('plan_change', { p_kind: kind, p_at: soon(), ...of }));
addEvent('pages.plan_publish', 'admin', '{me} scheduled the publication of the page {it}', async (me, world) => {
  const { id, title } = await newPage(await world.admin.again());
  await schedule(me, 'publish', { p_page: id });
  return { it: quoted(title) };
});
addEvent('projects.plan_publish', 'admin', '{me} scheduled the publication of {it}', async (me, world) => {
  const { id, title } = await project(world, { status: 'draft' });
  await schedule(me, 'publish', { p_project: id });
  return { it: quoted(title) };
});
addEvent('projects.plan_unpublish', 'admin', '{me} scheduled the end of {it}', async (me, world) => {
  const { id, title } = await project(world);
  await schedule(me, 'unpublish', { p_project: id });
  return { it: quoted(title) };
});
/** @returns a published project with a saved revision, and when that was saved */
async function revision(world: World, saveAs: Client) {
  const known = await project(world);
  const seen = await ok(saveAs.data.from('projects').select('updated_at').eq('id', known.id).single());
  const call = { p_id: known.id, p_seen: seen.data!.updated_at, p_staged: null, p_publish: false };
  await ok(saveAs.data.rpc('stage_project', { ...call, p_fields: { client: 'Acme' }, ...NO_TEXTS }));
  const { data } = await ok(
    (await world.admin.again()).data.from('planned_changes').select('updated_at').eq('project_id', known.id).single(),
  );
  return { id: known.id, it: quoted(known.title), staged: data!.updated_at };
}
const NO_TEXTS = { p_description: '', p_understanding: '', p_actions: '', p_impact: '' };
addEvent('projects.stage', 'admin', '{me} saved changes of {it} for later', (me, world) => revision(world, me));
for (const [act, sentences] of [
  ['publish', ['{me} changed {it}', '{me} published changes of {it}']],
  ['discard', ['{me} discarded changes of {it}']],
] as const)
  addEvent(`projects.${act}_revision`, 'admin', [...sentences], async (me, world) => {
    const { id, it, staged } = await revision(world, await world.admin.again());
    await ok(me.data.rpc(`${act}_revision`, { p_id: id, p_staged: staged }));
    return { it };
  });
addEvent('media_files.insert', 'admin', '{me} added a file to the media library', async (me, world) => {
  const { name } = await storedFile(world);
  await ok(me.data.rpc('add_to_library', { p_name: name, p_file_name: 'lamp.png' }));
});
addEvent('media_files.update', 'admin', '{me} changed the words of files in the media library', async (me, world) => {
  const { id, updated_at } = await storedFile(world);
  await ok(me.data.rpc('describe_media_files', { p_changes: [{ id, seen: updated_at, alt: 'A lamp' }] }));
});
addEvent('media_files.delete', 'admin', '{me} deleted files from the media library', async (me, world) => {
  await ok(me.data.rpc('delete_media_files', { p_ids: [(await storedFile(world)).id] }));
});
addEvent('media_files.delete', 'admin', refused('delete files from the media library'), async (me, world) => {
  const { id, name } = await storedFile(world);
  const url = `https://mad.example/storage/v1/object/public/case-studies/${name}`;
  const row = { project_id: (await project(world)).id, url };
  await ok(world.site.service().data.from('project_media').insert(row));
  await ok(me.data.rpc('delete_media_files', { p_ids: [id] }));
});
addEvent('media_files.restore', 'admin', '{me} restored files of the media library', async (me, world) => {
  const { id } = await storedFile(world);
  const other = await world.admin.again();
  await ok(other.data.rpc('delete_media_files', { p_ids: [id] }));
  await ok(me.data.rpc('restore_media_files', { p_ids: [id] }));
});
addEvent('media_files.replace', 'admin', '{me} replaced a file everywhere', async (me, world) => {
  const [{ id }, other] = [await storedFile(world), await storedFile(world)];
  await ok(me.data.rpc('replace_media_file', { p_id: id, p_by: other.id }));
});
addEvent(
  'projects.restore_version',
  'admin, service',
  ['{me} changed {it}', '{me} restored an older version of {it}'],
  async (me, world) => {
    const { id, title } = await project(world);
    await ok(world.site.service().data.from('projects').update({ client: 'Acme' }).eq('id', id));
    await ok(me.data.rpc('restore_project_version', { p_id: id, p_number: 1, p_latest: 2 }));
    return { it: quoted(title) };
  },
);
addEvent('projects.upload', 'guest, member', refused('create a project with the upload page'), async (me) => {
  await expectError(
    me.data.rpc('upload_project', { project_id: randomUUID(), fields: { title: 'Lamp', status: 'active' } }),
  );
});
addEvent('projects.feature', 'admin, service', '{me} chose the projects on the home page: {it}', async (me, world) => {
  const { id, title } = await project(world);
  await ok(me.data.rpc('feature_experiments', { p_ids: [id] }));
  return { it: quoted(title) };
});

for (const [response, sentences] of [
  ['publish', ['{me} published {it}', '{me} changed {it}', '{me} approved {it}']],
  ['ask', ['{me} requested changes to {it}']],
  ['decline', ['{me} declined {it}']],
  ['reopen', ['{me} reopened {it}']],
] as const)
  addEvent(`reviews.${response}`, 'admin', [...sentences], async (me, world) => {
    const { id, title } = await submission(world);
    if (response === 'reopen') await ok(answerReview(world, null, id, 'decline'));
    await ok(answerReview(world, me, id, response));
    return { it: quoted(title) };
  });
addEvent('reviews.answer', 'member', refused('answer a submission'), async (me, world) => {
  await expectError(answerReview(world, me, (await submission(world)).id, 'publish'));
});
addEvent('reviews.assign', 'admin', '{me} set the assignee of {it}', async (me, world) => {
  const { id, title } = await submission(world);
  await ok(me.data.from('reviews').update({ assignee: world.admin.id }).eq('project_id', id));
  return { it: `${quoted(title)}, ${world.admin.email}` };
});
addEvent('reviews.unassign', 'admin', '{me} unassigned {it}', async (me, world) => {
  const { id, title } = await submission(world);
  const reviews = async (who: Client, assignee: string | null) =>
    ok(who.data.from('reviews').update({ assignee }).eq('project_id', id));
  await reviews(await world.admin.again(), world.admin.id);
  await reviews(me, null);
  return { it: quoted(title) };
});
addEvent('reviews.check', 'admin', '{me} updated the checklist of {it}', async (me, world) => {
  const { id, title } = await submission(world);
  await ok(me.data.from('reviews').update({ rights_cleared: true }).eq('project_id', id));
  return { it: quoted(title) };
});
addEvent(
  'reviews.send_back',
  'guest, creator',
  ['{me} changed {it}', '{me} resubmitted {it}'],
  async (_, world, role) => {
    const own = role === 'creator' ? await world.creator.again() : null;
    const { id, title, secret } = await submission(world, own);
    await ok(answerReview(world, null, id, 'ask'));
    const me = own ? await world.creator.again() : world.site.guest({ 'x-draft-secret': secret });
    const texts = { p_brief: 'a', p_understanding: 'b', p_actions: 'c', p_impact: 'd', p_category: null, p_tags: [] };
    const media = [{ id: randomUUID(), type: 'image', url: 'https://pictures.example/a.png' }];
    await ok(me.data.rpc('send_draft_back', { p_project: id, p_title: title, p_client: '', ...texts, p_media: media }));
    return { it: quoted(title), me };
  },
);
addEvent('drafts.claim', 'member', ['{me} changed {it}', '{me} claimed the draft {it}'], async (_, world) => {
  const { id, title, secret } = await submission(world);
  const me = await world.member.again({ 'x-draft-secret': secret });
  await ok(me.data.rpc('claim_draft', { p_project: id }));
  return { it: quoted(title), me };
});
const until = () => new Date(Date.now() + 86_400_000).toISOString();
async function link(world: World, me: Client, role: Role) {
  const draft = await submission(world, role === 'creator' ? await world.creator.again() : null);
  const holder = role === 'guest' ? world.site.guest({ 'x-draft-secret': draft.secret }) : me;
  const createLink = async (who: Client) => {
    const params = { p_project: draft.id, p_name: 'Ravi', p_until: until() };
    return (await ok(who.data.rpc('make_draft_link', params))).data as { id: string };
  };
  return { it: quoted(draft.title), me: holder, made: createLink };
}
addEvent('draft_links.make', 'guest, creator, admin', '{me} created a draft link for {it}', async (me, world, role) => {
  const known = await link(world, me, role);
  await known.made(known.me);
  return known;
});
addEvent('draft_links.change', 'guest, admin', '{me} changed a draft link of {it}', async (me, world, role) => {
  const known = await link(world, me, role);
  const { id } = await known.made(await world.admin.again());
  await ok(known.me.data.rpc('change_draft_link', { p_link: id, p_name: 'Asha', p_until: until() }));
  return known;
});
addEvent('draft_links.revoke', 'guest, admin', '{me} revoked a draft link of {it}', async (me, world, role) => {
  const known = await link(world, me, role);
  const { id } = await known.made(await world.admin.again());
  await ok(known.me.data.rpc('revoke_draft_link', { p_link: id }));
  return known;
});
addEvent('draft_links.mail', 'admin', '{me} emailed a draft link of {it}', async (me, world) => {
  const { id, title, sender } = await submission(world);
  await ok(sender.data.rpc('leave_contact', { p_project: id, p_email: newEmail() }));
  await ok(me.data.rpc('mail_draft_link', { p_project: id }));
  return { it: quoted(title) };
});
/** The holder of a new link for reading. */
async function clientOfDraft(world: World) {
  const { id, title } = await submission(world);
  const admin = await world.admin.again();
  const params = { p_project: id, p_name: 'Ravi', p_until: until() };
  const { data } = await ok(admin.data.rpc('make_draft_link', params));
  const me = world.site.guest({ 'x-draft-secret': (data as { secret: string }).secret });
  const comment = randomUUID();
  await ok(me.data.rpc('comment_on_draft', { p_project: id, p_body: 'Brighter, please.', p_id: comment }));
  return { id, it: quoted(title), me, comment };
}
const COMMENTED = '{me} commented on {it}';
addEvent(
  'draft_comments.add draft_comments.resolve draft_comments.reopen',
  'guest',
  [COMMENTED, '{me} resolved a comment on {it}', '{me} reopened a comment on {it}'],
  async (_, world) => {
    const known = await clientOfDraft(world);
    for (const p_resolved of [true, false])
      await ok(known.me.data.rpc('resolve_draft_comment', { p_comment: known.comment, p_resolved }));
    return known;
  },
);
addEvent(
  'draft_comments.approve draft_comments.withdraw',
  'guest',
  [COMMENTED, '{me} approved the draft {it}', '{me} withdrew the approval of {it}'],
  async (_, world) => {
    const known = await clientOfDraft(world);
    const { data } = await ok(known.me.data.rpc('draft_room', { p_project: known.id }));
    for (const p_version of [(data as { version: string }).version, null])
      await ok(known.me.data.rpc('approve_draft', { p_project: known.id, p_version }));
    return known;
  },
);
addEvent(
  'draft_comments.delete draft_comments.restore',
  'admin',
  ['{me} deleted a comment on {it}', '{me} restored a comment on {it}'],
  async (me, world) => {
    const { it, comment } = await clientOfDraft(world);
    await ok(me.data.rpc('delete_draft_comment', { p_comment: comment }));
    await ok(me.data.rpc('restore_draft_comments', { p_ids: [comment] }));
    return { it };
  },
);
addEvent(
  'draft_links.mail',
  'member',
  refused('email a draft link of a project that no longer exists'),
  async (me, world) => {
    await expectError(me.data.rpc('mail_draft_link', { p_project: (await submission(world)).id }));
  },
);
addEvent(
  'split_sheets.issue',
  'admin',
  ['{me} changed a split sheet', '{me} issued a split sheet'],
  async (me, world) => {
    await world.site.service().data.from('site_settings').upsert({ name: 'unallocated_share_to', value: 'The pool' });
    const { id, title } = await project(world);
    const dates = { start_date: '2027-01-10', end_date: '2027-02-20' };
    const draftPlan = planFor({ title, client: null, budget: 1000, ...dates, members: [] }, '2027-01-01');
    const people = draftPlan.people.map((person) => ({ ...person, name: `The ${person.cut}`, input: '1' }));
    const plan = {
      ...draftPlan,
      amount: '1000',
      people: [...people, { cut: 'team' as const, name: 'Ravi', member: null, input: '2' }],
    };
    const sheet = await insertAsAdmin(world, 'split_sheets', { project_id: id, plan }, 'id,updated_at');
    const issue = issueOf(computeSheet(plan, null).result!);
    await ok(me.data.rpc('issue_split_sheet', { p_sheet: sheet['id'], p_seen: sheet['updated_at'], p_issue: issue }));
  },
);

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
    const response = await me.invoke('manage-users', { id: account.id, ...order });
    expect(response).toMatchObject({ success: true });
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
  const responses = [];
  for (const email of [member.email]) responses.push(await me.invoke('auto-verify', { email }));
  expect(responses[0]).toEqual({ success: false, error: 'Only an admin can verify an account.' });
});
const wrongKey = (from: Site['guest']) => from({ 'x-setup-key': 'a wrong guess of a setup key' });
addEvent('setup_key.check', 'guest', refused('use the setup key'), async (_, { site }) => {
  const me = wrongKey(site.guest);
  const response = await me.invoke('admin-setup', { email: newEmail(), password: PASSWORD });
  expect(response.error).toContain('Invalid admin key');
  return { me };
});
addEvent('setup_key.check', 'member', refused('use the setup key'), async (_, { member }) => {
  const me = await member.again({ 'x-setup-key': 'a wrong guess of a setup key' });
  expect(await me.invoke('admin-setup', { check: true })).toMatchObject({ success: false });
  return { me };
});
addEvent(
  'setup_key.check',
  'guest',
  [refused('use the setup key'), refused('verify an account')],
  async (_, { site, member }) => {
    const me = wrongKey(site.guest);
    expect(await me.invoke('auto-verify', { email: member.email })).toMatchObject({ success: false });
    return { me };
  },
);
addEvent('admin_role.assign', 'admin, service', '{me} made {it} an admin', async (me, { site }) => {
  const { email } = await site.account();
  await ok(me.data.rpc('assign_admin_role', { admin_email: email }));
  return { it: email };
});
addEvent('admin_role.assign', 'guest, member', refused('make an account an admin'), async (me, { member }) => {
  await expectError(me.data.rpc('assign_admin_role', { admin_email: member.email }));
});

addEvent(
  'admins_need_second_factor',
  'service',
  [
    '{me} turned the second factor for admins on',
    '{me} changed settings: Admins need a second factor',
    '{me} turned the second factor for admins off',
    '{me} reset settings: Admins need a second factor',
  ],
  async (me) => {
    const name = 'admins_need_second_factor';
    await ok(me.data.from('site_settings').insert({ name, value: true }));
    await ok(me.data.from('site_settings').delete().eq('name', name));
  },
);
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

const signUp = async (me: Client, email = newEmail()) => {
  const { data } = await ok(me.auth.signUp({ email, password: PASSWORD }));
  return { email, id: data.user!.id };
};
addEvent('identity.user_signedup', 'guest', '{me} signed up', async (me) => ({ me: as(me, (await signUp(me)).email) }));
addEvent('identity.user_signedup', 'guest', '{me} signed up', async (me) => {
  const email = newEmail();
  await ok(me.auth.signInWithOtp({ email }));
  return { me: as(me, email) };
});
addEvent(
  'identity.user_repeated_signup',
  'guest',
  refused('sign up with an address that is taken: {it}'),
  async (me, { member }) => {
    await signUp(me, member.email);
    return { it: member.email };
  },
);
addEvent('identity.login', 'member, admin', '{me} signed in', async (_, { site, member, admin }, role) => {
  const { email } = role === 'admin' ? admin : member;
  const me = as(site.guest(), email);
  await ok(me.auth.signInWithPassword({ email, password: PASSWORD }));
  return { me };
});
addEvent('identity.login', 'guest', refused('sign in as {it}'), async (me, { member }) => {
  await expectError(me.auth.signInWithPassword({ email: member.email, password: 'a guess' }));
  return { it: member.email };
});
addEvent('identity.login', 'guest', refused('sign in'), async (me) => {
  await expectError(me.auth.signInWithPassword({ email: newEmail(), password: 'a guess' }));
});
addEvent('identity.login', 'member', refused('sign in'), async (_, { site }) => {
  const { email } = await site.account({ ban_duration: '24h' });
  const me = as(site.guest(), email);
  await expectError(me.auth.signInWithPassword({ email, password: PASSWORD }));
  return { me };
});
addEvent('identity.logout', 'member', '{me} signed out', async (_, { site }) => {
  const me = await (await site.account()).client();
  await ok(me.auth.signOut());
  return { me };
});
addEvent(
  'identity.user_confirmation_requested',
  'guest',
  '{me} requested a confirmation mail: {it}',
  async (me, { site }) => {
    const { email } = await signUp(site.guest());
    await site.mailTo(email);
    await ok(me.auth.resend({ type: 'signup', email }));
    return { it: email };
  },
);
addEvent('identity.user_confirmed', 'guest', '{me} confirmed their address', async (_, { site }) => {
  const me = site.guest();
  const { email } = await signUp(site.guest());
  await ok(me.auth.verifyOtp({ token_hash: (await site.mailTo(email)).tokenHash, type: 'signup' }));
  return { me: as(me, email) };
});
addEvent('identity.verify', 'guest', refused('use a link or code that is wrong or expired'), async (me) => {
  await expectError(me.auth.verifyOtp({ token_hash: randomBytes(32).toString('hex'), type: 'signup' }));
});
addEvent('identity.user_recovery_requested', 'guest', '{me} requested a reset link: {it}', async (me, { site }) => {
  const { email } = await site.account();
  await ok(me.auth.resetPasswordForEmail(email));
  return { it: email };
});
addEvent('identity.user_recovery_requested', 'guest', refused('request a reset link'), async (me) => {
  await ok(me.auth.resetPasswordForEmail(newEmail()));
});
addEvent('identity.user_recovered', 'guest', '{me} used a reset link', async (me, { site }) => {
  const { email } = await site.account();
  await ok(site.guest().auth.resetPasswordForEmail(email));
  await ok(me.auth.verifyOtp({ token_hash: (await site.mailTo(email)).tokenHash, type: 'recovery' }));
  return { me: as(me, email) };
});
addEvent('identity.user_code_requested', 'guest', '{me} requested a sign-in code: {it}', async (me, { site }) => {
  const { email } = await site.account();
  await ok(me.auth.signInWithOtp({ email }));
  return { it: email };
});
addEvent('identity.user_code_requested', 'guest', refused('request a sign-in code'), async (me) => {
  await me.auth.signInWithOtp({ email: newEmail(), options: { shouldCreateUser: false } });
});
addEvent('identity.invite_accepted', 'guest', '{me} accepted an invitation', async (me, { site }) => {
  const email = newEmail();
  await ok(site.service().auth.admin.inviteUserByEmail(email));
  await ok(me.auth.verifyOtp({ token_hash: (await site.mailTo(email)).tokenHash, type: 'invite' }));
  return { me: as(me, email) };
});
addEvent(
  'identity.password_changed',
  'member',
  [
    '{me} requested a code to prove who they are',
    '{me} tried to prove who they are again and was refused',
    '{me} proved who they are again',
    '{me} changed their password',
  ],
  async (_, { site }) => {
    const { client, email } = await site.account();
    const me = await client();
    await ok(me.auth.reauthenticate());
    const { code } = await site.mailTo(email);
    const change = (nonce: string) => me.auth.updateUser({ password: 'another bicycle', nonce });
    await expectError(change(code === '000000' ? '000001' : '000000'));
    await ok(change(code));
    return { me };
  },
);
addEvent(
  'identity.user_reauthentication_requested',
  'member',
  '{me} requested a code to prove who they are',
  async (_, { site }) => {
    const me = await (await site.account()).client();
    await ok(me.auth.reauthenticate());
    return { me };
  },
);
addEvent(
  'identity.user_reauthenticated',
  'member',
  ['{me} requested a code to prove who they are', refused('prove who they are again')],
  async (_, { site }) => {
    const { client, email } = await site.account();
    const me = await client();
    await ok(me.auth.reauthenticate());
    const { code } = await site.mailTo(email);
    await expectError(
      me.auth.updateUser({ password: 'another bicycle', nonce: code === '000000' ? '000001' : '000000' }),
    );
    return { me };
  },
);
const newAddress = async ({ site }: World) => {
  const { client, email } = await site.account();
  const me = await client();
  const next = newEmail();
  await ok(me.auth.updateUser({ email: next }));
  const use = async (address: string, by: Client) =>
    by.auth.verifyOtp({ token_hash: (await site.mailTo(address)).tokenHash, type: 'email_change' });
  return { me, email, next, use };
};
addEvent('identity.email_change_requested', 'member', '{me} requested a new address', async (_, world) =>
  newAddress(world),
);
addEvent('identity.email_change_agreed', 'guest', '{me} agreed to a new address', async (me, world) => {
  const { email, use } = await newAddress(world);
  await use(email, me);
  return { me: as(me, email) };
});
addEvent('identity.email_changed', 'guest', '{me} changed their address', async (me, world) => {
  const { email, next, use } = await newAddress(world);
  await use(email, world.site.guest());
  await ok(use(next, me));
  return { me: as(me, next) };
});
const newPhone = async ({ site, sms }: World) => {
  const { client, email } = await site.account();
  const me = await client();
  const phone = `4917155${String(++count).padStart(5, '0')}`;
  await ok(me.auth.updateUser({ phone: `+${phone}` }));
  await expect.poll(() => sms.received.some((message) => message.sms.phone === phone)).toBe(true);
  return { me, email, phone, code: sms.codeTo(phone) };
};
addEvent('identity.phone_change_requested', 'member', '{me} requested a new phone number', async (_, world) =>
  newPhone(world),
);
addEvent('identity.phone_changed', 'guest', '{me} changed their phone number', async (me, world) => {
  const { email, phone, code } = await newPhone(world);
  await ok(me.auth.verifyOtp({ phone: `+${phone}`, token: code, type: 'phone_change' }));
  return { me: as(me, email) };
});
addEvent('identity.token_refreshed', 'member', refused('renew a session'), async (_, { site }) => {
  const { client, id } = await site.account();
  const me = await client();
  const { data } = await me.auth.getSession();
  // A ban by the service would end the session; this update does not.
  await site.db!.query(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [id]);
  await me.call('/auth/v1/token?grant_type=refresh_token', { json: { refresh_token: data.session!.refresh_token } });
  return { me };
});
addEvent('identity.token_reused', 'member', refused('reuse a session token'), async (_, { site }) => {
  const me = await (await site.account()).client();
  const stale = (await me.auth.getSession()).data.session!.refresh_token;
  await ok(me.auth.refreshSession());
  await ok(me.auth.refreshSession());
  await me.call('/auth/v1/token?grant_type=refresh_token', { json: { refresh_token: stale } });
  return { me };
});
addEvent('identity.code_exchanged', 'guest', refused('finish signing in'), async (me) => {
  const json = { auth_code: randomUUID(), code_verifier: 'v'.repeat(50) };
  expect((await me.call('/auth/v1/token?grant_type=pkce', { json })).ok).toBe(false);
});
addEvent(
  'identity.request',
  'guest, member',
  refused('do something the sign-in service does not allow'),
  async (me) => {
    expect((await me.call('/auth/v1/admin/users')).status).toBe(403);
  },
);

addEvent('identity.user_created', 'service', '{me} created the account {it}', async (me) => {
  const email = newEmail();
  await ok(me.auth.admin.createUser({ email, password: PASSWORD }));
  return { it: email };
});
addEvent('identity.user_invited', 'service', '{me} invited {it}', async (me) => {
  const email = newEmail();
  await ok(me.auth.admin.inviteUserByEmail(email));
  return { it: email };
});
addEvent('identity.user_modified', 'service', '{me} changed the account {it}', async (me, { site }) => {
  const { id, email } = await site.account();
  await ok(me.auth.admin.updateUserById(id, { ban_duration: '1h' }));
  return { it: email };
});
addEvent('identity.user_deleted', 'service', '{me} deleted an account', async (me, { site }) => {
  await ok(me.auth.admin.deleteUser((await site.account()).id));
});
addEvent('identity.link_generated', 'service', '{me} generated a sign-in link for {it}', async (me, { site }) => {
  const { email } = await site.account();
  await ok(me.auth.admin.generateLink({ type: 'magiclink', email }));
  return { it: email };
});

async function withApp(client: Client, friendlyName = 'Phone') {
  const { data } = await ok(client.auth.mfa.enroll({ factorType: 'totp', friendlyName }));
  const app = URI.parse(data!.totp.uri) as unknown as { generate(options?: { timestamp: number }): string };
  await ok(client.auth.mfa.challengeAndVerify({ factorId: data!.id, code: app.generate() }));
  // A code works once; that of the next half minute is accepted.
  return { id: data!.id, next: () => app.generate({ timestamp: Date.now() + 30_000 }) };
}
const withFactor = async ({ site }: World) => {
  const account = await site.account();
  const app = await withApp(await account.client());
  return { account, app, me: await account.client() };
};
const CHALLENGED = '{me} requested a second-factor check';
addEvent('identity.factor_begun', 'member', '{me} began to set up a second factor', async (_, { site }) => {
  const me = await (await site.account()).client();
  await ok(me.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' }));
  return { me };
});
addEvent(
  'identity.factor_added',
  'member',
  ['{me} began to set up a second factor', CHALLENGED, '{me} added a second factor'],
  async (_, { site }) => {
    const me = await (await site.account()).client();
    await withApp(me);
    return { me };
  },
);
addEvent('identity.factor_challenged', 'member', CHALLENGED, async (_, world) => {
  const { me, app } = await withFactor(world);
  await ok(me.auth.mfa.challenge({ factorId: app.id }));
  return { me };
});
addEvent('identity.factor_verified', 'member', [CHALLENGED, '{me} passed the second factor'], async (_, world) => {
  const { me, app } = await withFactor(world);
  await ok(me.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.next() }));
  return { me };
});
addEvent('identity.factor_verified', 'member', [CHALLENGED, refused('pass the second factor')], async (_, world) => {
  const { me, app } = await withFactor(world);
  const code = app.next() === '000000' ? '000001' : '000000';
  await expectError(me.auth.mfa.challengeAndVerify({ factorId: app.id, code }));
  return { me };
});
addEvent('identity.factor_changed', 'service', '{me} changed a second factor of {it}', async (me, world) => {
  const { account, app } = await withFactor(world);
  const path = `/auth/v1/admin/users/${account.id}/factors/${app.id}`;
  const response = await me.call(path, { method: 'PUT', body: JSON.stringify({ friendly_name: 'Tablet' }) });
  expect(response.status).toBe(200);
  return { it: account.email };
});
addEvent(
  'identity.factor_removed',
  'member',
  [CHALLENGED, '{me} passed the second factor', '{me} removed a second factor'],
  async (_, world) => {
    const { me, app } = await withFactor(world);
    await ok(me.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.next() }));
    await ok(me.auth.mfa.unenroll({ factorId: app.id }));
    return { me };
  },
);
addEvent('identity.factor_removed', 'service', '{me} removed a second factor of {it}', async (me, world) => {
  const { account, app } = await withFactor(world);
  await ok(me.auth.admin.mfa.deleteFactor({ id: app.id, userId: account.id }));
  return { it: account.email };
});
addEvent(
  'identity.recovery_codes_made identity.recovery_code_used identity.recovery_codes_removed',
  'member',
  [
    CHALLENGED,
    '{me} passed the second factor',
    '{me} generated recovery codes',
    '{me} used a recovery code',
    refused('use a recovery code'),
    '{me} removed their recovery codes',
  ],
  async (_, world) => {
    const { me, app } = await withFactor(world);
    await ok(me.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.next() }));
    const { data } = await ok(me.auth.mfa.recoveryCodes.generate());
    await ok(me.auth.mfa.recoveryCodes.verify({ code: data!.codes[0]! }));
    await expectError(me.auth.mfa.recoveryCodes.verify({ code: data!.codes[0]! }));
    await ok(me.auth.mfa.recoveryCodes.unenroll());
    return { me };
  },
);

const atGoogle = () => ({ aud: 'madhouse', sub: randomUUID(), email: newEmail(), email_verified: true, name: 'Asha' });
addEvent(
  'identity.identity_linked',
  'member',
  ['{me} linked another way to sign in', '{me} signed in'],
  async (_, { site, google }) => {
    const me = await (await site.account()).client();
    await ok(me.auth.linkIdentity({ provider: 'google', token: await google.sign(atGoogle()) }));
    return { me };
  },
);
addEvent('identity.identity_linked', 'member', refused('link another way to sign in'), async (_, { site }) => {
  const me = await (await site.account()).client();
  await expectError(me.auth.linkIdentity({ provider: 'google', token: 'no.token.atall' }));
  return { me };
});
addEvent(
  'identity.identity_unlinked',
  'member',
  ['{me} linked another way to sign in', '{me} signed in', '{me} unlinked a way to sign in'],
  async (_, { site, google }) => {
    const me = await (await site.account()).client();
    await ok(me.auth.linkIdentity({ provider: 'google', token: await google.sign(atGoogle()) }));
    const { data } = await ok(me.auth.getUserIdentities());
    await ok(me.auth.unlinkIdentity(data!.identities.find(({ provider }) => provider === 'google')!));
    return { me };
  },
);
addEvent('identity.login', 'guest', refused('sign in'), async (me) => {
  await expectError(me.auth.signInWithIdToken({ provider: 'google', token: 'no.token.atall' }));
});
const company = (me: Client, method: string, path = '', json?: object) =>
  me.call(`/auth/v1/admin/sso/providers${path}`, { method, ...(json ? { body: JSON.stringify(json) } : {}) });
async function introduced(me: Client, { acme }: World): Promise<string> {
  const response = await company(me, 'POST', '', {
    type: 'saml',
    metadata_xml: acme.metadata,
    domains: ['acme.example'],
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}
addEvent(
  'identity.sso_provider_created',
  'service',
  ['{me} added a company sign-in', '{me} removed a company sign-in'],
  async (me, world) => {
    await company(me, 'DELETE', `/${await introduced(me, world)}`);
  },
);
addEvent('identity.sso_provider_changed', 'service', '{me} changed a company sign-in', async (me, world) => {
  const id = await introduced(world.site.service(), world);
  expect((await company(me, 'PUT', `/${id}`, { domains: ['acme.test'] })).status).toBe(200);
  await company(world.site.service(), 'DELETE', `/${id}`);
});
addEvent('identity.sso_provider_deleted', 'service', '{me} removed a company sign-in', async (me, world) => {
  const id = await introduced(world.site.service(), world);
  expect((await company(me, 'DELETE', `/${id}`)).status).toBe(200);
});
addEvent('identity.sso_code_issued', 'guest', '{me} signed in with their company', async (me, world) => {
  const { site, acme } = world;
  const id = await introduced(site.service(), world);
  acme.employee = newEmployee();
  const challenge = createHash('sha256').update('v'.repeat(50)).digest('base64url');
  const json = { provider_id: id, skip_http_redirect: true, code_challenge: challenge, code_challenge_method: 's256' };
  const { url } = (await (await me.call('/auth/v1/sso', { json })).json()) as { url: string };
  const from = { 'x-test-address': me.address };
  const { query } = await postResponse({ url: `${site.url}/auth/v1` }, await acme.visit(url), from);
  expect(query.get('code')).toBeTruthy();
  await company(site.service(), 'DELETE', `/${id}`);
  return { me: as(me, String(acme.employee.attributes['mail'])) };
});

addEvent(
  'cleanup.begin cleanup.restore',
  'admin',
  ['{me} started to delete all case studies', '{me} deleted {it}', '{me} restored what a cleanup deleted'],
  async (_, world) => {
    const me = await world.admin.client();
    const { id, title } = await project(world);
    const { data: cleanup } = await ok(me.data.rpc('begin_cleanup'));
    await ok(me.data.from('projects').delete().eq('id', id));
    await ok(me.data.rpc('restore_cleanup', { cleanup_id: cleanup.id }));
    return { it: quoted(title), me };
  },
);

/** Kinds recorded by the server's commands; their lines have no network address. */
export const commandEvents: Record<string, { words: ['archive' | 'keys', ...string[]]; sentence: string }> = {
  'identity.signing_keys_changed': {
    words: ['keys', 'rotate'],
    sentence: 'The server changed the keys that sign sessions',
  },
  'identity.service_keys_changed': {
    words: ['keys', 'add', 'reporting'],
    sentence: 'The server changed the service keys',
  },
  'identity.archive_made': { words: ['archive', 'make', '{file}'], sentence: 'The server archived everything' },
  'identity.accounts_archived': {
    words: ['archive', 'make', '{accounts}', '--only', 'accounts', '--passphrase-file', '{passphrase}'],
    sentence: 'The server archived all accounts',
  },
};
