import { expect } from 'vitest';
import { admin, ids, staleAdmin, theService } from './actors.ts';
import { onStage, type Scene } from './stage.ts';

const SAVE = `select save_project(p_id => $1, p_seen => $2, p_description => '<p>Brief</p>',
  p_understanding => '<p>Understood</p>', p_actions => null, p_impact => null,
  p_fields => jsonb_build_object('title', $3::text, 'client', null, 'status', 'active', 'budget', 100,
    'show_budget', true, 'start_date', null, 'end_date', null, 'category', $4::text, 'tags', $5::text[])) as id`;
const FILE = 'select file_project(p_id => $1, p_category => $2, p_tags => $3)';

export const projectSaving = onStage('saving a project', ({ test }) => {
  const STORED = `select title, category, tags, projects.updated_at::text as seen
    from projects left join case_study_metadata on project_id = projects.id where projects.id = $1`;
  const storedProject = ({ server }: Scene, id: string = ids.published) =>
    server.row<{ title: string; category: string | null; tags: string[]; seen: string }>(STORED, [id]);
  const VERSIONS = 'select number, changed from project_versions where project_id = $1 order by number';
  const versions = ({ server }: Scene) => server.rows<{ number: number; changed: string[] }>(VERSIONS, [ids.published]);
  const log = ({ server }: Scene) => server.column<string>('select action from audit_log order by id');

  test('stores category and tags for admins and the service (PERM-12)', async ({ as, scene }) => {
    for (const actor of [admin, staleAdmin, theService]) {
      const { seen } = await storedProject(scene);
      const values = [ids.published, seen, 'Saved', 'ai', ['one', 'two']];
      expect(await as(actor).rows(SAVE, values)).toEqual([{ id: ids.published }]);
      expect(await storedProject(scene)).toMatchObject({ title: 'Saved', category: 'ai', tags: ['one', 'two'] });
      await as(actor).rows(FILE, [ids.published, null, []]);
      expect(await storedProject(scene)).toMatchObject({ title: 'Saved', category: null, tags: [] });
    }
  });

  test('creates one version with its changes (D7)', async ({ as, scene, server }) => {
    const versionCount = (await versions(scene)).length;
    await server.query(`update project_versions set at = at - interval '1 day'`);
    const { seen } = await storedProject(scene);
    await as(admin).rows(SAVE, [ids.published, seen, 'Renamed', 'video', ['mad', 'new']]);
    const [made, ...more] = (await versions(scene)).slice(versionCount);
    expect(more).toEqual([]);
    expect(made!.changed).toEqual(['category', 'tags', 'title']);
    expect(await log(scene)).toEqual(expect.arrayContaining(['projects.update', 'case_study_metadata.update']));
  });

  test('keeps a hidden budget that is not sent', async ({ as, scene }) => {
    await as(admin).write('update projects set show_budget = false where id = $1', [ids.published]);
    const hidden = () => as(admin).rows('select amount::float8 from project_budgets');
    const before = await hidden();
    const { seen } = await storedProject(scene);
    const RENAME = `select save_project($1, $2, '{"title": "Renamed"}', description, understanding, actions, impact) from projects where id = $1`;
    await as(admin).rows(RENAME, [ids.published, seen]);
    expect([before.length, await hidden()]).toEqual([1, before]);
  });

  test('creates no project: upload_project does', async ({ as, server }) => {
    expect(await as(admin).rows(SAVE, [null, null, 'New', 'social', ['fresh']])).toEqual([{ id: null }]);
    expect(await server.rows(`select from projects where title = 'New'`)).toEqual([]);
  });

  test('stores credits, and keeps the present ones when none are sent', async ({ as, scene }) => {
    const credits = () =>
      as(admin).row('select credits from case_study_metadata where project_id = $1', [ids.published]);
    const said = JSON.stringify([{ part: 'Idea', made: 'hand', people: ['Asha'], tools: [] }]);
    const withCredits = SAVE.replace('$5::text[])', "$5::text[], 'credits', $6::text::jsonb)");
    const save = async (text: string, title: string, ...more: string[]) =>
      expect(
        await as(admin).rows(text, [ids.published, (await storedProject(scene)).seen, title, 'ai', [], ...more]),
      ).toEqual([{ id: ids.published }]);
    await save(withCredits, 'Credited', said);
    expect(await credits()).toEqual({ credits: JSON.parse(said) });
    await save(SAVE, 'Still credited');
    await as(admin).rows(FILE, [ids.published, 'video', []]);
    expect(await credits()).toEqual({ credits: JSON.parse(said) });
    await save(withCredits, 'No Client', '[]');
    expect(await credits()).toEqual({ credits: [] });
  });

  test('does not overwrite a concurrent change, even of category or tags only', async ({ as, scene, server }) => {
    const before = `(now() - interval '1 minute')`;
    await server.query(`alter table projects disable trigger touch`);
    await server.query(`update projects set updated_at = ${before} where id = $1`, [ids.published]);
    await server.query(`alter table projects enable trigger touch`);
    const { seen } = await storedProject(scene);
    await as(theService).write(`update case_study_metadata set category = 'strategy'`);
    expect(await as(admin).rows(SAVE, [ids.published, seen, 'Slower', 'ai', []])).toEqual([{ id: null }]);
    expect(await storedProject(scene)).toMatchObject({ title: 'Published', category: 'strategy' });
    expect(await as(admin).rows(SAVE, [ids.missing, seen, 'Nowhere', 'ai', []])).toEqual([{ id: null }]);
    await as(admin).refused('PT404', FILE, [ids.missing, 'ai', []]);
    await as(admin).refused('PT409', FILE.replace(')', ', p_seen => $4)'), [ids.published, 'ai', [], seen]);
  });

  test('rejects an unknown category and overlong tags, and saves nothing', async ({ as, scene }) => {
    const before = await storedProject(scene);
    await as(admin).refused('23514', SAVE, [ids.published, before.seen, 'Odd', 'knitting', []]);
    await as(admin).refused('PT422', FILE, [ids.published, 'ai', ['x'.repeat(61)]]);
    expect(await storedProject(scene)).toEqual(before);
  });
});
