import { describe, expect } from 'vitest';
import { admin, creator, guest, ids, otherUser, theService } from './actors.ts';
import { ANSWER, answerReview, readVersion } from './review-acts.ts';
import { GRANT, logged, onStage, type Scene } from './stage.ts';

/** Helpers of the review queue: assignees, reply templates, featured projects, and the checklist before publishing. */
export const reviewQueueHelpers = onStage('review queue', ({ test }) => {
  describe('assignee of a submission', () => {
    const ASSIGN = 'update reviews set assignee = $2 where project_id = $1';
    const assignee = ({ server }: Scene) =>
      server.value<string | null>('select assignee from reviews where project_id = $1', [ids.guestsDraft]);

    test('is set to admins alone, and logged', async ({ as, scene, server }) => {
      for (const wrong of [ids.creator, ids.guest, ids.missing])
        await as(admin).refused('PT422', ASSIGN, [ids.guestsDraft, wrong]);
      expect(await assignee(scene)).toBeNull();
      expect(await as(admin).write(ASSIGN, [ids.guestsDraft, ids.admin])).toBe(1);
      expect(await as(admin).write(ASSIGN, [ids.guestsDraft, ids.admin])).toBe(1);
      expect(await assignee(scene)).toBe(ids.admin);
      expect(await as(admin).write(ASSIGN, [ids.guestsDraft, null])).toBe(1);
      const lines = [`reviews.assign ${ids.guestsDraft} ${ids.admin}`, `reviews.unassign ${ids.guestsDraft}`];
      expect(await logged(server, 'reviews.%assign', 'action, object')).toEqual(lines);
    });

    test('blocks no answer', async ({ as, scene }) => {
      const version = await readVersion(scene, ids.guestsDraft);
      await as(admin).write(ASSIGN, [ids.guestsDraft, ids.admin]);
      expect(await readVersion(scene, ids.guestsDraft)).toBe(version);
      const declined = { answer: { state: 'declined' } };
      expect(await as(admin).call(ANSWER, [ids.guestsDraft, 'decline', 'No', false, version])).toMatchObject(declined);
    });

    test('is cleared when the assignee loses the role, and restored from the trash with the submission', async (scene) => {
      await scene.server.query(GRANT, [ids.otherUser, 'admin']);
      await scene.as(admin).write(ASSIGN, [ids.guestsDraft, ids.otherUser]);
      await scene.as(admin).write('delete from projects where id = $1', [ids.guestsDraft]);
      await scene.as(admin).rows('select restore_from_trash(projects => array[$1::uuid])', [ids.guestsDraft]);
      expect(await assignee(scene)).toBe(ids.otherUser);
      await scene.as(admin).write('delete from user_roles where user_id = $1', [ids.otherUser]);
      expect(await assignee(scene)).toBeNull();
      expect(await logged(scene.server, 'reviews.unassign')).toEqual([]);
    });
  });

  describe('reply templates', () => {
    test('exist for three answers, and have a name and a text', async ({ as }) => {
      const seeded = await as(admin).column<string>('select answer from reply_templates order by answer');
      expect(seeded).toEqual(['ask', 'decline', 'publish']);
      const insertTemplate = (answer: string, name: string, body: string) =>
        as(admin).refusal('insert into reply_templates (answer, name, body) values ($1, $2, $3)', [answer, name, body]);
      expect(await insertTemplate('reopen', 'Name', 'Words')).toBe('23514');
      expect(await insertTemplate('ask', ' ', 'Words')).toBe('23514');
      expect(await insertTemplate('ask', 'x'.repeat(81), 'Words')).toBe('23514');
      expect(await insertTemplate('ask', 'Name', ' ')).toBe('23514');
      expect(await insertTemplate('ask', 'Name', 'x'.repeat(5001))).toBe('23514');
    });
  });

  describe('featured experiments of the home page', () => {
    const FEATURE = 'select feature_experiments(p_ids => $1)';
    const READ = 'select project_id, place from featured_experiments order by place';
    const order = (scene: Scene, actor = guest) => scene.as(actor).column<string>(READ);

    test('are set by admins and the service, in an order that everyone reads', async ({ as, scene, server }) => {
      const ADD_SECOND = `insert into projects (title, status) values ('Second', 'completed') returning id`;
      const featured = [await server.value<string>(ADD_SECOND), ids.published];
      await as(admin).rows(FEATURE, [featured]);
      for (const actor of [guest, otherUser, creator, admin, theService])
        expect(await order(scene, actor)).toEqual(featured);
      await as(theService).rows(FEATURE, [featured.toReversed()]);
      expect(await order(scene)).toEqual(featured.toReversed());
      const objects = [featured, featured.toReversed()].map((all) => all.join(' '));
      expect(await logged(server, 'projects.feature', 'object')).toEqual(objects);
      await as(admin).rows(FEATURE, [[]]);
      expect(await order(scene)).toEqual([]);
    });

    test('are published projects, each once, at most twelve; a chosen draft is not disclosed', async (scene) => {
      const { as } = scene;
      for (const hidden of [ids.draft, ids.archived, ids.missing])
        await as(admin).refused('PT409', FEATURE, [[hidden]]);
      await as(admin).refused('PT422', FEATURE, [[ids.published, ids.published]]);
      await as(admin).refused('PT422', FEATURE, [null]);
      await as(admin).refused('PT422', FEATURE, [Array.from({ length: 13 }, () => crypto.randomUUID())]);
      await as(admin).rows(FEATURE, [[ids.published]]);
      await as(admin).write(`update projects set status = 'draft' where id = $1`, [ids.published]);
      expect(await order(scene)).toEqual([]);
      expect(await order(scene, admin)).toEqual([ids.published]);
      await as(admin).write('delete from projects where id = $1', [ids.published]);
      expect(await order(scene, admin)).toEqual([]);
    });

    test('create no version, and do not change the project', async ({ as, server }) => {
      const STATE = `select updated_at::text, (select count(*)::int from project_versions where project_id = $1) as versions
        from projects where id = $1`;
      const state = () => server.rows(STATE, [ids.published]);
      const before = await state();
      await as(admin).rows(FEATURE, [[ids.published]]);
      expect(await state()).toEqual(before);
    });
  });

  describe('required checks before publishing', () => {
    const PUBLISH = `update projects set status = 'active' where id = $1`;
    const switchOn = ({ as }: Scene) =>
      as(admin).write(`insert into site_settings (name, value) values ('publishing_needs_checks', 'true')`);
    const describeMedia = ({ as }: Scene, alt: string | null) =>
      as(admin).write('update project_media set alt = $2 where project_id = $1', [ids.guestsDraft, alt]);

    test('are off until an admin switches them on', async ({ as, scene }) => {
      await describeMedia(scene, null);
      expect(await as(admin).write(PUBLISH, [ids.guestsDraft])).toBe(1);
    });

    test('reject every way of publishing while a picture has no description, and accept it afterwards', async (scene) => {
      await switchOn(scene);
      await describeMedia(scene, null);
      for (const actor of [admin, theService]) {
        const refused = scene.as(actor).write(PUBLISH, [ids.guestsDraft]);
        const message = expect.stringMatching(/^1 picture does not say what it shows\./);
        await expect(refused).rejects.toMatchObject({ code: 'PT422', message });
      }
      const publishCall = [ids.guestsDraft, 'publish', null, false, await readVersion(scene, ids.guestsDraft)];
      await scene.as(admin).refused('PT422', ANSWER, publishCall);
      await describeMedia(scene, '');
      expect(await answerReview(scene, ids.guestsDraft, 'publish', null)).toMatchObject({ state: 'published' });
    });

    test('apply to drafts alone: a published project stays public, and can be restored from the trash', async (scene) => {
      await scene.as(admin).write('update project_media set alt = null where project_id = $1', [ids.published]);
      await switchOn(scene);
      const COMPLETE = `update projects set status = 'completed' where id = $1`;
      expect(await scene.as(admin).write(COMPLETE, [ids.published])).toBe(1);
      await scene.as(admin).write('delete from projects where id = $1', [ids.published]);
      await scene.as(admin).rows('select restore_from_trash(projects => array[$1::uuid])', [ids.published]);
      const STATUS = 'select status from projects where id = $1';
      expect(await scene.server.rows(STATUS, [ids.published])).toEqual([{ status: 'completed' }]);
    });
  });
});
