import { expect } from 'vitest';
import { admin, ids, newSecret, otherUser, userActor, withSecret } from './actors.ts';
import { GRANT, logged, onStage, RESTORE_ALL, type Scene } from './stage.ts';

const EDITOR = 'ed1ed1ed-0000-4000-8000-000000000001';
export const editor = userActor(EDITOR);
const HELD = `select string_agg(name, ' ') as held from user_roles join roles on roles.id = role_id where user_id = $1`;

export async function plant({ server }: Scene) {
  const INSERT = `insert into auth.users (id, email, email_confirmed_at) values ($1, 'editor@example.com', now())`;
  await server.query(INSERT, [EDITOR]);
  await server.query(GRANT, [EDITOR, 'editor']);
}

export const editors = onStage('role of editors', ({ test }) => {
  const heldBy = ({ server }: Scene, id: string) => server.value<string | null>(HELD, [id]);

  test('works from the next statement after it is granted or withdrawn (TM-18)', async ({ as, scene }) => {
    await plant(scene);
    const edit = `update projects set title = 'Edited' where id = $1`;
    expect(await as(editor).write(edit, [ids.draft])).toBe(1);
    expect(await as(admin).write('delete from user_roles where user_id = $1', [EDITOR])).toBe(1);
    expect(await as(editor).write(edit, [ids.draft])).toBe(0);
    expect(await as(editor).rows('select email from profiles')).toEqual([{ email: 'editor@example.com' }]);
  });

  test('replaces the role admin and is replaced by it, but not that of the last admin', async (scene) => {
    const { as, server } = scene;
    await plant(scene);
    await as(admin).refused('PT409', GRANT, [ids.admin, 'editor']);
    expect(await heldBy(scene, ids.admin)).toBe('admin');
    await as(admin).write(GRANT, [EDITOR, 'admin']);
    expect(await heldBy(scene, EDITOR)).toBe('admin');
    expect((await logged(server, 'user_roles.%')).toSorted()).toEqual(['user_roles.delete', 'user_roles.insert']);
    await as(admin).write('update reviews set assignee = $1 where project_id = $2', [EDITOR, ids.draft]);
    await as(editor).write(GRANT, [ids.admin, 'editor']);
    expect(await heldBy(scene, ids.admin)).toBe('editor');
    await as(editor).refusal(GRANT, [EDITOR, 'editor']);
    await server.query(GRANT, [ids.creator, 'admin']);
    await as(editor).write(GRANT, [EDITOR, 'editor']);
    expect(await server.column('select assignee from reviews where project_id = $1', [ids.draft])).toEqual([EDITOR]);
  });

  test('needs the second factor that admins need', async ({ as, scene, server }) => {
    await plant(scene);
    await server.query(`insert into site_settings values ('admins_need_second_factor', 'true')`);
    const flags = 'select can_edit_content() as edits, admin_needs_second_factor() as needs';
    expect(await as(editor).rows(flags)).toEqual([{ edits: false, needs: true }]);
    const claims = { ...editor.caller.claims, aal: 'aal2' };
    expect(await as({ caller: { ...editor.caller, claims } }).rows(flags)).toEqual([{ edits: true, needs: false }]);
  });

  test('is named by the log and by versions, and editors are responsible for submissions until they lose it', async (scene) => {
    const { as, server } = scene;
    await plant(scene);
    await as(editor).write('update reviews set assignee = $1 where project_id = $2', [EDITOR, ids.draft]);
    await as(editor).write(`update projects set status = 'active' where id = $1`, [ids.otherUsersDraft]);
    const ACTOR_KINDS = `select distinct actor_kind from audit_log where actor = $1`;
    expect(await server.rows(ACTOR_KINDS, [EDITOR])).toEqual([{ actor_kind: 'editor' }]);
    const KINDS_IN_VERSIONS = 'select distinct actor_kind from project_versions where actor = $1';
    expect(await as(admin).rows(KINDS_IN_VERSIONS, [EDITOR])).toEqual([{ actor_kind: 'editor' }]);
    await as(admin).write('delete from user_roles where user_id = $1', [EDITOR]);
    expect(await server.rows('select from reviews where assignee = $1', [EDITOR])).toEqual([]);
  });

  test('leaves everyone their projects when another role is withdrawn', async ({ as, server }) => {
    await server.query(`insert into roles (name) values ('photographer')`);
    await server.query('update projects set created_by = $1 where id = $2', [ids.otherUser, ids.published]);
    await as(admin).write(GRANT, [ids.otherUser, 'photographer']);
    await as(admin).write('delete from user_roles where user_id = $1', [ids.otherUser]);
    const owned = await as(otherUser).column('select id from projects where created_by = auth.uid()');
    expect(owned).toContain(ids.published);
  });

  test('leaves a former editor their own submissions, and nothing that they prepared for the agency', async (scene) => {
    const { as } = scene;
    await plant(scene);
    const mine = async () =>
      (await as(editor).column<string>('select title from projects where created_by = auth.uid()')).sort();
    const PLANT_THREE = `insert into projects (title, status) values ('Live', 'active'), ('Prepared', 'draft'), ('Deleted', 'active')`;
    await as(editor).write(PLANT_THREE);
    await as(withSecret(newSecret(), editor)).call(`select create_case_study('Submitted') as answer`);
    for (const role of ['admin', 'editor']) await as(admin).write(GRANT, [EDITOR, role]);
    expect(await mine()).toEqual(['Deleted', 'Live', 'Prepared', 'Submitted']);
    for (const title of ['Deleted', 'Submitted'])
      await as(editor).write('delete from projects where title = $1', [title]);
    await as(admin).write('delete from user_roles where user_id = $1', [EDITOR]);
    await scene.server.query(RESTORE_ALL);
    expect(await mine()).toEqual(['Submitted']);
    for (const title of ['Deleted', 'Live', 'Prepared'])
      expect(await as(editor).write('delete from projects where title = $1', [title])).toBe(0);
    expect(await as(editor).rows(`select from projects where title = 'Prepared'`)).toEqual([]);
  });

  test('deletes one project, and no several at once', async ({ as, scene }) => {
    await plant(scene);
    await as(editor).refused('42501', 'delete from projects where id in ($1, $2)', [ids.draft, ids.archived]);
    expect(await as(editor).write('delete from projects where id = $1', [ids.draft])).toBe(1);
    const restored = await as(editor).call('select restore_from_trash(array[$1::uuid]) as answer', [ids.draft]);
    expect(restored.answer).toMatchObject({ projects: 1 });
  });
});
