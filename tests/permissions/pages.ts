import { expect, it } from 'vitest';
import { admin, creator, guest, staleAdmin } from './actors.ts';
import { onStage, type Scene } from './stage.ts';

interface PageRow {
  id: string;
  path: string;
  title: string;
  draft: unknown;
  live: unknown;
  revision: number;
}

const CONTENT = JSON.stringify({ sections: [{ kind: 'text', html: '<p>Open on Sundays</p>' }] });
const PICTURE = '/storage/v1/object/public/case-studies/images/0f0f0f0f-0000-4000-8000-000000000001.png';
const SAVE = 'select save_page_draft($1, $2::text::jsonb, $3, $4) as answer';
const PUBLISH = 'select publish_page($1, $2) as answer';

const read = ({ as }: Scene, id: string) =>
  as(admin).row<PageRow>('select id, path, title, draft, live, revision from pages where id = $1', [id]);
const livePages = ({ as }: Scene) =>
  as(guest).value<{ pages: PageRow[]; redirects: unknown[] }>('select live_pages() as live');

async function createPage({ as }: Scene, path = '/open-studio', title = 'Open studio') {
  return as(admin).value<string>('select create_page($1, $2)', [title, path]);
}

async function publish(scene: Scene, id: string, content = CONTENT, title = 'Open studio') {
  const { revision } = await read(scene, id);
  await scene.as(admin).call(SAVE, [id, content, title, revision]);
  await scene.as(admin).call(PUBLISH, [id, revision + 1]);
}

export const pages = onStage('pages', ({ test }) => {
  test('have a row for each built-in page, without content', async ({ as, scene }) => {
    expect(await as(admin).rows('select kind, path from pages order by kind')).toEqual([
      { kind: 'about', path: '/about' },
      { kind: 'contact', path: '/contact' },
      { kind: 'frame', path: null },
      { kind: 'home', path: '/' },
      { kind: 'join', path: '/join' },
      { kind: 'masterclass', path: '/ai-jewelry-masterclass' },
      { kind: 'missing', path: null },
      { kind: 'portfolio', path: '/case-studies' },
    ]);
    expect(await livePages(scene)).toEqual({ pages: [], redirects: [] });
  });

  test('show to guests and users what is published and nothing else', async ({ as, scene }) => {
    const id = await createPage(scene);
    await publish(scene, id);
    await as(admin).call(SAVE, [id, '{"sections": []}', 'Secret', (await read(scene, id)).revision]);
    for (const actor of [guest, creator]) {
      const live = await as(actor).value<object>('select live_pages() as live');
      const page = { pages: [{ id, path: '/open-studio', title: 'Open studio', live: JSON.parse(CONTENT) }] };
      expect(live).toMatchObject(page);
      expect(JSON.stringify(live)).not.toContain('Secret');
    }
  });

  test('are published, discarded and restored from a version', async ({ as, scene }) => {
    const id = await as(staleAdmin).value<string>(`select id from pages where kind = 'home'`);
    expect(await as(admin).answer(SAVE, [id, '{"a": 1}', null, 1])).toBe(2);
    expect((await livePages(scene)).pages).toEqual([]);
    expect(await as(admin).answer(PUBLISH, [id, 2])).toBe(3);
    expect(await read(scene, id)).toMatchObject({ draft: null, live: { a: 1 }, revision: 3 });
    await as(admin).refused('PT422', PUBLISH, [id, 3]);
    await as(admin).call(SAVE, [id, '{"a": 2}', null, 3]);
    await as(admin).call(SAVE, [id, '{"a": 1}', null, 4]);
    expect((await read(scene, id)).draft).toBeNull();
    await as(admin).call(SAVE, [id, '{"a": 2}', null, 5]);
    await as(admin).call(SAVE, [id, null, null, 6]);
    expect(await read(scene, id)).toMatchObject({ draft: null, live: { a: 1 }, revision: 7 });
    await publish(scene, id, '{"a": 3}');
    const FIRST = 'select content::text from page_versions where page_id = $1 and number = 1';
    const [first] = await as(admin).rows<{ content: string }>(FIRST, [id]);
    await as(admin).call(SAVE, [id, first!.content, null, 9]);
    expect(await read(scene, id)).toMatchObject({ draft: { a: 1 }, live: { a: 3 } });
  });

  test('keep the newest hundred versions', async ({ as, scene }) => {
    const id = await createPage(scene);
    for (let n = 0; n < 102; n++) await publish(scene, id, `{"n": ${n}}`);
    const KEPT = 'select count(*)::int as count, min(number), max(number) from page_versions where page_id = $1';
    const [kept] = await as(admin).rows(KEPT, [id]);
    expect(kept).toEqual({ count: 100, min: 3, max: 102 });
  });

  test('refuse a draft that was saved meanwhile, content that is too long, and a script', async ({ as, scene }) => {
    const id = await createPage(scene);
    const save = (content: string, seen: number | null) => as(admin).refusal(SAVE, [id, content, 'x', seen]);
    expect(await save('{}', 9)).toBe('PT409');
    expect(await save('{}', null)).toBe('PT409');
    expect(await save(JSON.stringify({ a: 'x'.repeat(65_536) }), 1)).toBe('PT422');
    expect(await save('[]', 1)).toBe('PT422');
    expect(await save('{"sections": [{"html": "<script>1</script>"}]}', 1)).toBe('23514');
    expect(await save('{"sections": [{"html": "<p onclick=1>x</p>"}]}', 1)).toBe('23514');
  });

  test('refuse an address that is malformed, reserved or taken', async ({ as, scene }) => {
    const id = await createPage(scene);
    const malformed = ['open', '/Open', '/a/b', '/', '', '/x y', `/${'x'.repeat(80)}`];
    for (const path of [...malformed, '/about', '/admin', '/rest', '/open-studio']) {
      await as(admin).refused('PT422', 'select create_page($1, $2)', ['Other', path]);
      if (path !== '/open-studio') await as(admin).refused('PT422', 'select move_page($1, $2)', [id, path]);
    }
    await as(admin).refused('PT422', `select create_page(' ', '/free')`);
    await as(admin).refused('PT422', `select move_page(id, '/free') from pages where kind = 'home'`);
    await as(admin).refused('PT422', `select delete_page(id) from pages where kind = 'home'`);
  });

  test('lead from former addresses to the current one, until another page has that address', async ({ as, scene }) => {
    const id = await createPage(scene);
    await as(admin).call(`select move_page($1, '/never-published')`, [id]);
    await publish(scene, id);
    await as(admin).call(`select move_page($1, '/second')`, [id]);
    await as(admin).call(`select move_page($1, '/third')`, [id]);
    const redirects = [
      { path: '/never-published', to: '/third' },
      { path: '/second', to: '/third' },
    ];
    expect((await livePages(scene)).redirects).toEqual(redirects);
    await as(admin).call(`select move_page($1, '/second')`, [id]);
    await createPage(scene, '/third');
    expect((await livePages(scene)).redirects).toEqual([{ path: '/never-published', to: '/second' }]);
  });

  test('are deleted and restored with their address, while that is free, and purged with the trash', async (scene) => {
    const { as, server } = scene;
    const id = await createPage(scene);
    await publish(scene, id);
    await as(admin).call('select delete_page($1)', [id]);
    expect((await livePages(scene)).pages).toEqual([]);
    await as(admin).refused('PT404', PUBLISH, [id, 3]);
    const other = await createPage(scene);
    await as(admin).refused('PT422', 'select restore_page($1)', [id]);
    await as(admin).call('select delete_page($1)', [other]);
    await as(admin).call('select restore_page($1)', [id]);
    expect((await livePages(scene)).pages).toMatchObject([{ id }]);
    await as(admin).call('select delete_page($1)', [id]);
    await server.query(`update pages set deleted_at = now() - interval '31 days' where id = $1`, [id]);
    await as(admin).refused('PT404', 'select restore_page($1)', [id]);
    await server.query('select private.purge_trash()');
    expect(await as(admin).rows('select id from pages where kind = $1', ['free'])).toEqual([{ id: other }]);
  });

  test('retain the pictures of drafts, published content and versions, and follow a replacement', async (scene) => {
    const { as, server } = scene;
    const id = await createPage(scene);
    const [one, two] = [PICTURE, PICTURE.replace(/1\.png$/, '2.png')];
    type Files = { rows: { id: string; name: string; places: object[] }[] };
    const files = async () => (await as(admin).value<Files>('select list_media() as list')).rows;
    const STORE = `insert into storage.objects (bucket_id, name, metadata) values ('case-studies', $1, $2)`;
    for (const [name, width] of [
      [one, 40],
      [two, 90],
    ] as const)
      await server.query(STORE, [name.slice(name.indexOf('images/')), { size: 1, width, height: 30 }]);
    await publish(scene, id, JSON.stringify({ picture: { path: one, alt: '', width: 40, height: 30 } }));
    const used = { kind: 'page', id, title: 'Open studio' };
    const [second, first] = (await files()).sort((a, b) => (a.name < b.name ? 1 : -1));
    expect(first!.places).toMatchObject([used]);
    const outcome = await as(admin).answer('select delete_media_files(array[$1::uuid]) as answer', [first!.id]);
    expect(outcome).toMatchObject({ deleted: [] });
    await as(admin).call('select replace_media_file($1, $2)', [first!.id, second!.id]);
    expect((await read(scene, id)).live).toEqual({ picture: { path: two, alt: '', width: 90, height: 30 } });
    expect((await files()).map(({ places }) => places)).toMatchObject([[used], [used]]);
  });
});

export const pageRaces = onStage('pages under concurrent writes', (stage) => {
  it('are published once by two admins who saw the same draft', async () => {
    const DRAFT_ABOUT = `update public.pages set draft = '{"raced": true}' where kind = 'about' returning id, revision`;
    const { id, revision } = await stage.server.row<PageRow>(DRAFT_ABOUT);
    const rival = { actor: admin, text: PUBLISH, values: [id, revision] };
    const outcomes = await stage.race([rival, rival]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'PT409' } });
    await stage.db.query(`update public.pages set live = null, published_at = null where id = $1`, [id]);
    await stage.db.query('delete from public.page_versions where page_id = $1', [id]);
  });

  it('give an address to one of two new pages', async () => {
    const rival = { actor: admin, text: `select create_page('Raced', '/raced') as answer` };
    const outcomes = await stage.race([rival, rival]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'PT422' } });
    await stage.db.query(`delete from public.pages where path = '/raced'`);
  });
});
