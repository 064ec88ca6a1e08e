import { describe, expect, it } from 'vitest';
import { ANSWER, answer, seen } from './review-acts.ts';
import { admin, creator, guest, ids, otherUser, type Scene, type Stage, submitter, theService } from './stage.ts';

const outsiders = { guest, otherUser, creator, submitter };

/** Helpers of the review queue: assignees, reply templates, featured projects, and the checklist before publishing. */
export const reviewQueueHelpers = (stage: Stage) =>
  describe('review queue', () => {
    const log = async ({ server }: Scene, like: string) =>
      (
        await server.query<{ action: string; object: string }>(
          'select action, object from public.audit_log where action like $1 order by id',
          [like],
        )
      ).rows;
    const second = 'a2a2a2a2-0000-4000-8000-000000000002';
    const withSecondAdmin = async ({ server }: Scene) => {
      await server.query(
        `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ('${second}', 'second@example.com', now(), '{"name": "Second"}')`,
      );
      await server.query(
        `insert into public.user_roles (user_id, role_id) select '${second}', id from public.roles where name = 'admin'`,
      );
    };

    describe('assignee of a submission', () => {
      const ASSIGN = 'update reviews set assignee = $2 where project_id = $1';
      const assignee = async ({ server }: Scene) =>
        (
          await server.query<{ assignee: string | null }>('select assignee from public.reviews where project_id = $1', [
            ids.guestsDraft,
          ])
        ).rows[0]?.assignee;

      it('is set by admins alone, to admins alone, and logged', () =>
        stage.play(async (scene) => {
          for (const actor of [guest, submitter, theService])
            expect(await scene.as(actor).refusal(ASSIGN, [ids.guestsDraft, ids.admin])).toBe('42501');
          for (const actor of [otherUser, creator])
            expect(await scene.as(actor).write(ASSIGN, [ids.guestsDraft, ids.admin])).toBe(0);
          for (const wrong of [ids.creator, ids.guest, ids.missing])
            expect(await scene.as(admin).refusal(ASSIGN, [ids.guestsDraft, wrong])).toBe('PT422');
          expect(await assignee(scene)).toBeNull();
          expect(await scene.as(admin).write(ASSIGN, [ids.guestsDraft, ids.admin])).toBe(1);
          expect(await scene.as(admin).write(ASSIGN, [ids.guestsDraft, ids.admin])).toBe(1);
          expect(await assignee(scene)).toBe(ids.admin);
          expect(await scene.as(admin).write(ASSIGN, [ids.guestsDraft, null])).toBe(1);
          expect(await log(scene, 'reviews.%assign')).toEqual([
            { action: 'reviews.assign', object: `${ids.guestsDraft} ${ids.admin}` },
            { action: 'reviews.unassign', object: ids.guestsDraft },
          ]);
        }));

      it('is invisible outside the review queue, and blocks no answer', () =>
        stage.play(async (scene) => {
          const version = await seen(scene, ids.guestsDraft);
          await scene.as(admin).write(ASSIGN, [ids.guestsDraft, ids.admin]);
          expect(await seen(scene, ids.guestsDraft)).toBe(version);
          for (const actor of [otherUser, creator])
            expect(await scene.as(actor).rows('select assignee from reviews')).toEqual([]);
          expect(await scene.as(guest).refusal('select assignee from reviews')).toBe('42501');
          expect(await scene.as(admin).call(ANSWER, [ids.guestsDraft, 'decline', 'No', false, version])).toMatchObject({
            answer: { state: 'declined' },
          });
        }));

      it('is cleared when the assignee loses the role, and restored from the trash with the submission', () =>
        stage.play(async (scene) => {
          await withSecondAdmin(scene);
          await scene.as(admin).write(ASSIGN, [ids.guestsDraft, second]);
          await scene.as(admin).write('delete from projects where id = $1', [ids.guestsDraft]);
          await scene.as(admin).rows('select restore_from_trash(projects => array[$1::uuid])', [ids.guestsDraft]);
          expect(await assignee(scene)).toBe(second);
          await scene.as(admin).write('delete from user_roles where user_id = $1', [second]);
          expect(await assignee(scene)).toBeNull();
          expect(await log(scene, 'reviews.unassign')).toEqual([]);
        }));
    });

    describe('reply templates', () => {
      const ADD = `insert into reply_templates (answer, name, body) values ('ask', 'Mine', 'Words') returning id`;

      it('are readable and writable by admins alone; three exist from the start', () =>
        stage.play(async (scene) => {
          for (const actor of [guest, submitter, theService]) {
            expect(await scene.as(actor).refusal('select * from reply_templates')).toBe('42501');
            expect(await scene.as(actor).refusal(ADD)).toBe('42501');
          }
          for (const actor of [otherUser, creator]) {
            expect(await scene.as(actor).rows('select * from reply_templates')).toEqual([]);
            expect(await scene.as(actor).refusal(ADD)).toBe('42501');
            expect(await scene.as(actor).write(`update reply_templates set body = 'x'`)).toBe(0);
            expect(await scene.as(actor).write('delete from reply_templates')).toBe(0);
          }
          const seeded = await scene
            .as(admin)
            .rows<{ answer: string }>('select answer from reply_templates order by answer');
          expect(seeded.map((one) => one.answer)).toEqual(['ask', 'decline', 'publish']);
          const [made] = await scene.as(admin).rows<{ id: string }>(ADD);
          expect(
            await scene.as(admin).write(`update reply_templates set body = 'Other' where id = $1`, [made!.id]),
          ).toBe(1);
          expect(await scene.as(admin).write('delete from reply_templates where id = $1', [made!.id])).toBe(1);
          expect((await log(scene, 'reply_templates.%')).map(({ action }) => action)).toEqual([
            'reply_templates.insert',
            'reply_templates.update',
            'reply_templates.delete',
          ]);
        }));

      it('have a name and a text for one of three answers', () =>
        stage.play(async ({ as }) => {
          const add = (answer: string, name: string, body: string) =>
            as(admin).refusal('insert into reply_templates (answer, name, body) values ($1, $2, $3)', [
              answer,
              name,
              body,
            ]);
          expect(await add('reopen', 'Name', 'Words')).toBe('23514');
          expect(await add('ask', ' ', 'Words')).toBe('23514');
          expect(await add('ask', 'x'.repeat(81), 'Words')).toBe('23514');
          expect(await add('ask', 'Name', ' ')).toBe('23514');
          expect(await add('ask', 'Name', 'x'.repeat(5001))).toBe('23514');
        }));
    });

    describe('featured experiments of the home page', () => {
      const FEATURE = 'select feature_experiments(p_ids => $1)';
      const READ = 'select project_id, place from featured_experiments order by place';
      const order = async (scene: Scene, actor = guest) =>
        (await scene.as(actor).rows<{ project_id: string }>(READ)).map(({ project_id }) => project_id);

      it('are set by admins and the service, and readable by everyone', () =>
        stage.play(async (scene) => {
          for (const actor of Object.values(outsiders)) {
            expect(await scene.as(actor).refusal(FEATURE, [[ids.published]])).toBe('42501');
            for (const write of [
              `insert into featured_experiments (project_id, place) values ('${ids.published}', 1)`,
              'update featured_experiments set place = 2',
              'delete from featured_experiments',
            ])
              expect(await scene.as(actor).refusal(write)).toBe('42501');
          }
          const { rows } = await scene.server.query<{ id: string }>(
            `insert into public.projects (title, status) values ('Second', 'completed') returning id`,
          );
          const both = [rows[0]!.id, ids.published];
          await scene.as(admin).rows(FEATURE, [both]);
          for (const actor of [guest, otherUser, creator, admin, theService])
            expect(await order(scene, actor)).toEqual(both);
          await scene.as(theService).rows(FEATURE, [both.toReversed()]);
          expect(await order(scene)).toEqual(both.toReversed());
          expect(await log(scene, 'projects.feature')).toEqual([
            { action: 'projects.feature', object: both.join(' ') },
            { action: 'projects.feature', object: both.toReversed().join(' ') },
          ]);
          await scene.as(admin).rows(FEATURE, [[]]);
          expect(await order(scene)).toEqual([]);
        }));

      it('are published projects, each once, at most twelve; a chosen draft is not disclosed', () =>
        stage.play(async (scene) => {
          for (const hidden of [ids.draft, ids.archived, ids.missing])
            expect(await scene.as(admin).refusal(FEATURE, [[hidden]])).toBe('PT409');
          expect(await scene.as(admin).refusal(FEATURE, [[ids.published, ids.published]])).toBe('PT422');
          expect(await scene.as(admin).refusal(FEATURE, [null])).toBe('PT422');
          expect(await scene.as(admin).refusal(FEATURE, [Array.from({ length: 13 }, () => crypto.randomUUID())])).toBe(
            'PT422',
          );
          await scene.as(admin).rows(FEATURE, [[ids.published]]);
          await scene.as(admin).write(`update projects set status = 'draft' where id = $1`, [ids.published]);
          expect(await order(scene)).toEqual([]);
          expect(await order(scene, admin)).toEqual([ids.published]);
          await scene.as(admin).write('delete from projects where id = $1', [ids.published]);
          expect(await order(scene, admin)).toEqual([]);
        }));

      it('create no version, and do not change the project', () =>
        stage.play(async (scene) => {
          const state = async () =>
            (
              await scene.server.query(
                `select updated_at::text, (select count(*)::int from public.project_versions where project_id = $1) as versions
                 from public.projects where id = $1`,
                [ids.published],
              )
            ).rows;
          const before = await state();
          await scene.as(admin).rows(FEATURE, [[ids.published]]);
          expect(await state()).toEqual(before);
        }));
    });

    describe('required checks before publishing', () => {
      const PUBLISH = `update projects set status = 'active' where id = $1`;
      const switchOn = ({ as }: Scene) =>
        as(admin).write(`insert into site_settings (name, value) values ('publishing_needs_checks', 'true')`);
      const describeMedia = ({ as }: Scene, alt: string | null) =>
        as(admin).write('update project_media set alt = $2 where project_id = $1', [ids.guestsDraft, alt]);

      it('are off until an admin switches them on', () =>
        stage.play(async (scene) => {
          await describeMedia(scene, null);
          expect(await scene.as(admin).write(PUBLISH, [ids.guestsDraft])).toBe(1);
        }));

      it('reject every way of publishing while a picture has no description, and accept it afterwards', () =>
        stage.play(async (scene) => {
          await switchOn(scene);
          await describeMedia(scene, null);
          for (const actor of [admin, theService]) {
            const refused = scene.as(actor).write(PUBLISH, [ids.guestsDraft]);
            await expect(refused).rejects.toMatchObject({
              code: 'PT422',
              message: expect.stringMatching(/^1 picture does not say what it shows\./),
            });
          }
          const answered = [ids.guestsDraft, 'publish', null, false, await seen(scene, ids.guestsDraft)];
          expect(await scene.as(admin).refusal(ANSWER, answered)).toBe('PT422');
          await describeMedia(scene, '');
          expect(await answer(scene, ids.guestsDraft, 'publish', null)).toMatchObject({ state: 'published' });
        }));

      it('apply to drafts alone: a published project stays public, and can be restored from the trash', () =>
        stage.play(async (scene) => {
          await scene.as(admin).write('update project_media set alt = null where project_id = $1', [ids.published]);
          await switchOn(scene);
          expect(
            await scene.as(admin).write(`update projects set status = 'completed' where id = $1`, [ids.published]),
          ).toBe(1);
          await scene.as(admin).write('delete from projects where id = $1', [ids.published]);
          await scene.as(admin).rows('select restore_from_trash(projects => array[$1::uuid])', [ids.published]);
          const { rows } = await scene.server.query('select status from public.projects where id = $1', [
            ids.published,
          ]);
          expect(rows).toEqual([{ status: 'completed' }]);
        }));
    });
  });
