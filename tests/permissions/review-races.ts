import { expect, it } from 'vitest';
import { type Actor, admin, guest, userActor, withSecret } from './actors.ts';
import { endsOf, onStage, submitDraft } from './stage.ts';

export const reviewRaces = onStage('concurrent reviews', (stage) => {
  it('one of two admins answers, and the other receives the first answer and its author', async () => {
    const { id } = await submitDraft(stage, 'Two answers');
    const version = await stage.server.value<string>('select private.review_version($1)', [id]);
    const text = `select public.answer_review(p_project => $1, p_answer => $2, p_words => $3, p_mail => false, p_seen => $4) as answer`;
    const rival = (what: string) => ({ actor: admin, text, values: [id, what, 'Words', version] });
    const outcomes = await stage.race([rival('publish'), rival('decline')]);
    expect(endsOf(outcomes)).toEqual(['fulfilled', 'rejected']);
    const rejected = outcomes.find((outcome) => outcome.status === 'rejected');
    const message = expect.stringMatching(/^Admin (published|declined) it meanwhile\. Your answer was not sent\.$/);
    expect(rejected?.reason).toMatchObject({ code: 'PT409', message });
    expect(await stage.server.rows('select kind from public.review_steps where project_id = $1', [id])).toHaveLength(1);
    // Later tests count published projects.
    await stage.db.query('delete from public.projects where id = $1', [id]);
  });

  it('what a submitter writes while an admin publishes the draft is not published unread', async () => {
    for (let time = 0; time < 5; time++) {
      const { actor, id } = await submitDraft(stage, `Written late ${time}`);
      const version = await stage.server.value<string>('select private.review_version($1)', [id]);
      const publish = `select public.answer_review(p_project => $1, p_answer => 'publish', p_words => null, p_mail => false, p_seen => $2) as answer`;
      const write = `insert into public.project_media (project_id, url) values ($1, 'https://pictures.example/late.png')`;
      const late = { actor, text: write, values: [id] };
      const outcomes = await stage.race([{ actor: admin, text: publish, values: [id, version] }, late]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await stage.db.query('delete from public.projects where id = $1', [id]);
    }
  });

  it('exactly one of ten concurrent claims wins', async () => {
    const { actor, id } = await submitDraft(stage, 'Ten claims');
    const PLANT = `insert into auth.users (id, email) select gen_random_uuid(), 'claim' || n || '@example.com' from generate_series(1, 10) n returning id`;
    const people = await stage.db.query<{ id: string }>(PLANT);
    const text = 'select public.claim_draft(p_project => $1)';
    const claimants = people.rows.map((row) => withSecret(actor.headers!['x-draft-secret']!, userActor(row.id)));
    const outcomes = await stage.race(claimants.map((claimant) => ({ actor: claimant, text, values: [id] })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const owner = await stage.server.value('select created_by from public.projects where id = $1', [id]);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(owner).toBe(people.rows[winner]!.id);
  });

  it('a draft resubmitted twice arrives once', async () => {
    const { actor, id } = await submitDraft(stage, 'Sent twice');
    await stage.db.query(`update public.reviews set state = 'changes_requested' where project_id = $1`, [id]);
    const text = `select public.send_draft_back(p_project => $1, p_title => 'Sent twice', p_client => null, p_category => null, p_tags => '{}',
      p_brief => 'B', p_understanding => 'U', p_actions => 'A', p_impact => 'I',
      p_media => '[{"id": "22222222-0000-4000-8000-000000000001", "url": "https://pictures.example/1.png"}]')`;
    const rival = (by: Actor) => ({ actor: by, text, values: [id] });
    const outcomes = await stage.race([rival(actor), rival(actor), rival(guest)]);
    expect(endsOf(outcomes)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await stage.server.rows('select from public.project_media where project_id = $1', [id])).toHaveLength(1);
  });
});
