import { expect } from 'vitest';
import { type Actor, admin, creator, guest, ids, otherUser, submitter, theService } from './actors.ts';
import { ageVersions, GRANT, onStage, type Scene } from './stage.ts';

const INSERT = `insert into site_settings (name, value) values ('project_facts', $1::text::jsonb)`;
const UPDATE = `update site_settings set value = $1::text::jsonb where name = 'project_facts'`;
const WRITE = 'update projects set facts = $2::text::jsonb where id = $1';

const material = { name: 'Material', kind: 'text' };
const year = { name: 'Year', kind: 'number', shown: 'card' };
const shop = { name: 'Shop', kind: 'link' };
const industry = { name: 'Industry', kind: 'choice', shown: 'filter', options: ['Fashion', ' Food & drink '] };
const opened = { name: 'Opened', kind: 'date', shown: 'none' };
const ALL = [material, year, shop, industry, opened];
const SHOP = 'https://shop.example/a?b#c';
const VALUES = { material: 'Felt', year: 2026.5, shop: SHOP, industry: 'Fashion', opened: '2028-02-29' };
const json = JSON.stringify;

export const projectFacts = onStage('facts of projects', (stage) => {
  const test = (title: string, work: (scene: Scene) => Promise<void>) =>
    stage.test(title, async (scene) => {
      await scene.server.query(GRANT, [ids.creator, 'editor']);
      await work(scene);
    });
  const defined = ({ server }: Scene) =>
    server.value<{ id: string; options?: string[] }[]>(`select value from site_settings where name = 'project_facts'`);
  const facts = ({ server }: Scene, id: string = ids.published) =>
    server.value<object>('select facts from projects where id = $1', [id]);
  const define = ({ as }: Scene, fields: object[]) => as(admin).write(INSERT, [json(fields)]);
  const redefine = ({ as }: Scene, fields: object[]) => as(admin).write(UPDATE, [json(fields)]);
  const fill = async (scene: Scene, values: object, actor: Actor = admin) => {
    await ageVersions(scene);
    return scene.as(actor).write(WRITE, [ids.published, json(values)]);
  };
  const VERSIONS = `select number, changed, content -> 'facts' as facts from project_versions where project_id = $1 order by 1`;
  const versions = ({ server }: Scene) =>
    server.rows<{ number: number; changed: string[]; facts: object }>(VERSIONS, [ids.published]);
  const found = async ({ as }: Scene, words: string) => [
    (await as(guest).rows('select from search_case_studies($1)', [words])).length,
    (await as(admin).rows('select from find_projects($1)', [words])).length,
  ];
  const emptyTrash = async ({ server }: Scene) => {
    const EXPIRE = `update private.trash set deleted_at = now() - interval '40 days' where table_name = 'project_facts'`;
    await server.query(EXPIRE);
    // No caller waits for it.
    await server.query('select private.purge_oldest_trash(100)');
    expect(await server.rows(`select from private.trash where table_name = 'project_facts'`)).not.toEqual([]);
    await server.query('select private.purge_fact_fields()');
  };

  test('are defined by admins and the service, and get ids', async ({ as, scene }) => {
    expect(await define(scene, [material])).toBe(1);
    expect(await as(theService).write(UPDATE, [json(ALL)])).toBe(1);
    expect((await defined(scene)).map(({ id }) => id)).toEqual(Object.keys(VALUES));
    expect((await defined(scene))[3]!.options).toEqual(['Fashion', 'Food & drink']);
  });

  test('have values that editors, admins and the service write, and no one else', async ({ as, scene }) => {
    await define(scene, ALL);
    const insert = `insert into projects (title, facts) values ('x', '{"material": "Felt"}')`;
    for (const actor of [guest, submitter, otherUser]) await as(actor).refused('42501', insert);
    for (const actor of [creator, admin, theService]) {
      expect(await fill(scene, VALUES, actor)).toBe(1);
      expect(await facts(scene)).toEqual(VALUES);
      expect(await as(actor).write(insert)).toBe(1);
      expect(await fill(scene, { material: '  Warm   felt ', year: '7.50', shop: '', opened: null }, actor)).toBe(1);
      expect(await facts(scene)).toEqual({ material: 'Warm felt', year: 7.5 });
    }
    const FACTS = 'select facts from projects where id = $1';
    expect(await as(guest).rows(FACTS, [ids.published])).toEqual([{ facts: { material: 'Warm felt', year: 7.5 } }]);
  });

  test('refuse definitions that no form could show', async ({ as, scene }) => {
    const tooMany = Array.from({ length: 21 }, (_, n) => `Choice ${n}`);
    const wrongOptions = [[], undefined, 'Fashion', [1, 2], ['Fashion', 'fashion '], ['x'.repeat(61)], tooMany];
    for (const bad of [
      {},
      'text',
      [7],
      [{ kind: 'text' }],
      [{ ...material, name: ' ' }],
      [{ ...material, name: 'x'.repeat(61) }],
      [{ ...material, kind: 'html' }],
      [{ ...material, help: 'x'.repeat(201) }],
      [{ ...material, shown: 'filter' }],
      [{ ...material, shown: 'home' }],
      [{ ...material, id: 'Not an id' }],
      ...wrongOptions.map((options) => [{ ...industry, options }]),
      [material, { ...year, name: 'MATERIAL' }],
      [material, year].map((field) => ({ ...field, id: 'a' })),
      Array.from({ length: 21 }, (_, n) => ({ ...material, name: `Fact ${n}` })),
    ])
      await as(admin).refused('PT422', INSERT, [json(bad)]);
    expect(await define(scene, [material, { ...material, name: 'Material!' }, { ...material, name: 'चाय' }])).toBe(1);
    expect((await defined(scene)).map(({ id }) => id)).toEqual(['material', 'material_2', 'fact']);
    const [first] = await defined(scene);
    await as(admin).refused('PT422', UPDATE, [json([{ ...first, kind: 'number' }])]);
  });

  test('refuse values of another kind, and leave stored ones alone', async ({ as, scene }) => {
    await define(scene, ALL);
    const longAddress = `https://shop.example/${'x'.repeat(2048)}`;
    const wrongValues: Record<string, unknown[]> = {
      nonsense: [1],
      material: ['x'.repeat(201), ['Felt'], true],
      year: ['ten', 1e16, '1e3', 'NaN'],
      shop: ['shop.example', 'javascript:alert(1)', 'https://user:pass@shop.example', longAddress],
      industry: ['fashion'],
      opened: ['2027-02-29', '29.2.2028', '1899-01-01'],
    };
    const wrongFacts = Object.entries(wrongValues).flatMap(([id, all]) => all.map((value) => ({ [id]: value })));
    for (const bad of [[], 7, ...wrongFacts]) await as(admin).refused('PT422', WRITE, [ids.published, json(bad)]);
    await fill(scene, VALUES);
    const [, , , choice] = await defined(scene);
    await redefine(scene, (await defined(scene)).with(3, { ...choice!, options: ['Food'] }));
    expect(await fill(scene, { ...VALUES, material: 'Wool' })).toBe(1);
    expect(await facts(scene)).toMatchObject({ industry: 'Fashion', material: 'Wool' });
    expect(await as(admin).write(`update projects set title = 'No facts' where id = $1`, [ids.published])).toBe(1);
  });

  test('are required to publish, and to change the facts of what is published', async ({ as, scene }) => {
    await define(scene, [{ ...material, required: true }, year]);
    const publish = `update projects set status = 'active' where id = $1`;
    await as(admin).refused('PT422', publish, [ids.draft]);
    await as(admin).refused('PT422', `insert into projects (title, status) values ('x', 'active')`);
    expect(await as(otherUser).write(`insert into projects (title, status) values ('x', 'active')`)).toBe(1);
    expect(await as(admin).write(`update projects set client = 'x' where id = $1`, [ids.published])).toBe(1);
    await as(admin).refused('PT422', WRITE, [ids.published, '{"year": 1}']);
    expect(await as(admin).write(WRITE, [ids.draft, '{"year": 1}'])).toBe(1);
    expect(await as(admin).write(WRITE, [ids.draft, '{"material": "Felt"}'])).toBe(1);
    expect(await as(admin).write(publish, [ids.draft])).toBe(1);
  });

  test('are found by both searches and filter the list, which does not find what readers cannot see', async (scene) => {
    const { as } = scene;
    await define(scene, ALL);
    await fill(scene, VALUES);
    expect(await found(scene, 'felt')).toEqual([1, 1]);
    expect(await found(scene, '2028')).toEqual([0, 1]);
    const filtered = (fact: string, category = '') =>
      as(guest).rows('select id from search_case_studies(fact => $1, category => $2)', [fact, category]);
    const COUNTED = `select category, experiments from count_case_studies($1) where category like '%:%' order by 1`;
    const counted = (words: string | null) => as(guest).rows(COUNTED, [words]);
    const both = ['all', 'branding'].map((name) => ({ category: `${name} industry:Fashion`, experiments: 1 }));
    for (const category of ['', 'branding'])
      expect(await filtered('industry:Fashion', category)).toEqual([{ id: ids.published }]);
    expect([await filtered('industry:Fashion', 'ai'), await filtered('material:Felt')]).toEqual([[], []]);
    expect([await counted(null), await counted('felt')]).toEqual([both, both]);

    const shown = (await defined(scene)).map((field) => ({ ...field, shown: 'none' }));
    await redefine(scene, shown.with(4, { ...shown[4]!, shown: 'page' }));
    expect([await found(scene, 'felt'), await found(scene, '2028')]).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect([await filtered('industry:Fashion'), await counted(null)]).toEqual([[], []]);
  });

  test('keep the values of a removed field, hidden, until the trash is emptied or it is put back', async (scene) => {
    await define(scene, [material, year]);
    const before = await defined(scene);
    await fill(scene, { material: 'Felt', year: 7 });
    await redefine(scene, [year]);
    expect(await found(scene, 'felt')).toEqual([0, 0]);
    expect(await fill(scene, { year: 8 })).toBe(1);
    expect(await facts(scene)).toEqual({ material: 'Felt', year: 8 });
    await scene.as(admin).refused('PT422', UPDATE, [json([{ ...before[0], kind: 'number' }])]);
    await redefine(scene, [year, { ...material, kind: 'link' }]);
    expect((await defined(scene)).map(({ id }) => id)).toEqual(['year', 'material_2']);
    await redefine(scene, [material, year]);
    expect(await defined(scene)).toEqual(before);
    expect(await found(scene, 'felt')).toEqual([1, 1]);
    await emptyTrash(scene);
    expect(await facts(scene)).toEqual({ material: 'Felt', year: 8 });

    const saved = await versions(scene);
    expect(saved.slice(-2).map(({ changed }) => changed)).toEqual([['facts'], ['facts']]);
    await ageVersions(scene);
    await scene.as(admin).write(`delete from site_settings where name = 'project_facts'`);
    expect(await facts(scene)).toEqual({ material: 'Felt', year: 8 });
    await emptyTrash(scene);
    expect(await facts(scene)).toEqual({});
    expect(await versions(scene)).toEqual(saved.map((version) => ({ ...version, facts: {} })));
    await scene.as(admin).refused('PT422', WRITE, [ids.published, '{"year": 1}']);
    expect(await scene.as(admin).write(`update projects set facts = '{}' where id = $1`, [ids.published])).toBe(1);
  });

  test('come back with a version and from the trash, without those that no longer fit', async (scene) => {
    const { as, server } = scene;
    await define(scene, [material, year]);
    await fill(scene, { material: 'Felt', year: 7 });
    await fill(scene, { year: 8 });
    await redefine(scene, [{ ...material, id: 'material', required: true }]);
    const [first, second] = (await versions(scene)).slice(-3);
    const restore = async ({ number }: { number: number } = first!) => {
      await ageVersions(scene);
      const latest = (await versions(scene)).at(-1)!.number;
      await as(admin).call('select restore_project_version($1, $2, $3) as answer', [ids.published, number, latest]);
    };
    await restore(second);
    expect(await facts(scene)).toEqual({ material: 'Felt', year: 8 });
    await restore(first);
    expect(await facts(scene)).toEqual({ year: 8 });
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    await emptyTrash(scene);
    const restored = await as(admin).call('select restore_from_trash(array[$1::uuid]) as answer', [ids.published]);
    expect(restored).toMatchObject({ answer: { projects: 1 } });
    expect(await facts(scene)).toEqual({});
    expect(await server.rows(`select from private.trash where table_name = 'project_facts'`)).toEqual([]);
  });
});
