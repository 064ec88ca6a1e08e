import { expect } from 'vitest';
import { admin, creator, ids } from './actors.ts';
import { onStage, RESTORE_ALL, type Scene, storeFile } from './stage.ts';

export const trash = onStage('trash', ({ test }) => {
  const restore = ({ server }: Scene) => server.value<number>(RESTORE_ALL);

  test('restores one experiment with all its rows, also when its creator was deleted', async (scene) => {
    await scene.as(creator).write('delete from projects where id = $1', [ids.published]);
    await scene.server.query('delete from auth.users where id = any($1)', [[ids.creator, ids.otherUser]]);
    expect(await restore(scene)).toBe(1);
    const RESTORED = `select title, created_by, (select count(*) from project_media m where m.project_id = p.id) as media,
      (select user_id from project_members m where m.project_id = p.id) as person from projects p where id = $1`;
    const restored = { title: 'Published', created_by: ids.guest, media: 1, person: null };
    expect(await scene.server.rows(RESTORED, [ids.published])).toEqual([restored]);
  });

  test('purges after thirty days', async ({ as, server }) => {
    await as(creator).write('delete from projects where id = $1', [ids.published]);
    await server.query(`update private.trash set deleted_at = now() - interval '31 days'`);
    await as(creator).write('delete from projects where id = $1', [ids.draft]);
    expect(await server.column(`select title from private.trash where table_name = 'projects'`)).toEqual(['Draft']);
  });

  test('treats files as unused when no media item, text or trash entry names them (TM-38)', async ({ as, server }) => {
    const name = (n: number) => `images/0f0f0f0f-0000-4000-8000-00000000000${n}.png`;
    const address = (n: number) => `https://mad.example/storage/v1/object/public/case-studies/${name(n)}`;
    for (const n of [1, 2, 3, 4, 5]) await storeFile(server, name(n));
    const ADD_TWO = 'insert into project_media (project_id, url) values ($1, $2), ($1, $3)';
    await as(admin).write(ADD_TWO, [ids.published, address(1), address(2)]);
    await as(admin).write('delete from project_media where url = $1', [address(2)]);
    const impact = `<p><img src="${address(3)}"></p>`;
    await as(admin).write('update projects set impact = $1 where id = $2', [impact, ids.draft]);
    await server.query(`update storage.objects set created_at = now() where name = $1`, [name(5)]);
    const orphans = () => server.column<string>(`select name from private.orphaned_objects('24 hours')`);
    expect(await orphans()).toEqual([name(4)]);
    await server.query('delete from private.trash');
    expect((await orphans()).sort()).toEqual([name(2), name(4)]);
  });
});
