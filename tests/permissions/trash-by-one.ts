import { expect } from 'vitest';
import { admin, creator, guest, ids, submitter } from './actors.ts';
import { mediaOf, onStage } from './stage.ts';

interface Listed {
  total: number;
  rows: {
    kind: string;
    id: string;
    title: string;
    kept_until: string;
    deleted_at: string;
  }[];
}

const RESTORE = 'select restore_from_trash(projects => $1, media => $2) as answer';
const counts = `select (select count(*) from project_media where project_id = $1)::int as media,
  (select count(*) from project_members where project_id = $1)::int as members,
  (select count(*) from case_study_metadata where project_id = $1)::int as texts,
  (select amount from project_budgets where project_id = $1) as budget`;

export const trashByOne = onStage('single items in the trash', ({ test }) => {
  test('are listed with who deleted them and until when they can be restored, searched by title and paged', async (scene) => {
    const { as, server } = scene;
    await server.query(`update profiles set email = 'creator@example.com' where user_id = $1`, [ids.creator]);
    const list = (text = 'select list_trash() as answer') => as(admin).answer<Listed>(text);
    await as(creator).write('delete from projects where id = $1', [ids.published]);
    await as(admin).write('delete from project_media where project_id = $1', [ids.archived]);
    const all = await list();
    expect(all).toMatchObject({ total: 2, more: false, kept_days: 30 });
    const media = ['media', `https://pictures.example/${ids.archived}.png`];
    const deleted = all.rows.map(({ kind, title }) => [kind, title]);
    expect(deleted).toEqual(expect.arrayContaining([['project', 'Published'], media]));
    const project = all.rows.find(({ kind }) => kind === 'project')!;
    expect(project).toMatchObject({ id: ids.published, media: 1, deleted_by: 'creator@example.com', project: null });
    expect(Math.round((Date.parse(project.kept_until) - Date.parse(project.deleted_at)) / 86_400_000)).toBe(30);
    const medium = all.rows.find(({ kind }) => kind === 'media');
    const archived = { id: ids.archived, title: 'Archived' };
    expect(medium).toMatchObject({ project: archived, deleted_by: 'admin@example.com' });
    expect((await list(`select list_trash(words => 'pUBl') as answer`)).rows).toHaveLength(1);
    expect((await list(`select list_trash(words => '%') as answer`)).total).toBe(0);
    expect((await list(`select list_trash(kind => 'media') as answer`)).rows).toHaveLength(1);
    const second = await list('select list_trash(skip => 1, take => 1) as answer');
    expect(second.total).toBe(2);
    expect(second.rows).toEqual([all.rows[1]]);
    await server.query(`update private.trash set deleted_at = now() - interval '31 days'`);
    expect((await list()).total).toBe(0);
    expect(await as(admin).answer(RESTORE, [[ids.published], []])).toEqual({ projects: 0, media: 0 });
  });

  test('are restored one by one with media, team, texts and budget, and leave the others', async ({ as, server }) => {
    await server.query('update projects set show_budget = false where id = $1', [ids.published]);
    const before = await server.rows(counts, [ids.published]);
    for (const id of [ids.published, ids.draft, ids.archived])
      await as(admin).write('delete from projects where id = $1', [id]);
    expect(await as(admin).answer(RESTORE, [[ids.published], []])).toEqual({ projects: 1, media: 0 });
    expect(await server.rows(counts, [ids.published])).toEqual(before);
    expect(before[0]).toMatchObject({ media: 1, members: 1, texts: 1, budget: '100.00' });
    const { answer } = await as(admin).call('select list_trash() as answer');
    expect((answer as Listed).rows.map(({ id }) => id).sort()).toEqual([ids.archived, ids.draft].sort());
    expect(await as(admin).answer(RESTORE, [[ids.published], []])).toEqual({ projects: 0, media: 0 });
    const others = [ids.archived, ids.draft, ids.missing];
    expect(await as(admin).answer(RESTORE, [others, []])).toEqual({ projects: 2, media: 0 });
    const RESTORES = `select action, object, reason from audit_log where action like '%.restore' order by id`;
    const own = { object: ids.published, reason: null };
    expect(await as(admin).rows(RESTORES)).toMatchObject([own, { reason: '2 projects' }]);
    expect(await as(admin).rows(`select from audit_log where action = 'projects.insert'`)).toEqual([]);
  });

  test('of a cleanup are restored with everything it had deleted of them (CLEAN-11)', async ({ as, server }) => {
    const before = await server.rows(counts, [ids.published]);
    await as(admin).call('select begin_cleanup() as answer');
    for (const table of ['project_media', 'case_study_metadata', 'project_members', 'projects']) {
      await as(admin).write(`delete from ${table} where id is not null`);
      const LATER = `update private.trash set deleted_at = deleted_at + interval '1 second' where table_name = $1`;
      await server.query(LATER, [table]);
    }
    expect(await as(admin).answer(RESTORE, [[ids.published], []])).toEqual({ projects: 1, media: 0 });
    expect(await server.rows(counts, [ids.published])).toEqual(before);
    expect(await server.rows('select count(*)::int as n from projects')).toEqual([{ n: 1 }]);
  });

  test('of an undone cleanup are restored without what was deleted of them later', async ({ as, server }) => {
    const { id } = await as(admin).answer<{ id: string }>('select begin_cleanup() as answer');
    await as(admin).write('delete from projects where id is not null');
    await as(admin).call('select restore_cleanup($1) as answer', [id]);
    const EARLIER = `update private.cleanups set began_at = began_at - interval '5 minutes', ended_at = now() - interval '4 minutes'`;
    await server.query(EARLIER);
    await as(admin).write('delete from project_media where project_id = $1', [ids.published]);
    await server.query(`update private.trash set deleted_at = deleted_at - interval '1 minute'`);
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    await as(admin).call(RESTORE, [[ids.published], []]);
    expect(await server.rows(counts, [ids.published])).toMatchObject([{ media: 0, members: 1 }]);
  });

  test('return to the selection of the home page', async ({ as }) => {
    const featured = () => as(guest).rows('select * from featured_experiments');
    await as(admin).call('select feature_experiments($1)', [[ids.published]]);
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    expect(await featured()).toEqual([]);
    await as(admin).call(RESTORE, [[ids.published], []]);
    expect(await featured()).toEqual([{ project_id: ids.published, place: 1 }]);
  });

  test('a media item returns to its position, and stays in the trash when it no longer fits', async (scene) => {
    const { as, server } = scene;
    const id = await mediaOf(server, ids.published);
    await as(admin).write('delete from project_media where id = $1', [id]);
    const FILL = `insert into project_media (project_id, url) select $1, 'https://pictures.example/' || n from generate_series(1, 50) n`;
    await server.query(FILL, [ids.published]);
    await as(admin).refused('PT422', RESTORE, [[], [id]]);
    await server.query('delete from project_media where project_id = $1', [ids.published]);
    await server.query(`delete from private.trash where object_id <> $1`, [id]);
    expect(await as(admin).answer(RESTORE, [[], [id]])).toEqual({ projects: 0, media: 1 });
    expect(await as(admin).answer(RESTORE, [[], [id]])).toEqual({ projects: 0, media: 0 });
    expect(await mediaOf(server, ids.published)).toBe(id);
    await as(admin).refused('PT400', RESTORE, [Array(101).fill(ids.missing), []]);
  });

  test('a picture whose id was reused is restored, without disclosing the other one (TM-21)', async (scene) => {
    const { as, server } = scene;
    const id = await mediaOf(server, ids.published);
    const send = `insert into project_media (id, project_id, url) values ($1, $2, 'https://evil.example/x.png')
        on conflict (id) do nothing`;
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    expect(await as(submitter).write(send, [id, ids.guestsDraft])).toBe(1);
    expect(await as(creator).write(send, [id, ids.draft])).toBe(1);
    expect(await as(admin).answer(RESTORE, [[ids.published], []])).toEqual({ projects: 1, media: 0 });
    const ownPicture = { project_id: ids.published, url: `https://pictures.example/${ids.published}.png` };
    expect(await as(admin).rows('select project_id, url from project_media where id = $1', [id])).toEqual([ownPicture]);
  });

  test('a picture stays in the trash while another project has its id (TM-21)', async ({ as, server }) => {
    const id = await mediaOf(server, ids.published);
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    const REUSE_ID = `insert into project_media (id, project_id, url) values ($1, $2, 'https://pictures.example/2')`;
    await server.query(REUSE_ID, [id, ids.draft]);
    expect(await as(admin).answer(RESTORE, [[ids.published], []])).toEqual({ projects: 1, media: 0 });
    expect(await as(admin).answer(RESTORE, [[], [id]])).toEqual({ projects: 0, media: 0 });
    await server.query('delete from project_media where project_id = $1', [ids.draft]);
    await server.query('delete from private.trash where project_id = $1', [ids.draft]);
    expect(await as(admin).answer(RESTORE, [[], [id]])).toMatchObject({ media: 1 });
    expect(await mediaOf(server, ids.published)).toBe(id);
  });

  test('a submitter can send a removed picture of their own draft again', async ({ as, server }) => {
    const id = await mediaOf(server, ids.guestsDraft);
    await as(admin).write('delete from project_media where id = $1', [id]);
    const send = `insert into project_media (id, project_id, url) values ($1, $2, 'https://pictures.example/again')
        on conflict (id) do nothing`;
    expect(await as(submitter).write(send, [id, ids.guestsDraft])).toBe(1);
    expect(await as(submitter).write(send, [id, ids.guestsDraft])).toBe(0);
    expect(await mediaOf(server, ids.guestsDraft)).toBe(id);
  });
});
