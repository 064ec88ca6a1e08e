import { beforeAll, expect, it } from 'vitest';
import {
  CLEANUP_STEPS,
  type CleanupStep,
  deleteAllCaseStudies,
  type Restoring,
  readCleanupOverview,
  restoreCleanup,
} from '../../app/features/setup/model/cleanup.ts';
import { setTrashRetention } from '../../packages/backend/jobs/retention.ts';
import { type Client, openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';
import { checksums, fillInstallation } from './large-installation.ts';

/** Many times the number of rows that one call deletes or restores. */
const SIZE = 1000;

const INCOMPLETE = `select count(*)::int as count from public.projects where status <> 'draft' and (
  (select count(*) from public.project_media where project_id = projects.id) <> 2
  or not exists (select from public.case_study_metadata where project_id = projects.id)
  or not exists (select from public.project_members where project_id = projects.id)
  or not show_budget and not exists (select from public.project_budgets where project_id = projects.id)
  or not exists (select from private.project_register where project_id = projects.id)
  or status <> 'archived' and not exists (select from private.listing_words where project_id = projects.id))`;

const admins: Client[] = [];

const api = forAllTests(() => openRest({ folder: 'supabase' }));
beforeAll(async () => {
  for (let made = 0; made < 2; made++) {
    const { id } = await api.admin();
    const ADD_SESSION = 'insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1) returning id';
    const { rows } = await api.db.query<{ id: string }>(ADD_SESSION, [id]);
    admins.push(api.client(await api.token({ sub: id, role: 'authenticated', session_id: rows[0]!.id }, '2h')));
  }
  await fillInstallation(api.db, SIZE);
});
const count = async (sql: string) => (await api.db.query<{ count: number }>(sql)).rows[0]!.count;

it('a cleanup of 1,000 case studies is deleted table by table in batches, can be undone for the configured number of days, and is restored completely, also when interrupted and by two admins concurrently (C3, CLEAN-05, CLEAN-11)', {
  timeout: 360_000,
}, async () => {
  const before = await checksums(api.db);
  const [boss, other] = admins as [Client, Client];
  await setTrashRetention(api.db, 7);
  const steps: [step: CleanupStep, deleted: number, over: boolean][] = [];
  const { deleted, kept_until } = await deleteAllCaseStudies(boss, (...step) => steps.push(step));
  const related = { project_media: 2 * SIZE, case_study_metadata: SIZE - SIZE / 100, project_members: SIZE };
  expect(deleted).toEqual({ ...related, projects: SIZE });
  const ends = steps.filter(([, deleted, over]) => over || deleted === 0);
  expect(ends).toEqual(CLEANUP_STEPS.flatMap((step) => [0, deleted[step]].map((rows) => [step, rows, rows > 0])));
  for (const step of CLEANUP_STEPS) expect(steps.filter(([one]) => one === step).length, step).toBeGreaterThan(4);
  expect(Math.round((Date.parse(kept_until) - Date.now()) / 86_400_000)).toBe(7);
  const { kept_days, cleanups } = (await readCleanupOverview(boss))!;
  const [past] = cleanups;
  expect([kept_days, past!.began_by]).toEqual([7, expect.stringContaining('@')]);
  expect(past).toMatchObject({ projects: SIZE, restoring: false, restored: 0, found: null });

  // Closed midway: restored projects are complete, the rest can be restored, and later deletions do not belong to the cleanup.
  const progress: Restoring[] = [];
  const closed = restoreCleanup(boss, past!.id, (state) => {
    progress.push(state);
    if (progress.length === 3) throw new Error('the page was closed');
  });
  await expect(closed).rejects.toThrow('the page was closed');
  const { restored } = progress.at(-1)!;
  expect(progress.map(({ left }) => left)).toEqual(progress.map((state) => SIZE - state.restored));
  expect(restored).toBeGreaterThan(0);
  expect(restored).toBeLessThan(SIZE);
  expect(await count('select count(*)::int as count from public.projects')).toBe(restored);
  expect(await count(INCOMPLETE)).toBe(0);
  const interrupted = { id: past!.id, restoring: true, restored, found: SIZE, projects: SIZE - restored };
  expect((await readCleanupOverview(other))!.cleanups).toMatchObject([interrupted]);

  const lefts: number[] = [];
  const onPortion = ({ left }: Restoring) => void lefts.push(left);
  const answers = await Promise.all([restoreCleanup(boss, past!.id), restoreCleanup(other, past!.id, onPortion)]);
  expect(answers).toEqual([SIZE, SIZE]);
  expect(Math.max(...lefts)).toBeGreaterThan(0);
  expect(await count(INCOMPLETE)).toBe(0);
  expect(await checksums(api.db)).toEqual(before);
  expect((await readCleanupOverview(boss))!.cleanups).toEqual([]);
  await expect(restoreCleanup(boss, past!.id)).rejects.toThrow(/Already restored/);

  const LINES = `select action || ': ' || reason as line from public.audit_log where action like 'cleanup.%' order by id`;
  const { rows: lines } = await api.db.query<{ line: string }>(LINES);
  expect(lines.map(({ line }) => line)).toEqual([
    `cleanup.begin: ${SIZE} projects`,
    `cleanup.restore: begun, ${SIZE} projects`,
    `cleanup.restore: ${SIZE} projects`,
  ]);
  // Each portion of the deletion has a line; together they list all deleted rows.
  const DELETED = `select split_part(action, '.', 1) as table, sum(split_part(reason, ' ', 1)::int)::int as rows
    from public.audit_log where action like '%.delete' group by 1 order by 1`;
  const { rows: gone } = await api.db.query<{ table: string; rows: number }>(DELETED);
  expect(Object.fromEntries(gone.map(({ table, rows }) => [table, rows]))).toMatchObject(deleted);
});
