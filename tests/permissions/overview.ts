import { expect } from 'vitest';
import { admin, ids, theService } from './actors.ts';
import { GRANT, onStage, RESTORE_ALL, type Scene } from './stage.ts';

interface Overview {
  weeks: { week: string; projects: number }[];
  recent: number;
  before: number;
  statuses: { status: string; projects: number }[];
  categories: { category: string; projects: number }[];
  all: number;
}

const OVERVIEW = 'select admin_overview() as answer';
const HEALTH = 'select health_report() as answer';

export const overview = onStage('overview', ({ test }) => {
  const readOverview = ({ as }: Scene) => as(admin).answer<Overview>(OVERVIEW);
  const COUNTS = `select count(*) filter (where submitted_at >= ((now() at time zone 'utc')::date - 29)::timestamp at time zone 'utc') as recent,
      count(*) as all, (select count(*) from case_study_metadata where category = 'branding') as branding,
      count(*) filter (where status = 'draft') as drafts,
      count(*) filter (where submitted_at >= date_trunc('week', now() at time zone 'utc') at time zone 'utc' - interval '175 days') as half
    from projects`;
  const counted = ({ server }: Scene) =>
    server.row<Record<'recent' | 'all' | 'branding' | 'drafts' | 'half', number>>(COUNTS);
  const totals = (view: Overview) => ({
    recent: view.recent,
    all: view.all,
    branding: view.categories.find(({ category }) => category === 'branding')!.projects,
    drafts: view.statuses.find(({ status }) => status === 'draft')!.projects,
    half: view.weeks.reduce((sum, { projects }) => sum + projects, 0),
  });

  test('equals a count of the rows after inserts, updates, deletes and restores', async ({ as, scene, server }) => {
    const agree = async () => expect(totals(await readOverview(scene))).toEqual(await counted(scene));
    await agree();
    const PLANT = `insert into projects (title, status, submitted_at) select 'P', 'active', now() - make_interval(days => n * 9)
      from generate_series(0, 5) as n`;
    for (let round = 0; round < 40; round++) await server.query(PLANT);
    await agree();
    const FILE = `insert into case_study_metadata (project_id, category) select id, 'branding' from projects where title = 'P'`;
    await server.query(FILE);
    await agree();
    const REFILE = `update case_study_metadata set category = 'ai' where project_id in (select id from projects where title = 'P' limit 100)`;
    await server.query(REFILE);
    const RESUBMIT = `update projects set submitted_at = now() - interval '3 days', status = 'draft' where title = 'P' and submitted_at < now() - interval '20 days'`;
    await server.query(RESUBMIT);
    await agree();
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    await server.query(`delete from projects where title = 'P' and status = 'active'`);
    await agree();
    await server.query(RESTORE_ALL);
    await agree();
    const { recent, weeks } = await readOverview(scene);
    expect(recent).toBeGreaterThan(100);
    expect(weeks.map(({ week }) => new Date(week).getUTCDay())).toEqual(Array(26).fill(1));
  });

  test('returns health without names to admins and the service', async ({ as, server }) => {
    const report = { admins: 1, setup_key: 'closed', setup_key_until: null, second_factor: false };
    for (const actor of [admin, theService]) expect(await as(actor).answer(HEALTH)).toMatchObject(report);
    await server.query(GRANT, [ids.creator, 'admin']);
    expect(await as(theService).answer(HEALTH)).toMatchObject({ admins: 2 });
    await server.query(`update auth.users set banned_until = now() + interval '1 day' where id = '${ids.creator}'`);
    expect(await as(theService).answer(HEALTH)).toMatchObject({ admins: 1 });
  });
});
