import { expect, it } from 'vitest';
import { admin, creator, ids, otherUser, withSecret } from './actors.ts';
import { logged, onStage, RESTORE_ALL, type Scene, storeFile } from './stage.ts';

interface Plan {
  fields: Record<string, unknown>;
  updated_at: string;
}

type Part = Record<string, unknown>;
type Parts = Record<'media' | 'team', Part[]>;

const PICTURE_URL =
  'https://mad.example/storage/v1/object/public/case-studies/images/0d0d0d0d-0000-4000-8000-000000000001.png';
const PICTURE = { id: '0d0d0d0d-0000-4000-8000-000000000001', type: 'image', url: PICTURE_URL, alt: 'A lamp' };
const STORED = `insert into storage.objects (bucket_id, name, created_at, metadata)
  values ('case-studies', 'images/${PICTURE.id}.png', now() - interval '2 days', '{"width": 800, "height": 600}')`;
const MEMBER = { id: '0e0e0e0e-0000-4000-8000-000000000001', name: 'Asha', contribution_percentage: 95 };
const STAGE = `select stage_project($1, $2::text::timestamptz, $3::text::timestamptz, $4, $5::text::jsonb,
  description, understanding, actions, impact) as answer from projects where id = $1`;
const PLAN = `select plan_change($1, now() + $2::interval, $3) as answer`;
const CANCEL = 'select plan_change($1, null, $2) as answer';
const STAGE_PARTS = `select stage_parts($1, (select max(number) from project_versions where project_id = $1) - $2::int,
  (select updated_at from planned_changes where project_id = $1) - $3::text::interval, $4::text::jsonb, $5::text::jsonb) as answer`;
const PARTS = `select revision_parts(planned_changes) as answer from planned_changes where project_id = $1`;
const PUBLISH = 'select publish_revision($1, updated_at) as answer from planned_changes where project_id = $1';
const REVISION = 'select project_revision($1) as answer';
const MAKE_LINK = `select make_draft_link($1, 'For Ravi', now() + interval '1 day') as answer`;
const SWAP = `insert into project_media (project_id, url) values ($1, 'https://mad.example/swapped.png')`;

export const plannedChanges = onStage('planned changes', (stage) => {
  const { test } = stage;
  const PLANS = `select kind, fields, base, due_at::text, problem, updated_at::text from planned_changes
    where coalesce(project_id, page_id) = $1 order by kind`;
  const plans = ({ server }: Scene, id: string = ids.published) => server.rows<Plan>(PLANS, [id]);
  const PROJECT = `select updated_at::text as seen, title, client, status, amount::float8 as hidden
    from projects left join project_budgets on project_id = id where id = $1`;
  const project = ({ server }: Scene, id: string = ids.published) =>
    server.row<{ seen: string; title: string; client: string | null; status: string; hidden: number }>(PROJECT, [id]);
  /** Saves a revision of the newest state, or publishes it. */
  const save = async (scene: Scene, fields: object, publish = false, id: string = ids.published) => {
    const staged = (await plans(scene, id)).find(({ fields }) => Object.keys(fields).length > 0)?.updated_at ?? null;
    const values = [id, (await project(scene, id)).seen, staged, publish, JSON.stringify(fields)];
    return await scene.as(admin).answer(STAGE, values);
  };
  const LIVE_PARTS = `select content -> 'media' as media, content -> 'team' as team from private.version_contents(array[$1::uuid])`;
  /** Media and team that readers see, as a version has them. */
  const liveParts = ({ server }: Scene, id: string = ids.published) => server.row<Parts>(LIVE_PARTS, [id]);
  const stagedCall = ({ media, team }: Partial<Parts>, age = 0, staged = '0', id: string = ids.published) => [
    id,
    age,
    staged,
    media ? JSON.stringify(media) : null,
    team ? JSON.stringify(team) : null,
  ];
  const saveParts = ({ as }: Scene, ...what: Parameters<typeof stagedCall>) =>
    as(admin).answer(STAGE_PARTS, stagedCall(...what));
  const runDue = async ({ server }: Scene) => {
    await server.query(`update planned_changes set due_at = now() where due_at is not null and problem is null`);
    const outcomes: unknown[] = [];
    for (;;) {
      const rows = await server.rows<{ refused: string | null }>('select * from private.publish_next_due()');
      if (!rows[0]) return outcomes;
      outcomes.push(rows[0].refused);
    }
  };
  const rename = ({ as }: Scene, title: string) =>
    as(admin).write('update projects set title = $2 where id = $1', [ids.published, title]);

  test('store only the fields that differ, as the tables would, and change nothing that readers see', async (scene) => {
    const before = [await project(scene), await scene.server.rows('select max(number) from project_versions')];
    expect(await save(scene, { title: 'New', budget: '7.50', client: null, tags: ['one'] })).toBe(true);
    const fields = { title: 'New', budget: 7.5, tags: ['one'] };
    const base = { title: 'Published', budget: 100, tags: ['mad'] };
    expect(await plans(scene)).toMatchObject([{ fields, base }]);
    expect([await project(scene), await scene.server.rows('select max(number) from project_versions')]).toEqual(before);
    expect(await save(scene, { title: 'Published', budget: 100, tags: ['mad'] })).toBe(true);
    expect(await plans(scene)).toEqual([]);
  });

  test('refuse what could not be published, drafts, and what was saved meanwhile', async ({ as, scene }) => {
    const stagedBy = async (fields: object, seen: string, staged: string | null, id: string = ids.published) =>
      as(admin).refusal(STAGE, [id, seen, staged, false, JSON.stringify(fields)]);
    const { seen } = await project(scene);
    expect(await stagedBy({ title: 'x'.repeat(201) }, seen, null)).toBe('PT422');
    expect(await stagedBy({ start_date: '2026-02-02', end_date: '2026-01-01' }, seen, null)).toBe('PT422');
    expect(await stagedBy({ title: 'x' }, (await project(scene, ids.draft)).seen, null, ids.draft)).toBe('PT422');
    await save(scene, { title: 'First' });
    const call = (seen: string, staged: string | null) =>
      as(admin).answer(STAGE, [ids.published, seen, staged, false, '{"title": "Late"}']);
    expect(await call(seen, null)).toBeNull();
    expect(await call('2020-01-01', (await plans(scene))[0]!.updated_at)).toBeNull();
    for (const act of ['publish_revision', 'discard_revision'])
      await as(admin).refused('PT409', `select ${act}($1, now() - interval '1 hour')`, [ids.published]);
    expect((await plans(scene))[0]!.fields).toEqual({ title: 'First' });
  });

  test('are published with live changes of other fields and a hidden budget kept, as one version', async (scene) => {
    const { as, server } = scene;
    await as(admin).write('update projects set show_budget = false where id = $1', [ids.published]);
    await save(scene, { title: 'Staged' });
    await as(admin).write(`update projects set client = 'Live' where id = $1`, [ids.published]);
    await as(admin).call(PUBLISH, [ids.published]);
    expect(await project(scene)).toMatchObject({ title: 'Staged', client: 'Live', hidden: 100 });
    expect(await plans(scene)).toEqual([]);
    const log = await logged(server, 'projects.%', 'action, actor');
    const acts = ['stage', 'publish_revision'].map((act) => `projects.${act} ${ids.admin}`);
    expect(log.filter((line) => /stage|revision/.test(line))).toEqual(acts);
    await save(scene, { title: 'Dropped' });
    await as(admin).call('select discard_revision($1, updated_at) from planned_changes', [ids.published]);
    expect([await plans(scene), (await project(scene)).title]).toEqual([[], 'Staged']);
  });

  test('hold media and team, with the checks of direct writes, beside the other fields', async (scene) => {
    const { as, server } = scene;
    await server.query(STORED);
    const orphans = () => server.rows(`select from private.orphaned_objects('1 day')`);
    expect(await orphans()).toHaveLength(1);
    const before = await liveParts(scene);
    const [picture, member] = [before.media[0]!, before.team[0]!];
    const refusal = (...what: Parameters<typeof stagedCall>) => as(admin).refusal(STAGE_PARTS, stagedCall(...what));
    expect(await refusal({ media: [{ ...PICTURE, url: 'ftp://lamp' }] })).toBe('23514');
    expect(await refusal({ media: [{ ...PICTURE, alt: 'x'.repeat(501) }] })).toBe('PT422');
    const many = Array.from({ length: 51 }, (_, n) => ({ ...PICTURE, id: PICTURE.id.replace(/0001$/, `${1001 + n}`) }));
    expect(await refusal({ media: many })).toBe('PT422');
    expect(await refusal({ team: [{ ...member, contribution_percentage: 6 }, MEMBER] })).toBe('PT422');
    expect(await refusal({ media: [] }, 0, '0', ids.draft)).toBe('PT422');
    expect(await saveParts(scene, { media: [] }, 1)).toBeNull();
    expect(await plans(scene)).toEqual([]);

    expect(await saveParts(scene, { media: [PICTURE, picture] })).toBe(true);
    expect(await saveParts(scene, { team: [member, MEMBER] }, 0, '1 s')).toBeNull();
    expect(await saveParts(scene, { team: [member, MEMBER] })).toBe(true);
    expect(await save(scene, { title: 'Staged' })).toBe(true);
    const staged = { media: [{ ...PICTURE, is_cover: false }, picture], team: [member, MEMBER] };
    const revision = { fields: { title: 'Staged', ...staged }, base: { title: 'Published', ...before } };
    expect(await plans(scene)).toMatchObject([revision]);
    expect(await liveParts(scene)).toEqual(before);
    expect(await orphans()).toEqual([]);

    const { secret } = await as(admin).answer<{ secret: string }>(MAKE_LINK, [ids.published]);
    const revised = { media: [{ ...PICTURE, width: 800, order: 0 }, picture], team: staged.team };
    expect(await as(withSecret(secret)).answer(REVISION, [ids.published])).toMatchObject(revised);
    expect(await as(withSecret(secret)).rows('select url from project_media where id = $1', [PICTURE.id])).toEqual([]);
    const parts = { media: [{ width: 800 }, {}], conflicts: [] };
    expect(await as(admin).answer(PARTS, [ids.published])).toMatchObject(parts);
    const probe = `select revision_parts(jsonb_populate_record(null::planned_changes, $1::text::jsonb)) as answer`;
    const guess = JSON.stringify({ project_id: ids.draft, fields: { title: 'x' }, base: {} });
    expect(await as(admin).answer(probe, [guess])).toMatchObject({ conflicts: ['title'] });
    expect(await as(otherUser).answer(probe, [guess])).toBeNull();

    await as(admin).write(`update projects set client = 'Live' where id = $1`, [ids.published]);
    await as(admin).call(PUBLISH, [ids.published]);
    expect(await liveParts(scene)).toMatchObject(staged);
    expect(await project(scene)).toMatchObject({ title: 'Staged', client: 'Live' });
    expect(await saveParts(scene, { media: [picture] })).toBe(true);
    expect(await saveParts(scene, await liveParts(scene))).toBe(true);
    expect(await plans(scene)).toEqual([]);
  });

  test('conflict with live changes of the same list, and leave the other one', async ({ as, scene }) => {
    const { media } = await liveParts(scene);
    await saveParts(scene, { media: [...media, PICTURE] });
    await as(admin).write(`update project_members set role = 'Ink' where project_id = $1`, [ids.published]);
    await as(admin).write(`update project_media set alt = 'Live' where project_id = $1`, [ids.published]);
    expect(await as(admin).answer(PARTS, [ids.published])).toMatchObject({ conflicts: ['media'] });
    await as(admin).refused('PT409', PUBLISH, [ids.published]);
    await save(scene, { title: 'Staged' });
    await as(admin).refused('PT409', PUBLISH, [ids.published]);
    const staged = (await plans(scene))[0]!.updated_at;
    await as(admin).refused('PT409', STAGE, [ids.published, (await project(scene)).seen, staged, true, '{}']);
    await saveParts(scene, { media: [...media, PICTURE] });
    await as(admin).call(PLAN, ['publish', '1 hour', ids.published]);
    expect(await runDue(scene)).toEqual([null]);
    expect(await liveParts(scene)).toMatchObject({ media: [...media, PICTURE], team: [{ role: 'Ink' }] });
  });

  test('follow an alternative text of the media library', async ({ as, scene, server }) => {
    await server.query(STORED);
    const ADD_PICTURE = 'insert into project_media (id, project_id, url) values ($1, $2, $3)';
    await as(admin).write(ADD_PICTURE, [PICTURE.id, ids.published, PICTURE.url]);
    const { media } = await liveParts(scene);
    await saveParts(scene, { media: media.map((item) => ({ ...item, title: 'Staged' })) });
    const DESCRIBE = `select describe_media_files(jsonb_build_array(jsonb_build_object('id', id, 'seen', updated_at, 'alt', 'A lamp')))
      from media_files where name like '%' || $1 || '.png'`;
    await as(admin).rows(DESCRIBE, [PICTURE.id]);
    await as(admin).call(PUBLISH, [ids.published]);
    expect((await liveParts(scene)).media.at(-1)).toMatchObject({ id: PICTURE.id, title: 'Staged', alt: 'A lamp' });
  });

  test('conflict with a live change of the same field, by hand and at a date, and publish after a choice', async (scene) => {
    const { as } = scene;
    await save(scene, { title: 'Staged', client: 'Staged' });
    await as(admin).call(PLAN, ['publish', '1 day', ids.published]);
    await rename(scene, 'Live');
    await as(admin).refused('PT409', PUBLISH, [ids.published]);
    expect(await runDue(scene)).toEqual([expect.stringContaining('changed on the site meanwhile')]);
    expect(await runDue(scene)).toEqual([]);
    const refused = { problem: expect.any(String), fields: { title: 'Staged', client: 'Staged' } };
    expect([await project(scene), await plans(scene)]).toMatchObject([{ title: 'Live', client: null }, [refused]]);
    await save(scene, { title: 'Chosen', client: 'Staged' });
    // An overdue change waits for a new date.
    expect(await plans(scene)).toMatchObject([{ problem: null, due_at: null, base: { title: 'Live' } }]);
    await as(admin).call(PLAN, ['publish', '1 hour', ids.published]);
    expect(await runDue(scene)).toEqual([null]);
    expect(await project(scene)).toMatchObject({ title: 'Chosen', client: 'Staged' });
    await save(scene, { title: 'At once' });
    await rename(scene, 'Live');
    expect(await save(scene, { title: 'At once, after all' }, true)).toBe(true);
    expect([(await project(scene)).title, await plans(scene)]).toEqual(['At once, after all', []]);
  });

  test('compare facts one by one, and keep live changes of other facts', async ({ as, scene, server }) => {
    await server.query(`insert into site_settings (name, value)
        values ('project_facts', '[{"name": "Wood", "kind": "text"}, {"name": "Year", "kind": "number"}, {"name": "City", "kind": "text"}]')`);
    const WRITE_FACTS = 'update projects set facts = $2::text::jsonb where id = $1';
    const write = (facts: object) => as(admin).write(WRITE_FACTS, [ids.published, JSON.stringify(facts)]);
    const live = () => server.row('select facts from projects where id = $1', [ids.published]);
    await write({ wood: 'Oak', year: 1, city: 'Pune' });
    await save(scene, { facts: { wood: 'Teak', year: '1' } });
    expect((await plans(scene))[0]!.fields).toEqual({ facts: { wood: 'Teak', year: 1 } });
    expect(await live()).toEqual({ facts: { wood: 'Oak', year: 1, city: 'Pune' } });
    await write({ wood: 'Oak', year: 2, city: 'Pune' });
    expect(await as(admin).value<object>(PARTS, [ids.published])).toMatchObject({ conflicts: [] });
    await as(admin).call(PUBLISH, [ids.published]);
    expect(await live()).toEqual({ facts: { wood: 'Teak', year: 2 } });

    await save(scene, { facts: { wood: 'Oak', year: 2 } });
    await write({ wood: 'Ash', year: 2 });
    await as(admin).refused('PT409', PUBLISH, [ids.published]);
    expect(await live()).toEqual({ facts: { wood: 'Ash', year: 2 } });
  });

  test('publish a draft and unpublish it at dates, in the name of the admin who chose them', async (scene) => {
    const { as, server } = scene;
    const refusal = (kind: string, at: string, id: string = ids.draft) => as(admin).refusal(PLAN, [kind, at, id]);
    for (const at of ['-1 minute', '0', '6 years']) expect(await refusal('publish', at)).toBe('PT422');
    expect(await refusal('unpublish', '1 day')).toBe('PT422');
    expect(await refusal('publish', '1 day', ids.published)).toBe('PT422');
    expect(await refusal('publish', '1 day', ids.missing)).toBe('PT404');
    await as(admin).call(PLAN, ['publish', '1 day', ids.draft]);
    expect(await refusal('unpublish', '1 hour')).toBe('PT422');
    await as(admin).call(PLAN, ['unpublish', '2 days', ids.draft]);
    expect(await refusal('publish', '3 days')).toBe('PT422');
    await server.query(`update planned_changes set due_at = due_at - interval '3 days'`);
    for (const status of ['active', 'draft']) {
      expect(await server.rows('select * from private.publish_next_due()')).toMatchObject([{ refused: null }]);
      expect((await project(scene, ids.draft)).status).toBe(status);
    }
    expect(await plans(scene, ids.draft)).toEqual([]);
    const log = await logged(server, 'projects.%publish', 'action, object, actor, actor_kind');
    const lines = ['publish', 'unpublish'].map((act) => `projects.${act} ${ids.draft} ${ids.admin} server`);
    expect(log.filter((line) => line.endsWith('server'))).toEqual(lines);
  });

  test('do not publish a draft that its submitter changed after the date was set', async ({ as, scene, server }) => {
    await as(admin).call(PLAN, ['publish', '1 day', ids.draft]);
    await server.query(`update planned_changes set updated_at = now() - interval '1 hour'`);
    await as(creator).write(SWAP, [ids.draft]);
    expect(await runDue(scene)).toEqual([expect.stringContaining('Its submitter changed it')]);
    expect(await project(scene, ids.draft)).toMatchObject({ status: 'draft' });
  });

  test('that become public again are checked with the media that they bring', async ({ as, scene, server }) => {
    await server.query(STORED);
    await as(admin).write(`update project_media set alt = 'A lamp' where project_id = $1`, [ids.published]);
    await saveParts(scene, { media: [{ ...PICTURE, alt: null }] });
    await as(admin).write(`update projects set status = 'draft' where id = $1`, [ids.published]);
    await save(scene, { status: 'completed' });
    await as(admin).write(`insert into site_settings (name, value) values ('publishing_needs_checks', 'true')`);
    await as(admin).refused('PT422', PUBLISH, [ids.published]);
  });

  test('that the database refuses for any lasting reason do not stop the others', async ({ as, scene, server }) => {
    await server.query(`create function private.fail() returns trigger language plpgsql as 'begin perform 1 / 0; end'`);
    await server.query(`create trigger fail before update of status on projects for each row
      when (new.id = '${ids.draft}') execute function private.fail()`);
    for (const id of [ids.draft, ids.otherUsersDraft]) await as(admin).call(PLAN, ['publish', '1 day', id]);
    expect((await runDue(scene)).toSorted()).toEqual(['The database refused it (22012).', null]);
    // Three bytes become nine.
    await server.query(`select private.search_vector('', array(
      select (select string_agg(chr(44033 + (n * 31 + i * 7) % 11171), '') from generate_series(1, 120) as i) from generate_series(1, 1100) as n), '')`);
  });

  test('are not unpublished when their publication was refused', async (scene) => {
    await scene.as(admin).call(PLAN, ['publish', '1 day', ids.draft]);
    await scene.as(admin).call(PLAN, ['unpublish', '2 days', ids.draft]);
    await scene.server.query(`update planned_changes set problem = 'No alt text.' where kind = 'publish'`);
    expect(await runDue(scene)).toEqual(['It was not published before. No alt text.']);
  });

  test('end when they are cancelled, or have become meaningless', async ({ as, scene }) => {
    await as(admin).call(PLAN, ['publish', '1 day', ids.draft]);
    await as(admin).call(PLAN, ['unpublish', '2 days', ids.draft]);
    await as(admin).call(CANCEL, ['unpublish', ids.draft]);
    expect(await plans(scene, ids.draft)).toHaveLength(1);
    await as(admin).write(`update projects set status = 'completed' where id = $1`, [ids.draft]);
    expect(await plans(scene, ids.draft)).toEqual([]);
    await as(admin).call(PLAN, ['unpublish', '2 days', ids.draft]);
    await as(admin).write(`update projects set status = 'draft' where id = $1`, [ids.draft]);
    const restored = { kind: 'publish', problem: null, due_at: expect.anything() };
    expect(await plans(scene, ids.draft)).toMatchObject([restored]);
    await as(admin).write(`update projects set status = 'completed' where id = $1`, [ids.draft]);
    expect(await plans(scene, ids.draft)).toMatchObject([{ ...restored, kind: 'unpublish' }]);
    await save(scene, { title: 'Kept' });
    await as(admin).call(PLAN, ['publish', '1 day', ids.published]);
    await as(admin).call(CANCEL, ['publish', ids.published]);
    expect(await plans(scene)).toMatchObject([{ due_at: null, fields: { title: 'Kept' } }]);
    await as(admin).call(PLAN, ['publish', '1 day', ids.published]);
    await as(admin).write(`update projects set status = 'draft' where id = $1`, [ids.published]);
    expect(await plans(scene)).toMatchObject([{ due_at: null, fields: { title: 'Kept' } }]);
  });

  test('publish a revision also when its project became a draft meanwhile, by hand or at a date', async (scene) => {
    const { as, server } = scene;
    for (const title of ['First', 'Second', 'Third']) {
      await save(scene, { title });
      await as(admin).call(PLAN, ['unpublish', '1 day', ids.published]);
      await as(admin).call(PLAN, ['publish', '2 days', ids.published]);
      if (title === 'First') {
        await server.query(`update planned_changes set due_at = due_at - interval '3 days'`);
        for (let count = 0; count < 2; count++) await server.query('select * from private.publish_next_due()');
      } else if (title === 'Third') {
        // Not with what its submitter changed while it was a draft.
        await server.query(`update projects set created_by = $1 where id = $2`, [ids.creator, ids.published]);
        const AGE = `update planned_changes set due_at = due_at - interval '36 hours', updated_at = now() - interval '1 hour'`;
        await server.query(AGE);
        await server.query('select * from private.publish_next_due()');
        // Else the version of this transaction goes on.
        await server.query(`update project_versions set at = at - interval '1 minute'`);
        await as(creator).write(SWAP, [ids.published]);
        expect(await runDue(scene)).toEqual([expect.stringContaining('Its submitter changed it')]);
        return;
      } else {
        await as(admin).write(`update projects set status = 'draft' where id = $1`, [ids.published]);
        await as(admin).call(PUBLISH, [ids.published]);
      }
      expect(await project(scene)).toMatchObject({ title, status: 'active' });
    }
  });

  test('publish the draft of a page at a date, unless it was published or discarded before', async (scene) => {
    const { as, server } = scene;
    const id = await server.value<string>(`select id from pages where kind = 'about'`);
    const planPage = `select plan_change('publish', now() + interval '1 day', p_page => $1)`;
    await as(admin).refused('PT422', planPage, [id]);
    await as(admin).call(`select save_page_draft($1, '{"a": 1}', null, 1)`, [id]);
    await as(admin).call(planPage, [id]);
    await as(admin).call('select save_page_draft($1, null, null, 2)', [id]);
    expect(await plans(scene, id)).toEqual([]);
    await as(admin).call(`select save_page_draft($1, '{"a": 2}', null, 3)`, [id]);
    await as(admin).call(planPage, [id]);
    await as(admin).call(`select save_page_draft($1, '{"a": 3}', null, 4)`, [id]);
    expect(await runDue(scene)).toEqual([null]);
    const livePage = { live: { a: 3 }, draft: null, updated_by: ids.admin };
    expect(await as(admin).rows('select live, draft, updated_by from pages where id = $1', [id])).toEqual([livePage]);
    expect(await plans(scene, id)).toEqual([]);
  });

  test('are read by the holder of a link until they are published or discarded, without a hidden budget', async (scene) => {
    const { as } = scene;
    await as(admin).refused('42501', MAKE_LINK, [ids.published]);
    await save(scene, { title: 'Staged', budget: 9, show_budget: false });
    await as(creator).refused('42501', MAKE_LINK, [ids.published]);
    const { secret } = await as(admin).answer<{ secret: string }>(MAKE_LINK, [ids.published]);
    const holder = withSecret(secret);
    const read = (id: string = ids.published) => as(holder).answer(REVISION, [id]);
    expect(await read()).toEqual({ title: 'Staged', show_budget: false });
    expect(await read(ids.archived)).toBeNull();
    await as(holder).call('select draft_opened()');
    const OPENED = 'select last_opened_at is not null as opened from draft_links($1)';
    expect(await as(admin).rows(OPENED, [ids.published])).toEqual([{ opened: true }]);
    expect(await save(scene, { title: 'Published', budget: 100, show_budget: true })).toBe(true);
    await save(scene, { title: 'Another' });
    expect(await read()).toBeNull();
  });

  test('follow their project into the trash and back, and are not published late by it', async (scene) => {
    const { as, server } = scene;
    await save(scene, { title: 'Staged' });
    await as(admin).call(PLAN, ['publish', '1 day', ids.published]);
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    expect(await plans(scene)).toEqual([]);
    await server.query(RESTORE_ALL);
    expect(await plans(scene)).toMatchObject([{ fields: { title: 'Staged' }, problem: null }]);
    await server.query(`update planned_changes set due_at = now() - interval '1 second'`);
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    await server.query(RESTORE_ALL);
    expect(await runDue(scene)).toEqual([]);
    const late = { fields: { title: 'Staged' }, problem: 'The project was in the trash at that time.' };
    expect(await plans(scene)).toMatchObject([late]);
  });

  test('retain the pictures of a revision, and follow a replacement', async ({ as, scene, server }) => {
    const name = 'images/0c0c0c0c-0000-4000-8000-000000000001.png';
    await storeFile(server, name);
    const orphans = () => server.rows(`select name from private.orphaned_objects('1 day') where name = $1`, [name]);
    expect(await orphans()).toHaveLength(1);
    const { seen } = await project(scene);
    const STAGE_TEXT = `select stage_project($1, $2::text::timestamptz, null, false, '{}', $3, null, null, null) as answer`;
    const html = `<p><img src="https://mad.example/storage/v1/object/public/case-studies/${name}"></p>`;
    await as(admin).call(STAGE_TEXT, [ids.published, seen, html]);
    expect(await orphans()).toEqual([]);
    const STORE = `insert into storage.objects (bucket_id, name, metadata) values ('case-studies', $1, '{"size": 1}')`;
    await server.query(STORE, [name.replace('1.png', '2.png')]);
    const FILES = `select id, private.media_places(file) -> 'places' as places from media_files file where name like 'images/0c0c0c0c%' order by name`;
    const files = await server.rows<{ id: string; places: object }>(FILES);
    expect(files[0]!.places).toMatchObject([{ kind: 'project', id: ids.published }]);
    await as(admin).call('select replace_media_file($1, $2)', [files[0]!.id, files[1]!.id]);
    expect(JSON.stringify((await plans(scene))[0]!.fields)).toContain('2.png');
  });
});

export const scheduleRaces = onStage('planned changes of several servers', (stage) => {
  it('are carried out once by servers that find the same dates', async () => {
    const PLANT = `insert into public.projects (title) select 'Due' from generate_series(1, 4) returning id`;
    const all = await stage.server.column<string>(PLANT);
    const PLAN_ALL = `insert into public.planned_changes (kind, project_id, due_at) select 'publish', id, now() - interval '1 minute' from unnest($1::uuid[]) id`;
    await stage.db.query(PLAN_ALL, [all]);
    const run = { text: 'select object as answer from private.publish_next_due()' };
    const outcomes = await stage.race(Array.from({ length: 6 }, () => run));
    const done = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason));
    expect(done.sort()).toEqual([...all.map((id) => `project ${id}`).sort(), undefined, undefined]);
    const lines = `select count(*)::int from public.audit_log where action = 'projects.publish' and object = any ($1) group by object`;
    expect(await stage.server.column(lines, [all])).toEqual([1, 1, 1, 1]);
    expect(await stage.server.rows('select from public.planned_changes')).toEqual([]);
    await stage.db.query('delete from public.projects where id = any ($1)', [all]);
    await stage.db.query('delete from private.trash where project_id = any ($1)', [all]);
    await stage.db.query('update private.experiment_numbers set last = last - 4');
  });
});
