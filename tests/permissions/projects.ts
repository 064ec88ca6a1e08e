import { describe, expect, it } from 'vitest';
import {
  type Actor,
  admin,
  creator,
  guest,
  holding,
  ids,
  otherUser,
  type Scene,
  type Stage,
  secretOf,
  submitter,
  theService,
} from './stage.ts';

const drafts = ['Draft', "Guest's draft", 'Stale draft', "Terry's draft"];

export const projects = (stage: Stage) =>
  describe('projects', () => {
    const titles = async (scene: Scene, actor: Actor) =>
      (await scene.as(actor).rows<{ title: string }>('select title from projects order by title')).map(
        ({ title }) => title,
      );

    describe('reading', () => {
      it('returns drafts to their creator, the holder of their link and admins, not to guests and other users (LIST-29, DETAIL-17)', () =>
        stage.play(async (scene) => {
          expect(await titles(scene, guest)).toEqual(['Archived', 'Published']);
          expect(await titles(scene, otherUser)).toEqual(['Archived', 'Published', "Terry's draft"]);
          expect(await titles(scene, creator)).toEqual(['Archived', 'Draft', 'Published']);
          expect(await titles(scene, submitter)).toEqual(['Archived', "Guest's draft", 'Published']);
          expect(await titles(scene, holding(secretOf.guestsDraft, otherUser))).toEqual([
            'Archived',
            "Guest's draft",
            'Published',
            "Terry's draft",
          ]);
          expect(await titles(scene, admin)).toEqual([...['Archived', 'Published'], ...drafts].sort());
          expect(await titles(scene, theService)).toEqual([...['Archived', 'Published'], ...drafts].sort());
        }));

      it('returns every column of public rows, embedded rows included', () =>
        stage.play(async ({ as }) => {
          const [row] = await as(guest).rows(
            `select p.*, (select count(*) from project_media m where m.project_id = p.id) as media,
             (select count(*) from project_members m where m.project_id = p.id) as members
           from projects p where id = $1`,
            [ids.published],
          );
          expect(row).toMatchObject({ title: 'Published', media: 1, members: 1, created_by: ids.creator });
        }));
    });

    describe('submitting', () => {
      const insert = `insert into projects (title, status, created_by) values ('New', $1, $2)`;
      const newest = async ({ server }: Scene) =>
        (
          await server.query<{ status: string; created_by: string; submitted_at: unknown }>(
            `select status, created_by, submitted_at from public.projects where title = 'New'`,
          )
        ).rows[0];

      it('creates a draft whatever status a guest or an ordinary user sends (PERM-01, SUBMIT-41, STATE-02)', () =>
        stage.play(async (scene) => {
          for (const actor of [guest, otherUser]) {
            expect(await scene.as(actor).write(insert, ['active', null])).toBe(1);
            expect(await newest(scene)).toMatchObject({ status: 'draft', submitted_at: null });
            await scene.server.query(`delete from public.projects where title = 'New'`);
          }
        }));

      it('sets the session’s user as creator, or the guest account for nil, guest and other ids (SUBMIT-42, PERM-07, DATA-10)', () =>
        stage.play(async (scene) => {
          for (const claimed of [ids.nil, ids.guest, ids.creator, ids.admin, null]) {
            await scene.as(guest).write(insert, ['draft', claimed]);
            expect(await newest(scene)).toMatchObject({ created_by: ids.guest });
            await scene.server.query(`delete from public.projects where title = 'New'`);
            await scene.as(otherUser).write(insert, ['draft', claimed]);
            expect(await newest(scene)).toMatchObject({ created_by: ids.otherUser });
            await scene.server.query(`delete from public.projects where title = 'New'`);
          }
        }));

      it('lets an admin create an experiment in any status, in their own name', () =>
        stage.play(async (scene) => {
          expect(await scene.as(admin).rows(`${insert} returning status`, ['completed', ids.creator])).toEqual([
            { status: 'completed' },
          ]);
          expect(await newest(scene)).toMatchObject({ status: 'completed', created_by: ids.admin });
        }));

      it('lets the service choose the creator', () =>
        stage.play(async (scene) => {
          await scene.as(theService).write(insert, ['active', ids.creator]);
          expect(await newest(scene)).toMatchObject({ status: 'active', created_by: ids.creator });
        }));

      it('returns the row to its creator, and no row to a guest', () =>
        stage.play(async ({ as }) => {
          const returning = `insert into projects (title) values ('New') returning title`;
          expect(await as(otherUser).rows(returning)).toEqual([{ title: 'New' }]);
          expect(await as(guest).refusal(returning)).toBe('42501');
        }));

      it('rejects ids and timestamps from all but the service, and budgets from guests', () =>
        stage.play(async ({ as }) => {
          for (const column of ['id', 'created_at', 'updated_at', 'submitted_at'])
            for (const actor of [guest, otherUser, creator, admin])
              expect(await as(actor).refusal(`insert into projects (title, ${column}) values ('New', default)`)).toBe(
                '42501',
              );
          expect(await as(guest).refusal(`insert into projects (title, budget) values ('New', 1)`)).toBe('42501');
          expect(await as(theService).write(`insert into projects (title, id) values ('New', $1)`, [ids.missing])).toBe(
            1,
          );
        }));

      it.each([
        ['a blank title', `insert into projects (title) values ('  ')`],
        ['a script', `insert into projects (title, description) values ('New', '<p>a</p><ScRipt>alert(1)</script>')`],
        ['a handler', `insert into projects (title, description) values ('New', '<img src=x OnError=alert(1)>')`],
        [
          'a script address',
          `insert into projects (title, description) values ('New', '<a href=" javascript:x">a</a>')`,
        ],
      ])('rejects %s', (_, text) => stage.play(async ({ as }) => expect(await as(guest).refusal(text)).toBe('23514')));

      it('accepts prose that resembles an event handler', () =>
        stage.play(async ({ as }) => {
          const text = '<p>Once = twice, on error = retry, &lt;script&gt; and 1 &lt; 2</p>';
          expect(await as(guest).write(`insert into projects (title, description) values ('New', $1)`, [text])).toBe(1);
        }));
    });

    describe('updating', () => {
      const rename = `update projects set title = 'Changed' where id = $1`;

      it('is for admins alone; other actors change nothing, own rows included (PERM-12, GATE-14)', () =>
        stage.play(async ({ as }) => {
          for (const id of [ids.published, ids.draft, ids.guestsDraft]) {
            expect(await as(guest).refusal(rename, [id])).toBe('42501');
            expect(await as(submitter).refusal(rename, [id])).toBe('42501');
            expect(await as(otherUser).write(rename, [id])).toBe(0);
            expect(await as(creator).write(rename, [id])).toBe(0);
            expect(await as(admin).write(rename, [id])).toBe(1);
            expect(await as(theService).write(rename, [id])).toBe(1);
          }
        }));

      it('lets an admin change between any two statuses, and rejects unknown ones (STATE-01, STATE-03, PERM-04)', () =>
        stage.play(async ({ as }) => {
          const states = ['draft', 'active', 'completed', 'archived'];
          for (const from of states)
            for (const to of states) {
              await as(admin).write('update projects set status = $1 where id = $2', [from, ids.draft]);
              const changed = await as(admin).rows('update projects set status = $1 where id = $2 returning status', [
                to,
                ids.draft,
              ]);
              expect(changed).toEqual([{ status: to }]);
            }
          expect(await as(admin).refusal(`update projects set status = 'public' where id = $1`, [ids.draft])).toBe(
            '23514',
          );
        }));

      it('sets updated_at', () =>
        stage.play(async ({ as }) => {
          const [row] = await as(admin).rows<{ later: boolean }>(
            `update projects set client = 'New client' where id = $1 returning updated_at > created_at as later`,
            [ids.published],
          );
          expect(row!.later).toBe(true);
        }));
    });

    describe('experiment number', () => {
      const numberOf = async ({ as }: Scene, id: string) =>
        (await as(admin).rows<{ number: number | null }>('select number from projects where id = $1', [id]))[0]!.number;

      it('is assigned on first publication, and never changes', () =>
        stage.play(async (scene) => {
          const { as } = scene;
          const move = (id: string, status: string) =>
            as(admin).write('update projects set status = $2 where id = $1', [id, status]);
          const last = Math.max((await numberOf(scene, ids.published))!, (await numberOf(scene, ids.archived))!);
          expect(await numberOf(scene, ids.draft)).toBeNull();
          await move(ids.draft, 'active');
          await move(ids.otherUsersDraft, 'completed');
          await move(ids.draft, 'draft');
          await move(ids.draft, 'archived');
          expect(await numberOf(scene, ids.draft)).toBe(last + 1);
          expect(await numberOf(scene, ids.otherUsersDraft)).toBe(last + 2);
          // A restored project has its old number.
          await as(admin).write('delete from projects where id = $1', [ids.otherUsersDraft]);
          await move(ids.guestsDraft, 'active');
          expect(await numberOf(scene, ids.guestsDraft)).toBe(last + 3);
          await as(admin).rows('select restore_from_trash(projects => array[$1::uuid])', [ids.otherUsersDraft]);
          expect(await numberOf(scene, ids.otherUsersDraft)).toBe(last + 2);
        }));

      it('is not used up by a guest’s row with a published status', () =>
        stage.play(async (scene) => {
          const { last } = (await scene.server.query<{ last: number }>('select last from private.experiment_numbers'))
            .rows[0]!;
          await scene.as(guest).write(`insert into projects (title, status) values ('Mine', 'active')`);
          const { rows } = await scene.server.query(
            `select number, status, (select last from private.experiment_numbers) from projects where title = 'Mine'`,
          );
          expect(rows).toEqual([{ number: null, status: 'draft', last }]);
        }));
    });

    describe('deleting', () => {
      const remove = 'delete from projects where id = $1';

      it('is for the creator and for admins (PERM-02, PERM-03)', () =>
        stage.play(async ({ as }) => {
          for (const id of [ids.published, ids.draft]) {
            expect(await as(guest).refusal(remove, [id])).toBe('42501');
            expect(await as(otherUser).write(remove, [id])).toBe(0);
            expect(await as(admin).rows('select id from projects where id = $1', [id])).toHaveLength(1);
          }
          expect(await as(submitter).refusal(remove, [ids.guestsDraft])).toBe('42501');
          expect(await as(creator).write(remove, [ids.published])).toBe(1);
          expect(await as(creator).write(remove, [ids.draft])).toBe(1);
          expect(await as(admin).write(remove, [ids.otherUsersDraft])).toBe(1);
          expect(await as(theService).write(remove, [ids.archived])).toBe(1);
        }));

      it('deletes only own rows when a statement targets all rows', () =>
        stage.play(async ({ as, server }) => {
          expect(await as(otherUser).write('delete from projects where id is not null')).toBe(1);
          expect((await server.query('select from public.projects')).rows).toHaveLength(5);
        }));

      it('deletes media, texts and team too', () =>
        stage.play(async ({ as, server }) => {
          await as(creator).write(remove, [ids.published]);
          for (const table of ['project_media', 'case_study_metadata', 'project_members'])
            expect(
              (await server.query(`select from public.${table} where project_id = $1`, [ids.published])).rows,
            ).toEqual([]);
        }));

      it('lets an admin clear table after table in the order of the cleanup (CLEAN-05)', () =>
        stage.play(async ({ as, server }) => {
          for (const table of ['project_media', 'case_study_metadata', 'project_members', 'projects']) {
            expect(await as(admin).write(`delete from ${table} where id is not null`)).toBe(6);
          }
          expect((await server.query('select from public.projects')).rows).toEqual([]);
        }));

      it('of an account keeps its experiments in the guest account’s name', () =>
        stage.play(async ({ server }) => {
          await server.query('delete from auth.users where id = $1', [ids.creator]);
          const { rows } = await server.query('select created_by from public.projects where id = $1', [ids.published]);
          expect(rows).toEqual([{ created_by: ids.guest }]);
        }));
    });

    describe('hidden budgets', () => {
      it('are removed from the public row and stored in a table for admins only (DEC-10)', () =>
        stage.play(async ({ as }) => {
          const kept = 'select amount from project_budgets where project_id = $1';
          const shown = 'select budget, show_budget from projects where id = $1';
          await as(admin).write('update projects set show_budget = false where id = $1', [ids.published]);
          for (const actor of [guest, otherUser, creator, admin])
            expect(await as(actor).rows(shown, [ids.published])).toEqual([{ budget: null, show_budget: false }]);
          expect(await as(guest).refusal(kept, [ids.published])).toBe('42501');
          expect(await as(creator).rows(kept, [ids.published])).toEqual([]);
          expect(await as(admin).rows(kept, [ids.published])).toEqual([{ amount: '100.00' }]);

          await as(admin).write('update projects set budget = 250, show_budget = false where id = $1', [ids.published]);
          expect(await as(admin).rows(kept, [ids.published])).toEqual([{ amount: '250.00' }]);
          await as(admin).write('update projects set show_budget = true where id = $1', [ids.published]);
          expect(await as(guest).rows(shown, [ids.published])).toEqual([{ budget: '250.00', show_budget: true }]);
          expect(await as(admin).rows(kept, [ids.published])).toEqual([]);
        }));

      it('are stored there for new projects too', () =>
        stage.play(async ({ as }) => {
          const [made] = await as(admin).rows<{ id: string; budget: null }>(
            `insert into projects (title, budget, show_budget) values ('New', 7, false) returning id, budget`,
          );
          expect(made!.budget).toBeNull();
          expect(await as(admin).rows('select amount from project_budgets where project_id = $1', [made!.id])).toEqual([
            { amount: '7.00' },
          ]);
        }));

      it.each(['-1', '1000000000.01', "'NaN'"])('reject %s (PFORM-04)', (amount) =>
        stage.play(async ({ as }) => {
          expect(await as(admin).refusal(`update projects set budget = ${amount} where id = $1`, [ids.draft])).toBe(
            '23514',
          );
        }),
      );
    });
  });
