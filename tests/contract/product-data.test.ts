import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { findRow } from '../../app/features/projects/model/read.ts';
import { newSecret } from '../../app/lib/data/ids.ts';
import { type Client, openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { engines } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';

const GUEST = '00000000-0000-4000-8000-000000000001';
const SETUP_KEY = 'a-setup-key-for-this-test-only';

let guest: Client;
let admin: Client;
let person: { id: string; token: string };

const api = forAllTests(() => openRest({ folder: 'supabase' }, { engine: engines[0] }));
beforeAll(async () => {
  guest = api.client();
  person = await api.person('someone@example.com');
  const boss = await api.person('boss@example.com');
  await api.db.query('select private.set_setup_key($1)', [createHash('sha256').update(SETUP_KEY).digest('hex')]);
  const withKey = api.client(boss.token, { 'x-setup-key': SETUP_KEY });
  const { data } = await withKey.rpc('assign_admin_role', { admin_email: 'boss@example.com' });
  expect(data).toBe(true);
  admin = api.client(boss.token);
});

async function published(title: string) {
  const { data: project } = await admin.from('projects').insert({ title, status: 'active' }).select().single();
  const picture = { project_id: project.id, type: 'image', description: null };
  const media = [2, 1].map((n) => ({ ...picture, url: `https://example.com/${n}.png`, title: `m${n}`, order: n }));
  const { data: pictures } = await admin.from('project_media').insert(media).select().order('order');
  return { id: project.id as string, media: pictures as { id: string; order: number }[] };
}

describe('experiments', () => {
  it('are listed newest first with their media, without drafts (DATA-01)', async () => {
    const first = await published('First');
    const second = await published('Second');
    await admin.from('projects').insert({ title: 'Hidden', status: 'draft' });
    const all = guest.from('projects').select('*, project_media(*)');
    const { data } = await all.order('created_at', { ascending: false });
    expect(data?.map(({ id }) => id)).toEqual([second.id, first.id]);
    const urls = data?.[0].project_media.map(({ url }: { url: string }) => url).sort();
    expect(urls).toEqual(['https://example.com/1.png', 'https://example.com/2.png']);
  });

  it('are read by id with media and team; email addresses of the team are for admins and the member (DATA-02, ENT-05, M10)', async () => {
    const { id } = await published('One');
    const member = { name: 'Sam', role: 'Editor', contribution_percentage: 40 };
    await admin.from('project_members').insert({ project_id: id, user_id: person.id, ...member });
    const whole = () => guest.from('projects').select('*, project_media(*), project_members(*)').eq('id', id).single();
    const { data } = await whole();
    expect(data?.project_media).toHaveLength(2);
    expect(data?.project_members).toMatchObject([member]);
    expect(JSON.stringify(data)).not.toMatch(/someone@example\.com/);
    expect(JSON.stringify(data)).not.toContain(person.id);
    const other = api.client((await api.person()).token);
    for (const [client, user] of [
      [admin, { email: 'someone@example.com' }],
      [api.client(person.token), { email: 'someone@example.com' }],
      [other, null],
    ] as const)
      for (const account of ['user:profiles(email)', 'user(email)']) {
        const { data: team } = await client.from('projects').select(`project_members(*, ${account})`).eq('id', id);
        expect(team).toMatchObject([{ project_members: [{ user }] }]);
      }
    const asGuest = await guest.from('projects').select('project_members(*, user:profiles(email))').eq('id', id);
    expect(asGuest.error?.code).toBe('42501');
  });

  it('return distinguishable errors for a missing or hidden and a malformed id (DATA-02)', async () => {
    const row = { title: 'Draft', status: 'draft' };
    const { data: draft } = await admin.from('projects').insert(row).select('id').single();
    const hidden = await guest.from('projects').select('*').eq('id', draft?.id).single();
    const missing = await guest.from('projects').select('*').eq('id', randomUUID()).single();
    expect([hidden.status, hidden.error]).toEqual([missing.status, missing.error]);
    expect(missing.error?.code).toBe('PGRST116');
    expect((await guest.from('projects').select('*').eq('id', 'not-a-uuid').single()).error?.code).toBe('22P02');
  });

  it('are inserted, updated and deleted by admins, with sanitized text (DATA-03)', async () => {
    const row = { title: 'Made', description: '<p onclick="x()">a<script>b</script></p>' };
    const { data: made } = await admin.from('projects').insert(row).select().single();
    expect(made).toMatchObject({ title: 'Made', description: '<p>a</p>' });
    const change = { title: 'Changed', budget: 1200.5 };
    const { data: changed } = await admin.from('projects').update(change).eq('id', made?.id).select().single();
    expect(changed).toMatchObject(change);
    expect((await admin.from('projects').delete().eq('id', made?.id).select()).data).toHaveLength(1);
  });
});

it('team members are added and changed by admins only (DATA-04, ENT-16)', async () => {
  const { id } = await published('Team');
  const row = { project_id: id, name: 'Kim', role: 'Writer', contribution_percentage: 10 };
  const { data } = await admin.from('project_members').insert(row).select().single();
  const change = { role: 'Editor', contribution_percentage: 25 };
  await admin.from('project_members').update(change).eq('id', data?.id);
  const changed = await guest.from('project_members').select('role,contribution_percentage').eq('id', data?.id);
  expect(changed.data).toEqual([change]);
  const own = await api.client(person.token).from('project_members').insert({ project_id: id, name: 'Me' });
  expect(own.status).toBe(403);
});

describe('media', () => {
  it('a media item is inserted with its position, updated and deleted by id (DATA-05, DATA-06)', async () => {
    const { id } = await published('Media');
    const row = { project_id: id, type: 'video', url: 'https://youtu.be/dQw4w9WgXcQ', title: 'Film', order: 3 };
    const { data: made } = await admin.from('project_media').insert(row).select().single();
    expect(made).toMatchObject(row);
    const { data } = await admin.from('project_media').update({ title: 'New' }).eq('id', made!.id).select('title');
    expect(data).toEqual([{ title: 'New' }]);
    const { data: gone } = await admin.from('project_media').delete().eq('id', made!.id).select('id');
    expect(gone).toEqual([{ id: made!.id }]);
  });

  it('media that two editors added at the same position are listed as they were added', async () => {
    const { id, media } = await published('Tie');
    const row = { project_id: id, url: 'https://example.com/3.png', title: 'Later', order: 2 };
    await admin.from('project_media').insert(row).throwOnError();
    // Rewrites the row, so that it is stored after the other.
    for (const order of [5, 2]) await admin.from('project_media').upsert([{ id: media[1]!.id, order }]);
    const found = await findRow<{ project_media: object[] }>(guest, id, 'id,project_media(title),project_members(id)');
    expect(found!.project_media).toEqual([{ title: 'm1' }, { title: 'm2' }, { title: 'Later' }]);
  });

  it('the order is changed by upserting id and order, with whole rows or pairs (DATA-07)', async () => {
    const { id, media } = await published('Order');
    const pairs = [9, 4].map((order, at) => ({ id: media[at]!.id, order }));
    const swapped = await admin.from('project_media').upsert(pairs);
    expect([swapped.status, swapped.error]).toEqual([200, null]);
    const inOrder = async () =>
      (await guest.from('project_media').select('id').eq('project_id', id).order('order')).data;
    expect(await inOrder()).toEqual([{ id: media[1]!.id }, { id: media[0]!.id }]);
    const picture = { project_id: id, type: 'image', url: 'https://example.com/x.png' };
    const rows = media.map((medium, order) => ({ ...picture, id: medium.id, order }));
    expect((await admin.from('project_media').upsert(rows, { onConflict: 'id' })).error).toBeNull();
    expect(await inOrder()).toEqual([{ id: media[0]!.id }, { id: media[1]!.id }]);
    expect((await api.client(person.token).from('project_media').upsert(pairs)).error?.code).toBe('42501');
  });
});

it('roles are selected, found by name, inserted and assigned (DATA-08)', async () => {
  expect((await admin.from('roles').insert({ name: 'reader' })).status).toBe(201);
  const { data: role } = await admin.from('roles').select('*').eq('name', 'reader').single();
  const roles = (await admin.from('roles').select('*')).data?.map(({ name }) => name);
  expect(roles).toEqual(expect.arrayContaining(['admin', 'editor', 'reader']));
  expect((await admin.from('user_roles').insert({ user_id: person.id, role_id: role?.id })).status).toBe(201);
  const own = api.client(person.token).from('user_roles').select('*, roles(*)');
  const { data: held } = await own.eq('user_id', person.id);
  expect(held).toMatchObject([{ roles: { name: 'reader' } }]);
  const again = await admin.from('user_roles').insert({ user_id: person.id, role_id: role?.id });
  expect([again.status, again.error?.code]).toEqual([409, '23505']);
  expect((await guest.from('roles').select()).data).toEqual([]);
  expect((await api.client(person.token).from('roles').insert({ name: 'mine' })).status).toBe(403);
});

describe('procedures', () => {
  it('create_case_study returns the id of a draft that the secret opens (DATA-09)', async () => {
    const holder = api.client(null, { 'x-draft-secret': newSecret() });
    const draft = { title: 'Mine', description: '<p>x<script>y</script></p>', client: 'Acme', status: 'active' };
    const { data: id } = await holder.rpc('create_case_study', { ...draft, submitter_id: null });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const { data } = await holder.from('projects').select('title,status,created_by,description').eq('id', id).single();
    expect(data).toEqual({ title: 'Mine', status: 'draft', created_by: GUEST, description: '<p>x</p>' });
    for (const other of [undefined, newSecret(), 'null', 'x']) {
      const client = other ? api.client(null, { 'x-draft-secret': other }) : guest;
      expect((await client.from('projects').select('id').eq('id', id)).data ?? []).toEqual([]);
    }
  });

  it('get_guest_user_id returns the guest account without arguments (DATA-15)', async () => {
    expect((await guest.rpc('get_guest_user_id')).data).toBe(GUEST);
  });
});

it('a malformed draft secret is rejected for every request; without one no draft is readable (TM-25)', async () => {
  for (const malformed of ['null', 'short', 'x'.repeat(44), `${'a'.repeat(43)}, ${'b'.repeat(43)}`]) {
    const init = { headers: { 'x-draft-secret': malformed } };
    expect(await api.code('/projects?select=id', init), malformed).toBe('400 PGRST102');
  }
  const { status } = await api.client(undefined, { 'x-draft-secret': '' }).from('projects').select('id');
  expect(status).toBe(200);
});

it('rich text is stored as HTML, sanitized by the editor’s rules, by every way of writing (RTE-09, RTE-10, SUBMIT-43)', async () => {
  const dirty = [
    '<p class="indent-3">kept</p><h3>kept</h3><p onclick="x()" style="color:red">bare</p>',
    '<a href="javascript:alert(1)">no</a><a href="mailto:me@example.com">mail</a><a href="ftp://example.com">ftp</a>',
    '<img src="file:///etc/passwd"><img src="data:text/html,x"><img src="https://example.com/a.png">',
    '<iframe src="https://evil.example/embed"></iframe><iframe src="https://www.youtube.com/watch?v=dQw4w9WgXcQ"></iframe>',
    '<script>alert(1)</script><svg onload="x()"></svg>',
  ].join('');
  const mine = api.client(undefined, { 'x-draft-secret': newSecret() });
  const draft = { title: 'Dirty', description: dirty, client: '', status: 'draft' };
  const { data: id } = await mine.rpc('create_case_study', { ...draft, submitter_id: null });
  await mine.rpc('save_case_study_metadata', { p_id: id, p_understanding: dirty, p_actions: dirty, p_impact: dirty });
  const texts = mine.from('projects').select('description, understanding, actions, impact');
  const { data } = await texts.eq('id', id).single();
  for (const html of Object.values(data as Record<string, string>)) {
    expect(html).toContain('<p class="indent-3">kept</p><h3>kept</h3><p>bare</p>');
    expect(html).toContain('href="mailto:me@example.com"');
    expect(html).toContain('https://example.com/a.png');
    expect(html).toContain('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ');
    expect(html).not.toMatch(/javascript:|ftp:|file:|data:|evil\.example|script|svg|onclick|onload|style=/);
  }
});

describe('length limits (threat model, section 8)', () => {
  type Write = (draft: string, most: number) => PromiseLike<{ status: number; error: { message: string } | null }>;
  const change = (id: string, fields: object) => admin.from('projects').update(fields).eq('id', id);
  const file = (id: string, tags: string[]) => admin.from('case_study_metadata').upsert({ project_id: id, tags });
  const tags = (count: number) => Array.from({ length: count }, (_, at) => `tag ${at}`);
  const addMedia = (id: string, rows: object[]) =>
    admin
      .from('project_media')
      .insert(rows.map((row, at) => ({ project_id: id, url: `https://a.example/${at}`, ...row })));
  it.each<[string, number, Write]>([
    ['characters of a title', 200, (_, n) => admin.from('projects').insert({ title: 'é'.repeat(n) })],
    ['characters of a client', 200, (id, n) => change(id, { client: 'é'.repeat(n) })],
    ['bytes of a text', 102_400, (id, n) => change(id, { impact: 'x'.repeat(n) })],
    ['characters of a caption', 500, (id, n) => addMedia(id, [{ description: 'é'.repeat(n) }])],
    ['characters of a tag', 60, (id, n) => file(id, ['é'.repeat(n)])],
    ['tags', 500, (id, n) => file(id, tags(n))],
    ['media', 50, (id, n) => addMedia(id, Array(n).fill({}))],
  ])('limits the number of %s: one more gets 422 with a message, and nothing is stored', async (_, most, write) => {
    const { data } = await admin.from('projects').insert({ title: 'Limits' }).select('id').single();
    const refused = await write(data!.id, most + 1);
    expect(refused.status).toBe(422);
    expect(refused.error?.message).toMatch(/^[A-Za-z ]+ (is|are|holds)[^"_]+\.$/);
    expect(await write(data!.id, most)).toMatchObject({ error: null });
  });

  it.each([
    [{ budget: 1e9 }, { budget: 1_000_000_000.01 }],
    [{ budget: 0 }, { budget: -0.01 }],
    [{ budget: null }, { budget: 'NaN' }],
    [{ start_date: '1900-01-01', end_date: '2200-12-31' }, { start_date: '1899-12-31' }],
    [{ end_date: '2200-12-31' }, { end_date: '2201-01-01' }],
  ])('accepts %j and rejects %j', async (sound, wrong) => {
    const { data } = await admin.from('projects').insert({ title: 'Numbers' }).select('id').single();
    expect((await admin.from('projects').update(sound).eq('id', data!.id)).status).toBe(204);
    const refused = await admin.from('projects').update(wrong).eq('id', data!.id);
    expect(refused).toMatchObject({ status: 400, error: { code: '23514' } });
  });

  it('accepts one experiment per request of a guest', async () => {
    const two = await guest.from('projects').insert([{ title: 'One' }, { title: 'Two' }]);
    expect(two).toMatchObject({ status: 400, error: { message: 'More than 1 row in one request' } });
  });

  it('keeps two decimals of a budget', async () => {
    const { data } = await admin.from('projects').insert({ title: 'Cents', budget: 99.994 }).select('budget').single();
    expect(data!.budget).toBe(99.99);
  });
});
