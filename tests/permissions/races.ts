import { expect, it } from 'vitest';
import { newSecret, sha256, withSecret, withSetupKey } from './actors.ts';
import { endsOf, onStage, submitDraft } from './stage.ts';

const ADMINS = `select held.user_id from public.user_roles held join public.roles on roles.id = held.role_id where name = 'admin'`;

/** Races commit, so these tests run last. */
export const races = onStage('concurrent writes', (stage) => {
  it('create one project for the same submission sent many times', async () => {
    const text = `select public.create_case_study(title => 'Race') as answer`;
    const rival = { actor: withSecret(newSecret()), text };
    const results = await stage.race([rival, rival, rival, rival]);
    expect(endsOf(results)).toEqual(Array(4).fill('fulfilled'));
    expect(new Set(results.map((answer) => answer.status === 'fulfilled' && answer.value)).size).toBe(1);
    expect(await stage.server.rows(`select from public.projects where title = 'Race'`)).toHaveLength(1);
  });

  /** Changes projects in two ways while they are deleted. */
  const deleteBeside = (all: string[], change: string, other: string) =>
    stage.race(
      all.flatMap((id, turn) => [
        { text: turn % 2 ? change : other, values: [id] },
        { text: 'delete from public.projects where id = $1', values: [id] },
      ]),
    );

  it('keep the limit of fifty media items', async () => {
    const { actor, id: project } = await submitDraft(stage, 'Full');
    const FILL = `insert into public.project_media (project_id, url) select $1, 'https://pictures.example/' || n from generate_series(1, 49) n`;
    await stage.db.query(FILL, [project]);
    const text = `insert into public.project_media (project_id, url) values ($1, 'https://pictures.example/50')`;
    const rival = { actor, text, values: [project] };
    expect(endsOf(await stage.race([rival, rival]))).toEqual(['fulfilled', 'rejected']);
  });

  it('keep the counts right while projects are published, categorised and deleted', async () => {
    const PLANT = `insert into public.projects (title) select 'Raced ' || n from generate_series(1, 4) n returning id`;
    const all = await stage.server.column<string>(PLANT);
    await stage.db.query('insert into public.case_study_metadata (project_id) select unnest($1::uuid[])', [all]);
    const file = `update public.case_study_metadata set category = $2 where project_id = $1`;
    const publish = `update public.projects set status = 'active' where id = any($1)`;
    const complete = `update public.projects set title = 'A raced brand', status = 'completed' where id = $1`;
    const outcomes = await stage.race([
      { text: publish, values: [all.slice(0, 2)] },
      { text: file, values: [all[0]!, 'ai'] },
      { text: file, values: [all[1]!, 'video'] },
      { text: complete, values: [all[2]!] },
      { text: file, values: [all[2]!, 'ai'] },
      { text: 'delete from public.projects where id = $1', values: [all[3]!] },
      { text: file, values: [all[3]!, 'social'] },
      { text: `insert into public.projects (title, status) values ('A raced video', 'active')` },
    ]);
    expect(endsOf(outcomes)).toEqual(Array(8).fill('fulfilled'));
    const COUNTS = `select category, sum(experiments)::int as experiments from private.listing_counts group by 1 having sum(experiments) <> 0 order by 1`;
    // The projects of the race and the published one of the fixtures.
    expect(await stage.server.rows<{ category: string; experiments: number }>(COUNTS)).toEqual([
      { category: 'ai', experiments: 2 },
      { category: 'all', experiments: 5 },
      { category: 'branding', experiments: 2 },
      { category: 'video', experiments: 2 },
    ]);
  });

  it('deleting a project does not deadlock with changing its media and credits', async () => {
    const PLANT = `insert into public.projects (title) select 'Circle ' || n from generate_series(1, 4) n returning id`;
    const all = await stage.server.column<string>(PLANT);
    await stage.db.query('insert into public.case_study_metadata (project_id) select unnest($1::uuid[])', [all]);
    const ADD_ASHA = `insert into public.project_members (project_id, name, contribution_percentage) select unnest($1::uuid[]), 'Asha', 10`;
    await stage.db.query(ADD_ASHA, [all]);
    const file = `update public.case_study_metadata set category = 'ai' where project_id = $1`;
    const share = 'update public.project_members set contribution_percentage = 20 where project_id = $1';
    expect(endsOf(await deleteBeside(all, file, share))).toEqual(Array(8).fill('fulfilled'));
  });

  it('deleting a project does not deadlock with saving its texts or budget', async () => {
    const PLANT = `insert into public.projects (title, budget, show_budget) select 'Title ' || n, 7, false from generate_series(1, 4) n returning id`;
    const all = await stage.server.column<string>(PLANT);
    await stage.db.query('insert into public.case_study_metadata (project_id) select unnest($1::uuid[])', [all]);
    const saveTexts = `select public.save_case_study_metadata($1, 'Understood', null, null)`;
    const saveBudget = `update public.projects set budget = 8, impact = 'Much' where id = $1`;
    const outcomes = await deleteBeside(all, saveTexts, saveBudget);
    // Texts of a deleted project fail with a foreign key violation.
    const ends = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'));
    expect(ends.filter((end) => end !== 'done' && end !== '23503')).toEqual([]);
    expect(ends.filter((_end, place) => place % 4 !== 2)).toEqual(Array(6).fill('done'));
  });

  it('make one admin of many callers with the setup key (TM-19)', async () => {
    await stage.db.script(`alter table public.user_roles disable trigger protect_last_admin;
      delete from public.user_roles; alter table public.user_roles enable trigger protect_last_admin`);
    const key = newSecret();
    await stage.db.query('select private.set_setup_key($1)', [sha256(key)]);
    const text = 'select public.assign_admin_role(admin_email => $1) as answer';
    const rival = (name: string) => ({ actor: withSetupKey(key), text, values: [`${name}@example.com`] });
    const results = await stage.race(['admin', 'creator', 'terry'].map(rival));
    expect(results.filter((answer) => answer.status === 'fulfilled' && answer.value === true)).toHaveLength(1);
    expect(await stage.server.rows(ADMINS)).toHaveLength(1);
  });
});
