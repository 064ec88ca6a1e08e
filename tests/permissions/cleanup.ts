import { describe, expect, it } from 'vitest';
import {
  type Actor,
  admin,
  creator,
  guest,
  ids,
  newSecret,
  otherUser,
  sessionlessAdmin,
  staleAdmin,
  submitter,
  theService,
  withSecret,
} from './actors.ts';
import { endsOf, onStage, type Scene, storeFile } from './stage.ts';

const TABLES = ['project_media', 'case_study_metadata', 'project_members', 'projects'];
const wipe = (table: string) => `delete from ${table} where id is not null`;
const BEGIN = 'select begin_cleanup() as answer';
const OVERVIEW = 'select cleanup_overview() as answer';
const RESTORE = 'select restore_cleanup(cleanup_id => $1) as answer';
const allBack = (projects: number) => ({ restored: projects, left: 0, found: projects });

interface StartedCleanup {
  id: string;
  kept_until: string;
}
interface Overview {
  may_wipe_until: string | null;
  rows: Record<string, number>;
  cleanups: { id: string; began_by: string; projects: number; belongings: number }[];
}

export const cleanup = onStage('cleanup', (stage) => {
  const { test } = stage;
  const everything = async ({ server }: Pick<Scene, 'server'>) => {
    const all: Record<string, unknown[]> = {};
    for (const table of [...TABLES.map((name) => `public.${name}`), 'public.project_budgets', 'private.draft_secrets'])
      all[table] = await server.rows(`select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`);
    return all;
  };
  const begin = ({ as }: Scene, actor: Actor = admin) => as(actor).answer<StartedCleanup>(BEGIN);
  const overview = ({ as }: Scene) => as(admin).answer<Overview>(OVERVIEW);
  const wipeAll = async ({ as }: Scene) => {
    for (const table of TABLES) await as(admin).write(wipe(table));
  };

  it.each<[string, Actor]>([
    ['a guest', guest],
    ['the submitter of a draft', submitter],
    ['another user', otherUser],
    ['a creator', creator],
    ['an admin who signed in eleven minutes ago', staleAdmin],
    ['an admin with a token of no session', sessionlessAdmin],
  ])('refuses each step to %s, and changes nothing (CLEAN-10, PERM-11)', (_, actor) =>
    stage.play(async (scene) => {
      const GIVE_AWAY = 'update projects set created_by = $1 where id <> $2';
      await scene.server.query(GIVE_AWAY, [ids.creator, ids.otherUsersDraft]);
      await scene.server.query('delete from projects where id = $1', [ids.otherUsersDraft]);
      if (actor === otherUser) await scene.server.query('update projects set created_by = $1', [ids.otherUser]);
      const before = await everything(scene);
      for (const table of TABLES) await scene.as(actor).refused('42501', wipe(table));
      expect(await everything(scene)).toEqual(before);
      for (const table of TABLES) expect(await scene.as(admin).write(wipe(table)), table).toBe(5);
    }),
  );

  test('reports and records a refused start, and requires a recent sign-in (CLEAN-10)', async ({ as }) => {
    for (const actor of [guest, otherUser, creator])
      expect(await as(actor).call(BEGIN)).toMatchObject({ status: '403', answer: { code: '42501' } });
    const signInAgain = { code: 'PT403', message: expect.stringMatching(/Sign in again.*Nothing was deleted/) };
    for (const actor of [staleAdmin, sessionlessAdmin])
      expect(await as(actor).call(BEGIN)).toMatchObject({ status: '403', answer: signInAgain });
    expect(await as(admin).call(BEGIN)).toMatchObject({ status: null, answer: { id: expect.any(String) } });
    const BEGINNINGS = `select actor_kind, outcome from audit_log where action = 'cleanup.begin' order by id`;
    const log = await as(admin).rows(BEGINNINGS);
    const lines = ['guest refused', 'user refused', 'user refused', 'admin refused', 'admin refused', 'admin done'];
    expect(log.map((line) => Object.values(line).join(' '))).toEqual(lines);
  });

  test('does not restrict single deletes by admins with an old session', async ({ as }) => {
    for (const actor of [staleAdmin, sessionlessAdmin])
      for (const table of ['project_media', 'case_study_metadata', 'project_members', 'projects']) {
        const remove = `delete from ${table} where ${table === 'projects' ? 'id' : 'project_id'} = $1`;
        expect(await as(actor).write(remove, [actor === staleAdmin ? ids.published : ids.draft])).toBe(1);
      }
  });

  test('reports who started it and until when it can be undone, and restores everything once (CLEAN-11)', async (scene) => {
    const { as, server } = scene;
    await server.query('update projects set show_budget = false where id = $1', [ids.published]);
    const before = await everything(scene);
    expect((await overview(scene)).rows).toEqual(Object.fromEntries(TABLES.map((table) => [table, 6])));
    expect((await overview(scene)).cleanups).toEqual([]);

    const { id, kept_until } = await begin(scene);
    expect(Date.parse(kept_until) - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    await wipeAll(scene);
    await server.query(`insert into private.trash (table_name, entry) values ('project_facts', '{"id": "x"}')`);
    expect(await server.rows('select from projects')).toEqual([]);
    expect(await as(submitter).rows('select id from projects where id = $1', [ids.guestsDraft])).toEqual([]);
    const wiped = { id, began_by: 'admin@example.com', projects: 6, belongings: 18 };
    expect((await overview(scene)).cleanups).toMatchObject([wiped]);
    const LOG = `select actor, action, reason, at is not null as timed from audit_log
      where outcome = 'done' and action <> 'project_budgets.delete' order by id`;
    const line = { actor: ids.admin, action: 'cleanup.begin', reason: '6 projects', timed: true };
    const deletions = TABLES.map((table) => ({ ...line, action: `${table}.delete`, reason: '6 rows' }));
    expect(await as(admin).rows(LOG)).toEqual([line, ...deletions]);

    expect(await as(staleAdmin).answer(RESTORE, [id])).toEqual(allBack(6));
    expect(await everything(scene)).toEqual(before);
    expect(await as(submitter).rows('select id from projects where id = $1', [ids.guestsDraft])).toHaveLength(1);
    expect((await overview(scene)).cleanups).toEqual([]);
    await as(admin).refused('PT409', RESTORE, [id]);
  });

  test('restores a cleanup that was interrupted and started again (CLEAN-11)', async ({ as, scene }) => {
    const before = await everything(scene);
    const { id } = await begin(scene);
    await as(admin).write(wipe('project_media'));
    expect((await overview(scene)).cleanups).toMatchObject([{ id, projects: 0, belongings: 6 }]);
    expect((await begin(scene)).id).toBe(id);
    await wipeAll(scene);
    expect(await as(theService).answer(RESTORE, [id])).toEqual(allBack(6));
    expect(await everything(scene)).toEqual(before);
    expect((await begin(scene)).id).not.toBe(id);
  });

  test('can be undone for the configured number of days, and no longer (CLEAN-11)', async ({ as, scene, server }) => {
    await server.query('select private.set_trash_days(90)');
    const { id, kept_until } = await begin(scene);
    expect(Math.round((Date.parse(kept_until) - Date.now()) / 86_400_000)).toBe(90);
    await wipeAll(scene);
    const age89Days = `set began_at = began_at - interval '89 days', ended_at = ended_at - interval '89 days'`;
    await server.query(`update private.cleanups ${age89Days}`);
    await server.query(`update private.trash set deleted_at = deleted_at - interval '89 days'`);
    await server.query(`insert into projects (title) values ('Deleted later')`);
    await as(admin).write('delete from projects');
    expect((await overview(scene)).cleanups).toMatchObject([{ id, projects: 6 }]);
    await server.query('select private.set_trash_days(30)');
    expect((await overview(scene)).cleanups).toEqual([]);
    await as(admin).refused('PT409', RESTORE, [id]);
  });

  test('leaves items deleted before and after it in the trash', async ({ as, scene, server }) => {
    await as(admin).write('delete from projects where id = $1', [ids.archived]);
    await server.query(`update private.trash set deleted_at = now() - interval '1 hour'`);
    const { id } = await begin(scene);
    await wipeAll(scene);
    await server.query(`insert into projects (title) values ('Deleted later')`);
    await as(admin).write('delete from projects');
    const LATER = `update private.trash set deleted_at = now() + interval '11 minutes' where entry ->> 'title' = 'Deleted later'`;
    await server.query(LATER);
    await server.query(`insert into projects (id, title) values ($1, 'Created again')`, [ids.draft]);
    expect(await as(admin).answer(RESTORE, [id])).toMatchObject({ restored: 4, left: 0 });
    const kept = `select from private.trash where table_name = 'projects' and object_id = $1`;
    expect(await server.rows(kept, [ids.draft])).toHaveLength(1);
    const titles = await as(admin).rows<{ title: string }>('select title from projects');
    const others = expect.arrayContaining([expect.stringMatching(/^(Archived|Deleted later)$/)]);
    expect(titles.map(({ title }) => title)).not.toEqual(others);
  });

  test('keeps the deleted files while they can be restored (CLEAN-11)', async ({ as, scene, server }) => {
    const name = 'images/0f0f0f0f-0000-4000-8000-000000000001.png';
    await storeFile(server, name);
    const url = `https://mad.example/storage/v1/object/public/case-studies/${name}`;
    await as(admin).write('insert into project_media (project_id, url) values ($1, $2)', [ids.published, url]);
    const orphans = () => server.rows(`select name from private.orphaned_objects('24 hours')`);
    await begin(scene);
    await wipeAll(scene);
    expect(await orphans()).toEqual([]);
    await server.query('delete from private.trash');
    expect(await orphans()).toEqual([{ name }]);
  });

  test('is permitted for ten minutes after signing in, and starts at most five times in 15 minutes', async (scene) => {
    expect(await scene.as(theService).answer(OVERVIEW)).toMatchObject({ admin: true });
    expect(Date.parse((await overview(scene)).may_wipe_until!)).toBeGreaterThan(Date.now());
    for (let n = 0; n < 5; n++) {
      const { id } = await begin(scene);
      await scene.as(admin).call(RESTORE, [id]);
    }
    expect(await scene.as(admin).call(BEGIN)).toMatchObject({ status: '429', answer: { code: 'PT429' } });
  });

  // These tests commit, and restore afterwards.
  describe('concurrent cleanups', () => {
    const stored = () => everything({ server: stage.server });
    const start = { actor: admin, text: BEGIN };
    const restoring = (id: string) => ({ actor: admin, text: RESTORE, values: [id] });
    const steps = (actor: Actor) =>
      TABLES.map((table) => ({ actor, text: wipe(table).replace('from ', 'from public.') }));

    it('two cleanups delete everything once, and one restore restores it', async () => {
      const before = await stored();
      const [first, second] = await stage.race([start, start]);
      const id = first?.status === 'fulfilled' ? (first.value as StartedCleanup).id : '';
      expect(second).toMatchObject({ status: 'fulfilled', value: { id } });
      for (const step of steps(admin))
        expect(endsOf(await stage.race([step, step]))).toEqual(['fulfilled', 'fulfilled']);
      expect(await stage.server.rows('select from public.projects')).toEqual([]);
      expect(endsOf(await stage.race([restoring(id), restoring(id)]))).toEqual(['fulfilled', 'rejected']);
      expect(await stored()).toEqual(before);
    });

    it('a submission during a cleanup stays complete, in the table or in the trash', async () => {
      const [begun] = await stage.race([start]);
      const id = begun?.status === 'fulfilled' ? (begun.value as StartedCleanup).id : '';
      const actor = withSecret(newSecret());
      const create = `select public.create_case_study(title => 'In between') as answer`;
      const [made] = await stage.race([{ actor, text: create }, steps(admin)[0]!]);
      const project = made?.status === 'fulfilled' ? made.value : '';
      const text = `insert into public.project_media (project_id, url) values ($1, 'https://pictures.example/between.png')`;
      const addition = { actor, text, values: [project as string] };
      const outcomes = await stage.race([addition, ...steps(admin).slice(3)]);
      expect(outcomes[1]).toMatchObject({ status: 'fulfilled' });
      expect(await stage.server.rows('select from public.projects')).toEqual([]);
      await stage.race([restoring(id)]);
      const media =
        await stage.server.column(`select count(m.id)::int as media from public.projects p left join public.project_media m on m.project_id = p.id
         where p.title = 'In between' and p.submitted_at is null group by p.id`);
      await stage.db.query(`delete from public.projects where title = 'In between'`);
      expect(media).toEqual([outcomes[0]?.status === 'fulfilled' ? 1 : 0]);
    });
  });
});
