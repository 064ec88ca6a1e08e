import { describe, expect, it } from 'vitest';
import { type Actor, admin, creator, guest, holderOf, ids, otherUser, submitter, theService } from './actors.ts';
import { onStage, type Scene } from './stage.ts';

const drafts = ['Draft', "Guest's draft", 'Stale draft', "Terry's draft"];

export const projects = onStage('projects', ({ test, play }) => {
  const titles = (scene: Scene, actor: Actor) =>
    scene.as(actor).column<string>('select title from projects order by title');

  describe('reading', () => {
    test('returns drafts to their creator, the holder of their link and admins, not to guests and other users (LIST-29, DETAIL-17)', async (scene) => {
      expect(await titles(scene, guest)).toEqual(['Archived', 'Published']);
      expect(await titles(scene, otherUser)).toEqual(['Archived', 'Published', "Terry's draft"]);
      expect(await titles(scene, creator)).toEqual(['Archived', 'Draft', 'Published']);
      expect(await titles(scene, submitter)).toEqual(['Archived', "Guest's draft", 'Published']);
      const holder = holderOf('guestsDraft', otherUser);
      expect(await titles(scene, holder)).toEqual(['Archived', "Guest's draft", 'Published', "Terry's draft"]);
      expect(await titles(scene, admin)).toEqual([...['Archived', 'Published'], ...drafts].sort());
      expect(await titles(scene, theService)).toEqual([...['Archived', 'Published'], ...drafts].sort());
    });
  });

  describe('submitting', () => {
    const insert = `insert into projects (title, status, created_by) values ('New', $1, $2)`;
    const NEWEST = `select status, created_by, submitted_at from projects where title = 'New'`;
    const newest = ({ server }: Scene) => server.row(NEWEST);

    test('creates a draft whatever status a guest or an ordinary user sends (PERM-01, SUBMIT-41, STATE-02)', async (scene) => {
      for (const actor of [guest, otherUser]) {
        expect(await scene.as(actor).write(insert, ['active', null])).toBe(1);
        expect(await newest(scene)).toMatchObject({ status: 'draft', submitted_at: null });
        await scene.server.query(`delete from projects where title = 'New'`);
      }
    });

    test('sets the session’s user as creator, or the guest account for nil, guest and other ids (SUBMIT-42, PERM-07, DATA-10)', async (scene) => {
      for (const claimed of [ids.nil, ids.guest, ids.creator, ids.admin, null]) {
        await scene.as(guest).write(insert, ['draft', claimed]);
        expect(await newest(scene)).toMatchObject({ created_by: ids.guest });
        await scene.server.query(`delete from projects where title = 'New'`);
        await scene.as(otherUser).write(insert, ['draft', claimed]);
        expect(await newest(scene)).toMatchObject({ created_by: ids.otherUser });
        await scene.server.query(`delete from projects where title = 'New'`);
      }
    });

    test('lets an admin create an experiment in any status, in their own name', async ({ as, scene }) => {
      expect(await as(admin).column(`${insert} returning status`, ['completed', ids.creator])).toEqual(['completed']);
      expect(await newest(scene)).toMatchObject({ status: 'completed', created_by: ids.admin });
    });

    test('returns the row to its creator, and no row to a guest', async ({ as }) => {
      const returning = `insert into projects (title) values ('New') returning title`;
      expect(await as(otherUser).rows(returning)).toEqual([{ title: 'New' }]);
      await as(guest).refused('42501', returning);
    });

    it.each([
      ['a blank title', `insert into projects (title) values ('  ')`],
      ['a script', `insert into projects (title, description) values ('New', '<p>a</p><ScRipt>alert(1)</script>')`],
      ['a handler', `insert into projects (title, description) values ('New', '<img src=x OnError=alert(1)>')`],
      ['a script address', `insert into projects (title, description) values ('New', '<a href=" javascript:x">a</a>')`],
    ])('rejects %s', (_, text) => play(({ as }) => as(guest).refused('23514', text)));

    test('accepts prose that resembles an event handler', async ({ as }) => {
      const text = '<p>Once = twice, on error = retry, &lt;script&gt; and 1 &lt; 2</p>';
      expect(await as(guest).write(`insert into projects (title, description) values ('New', $1)`, [text])).toBe(1);
    });
  });

  describe('updating', () => {
    test('lets an admin change between any two statuses, and rejects unknown ones (STATE-01, STATE-03, PERM-04)', async (scene) => {
      const { as } = scene;
      const states = ['draft', 'active', 'completed', 'archived'];
      for (const from of states)
        for (const to of states) {
          await as(admin).write('update projects set status = $1 where id = $2', [from, ids.draft]);
          const MOVE = 'update projects set status = $1 where id = $2 returning status';
          expect(await as(admin).rows(MOVE, [to, ids.draft])).toEqual([{ status: to }]);
        }
      await as(admin).refused('23514', `update projects set status = 'public' where id = $1`, [ids.draft]);
    });
  });

  describe('experiment number', () => {
    const numberOf = ({ as }: Scene, id: string) =>
      as(admin).value<number | null>('select number from projects where id = $1', [id]);

    test('is assigned on first publication, and never changes', async ({ as, scene }) => {
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
      await as(admin).write('delete from projects where id = $1', [ids.otherUsersDraft]);
      await move(ids.guestsDraft, 'active');
      expect(await numberOf(scene, ids.guestsDraft)).toBe(last + 3);
      await as(admin).rows('select restore_from_trash(projects => array[$1::uuid])', [ids.otherUsersDraft]);
      expect(await numberOf(scene, ids.otherUsersDraft)).toBe(last + 2);
      const IMPORT = `insert into projects (title, status, number) values ('Imported', 'active', $1)`;
      await as(theService).write(IMPORT, [last + 4]);
      await move(ids.staleDraft, 'active');
      expect(await numberOf(scene, ids.staleDraft)).toBe(last + 5);
    });

    test('is not used up by a guest’s row with a published status', async ({ as, server }) => {
      const { last } = await server.row<{ last: number }>('select last from private.experiment_numbers');
      await as(guest).write(`insert into projects (title, status) values ('Mine', 'active')`);
      const MINE = `select number, status, (select last from private.experiment_numbers) from projects where title = 'Mine'`;
      expect(await server.rows(MINE)).toEqual([{ number: null, status: 'draft', last }]);
    });
  });

  describe('deleting', () => {
    test('deletes only own rows when a statement targets all rows', async ({ as, server }) => {
      expect(await as(otherUser).write('delete from projects where id is not null')).toBe(1);
      expect(await server.rows('select from projects')).toHaveLength(5);
    });
  });

  describe('hidden budgets', () => {
    test('are stored in a table for admins only, until they are shown or emptied (DEC-10, PFORM-04)', async ({
      as,
    }) => {
      const HIDDEN_BUDGET = 'select amount from project_budgets where project_id = $1';
      const shown = 'select budget, show_budget from projects where id = $1';
      await as(admin).write('update projects set show_budget = false where id = $1', [ids.published]);
      for (const actor of [guest, otherUser, creator, admin])
        expect(await as(actor).rows(shown, [ids.published])).toEqual([{ budget: null, show_budget: false }]);
      expect(await as(admin).rows(HIDDEN_BUDGET, [ids.published])).toEqual([{ amount: '100.00' }]);

      await as(admin).write('update projects set budget = 250, show_budget = false where id = $1', [ids.published]);
      expect(await as(admin).rows(HIDDEN_BUDGET, [ids.published])).toEqual([{ amount: '250.00' }]);
      await as(admin).write('update projects set show_budget = true where id = $1', [ids.published]);
      expect(await as(guest).rows(shown, [ids.published])).toEqual([{ budget: '250.00', show_budget: true }]);
      expect(await as(admin).rows(HIDDEN_BUDGET, [ids.published])).toEqual([]);
      await as(admin).write('update projects set show_budget = false where id = $1', [ids.published]);
      await as(admin).write(`update projects set title = 'Other' where id = $1`, [ids.published]);
      expect(await as(admin).rows(HIDDEN_BUDGET, [ids.published])).toEqual([{ amount: '250.00' }]);
      await as(admin).write('update projects set budget = null, show_budget = true where id = $1', [ids.published]);
      expect(await as(admin).rows(HIDDEN_BUDGET, [ids.published])).toEqual([]);
      expect(await as(guest).rows(shown, [ids.published])).toEqual([{ budget: null, show_budget: true }]);
    });

    test('are stored there for new projects too', async ({ as }) => {
      const ADD_HIDDEN = `insert into projects (title, budget, show_budget) values ('New', 7, false) returning id, budget`;
      const [made] = await as(admin).rows<{ id: string; budget: null }>(ADD_HIDDEN);
      expect(made!.budget).toBeNull();
      const AMOUNTS = 'select amount from project_budgets where project_id = $1';
      expect(await as(admin).rows(AMOUNTS, [made!.id])).toEqual([{ amount: '7.00' }]);
    });
  });
});
