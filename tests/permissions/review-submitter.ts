import { describe, expect } from 'vitest';
import { admin, creator, ids, submitter } from './actors.ts';
import { answerReview, CONTACT, STATES } from './review-acts.ts';
import { onStage, RESTORE_ALL, type Scene } from './stage.ts';

const ACCOUNT = '11111111-0000-4000-8000-000000000001';
const ADDED = '11111111-0000-4000-8000-000000000002';
const SEND_BACK = `select send_draft_back(p_project => $1, p_title => 'Better', p_client => ' ', p_category => 'ai', p_tags => '{new}',
  p_brief => '<p>B</p>', p_understanding => '<p>U</p>', p_actions => '<p>A</p>', p_impact => '<p>I</p>', p_words => ' Done. ',
  p_media => jsonb_build_array(
    jsonb_build_object('id', '${ADDED}', 'type', 'video', 'url', 'https://films.example/1', 'title', 'A film'),
    jsonb_build_object('id', '${ACCOUNT}', 'type', 'image', 'url', 'https://elsewhere.example/not-taken.png', 'title', 'Named')))`;

export const reviewSubmitter = onStage('submitter of a draft', ({ test }) => {
  test('receives the state of the review', async ({ as, scene }) => {
    await answerReview(scene, ids.guestsDraft, 'ask', 'More pictures');
    await answerReview(scene, ids.draft, 'ask', 'More words');
    const changes = (words: string, claimable: boolean) => [{ state: 'changes_requested', words, claimable }];
    expect(await as(submitter).rows(STATES, [ids.guestsDraft])).toMatchObject(changes('More pictures', true));
    expect(await as(creator).rows(STATES, [ids.draft])).toMatchObject(changes('More words', false));
    const STATES_OF_MANY = 'select * from draft_states(p_projects => array_fill($1::uuid, array[101]))';
    await as(submitter).refused('PT400', STATES_OF_MANY, [ids.draft]);
  });

  test('replaces the media while the draft is still being sent', async ({ as, server }) => {
    const REPLACE = `select replace_draft_media($1, '[{"id": "${ADDED}", "url": "https://pictures.example/new.png"}]')`;
    const media = () => server.rows('select id from project_media where project_id = $1', [ids.guestsDraft]);
    await server.query('delete from project_media where project_id = $1', [ids.guestsDraft]);
    const ADD_OLD = `insert into project_media (id, project_id, url) values ('${ACCOUNT}', '${ids.guestsDraft}', 'https://pictures.example/old.png')`;
    await server.query(ADD_OLD);
    await as(submitter).refused('42501', REPLACE, [ids.published]);
    expect(await media()).toEqual([{ id: ACCOUNT }]);
    await as(submitter).rows(REPLACE, [ids.guestsDraft]);
    expect(await media()).toEqual([{ id: ADDED }]);
    expect(await server.rows('select from private.trash where object_id = $1', [ACCOUNT])).toEqual([]);
    await server.query(`update projects set created_at = now() - interval '3 hours' where id = $1`, [ids.guestsDraft]);
    await as(submitter).refused('42501', REPLACE, [ids.guestsDraft]);
  });

  describe('requested changes', () => {
    const prepared = async (scene: Scene) => {
      const ADD_KEPT = `insert into project_media (id, project_id, url, title, "order") values ('${ACCOUNT}', '${ids.guestsDraft}', 'https://pictures.example/kept.png', null, 5)`;
      await scene.server.query(ADD_KEPT);
      await answerReview(scene, ids.guestsDraft, 'ask', 'Name the picture');
    };

    test('are submitted by the holder of the draft: current texts and media, all or nothing', async (scene) => {
      const { as, server } = scene;
      await prepared(scene);
      await server.query(`update reviews set rights_cleared = true, client_agreed = true`);
      await as(submitter).rows(SEND_BACK, [ids.guestsDraft]);
      const STORED = `select p.title, p.client, p.description, p.impact, p.created_by, p.status, m.category, m.tags, r.state, r.rights_cleared, r.client_agreed,
          r.before ->> 'title' as before,
          (select json_agg(json_build_array(id, type, url, title) order by "order") from project_media where project_id = p.id) as media,
          (select words from review_steps where project_id = p.id and kind = 'sent_back') as words
        from projects p join case_study_metadata m on m.project_id = p.id join reviews r on r.project_id = p.id
        where p.id = $1`;
      const media = [
        [ADDED, 'video', 'https://films.example/1', 'A film'],
        [ACCOUNT, 'image', 'https://pictures.example/kept.png', 'Named'],
      ];
      const row = {
        ...{ title: 'Better', client: null, description: '<p>B</p>', impact: '<p>I</p>', status: 'draft' },
        ...{ created_by: ids.guest, category: 'ai', tags: ['new'], before: "Guest's draft", words: 'Done.' },
        ...{ state: 'changed', rights_cleared: false, client_agreed: false },
      };
      expect(await server.rows(STORED, [ids.guestsDraft])).toEqual([{ ...row, media }]);
      await as(submitter).refused('PT409', SEND_BACK, [ids.guestsDraft]);
    });

    test('are rejected before an admin has requested them and after the link has expired, without partial writes', async (scene) => {
      const { as, server } = scene;
      await as(submitter).refused('PT409', SEND_BACK, [ids.guestsDraft]);
      await prepared(scene);
      const withScript = SEND_BACK.replace('https://films.example/1', 'javascript:alert(1)');
      await as(submitter).refused('23514', withScript, [ids.guestsDraft]);
      const withMedia = (media: string) => SEND_BACK.replace(/p_media => [\s\S]*\)$/, `p_media => ${media})`);
      for (const media of [`'[]'`, `'{}'`, 'null'])
        await as(submitter).refused('PT422', withMedia(media), [ids.guestsDraft]);
      expect(await server.rows(`select from projects where title = 'Better'`)).toEqual([]);
      await server.query(`update private.draft_secrets set expires_at = now()`);
      await as(submitter).refused('42501', SEND_BACK, [ids.guestsDraft]);
    });

    test('never reach another user’s draft or its pictures (SUBMIT-43)', async ({ as, scene, server }) => {
      await prepared(scene);
      await answerReview(scene, ids.draft, 'ask');
      const theirs = await server.value<string>(`select id from project_media where project_id = '${ids.draft}'`);
      await as(submitter).rows(SEND_BACK.replaceAll(ADDED, theirs), [ids.guestsDraft]);
      expect(await server.rows(`select from project_media where project_id = '${ids.draft}'`)).toHaveLength(1);
      await as(submitter).refused('42501', SEND_BACK, [ids.draft]);
      await as(submitter).refused('42501', 'delete from project_media');
    });
  });

  describe('contact address of the submitter', () => {
    test('is set by the holder of the draft, used for the e-mail, and deleted thirty days after the answer', async (scene) => {
      const { as, server } = scene;
      for (const wrong of ['me', 'me@example', 'a@example.com\r\nBcc: b@example.com', 'a@b.example, c@d.example'])
        await as(submitter).refused('23514', CONTACT, [ids.guestsDraft, wrong]);
      for (const address of ['old@example.com', ' me@example.com '])
        await as(submitter).rows(CONTACT, [ids.guestsDraft, address]);
      const answer = await answerReview(scene, ids.guestsDraft, 'ask', 'Why', true);
      expect(answer).toEqual({ state: 'changes_requested', mail_to: 'me@example.com' });
      const sent = await answerReview(scene, ids.draft, 'ask', 'Why', true);
      expect(sent).toMatchObject({ mail_to: 'creator@example.com' });
      expect(await answerReview(scene, ids.staleDraft, 'ask', 'Why', true)).toMatchObject({ mail_to: null });
      const WAITING = `select waiting.mail_to from review_steps steps, private.unmailed_review_step(steps.id) waiting
        order by waiting.given_at`;
      const waiting = () => server.rows(WAITING);
      expect(await waiting()).toEqual([{ mail_to: 'me@example.com' }, { mail_to: 'creator@example.com' }]);
      await server.query('select private.review_step_mailed(id) from review_steps');
      expect(await waiting()).toEqual([]);
      const KNOWN = `select email from review_contacts union all select mail_to from review_steps where mail_to like 'me%'`;
      const known = () => server.rows(KNOWN);
      const age = async (days: number) => {
        await server.query(`update reviews set answered_at = now() - make_interval(days => $1)`, [days]);
        await server.query(`update review_steps set given_at = now() - make_interval(days => $1)`, [days]);
        await server.query('select private.delete_review_addresses()');
      };
      await age(29);
      expect(await known()).toHaveLength(2);
      await age(31);
      expect(await known()).toEqual([]);
    });

    test('is deleted equally early when the submission was deleted (LEGAL-01)', async ({ as, scene, server }) => {
      await as(submitter).rows(CONTACT, [ids.guestsDraft, 'me@example.com']);
      await answerReview(scene, ids.guestsDraft, 'decline', 'Not ours.', true);
      await as(submitter).rows(CONTACT, [ids.guestsDraft, 'me@example.com']);
      await server.query('select private.set_trash_days(365)');
      await as(admin).write('delete from projects where id = $1', [ids.guestsDraft]);
      const known = async () =>
        (await server.rows(`select from private.trash where entry::text like '%me@example.com%'`)).length;
      const age = async (days: number) => {
        const AGE = `update private.trash set entry = entry
          || case when entry ? 'answered_at' then jsonb_build_object('answered_at', now() - make_interval(days => $1)) else '{}' end
          || case when entry ? 'given_at' then jsonb_build_object('given_at', now() - make_interval(days => $1)) else '{}' end`;
        await server.query(AGE, [days]);
        await server.query('select private.purge_trash()');
      };
      await age(29);
      expect(await known()).toBe(2);
      await age(31);
      expect(await known()).toBe(0);
      await as(admin).rows('select restore_from_trash(projects => $1)', [[ids.guestsDraft]]);
      const ANSWERED = 'select words, mail_to from review_steps where project_id = $1';
      expect(await as(admin).rows(ANSWERED, [ids.guestsDraft])).toEqual([{ words: 'Not ours.', mail_to: null }]);
    });

    test('is kept while no answer was given, unless an admin deleted the account softly', async ({ as, server }) => {
      await as(submitter).rows(CONTACT, [ids.guestsDraft, 'me@example.com']);
      await as(creator).rows(CONTACT, [ids.draft, 'creator@example.com']);
      await server.query('update auth.users set deleted_at = now() where id = $1', [ids.creator]);
      await server.query(`update reviews set arrived_at = now() - interval '90 days'`);
      await server.query('select private.delete_review_addresses()');
      expect(await server.rows('select from review_contacts')).toHaveLength(1);
    });
  });

  test('is restored from the trash with the project (CLEAN-11)', async ({ as, scene, server }) => {
    await as(submitter).rows(CONTACT, [ids.guestsDraft, 'me@example.com']);
    await as(admin).write(`insert into review_notes (project_id, body) values ($1, 'Private')`, [ids.guestsDraft]);
    await answerReview(scene, ids.guestsDraft, 'decline', 'Not ours.');
    const REVIEW = `select to_jsonb(r) as r, (select json_agg(s) from review_steps s where s.project_id = r.project_id) as s,
        (select json_agg(n) from review_notes n where n.project_id = r.project_id) as n,
        (select json_agg(c) from review_contacts c where c.project_id = r.project_id) as c
      from reviews r where project_id = $1`;
    const readReview = () => server.rows(REVIEW, [ids.guestsDraft]);
    const before = await readReview();
    await as(admin).write('delete from projects where id = $1', [ids.guestsDraft]);
    expect(await readReview()).toEqual([]);
    await server.query(RESTORE_ALL);
    expect(await readReview()).toEqual(before);
    expect(await as(submitter).rows(STATES, [ids.guestsDraft])).toMatchObject([{ state: 'declined' }]);
    const TRASHED_REVIEWS = `select from private.trash where table_name like 'review%' and entry ->> 'project_id' = '${ids.guestsDraft}'`;
    expect(await server.rows(TRASHED_REVIEWS)).toEqual([]);
  });
});
