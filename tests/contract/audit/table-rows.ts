import { addEvent, newNumber, newTitle, ok, project, quoted, submission, type World } from './event.ts';
import { newEmail } from './site.ts';

// Direct writes to every audited table, and refusals of callers without access.

interface Row {
  row: object;
  filter: Record<string, string>;
  it: string;
  role?: string;
}

interface Table {
  row(world: World, isThere: boolean): Promise<Row>;
  change?: object;
}

const insertAsService = async (world: World, table: string, row: object, columns = 'id') => {
  const { data } = await ok(world.site.service().data.from(table).insert(row).select(columns).single());
  return data as unknown as Record<string, string>;
};
export const insertAsAdmin = async (world: World, table: string, row: object, columns = 'id') => {
  const { data } = await ok((await world.admin.again()).data.from(table).insert(row).select(columns).single());
  return data as unknown as Record<string, string>;
};

const relatedTable = (name: string, row: object, it: (title: string) => string, change: object): Table => ({
  async row(world, isThere) {
    const { id, title } = await project(world);
    const completeRow = { project_id: id, ...row };
    return { row: completeRow, filter: isThere ? await insertAsService(world, name, completeRow) : {}, it: it(title) };
  },
  change,
});

/** A table whose rows have a name as key, which may be in use. */
const namedTable = (table: string, key: string, name: string, fields: object, change: object): Table => ({
  async row({ site }, isThere) {
    const row: object = { [key]: name, ...fields };
    await site.service().data.from(table).delete().eq(key, name);
    if (isThere) await ok(site.service().data.from(table).insert(row));
    return { row, filter: { [key]: name }, it: name };
  },
  change,
});
const PAGE = { body: '<p>We keep what you send.</p>' };
const MEDIA = { type: 'image', url: 'https://pictures.example/a.png', title: 'Shade', order: 0 };
const MEMBER = { name: 'Ravi', role: 'Editor', contribution_percentage: 10 };
const quotedIn = (name: string) => (title: string) => `“${name}” in “${title}”`;

export const TABLES: Record<string, Table> = {
  projects: {
    async row(world, isThere) {
      const row = { title: newTitle() };
      const filter: Record<string, string> = isThere ? { id: (await project(world, row)).id } : {};
      return { row, filter, it: quoted(row.title) };
    },
    change: { client: 'Acme' },
  },
  project_media: relatedTable('project_media', MEDIA, quotedIn('Shade'), { title: 'Shade', order: 3 }),
  project_members: relatedTable('project_members', MEMBER, quotedIn('Ravi'), { contribution_percentage: 20 }),
  case_study_metadata: relatedTable('case_study_metadata', { tags: ['lamp'] }, quoted, { tags: ['lamp', 'light'] }),
  project_budgets: {
    async row(world) {
      const { id, title } = await project(world, { budget: 100, show_budget: false });
      return { row: { project_id: id, amount: 5 }, filter: { project_id: id }, it: quoted(title) };
    },
    change: { amount: 7 },
  },
  review_notes: {
    async row(world, isThere) {
      const { id } = await submission(world);
      const row = { project_id: id, body: 'Call them.' };
      return { row, filter: isThere ? await insertAsAdmin(world, 'review_notes', row) : {}, it: '' };
    },
    change: { body: 'Call them today.' },
  },
  reply_templates: {
    async row(world, isThere) {
      const row = { answer: 'ask', name: newTitle(), body: 'Please add a picture.' };
      return { row, filter: isThere ? await insertAsAdmin(world, 'reply_templates', row) : {}, it: '' };
    },
    change: { body: 'Please add two pictures.' },
  },
  webhooks: {
    async row(world, isThere) {
      const row = { url: `https://example.com/${newNumber()}`, events: ['message.received'] };
      return { row, filter: isThere ? await insertAsAdmin(world, 'webhooks', row) : {}, it: '' };
    },
    change: { active: false },
  },
  split_sheets: {
    async row(world, isThere) {
      const row = { project_id: (await project(world)).id, plan: {} };
      return { row, filter: isThere ? await insertAsAdmin(world, 'split_sheets', row) : {}, it: '' };
    },
    change: { plan: { amount: '1' } },
  },
  contact_messages: {
    async row({ site, admin }) {
      const name = newTitle();
      const message = 'A lamp, please.';
      await ok(site.guest().data.rpc('send_message', { p_name: name, p_email: newEmail(), p_message: message }));
      const messages = (await admin.again()).data.from('contact_messages');
      const { data } = await ok(messages.select('id').eq('name', name).single());
      return { row: { name, email: newEmail(), message }, filter: data as { id: string }, it: name };
    },
    change: { handled: true },
  },
  roles: {
    async row(world, isThere) {
      const row = { name: newTitle() };
      return { row, filter: isThere ? await insertAsService(world, 'roles', row) : {}, it: quoted(row.name) };
    },
    change: { created_at: '2026-01-01' },
  },
  user_roles: {
    async row(world, isThere) {
      const { id, email } = await world.site.account();
      const role = newTitle();
      const row = { user_id: id, role_id: (await insertAsService(world, 'roles', { name: role }))['id']! };
      if (isThere) await insertAsService(world, 'user_roles', row, 'user_id');
      return { row, filter: row, it: email, role: quoted(role) };
    },
    change: { created_at: '2026-01-01' },
  },
  site_settings: namedTable('site_settings', 'name', 'tagline', { value: 'Lamps' }, { value: 'Lamps and light' }),
  site_pages: namedTable('site_pages', 'slug', 'privacy', PAGE, { body: '<p>We keep what you send for a year.</p>' }),
};

export function write(kind: string, by: string, templates: string | string[]) {
  const [name, verb] = kind.split('.') as [string, 'insert' | 'update' | 'delete'];
  const isRefused = [templates].flat().join().includes('was refused');
  addEvent(kind, by, templates, async (me, world, role) => {
    const table = TABLES[name]!;
    const isThere = verb !== 'insert';
    const isOwnDraft = role === 'creator' && name === 'projects';
    const { row, filter, ...known }: Row = await (isOwnDraft ? ownDraft(world, isThere) : table.row(world, isThere));
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
