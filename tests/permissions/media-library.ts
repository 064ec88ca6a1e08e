import { expect, it } from 'vitest';
import type { Value } from '../../packages/backend/database/database.ts';
import { admin, creator, ids, submitter } from './actors.ts';
import { endsOf, logged, onStage, type Scene } from './stage.ts';

const nameOf = (n: number, ending = 'png') => `images/0f0f0f0f-0000-4000-8000-00000000000${n}.${ending}`;
const addressOf = (n: number) => `https://mad.example/storage/v1/object/public/case-studies/${nameOf(n)}`;
const STORE = `insert into storage.objects (bucket_id, name, owner_id, created_at, metadata)
  values ($1, $2, $3, now() - interval '2 days', '{"size": 2048, "width": 40, "height": 30}')`;
const USE = 'insert into project_media (project_id, url, title, alt) values ($1, $2, $3, $4)';
const ADD_FILM = `insert into project_media (project_id, type, url, poster) values ($1, 'video', 'https://films.example/1', $2)`;
const WRITE_PRIVACY = `insert into site_pages (slug, body) values ('privacy', $1)`;

interface Listed {
  total: number;
  next: { at: string; id: string } | null;
  rows: {
    id: string;
    name: string;
    kind: string;
    title: string | null;
    alt: string | null;
    credit: string | null;
    bytes: number;
    created_by: string | null;
    updated_at: string;
    kept: boolean;
    kept_until: string | null;
    is_named: boolean;
    uses: number;
    places: { kind: string; id: string | null; title: string | null; status: string | null }[];
  }[];
}

/** Stores pictures 1 to `count`, the first is the oldest. */
async function store({ server }: Scene, count: number) {
  await server.query(`insert into storage.buckets (id, name) values ('films', 'films') on conflict do nothing`);
  for (let n = 1; n <= count; n++) await server.query(STORE, ['case-studies', nameOf(n), ids.creator]);
  const AGE = `update media_files set created_at = created_at + right(left(name, 43), 1)::int * interval '1 minute'`;
  await server.query(AGE);
}

const list = ({ as }: Scene, args = '', values: readonly Value[] = []) =>
  as(admin).answer<Listed>(`select list_media(${args}) as answer`, values);
const names = ({ rows }: Listed) => rows.map(({ name }) => Number(/(\d)\.\w+$/.exec(name)![1]));
const idOf = async (scene: Scene, n: number) => (await list(scene)).rows.find(({ name }) => name === nameOf(n))!.id;
type Removal = { deleted: string[]; used: { id: string; uses: number; places: object[] }[] };
const remove = ({ as }: Scene, files: readonly string[]) =>
  as(admin).answer<Removal>('select delete_media_files($1) as answer', [files]);
const describeFiles = ({ as }: Scene, changes: readonly object[]) =>
  as(admin).rows('select describe_media_files($1::text::jsonb)', [JSON.stringify(changes)]);
const removable = async ({ server }: Scene) =>
  (await server.column<string>(`select name from private.removable_objects('24 hours')`)).sort();
const used = (n: number) => ({ kind: 'project', id: n === 1 ? ids.published : ids.draft });

export const mediaLibrary = onStage('the media library', ({ test }) => {
  test('lists every stored picture and film with its uses, newest first, and forgets removed ones', async (scene) => {
    const { as, server } = scene;
    await store(scene, 3);
    await server.query(STORE, ['films', '0f0f0f0f-0000-4000-8000-000000000009.mp4', null]);
    await server.query(STORE, ['loops', '0f0f0f0f-0000-4000-8000-000000000008.mp4', null]);
    await as(admin).write(USE, [ids.published, addressOf(1), 'Kettle', 'A kettle']);
    const DESCRIBE_BOTH = 'update projects set description = $1 where id = any($2)';
    await as(admin).write(DESCRIBE_BOTH, [`<p><img src="${addressOf(1)}"></p>`, [ids.published, ids.draft]]);
    await as(admin).write(WRITE_PRIVACY, [`<img src="${addressOf(2)}">`]);
    await as(admin).write(ADD_FILM, [ids.archived, addressOf(2)]);
    const all = await list(scene);
    expect(all).toMatchObject({ total: 4, next: null });
    expect(names(all)).toEqual([3, 2, 1, 9]);
    const [three, two, one, film] = all.rows;
    const file = { kind: 'image', title: 'Kettle', alt: 'A kettle', bytes: 2048, width: 40, height: 30, uses: 2 };
    const places = [
      { kind: 'project', id: ids.draft, title: 'Draft', status: 'draft' },
      { kind: 'project', id: ids.published, title: 'Published', status: 'active' },
    ];
    expect(one).toMatchObject({ ...file, created_by: 'Creator', places });
    const legal = { kind: 'legal', id: 'privacy' };
    expect(two!.places).toMatchObject([legal, { kind: 'project', id: ids.archived }]);
    expect(three).toMatchObject({ title: null, alt: null, uses: 0, places: [], kept: false });
    expect(film).toMatchObject({ kind: 'film', uses: 0 });
    await as(admin).write('delete from project_media where url = $1', [addressOf(1)]);
    expect((await list(scene)).rows[2]!.places.map(({ kind }) => kind)).toEqual(['project', 'project', 'trash']);
    await server.query('delete from storage.objects where name = $1', [nameOf(2)]);
    expect(names(await list(scene))).toEqual([3, 1, 9]);
    await server.query('select private.sync_media_files()');
    expect(names(await list(scene))).toEqual([3, 1, 9]);
  });

  test('finds files by words, kind, missing use and missing alt text, page by page', async ({ as, scene, server }) => {
    await store(scene, 5);
    await server.query(STORE, ['films', '0f0f0f0f-0000-4000-8000-000000000009.mp4', null]);
    await as(admin).write(USE, [ids.published, addressOf(1), 'Kettle', 'Steam']);
    await as(admin).write(USE, [ids.draft, addressOf(2), null, null]);
    await as(admin).write(USE, [ids.archived, addressOf(2), null, '']);
    const [three, four] = (await list(scene)).rows.filter(({ name }) => /[34]\.png$/.test(name)).reverse();
    await describeFiles(scene, [
      { id: three!.id, seen: three!.updated_at, alt: '', credit: 'Asha 100%' },
      { id: four!.id, seen: four!.updated_at, alt: 'Four', file_name: 'Harbour.png' },
    ]);
    const find = async (args: string) => names(await list(scene, args));
    expect(await find(`kind => 'film'`)).toEqual([9]);
    expect(await find(`kind => 'image', state => 'unused'`)).toEqual([5, 4, 3]);
    // One of the uses of the second has no words; the fifth has no use, then shows a video before it plays.
    expect(await find(`state => 'no_alt'`)).toEqual([5, 2]);
    const film = `insert into project_media (project_id, type, url, title, poster) values ($1, 'video', 'https://films.example/1', 'Harvest', $2)`;
    await as(admin).write(film, [ids.published, addressOf(5)]);
    expect(await find(`state => 'no_alt'`)).toEqual([2]);
    const poster = { name: nameOf(5), title: 'Poster of “Harvest”', alt: null };
    expect((await list(scene)).rows.find(({ is_named }) => is_named)).toMatchObject(poster);
    await as(admin).write(USE, [ids.draft, addressOf(5), null, null]);
    expect(await find(`state => 'no_alt'`)).toEqual([5, 2]);
    const people = JSON.stringify([{ name: 'Asha', craft: 'Film', city: '', portrait: addressOf(2) }]);
    await as(admin).write(`insert into site_settings (name, value) values ('people', $1::text::jsonb)`, [people]);
    await as(admin).write('delete from project_media where url = $1', [addressOf(2)]);
    expect(await find(`state => 'no_alt'`)).toEqual([5]);
    await as(admin).write('delete from project_media where $1 in (url, poster)', [addressOf(5)]);
    const found = { ketTLE: [1], publish: [1], steam: [1], harb: [4], '100%': [3], '%': [3], _: [] };
    for (const [words, numbers] of Object.entries({ ...found, '0f0f0f0f': [5, 4, 3, 2, 1, 9] }))
      expect(await find(`words => '${words}'`), words).toEqual(numbers);
    const first = await list(scene, 'take => 2');
    expect([names(first), first.total]).toEqual([[5, 4], 6]);
    const second = await list(scene, 'take => 2, before => $1::text::jsonb', [JSON.stringify(first.next)]);
    expect([names(second), second.total]).toEqual([[3, 2], 6]);
    const last = await list(scene, 'take => 2, before => $1::text::jsonb', [JSON.stringify(second.next)]);
    expect([names(last), last.next]).toEqual([[1, 9], null]);
  });

  test('gives an alt text to the uses without words of their own, and the credit to all', async ({ as, scene }) => {
    await store(scene, 1);
    await as(admin).write(USE, [ids.published, addressOf(1), null, null]);
    await as(admin).write(USE, [ids.archived, addressOf(1), null, 'Own words']);
    const USES = 'select alt, credit from project_media where url = $1 order by project_id';
    const uses = async () => (await as(admin).rows(USES, [addressOf(1)])).map(({ alt, credit }) => [alt, credit]);
    const write = async (change: object) => {
      const [file] = (await list(scene)).rows;
      await describeFiles(scene, [{ id: file!.id, seen: file!.updated_at, ...change }]);
    };
    const both = (alt: string, credit: string | null) => [alt, 'Own words'].map((words) => [words, credit]);
    await write({ alt: ' A kettle ', credit: ' Asha ' });
    expect(await uses()).toEqual(both('A kettle', 'Asha'));
    await write({ alt: 'A steaming kettle' });
    expect(await uses()).toEqual(both('A steaming kettle', 'Asha'));
    await write({ credit: '' });
    expect(await uses()).toEqual(both('A steaming kettle', null));
    await write({ credit: 'Mina' });
    await as(admin).write(USE, [ids.draft, addressOf(1), null, null]);
    expect(await uses()).toContainEqual([null, 'Mina']);
    const CHANGED = `select changed from project_versions where project_id = $1 order by number`;
    const versions = await as(admin).rows(CHANGED, [ids.published]);
    expect(versions.at(-1)).toEqual({ changed: ['media'] });
  });

  test('saves all descriptions or none, and refuses files that were changed meanwhile', async ({ as, scene }) => {
    await store(scene, 2);
    const [two, one] = (await list(scene)).rows;
    const first = { id: one!.id, seen: one!.updated_at, alt: 'One' };
    const both = (seen: string) => JSON.stringify([first, { id: two!.id, seen, alt: 'Two' }]);
    const call = 'select describe_media_files($1::text::jsonb)';
    await as(admin).refused('PT409', call, [both('2026-01-01T00:00:00Z')]);
    await as(admin).refused('PT409', call, [JSON.stringify([{ id: ids.missing, seen: two!.updated_at }])]);
    await as(admin).refused('PT422', call, [JSON.stringify([{ ...first, alt: 'x'.repeat(501) }])]);
    expect((await list(scene)).rows.map(({ alt }) => alt)).toEqual([null, null]);
    await as(admin).rows(call, [both(two!.updated_at)]);
    expect((await list(scene)).rows.map(({ alt }) => alt)).toEqual(['Two', 'One']);
  });

  test('deletes what is not used, keeps its bytes while it can be restored, and lists the places of the rest', async (scene) => {
    const { as, server } = scene;
    await store(scene, 2);
    await as(admin).write(USE, [ids.published, addressOf(1), null, null]);
    const [one, two] = [await idOf(scene, 1), await idOf(scene, 2)];
    expect(await removable(scene)).toEqual([nameOf(2)]);
    const outcome = { deleted: [two], used: [{ id: one, uses: 1, places: [used(1)] }] };
    expect(await remove(scene, [one, two])).toMatchObject(outcome);
    expect(await removable(scene)).toEqual([]);
    expect(names(await list(scene))).toEqual([1]);
    const gone = await list(scene, `state => 'deleted'`);
    expect(names(gone)).toEqual([2]);
    expect(Date.parse(gone.rows[0]!.kept_until!)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    const restore = 'select restore_media_files($1) as answer';
    expect(await as(admin).answer(restore, [[one, two]])).toBe(1);
    expect(names(await list(scene))).toEqual([2, 1]);
    await remove(scene, [two]);
    await server.query(`update media_files set deleted_at = now() - interval '31 days' where id = $1`, [two]);
    expect(await removable(scene)).toEqual([nameOf(2)]);
    expect((await list(scene, `state => 'deleted'`)).rows).toEqual([]);
    const title = nameOf(2);
    expect(await logged(server, 'media_files.%', 'action, outcome, reason')).toEqual([
      `media_files.delete done ${title}`,
      'media_files.delete refused in use',
      `media_files.restore done ${title}`,
      `media_files.delete done ${title}`,
    ]);
  });

  test('restores a deleted file that an editor uses again, and deletes one in the trash', async ({ as, scene }) => {
    await store(scene, 1);
    const id = await idOf(scene, 1);
    await remove(scene, [id]);
    await as(creator).write(USE, [ids.draft, addressOf(1), null, null]);
    expect(names(await list(scene))).toEqual([]);
    await as(admin).write(USE, [ids.published, addressOf(1), null, null]);
    expect(names(await list(scene))).toEqual([1]);
    await as(admin).write('delete from project_media where url = $1', [addressOf(1)]);
    expect(await remove(scene, [id])).toMatchObject({ deleted: [id] });
  });

  test('keeps an uploaded file without a use under its name, and no other', async ({ as, scene }) => {
    await store(scene, 2);
    await as(admin).rows('select add_to_library($1, $2)', [nameOf(2), 'Harbour at night.png']);
    expect(await removable(scene)).toEqual([nameOf(1)]);
    expect((await list(scene)).rows[0]).toMatchObject({ title: 'Harbour at night.png', kept: true });
    await as(admin).refused('PT404', 'select add_to_library($1, $2)', [nameOf(3), 'x.png']);
  });

  test('keeps the captions of an unused film as long as the film', async ({ as, scene, server }) => {
    await store(scene, 0);
    const film = '0f0f0f0f-0000-4000-8000-000000000009';
    await server.query(STORE, ['films', `${film}.mp4`, null]);
    await server.query(STORE, ['captions', `${film}.vtt`, null]);
    expect(await removable(scene)).toEqual([`${film}.mp4`, `${film}.vtt`]);
    await as(admin).rows('select add_to_library($1, $2, $3)', [`${film}.mp4`, 'Harbour.mp4', 'films']);
    expect(await removable(scene)).toEqual([]);
  });

  test('replaces a file in every use with one save, and back', async ({ as, scene, server }) => {
    await store(scene, 2);
    const [one, two] = [await idOf(scene, 1), await idOf(scene, 2)];
    await as(admin).write(USE, [ids.published, addressOf(1), 'Kettle', 'A kettle']);
    await as(admin).write(ADD_FILM, [ids.draft, addressOf(1)]);
    const WRITE_TEXTS = 'update projects set description = $1, impact = $1 where id = $2';
    await as(admin).write(WRITE_TEXTS, [`<p><img src="${addressOf(1)}" alt="Kettle"></p>`, ids.archived]);
    await as(admin).write(WRITE_PRIVACY, [`<img src="${addressOf(1)}">`]);
    const WRITE_EMAIL = `insert into site_settings (name, value) values ('email', to_jsonb($1::text))`;
    await as(admin).write(WRITE_EMAIL, [addressOf(1)]);
    const before = (await list(scene)).rows[1]!;
    const replace = (id: string, by: string) => as(admin).call('select replace_media_file($1, $2) as answer', [id, by]);
    expect((await replace(one, two)).answer).toBe(5);
    const inUse = { id: two, uses: 5, places: before.places };
    expect((await list(scene)).rows).toMatchObject([inUse, { id: one, uses: 0, kept: true }]);
    const IMPACTS = `select impact, (select impact from case_study_metadata texts where texts.project_id = projects.id) as copy
      from projects where id = $1`;
    const rows = await server.rows(IMPACTS, [ids.archived]);
    const text = `<p><img src="${addressOf(2)}" alt="Kettle"></p>`;
    expect(rows).toEqual([{ impact: text, copy: text }]);
    expect(
      await as(admin).rows('select url, alt, title, width from project_media where url = $1', [addressOf(2)]),
    ).toEqual([{ url: addressOf(2), alt: 'A kettle', title: 'Kettle', width: 40 }]);
    const NEWEST = 'select changed from project_versions where project_id = $1 order by number desc limit 1';
    for (const project of [ids.published, ids.draft, ids.archived])
      expect(await as(admin).rows(NEWEST, [project])).toHaveLength(1);
    expect(await logged(server, 'media_files.replace', 'object')).toEqual([`${one} ${two}`]);
    expect((await replace(two, one)).answer).toBe(5);
    expect((await list(scene)).rows[1]).toMatchObject({ id: one, uses: 5, places: before.places });
  });

  test('replaces a picture by a picture alone, and by nothing that is gone', async ({ as, scene, server }) => {
    await store(scene, 2);
    await server.query(STORE, ['films', '0f0f0f0f-0000-4000-8000-000000000009.mp4', null]);
    const film = (await list(scene, `kind => 'film'`)).rows[0]!.id;
    const [one, two] = [await idOf(scene, 1), await idOf(scene, 2)];
    const refused = (id: string, by: string) => as(admin).refusal('select replace_media_file($1, $2)', [id, by]);
    expect(await refused(one, film)).toBe('PT422');
    expect(await refused(film, one)).toBe('PT422');
    expect(await refused(one, one)).toBe('PT404');
    expect(await refused(one, ids.missing)).toBe('PT404');
    const ADD_DESCRIBED = 'insert into project_media (project_id, url, description) values ($1, $2, $3)';
    const words = `Words that name ${addressOf(1)}`;
    await as(submitter).write(ADD_DESCRIBED, [ids.guestsDraft, 'https://pictures.example/x.png', words]);
    expect(await as(admin).answer('select replace_media_file($1, $2) as answer', [one, two])).toBe(0);
    await remove(scene, [two]);
    expect(await refused(one, two)).toBe('PT404');
  });
});

/** Rivals commit what they did. */
export const mediaLibraryRaces = onStage('concurrent changes of the media library', (stage) => {
  const ADD_PROJECT = 'insert into public.projects (title) values ($1) returning id';
  const addProject = (title: string) => stage.server.value<string>(ADD_PROJECT, [title]);
  const prepare = async (n: number) => {
    await stage.db.query(`delete from storage.objects where bucket_id = 'case-studies'`);
    for (const each of [n, n + 1]) await stage.db.query(STORE, ['case-studies', nameOf(each), null]);
    const project = await addProject('Raced media');
    return { project, files: await stage.server.column<string>('select id from public.media_files order by name') };
  };
  const end = (project: string) => stage.db.query('delete from public.projects where id = $1', [project]);
  const ADD_USE = 'insert into public.project_media (project_id, url) values ($1, $2)';
  const use = (project: string, n: number) => ({ actor: admin, text: ADD_USE, values: [project, addressOf(n)] });
  const REPLACE = 'select public.replace_media_file($1, $2) as answer';
  const replacement = (files: string[]) => ({ actor: admin, text: REPLACE, values: files });
  const STATE = `select private.is_media_used(file) as is_used, deleted_at is not null as is_deleted
    from public.media_files file where name = $1`;
  const state = (n: number) => stage.server.row<{ is_used: boolean; is_deleted: boolean }>(STATE, [nameOf(n)]);

  it('a use added while the file is deleted is never without its file', async () => {
    const { project, files } = await prepare(1);
    const text = 'select public.delete_media_files($1) as answer';
    const deletion = (id: string) => ({ actor: admin, text, values: [[id]] });
    const bothSucceed = ['fulfilled', 'fulfilled'];
    expect(endsOf(await stage.race([use(project, 1), deletion(files[0]!)]))).toEqual(bothSucceed);
    expect(endsOf(await stage.race([deletion(files[1]!), use(project, 2)]))).toEqual(bothSucceed);
    for (const n of [1, 2]) expect(await state(n)).toEqual({ is_used: true, is_deleted: false });
    await end(project);
  });

  it('a use added while the file is replaced stays, or the replacement is refused', async () => {
    const { project, files } = await prepare(3);
    const other = await addProject('Raced with it');
    await stage.db.query(ADD_USE, [project, addressOf(3)]);
    const [replaced, added] = await stage.race([replacement(files), use(other, 3)]);
    expect(added!.status).toBe('fulfilled');
    if (replaced!.status === 'rejected') expect(replaced!.reason).toMatchObject({ code: 'PT409' });
    expect(await state(3)).toEqual({ is_used: true, is_deleted: false });
    await end(project);
    await end(other);
  });

  it('two admins who replace and describe the same file do not deadlock', async () => {
    const { project, files } = await prepare(5);
    await stage.db.query(ADD_USE, [project, addressOf(5)]);
    const SEEN = 'select to_json(updated_at) #>> array[]::text[] as seen from public.media_files where id = $1';
    const change = { id: files[0], seen: await stage.server.value<string>(SEEN, [files[0]!]), alt: 'Raced' };
    const text = 'select public.describe_media_files($1::text::jsonb) as answer';
    const describeIt = { actor: admin, text, values: [JSON.stringify([change])] };
    const outcomes = await stage.race([
      replacement(files),
      describeIt,
      { text: `update public.projects set title = 'Raced media 2' where id = $1`, values: [project] },
    ]);
    const codes = outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
    expect(codes.filter((code) => code !== 'PT409')).toEqual([]);
    await end(project);
  });
});
