import { expect } from 'vitest';
import { randomNumbers } from '../random-numbers.ts';
import { admin } from './actors.ts';
import { onStage, RESTORE_ALL, type Server } from './stage.ts';

/** Counts maintained by triggers, and counts computed from the tables by LIST-30 and LIST-33. */
const COUNTED = `select category, sum(experiments)::int as experiments, sum(hand_led)::int as hand_led, sum(half_and_half)::int as half_and_half,
    sum(machine_led)::int as machine_led, sum(hand_shares)::int as hand_shares, sum(media)::int as media
  from private.listing_counts group by 1 having sum(experiments) <> 0 order by 1`;
const RECOUNTED = `select shown.category, count(*)::int as experiments, (count(*) filter (where hand_share > 50))::int as hand_led,
    (count(*) filter (where hand_share = 50))::int as half_and_half, (count(*) filter (where hand_share < 50))::int as machine_led,
    coalesce(sum(hand_share), 0)::int as hand_shares,
    sum((select count(*) from project_media where project_media.project_id = shown.id))::int as media
  from (
    select 'all' as category, p.id from projects p where status in ('active', 'completed')
    union select m.category, p.id from projects p join case_study_metadata m on m.project_id = p.id
      where status in ('active', 'completed') and m.category is not null
    union select 'branding', p.id from projects p where status in ('active', 'completed') and title ~* 'brand'
    union select 'video', p.id from projects p where status in ('active', 'completed') and title ~* 'video'
  ) as shown left join case_study_metadata on project_id = shown.id group by 1 order by 1`;
const WEEKS = `select category, week::text, experiments, hand_led, half_and_half, machine_led
  from private.listing_counts where (experiments, hand_led, half_and_half, machine_led) <> (0, 0, 0, 0) order by 1, 2`;
const WEEKS_AGAIN = `select category, date_trunc('week', created_at at time zone 'utc')::date::text as week, count(*)::int as experiments,
    (count(*) filter (where led_by = 'hand'))::int as hand_led, (count(*) filter (where led_by = 'half'))::int as half_and_half,
    (count(*) filter (where led_by = 'machine'))::int as machine_led
  from private.listings group by 1, 2 order by 1, 2`;
const FOUND_BY = `select project_id, created_at, words::text from private.listing_words order by 1`;
const REBUILT = `select p.id as project_id, p.created_at, private.search_vector(p.title, p.client || m.tags || private.credited_names(m.credits),
    concat_ws(' ', p.description, p.understanding, p.actions, p.impact))::text as words
  from projects p left join case_study_metadata m on m.project_id = p.id
  where p.status in ('active', 'completed') order by 1`;

async function expectTrue(server: Server, after: string): Promise<void> {
  expect(await server.rows(COUNTED), after).toEqual(await server.rows(RECOUNTED));
  expect(await server.rows(WEEKS), after).toEqual(await server.rows(WEEKS_AGAIN));
  expect(await server.rows(FOUND_BY), after).toEqual(await server.rows(REBUILT));
}

const STATUSES = ['active', 'completed', 'draft', 'archived'];
const CATEGORIES = ['branding', 'video', 'ai', 'social', 'strategy', 'other', null];
const CREDITS = [
  '[]',
  '[{"part": "Idea", "made": "hand", "people": ["Asha Rao"]}]',
  '[{"part": "Idea", "made": "together", "tools": ["Loom"]}]',
  '[{"part": "Idea", "made": "machine"}, {"part": "Film", "made": "machine"}, {"part": "Code", "made": "together"}]',
];
const TITLES = ['A brand of chai', 'Video, of a BRAND', 'Parrots', 'Videotape', 'Nothing'];

export const listings = onStage('index table of the public list', ({ test }) => {
  test('equals a recount after any sequence of changes (LIST-30)', async ({ as, server }) => {
    await expectTrue(server, 'at the beginning');
    const roll = randomNumbers(20_261_121);
    const pick = <T>(list: readonly T[]): T => list[roll(list.length)]!;
    const SAMPLE = 'id in (select id from projects order by md5(id::text || $1) limit $2)';
    const sample = (most: number) => [String(roll(99)), 1 + roll(most)];
    const PUBLISH = 'insert into projects (title, status) select $1 || n, $2 from generate_series(1, $3::int) n';
    const FILE = `insert into case_study_metadata (project_id, category, tags, impact)
      select id, $1, array['tag ' || $2], '<p>Text ' || $2 || '</p>' from projects
      where not exists (select from case_study_metadata where project_id = projects.id) limit 3`;
    const REFILE = `update case_study_metadata set category = $3, tags = array['x' || $1] where project_${SAMPLE}`;
    const CREDIT = `update case_study_metadata set credits = $3::text::jsonb where project_${SAMPLE}`;
    const RENAME = `update projects set title = $3, client = $3, description = '<p>' || $3 || '</p>' where ${SAMPLE}`;
    const MOVE = `update projects set created_at = created_at - interval '3 days' where ${SAMPLE}`;
    const ILLUSTRATE = `insert into project_media (project_id, url)
      select id, 'https://pictures.example/' || n from projects, generate_series(1, $3::int) n where ${SAMPLE}`;
    const steps: Record<string, () => Promise<unknown>> = {
      publish: () => server.query(PUBLISH, [pick(TITLES), pick(STATUSES), 1 + roll(4)]),
      file: () => server.query(FILE, [pick(CATEGORIES), String(roll(9))]),
      refile: () => server.query(REFILE, [...sample(3), pick(CATEGORIES)]),
      credit: () => server.query(CREDIT, [...sample(3), pick(CREDITS)]),
      unfile: () => as(admin).write(`delete from case_study_metadata where project_${SAMPLE}`, sample(2)),
      'change the state of': () =>
        server.query(`update projects set status = $3 where ${SAMPLE}`, [...sample(4), pick(STATUSES)]),
      rename: () => as(admin).write(RENAME, [...sample(3), pick(TITLES)]),
      'move in time': () => server.query(MOVE, [String(roll(99)), 2]),
      illustrate: () => server.query(ILLUSTRATE, [...sample(3), 1 + roll(3)]),
      'take pictures from': () => server.query(`delete from project_media where project_${SAMPLE}`, sample(2)),
      delete: () => as(admin).write(`delete from projects where ${SAMPLE}`, sample(3)),
      restore: () => server.query(RESTORE_ALL),
    };
    for (let n = 0; n < 100; n++) {
      const step = pick(Object.keys(steps));
      await steps[step]!();
      await expectTrue(server, `step ${n}: ${step}`);
    }
    await server.query('delete from projects');
    await expectTrue(server, 'when all is gone');
    await server.query(RESTORE_ALL);
    await expectTrue(server, 'when all is back');
    await server.query('truncate project_media cascade');
    await expectTrue(server, 'without media');
    await server.query('truncate case_study_metadata');
    await expectTrue(server, 'without texts');
    await server.query('truncate projects cascade');
    await expectTrue(server, 'when all is emptied');
  });
});
