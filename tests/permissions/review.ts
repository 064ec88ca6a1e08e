import { describe, expect } from 'vitest';
import { admin, creator, guest, ids, newSecret, otherUser, submitter, theService, withSecret } from './actors.ts';
import { ANSWER, answerReview, readVersion, STATES, VERSION } from './review-acts.ts';
import { GRANT, logged, onStage, RESTORE_ALL, replaceAdmin, type Scene } from './stage.ts';

const SAVE = `select save_case_study_metadata(p_id => $1, p_understanding => '', p_actions => '', p_impact => '')`;

export const review = onStage('review queue', ({ test }) => {
  const STATE = `select state, status from projects join reviews on project_id = projects.id where projects.id = $1`;
  const state = ({ server }: Scene, id: string) => server.row<{ state: string; status: string }>(STATE, [id]);
  describe('inbox', () => {
    test('receives each submitted draft with its last step, and follows its state', async ({ as, server }) => {
      const submitterActor = withSecret(newSecret());
      const id = await as(submitterActor).answer<string>(`select create_case_study(title => 'New') as answer`);
      const row = () =>
        server.rows(`select state, arrived_at > now() as later from reviews where project_id = $1`, [id]);
      expect(await row()).toEqual([{ state: 'unfinished', later: true }]);
      await as(submitterActor).rows(SAVE, [id]);
      expect(await row()).toEqual([{ state: 'waiting', later: false }]);
      await as(admin).write(`update projects set status = 'active' where id = $1`, [id]);
      expect(await row()).toEqual([{ state: 'published', later: false }]);
      await as(admin).write(`update projects set status = 'draft' where id = $1`, [id]);
      expect(await row()).toEqual([{ state: 'waiting', later: false }]);
      const steps = ['published', 'reopened'].map((kind) => ({ kind, given_by: ids.admin }));
      expect(await server.rows('select kind, given_by from review_steps order by given_at')).toEqual(steps);
    });

    test('is counted by state, up to a thousand, for admins and the service', async ({ as, server }) => {
      const count = (of: string) => as(admin).rows(`select * from count_reviews(${of})`);
      const PLANT = `with made as (
          insert into projects (title, status) select 'Counted', 'archived' from generate_series(1, $1::int) returning id
        )
        insert into reviews (project_id, state, assignee) select id, $2, $3 from made`;
      const planted = async (many: number, state: string) => server.query(PLANT, [many, state, ids.admin]);
      await server.query('delete from reviews');
      await planted(3, 'changes_requested');
      await planted(2, 'declined');
      await planted(1000, 'published');
      const POSTPONE = `update reviews set arrived_at = now() + interval '1 hour'
        where project_id = (select project_id from reviews where state = 'changes_requested' limit 1)`;
      await server.query(POSTPONE);
      expect(await count('')).toEqual([{ reviews: 4, exact: true }]);
      expect(await count('p_turn => 1::smallint')).toEqual([{ reviews: 2, exact: true }]);
      expect(await count('p_turn => 4::smallint')).toEqual([{ reviews: 1000, exact: true }]);
      await planted(1, 'published');
      expect(await count('p_turn => 4::smallint')).toEqual([{ reviews: 1000, exact: false }]);
      expect(await count(`p_assignee => '${ids.admin}'`)).toEqual([{ reviews: 4, exact: true }]);
      expect(await count(`p_assignee => '${ids.creator}'`)).toEqual([{ reviews: 0, exact: true }]);
      expect(await as(theService).rows('select * from count_reviews()')).toHaveLength(1);
    });

    test('omits projects created by an admin, and includes an admin’s submissions by the form', async (scene) => {
      const { as, server } = scene;
      await as(admin).write(`insert into projects (title) values ('Desk work')`);
      await as(withSecret(newSecret(), admin)).rows(`select create_case_study(title => 'Form work')`);
      const WORK = `select title from reviews join projects on projects.id = project_id where title like '% work'`;
      expect(await server.rows(WORK)).toEqual([{ title: 'Form work' }]);
    });

    test('uses one definition of waiting and incomplete for every count and list (M6)', async (scene) => {
      const { as, server } = scene;
      await server.query('delete from reviews');
      const submit = async (title: string, complete: boolean) => {
        const submitterActor = withSecret(newSecret());
        const id = await as(submitterActor).answer<string>('select create_case_study(title => $1) as answer', [title]);
        if (complete) await as(submitterActor).rows(SAVE, [id]);
        return id;
      };
      await as(admin).write(`insert into projects (title) values ('Lamp of an admin')`);
      await submit('Lamp begun just now', false);
      const unfinished = await submit('Lamp begun yesterday', false);
      const AGE = `update reviews set arrived_at = now() - interval '22 hours' where project_id = $1`;
      await server.query(AGE, [unfinished]);
      await submit('Lamp submitted', true);
      const changed = await submit('Lamp sent back', true);
      await server.query(`update reviews set state = 'changed' where project_id = $1`, [changed]);
      for (const action of ['ask', 'decline', 'publish'])
        await answerReview(scene, await submit(`Lamp: ${action}`, true), action);

      const everywhere = async (turn: number) => {
        const countRows = (text: string) => as(admin).value<number>(text, [turn]);
        const TURN = `select title from reviews join projects on projects.id = project_id where turn = $1 and arrived_at <= now()`;
        const titles = async (text: string, ...values: string[]) =>
          (await as(admin).column<string>(text, [turn, ...values])).sort();
        const listed = await titles(TURN);
        expect(await titles('select title from find_projects(p_turn => $1)')).toEqual(listed);
        expect(await titles('select title from find_projects(p_words => $2, p_turn => $1)', 'lamp')).toEqual(listed);
        expect(await titles('select title from find_projects(p_words => $2, p_turn => $1)', 'sofa')).toEqual([]);
        for (const counted of [
          'select reviews as n from count_reviews(p_turn => $1)',
          'select projects as n from count_projects(p_turn => $1)',
          `select projects as n from count_projects(p_words => 'LAMP', p_turn => $1)`,
        ])
          expect(await countRows(counted), counted).toBe(listed.length);
        return listed;
      };
      expect(await everywhere(0)).toEqual(['Lamp sent back', 'Lamp submitted']);
      expect(await everywhere(1)).toEqual(['Lamp: ask']);
      expect(await everywhere(2)).toEqual(['Lamp begun yesterday']);
      expect(await everywhere(3)).toEqual(['Lamp: decline']);
      expect(await as(admin).rows('select reviews from count_reviews()')).toEqual([{ reviews: 5 }]);

      // A submission declined while incomplete is not waiting after it is reopened.
      await answerReview(scene, unfinished, 'decline');
      expect(await everywhere(2)).toEqual([]);
      await answerReview(scene, unfinished, 'reopen');
      expect(await everywhere(2)).toEqual(['Lamp begun yesterday']);
      expect(await everywhere(0)).toEqual(['Lamp sent back', 'Lamp submitted']);

      for (const name of ['find_projects', 'count_projects']) {
        const text = `select from ${name}(p_turn => 0::smallint)`;
        await as(theService).rows(text);
        await as(admin).refused('PT400', text.replace('0', '4'));
      }
    });

    test('does not include a draft of an admin that is restored from the trash (M6)', async ({ as, server }) => {
      const waiting = () => as(admin).value<number>('select reviews as n from count_reviews(0::smallint)');
      const before = await waiting();
      await as(admin).write(`insert into projects (title) values ('Of an admin')`);
      await as(admin).write(`delete from projects where title = 'Of an admin'`);
      await as(admin).write('delete from projects where id = $1', [ids.draft]);
      expect(await waiting()).toBe(before - 1);
      await server.query(RESTORE_ALL);
      expect(await waiting()).toBe(before);
    });
  });

  const NOTE = `insert into review_notes (project_id, body) values ($1, $2)`;
  test('has notes that are written in the own name, and removed only by their author', async ({ as, server }) => {
    expect(await as(admin).write(NOTE, [ids.draft, 'Ask Ravi'])).toBe(1);
    const ADD_NOTE = `insert into review_notes (project_id, body, author) values ('${ids.draft}', 'x', '${ids.creator}')`;
    await as(admin).refused('42501', ADD_NOTE);
    for (const body of ['', '  ', 'x'.repeat(5001)]) await as(admin).refused('23514', NOTE, [ids.draft, body]);
    await server.query(GRANT, [ids.otherUser, 'admin']);
    const remove = 'delete from review_notes where id is not null';
    expect(await as(otherUser).write(remove)).toBe(0);
    expect(await as(creator).write(remove)).toBe(0);
    expect(await as(admin).write(remove)).toBe(1);
    const acts = ['insert', 'delete'].map((act) => `review_notes.${act} ${ids.admin}`);
    expect(await logged(server, 'review_notes.%', 'action, actor')).toEqual(acts);
  });

  describe('answers', () => {
    test('are given by admins; other actors are refused and logged (PERM-14)', async ({ as, scene, server }) => {
      const values = [ids.guestsDraft, 'publish', null, false, await readVersion(scene, ids.guestsDraft)];
      for (const actor of [otherUser, creator]) {
        expect(await as(actor).call(ANSWER, values)).toMatchObject({ status: '403', answer: { code: '42501' } });
        expect(await as(actor).rows(VERSION, [ids.guestsDraft])).toEqual([{ version: null }]);
      }
      expect(await state(scene, ids.guestsDraft)).toEqual({ state: 'waiting', status: 'draft' });
      const refusals = [ids.otherUser, ids.creator].map((actor) => `${actor} refused`);
      expect(await logged(server, 'reviews.answer', 'actor, outcome')).toEqual(refusals);
    });

    test('are refused to a banned admin (TM-18)', async ({ server }) => {
      await replaceAdmin(server);
      await server.query(`update auth.users set banned_until = '2999-12-31' where id = '${ids.admin}'`);
      const session = server.query('select auth.check_session($1, $2)', [ids.freshSession, ids.admin]);
      await expect(session).rejects.toMatchObject({ code: 'PT401' });
    });

    test('publish the reviewed version immediately (SCOPE-03)', async ({ as, scene, server }) => {
      const answer = await answerReview(scene, ids.guestsDraft, 'publish', null);
      expect(answer).toEqual({ state: 'published', mail_to: null });
      expect(await state(scene, ids.guestsDraft)).toEqual({ state: 'published', status: 'active' });
      expect(await as(guest).rows('select id from projects where id = $1', [ids.guestsDraft])).toHaveLength(1);
      const step = { kind: 'published', given_by: ids.admin, words: null };
      expect(await server.rows('select kind, given_by, words from review_steps')).toEqual([step]);
    });

    test('require a text when they request changes or decline, and must fit the state', async ({ as, scene }) => {
      const version = await readVersion(scene, ids.guestsDraft);
      for (const action of ['ask', 'decline'])
        for (const words of [null, ' \n '])
          await as(admin).refused('PT422', ANSWER, [ids.guestsDraft, action, words, false, version]);
      for (const action of ['', 'burn'])
        await as(admin).refused('PT400', ANSWER, [ids.guestsDraft, action, 'x', false, version]);
      await as(admin).refused('PT409', ANSWER, [ids.guestsDraft, 'reopen', null, false, version]);
      await as(admin).refused('PT404', ANSWER, [ids.missing, 'ask', 'x', false, version]);
      await as(admin).refused('23514', ANSWER, [ids.guestsDraft, 'ask', 'x'.repeat(5001), false, version]);
    });

    test('are rejected when the draft changed since it was read', async ({ as, scene }) => {
      const version = await readVersion(scene, ids.draft);
      for (const change of [
        `update case_study_metadata set category = 'ai' where project_id = $1`,
        `insert into project_media (project_id, url) values ($1, 'https://pictures.example/late.png')`,
      ]) {
        await as(creator).write(change, [ids.draft]);
        await as(admin).refused('PT409', ANSWER, [ids.draft, 'publish', null, false, version]);
      }
      expect(await state(scene, ids.draft)).toEqual({ state: 'waiting', status: 'draft' });
    });

    test('decline with a reason that the holder can read for thirty days, and can be reverted', async (scene) => {
      const { as, server } = scene;
      await server.query(`update private.draft_secrets set expires_at = now() + interval '1 day'`);
      await as(admin).call(`select plan_change('publish', now() + interval '1 day', $1)`, [ids.guestsDraft]);
      await answerReview(scene, ids.guestsDraft, 'decline', 'Not ours.');
      expect(await as(admin).rows('select from planned_changes'), 'the date of its publication').toEqual([]);
      const declined = { state: 'declined', words: 'Not ours.', claimable: true };
      expect(await as(submitter).rows(STATES, [ids.guestsDraft])).toMatchObject([declined]);
      const read = `select title from projects where id = $1`;
      expect(await as(submitter).rows(read, [ids.guestsDraft])).toHaveLength(1);
      const ADD_PICTURE = `insert into project_media (project_id, url) values ($1, 'https://pictures.example/x.png')`;
      await as(submitter).refused('42501', ADD_PICTURE, [ids.guestsDraft]);
      await server.query(`update reviews set answered_at = now() - interval '30 days'`);
      expect(await as(submitter).rows(read, [ids.guestsDraft])).toEqual([]);
      expect(await as(submitter).rows(STATES, [ids.guestsDraft])).toEqual([]);
      await answerReview(scene, ids.guestsDraft, 'reopen', null);
      expect(await as(submitter).rows(STATES, [ids.guestsDraft])).toMatchObject([{ state: 'waiting', words: null }]);
    });
  });
});
