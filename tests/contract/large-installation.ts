import { type Database, DatabaseUnavailable } from '../../packages/backend/database/database.ts';

/**
 * Inserts `size` case studies by SQL, most of them published, each with texts, two media and a member. Some are drafts with a
 * link and a review, one in a hundred is unfinished, some hide their budget. All triggers run, as for single saves.
 */
export async function fillInstallation(db: Database, size: number): Promise<void> {
  for (let from = 0; from < size; ) {
    try {
      await db.script(portion(from + 1, Math.min(size, from + BATCH_SIZE)));
      from += BATCH_SIZE;
    } catch (error) {
      // Maintenance between portions may take longer than a request may wait on a busy machine.
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
  }
}

const BATCH_SIZE = 100;

const portion = (first: number, last: number) => `
  create temporary table made as select n, gen_random_uuid() as id from generate_series(${first}, ${last}) n;
  insert into public.projects (id, title, client, status, description, understanding, budget, show_budget, created_at, updated_at, submitted_at)
  select id, 'Case study ' || n, 'Client ' || n % 97,
    case when n % 10 = 0 then 'draft' when n % 10 = 1 then 'archived' else 'active' end,
    '<p>Brief ' || n || '</p>', '<p>Understood ' || n || '</p>', n, n % 5 <> 0,
    now() - n * interval '1 minute', now() - n * interval '1 minute', now() - n * interval '1 minute' from made;
  insert into public.case_study_metadata (project_id, brief, understanding, category, tags, created_at, updated_at)
  select id, '<p>Brief ' || n || '</p>', '<p>Understood ' || n || '</p>', (array['branding', 'video', 'ai', null])[1 + n % 4],
    array['tag' || n % 7, 'common'], now() - n * interval '1 minute', now() - n * interval '1 minute' from made where n % 100 <> 0;
  update public.projects set submitted_at = null from made where projects.id = made.id and n % 100 = 0;
  insert into public.project_media (project_id, url, title, "order", created_at, updated_at)
  select id, 'https://pictures.example/' || n || '/' || k || '.png', 'Picture ' || k, k,
    now() - n * interval '1 minute', now() - n * interval '1 minute' from made, generate_series(0, 1) k;
  insert into public.project_members (project_id, name, role, contribution_percentage, created_at, updated_at)
  select id, 'Member of ' || n, 'Maker', 60, now() - n * interval '1 minute', now() - n * interval '1 minute' from made;
  insert into private.draft_secrets (hash, project_id) select sha256(convert_to(id::text, 'UTF8')), id from made where n % 10 = 0;
  insert into public.review_steps (project_id, kind, words) select id, 'changes_requested', 'More, please.' from made where n % 20 = 0;
  insert into public.review_notes (project_id, body) select id, 'Promising.' from made where n % 20 = 0;
  drop table made`;

/** Tables with content, including derived ones; only the first version, because every deletion adds one. */
const TABLES = [
  'public.projects',
  'public.project_media',
  'public.case_study_metadata',
  'public.project_members',
  'public.project_budgets',
  'public.reviews',
  'public.review_steps',
  'public.review_notes',
  'public.project_versions t where number = 1',
  'private.draft_secrets',
  'private.listings',
  'private.listing_words',
  'private.listing_counts',
  'private.project_register',
  'private.project_words',
  'private.trash',
];

export async function checksums(db: Database): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const table of TABLES) {
    const SUM = `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as sum
      from ${table.includes(' ') ? table : `${table} t`}`;
    const { rows } = await db.query<{ sum: string }>(SUM);
    sums[table] = rows[0]!.sum;
  }
  const TALLIES = `select coalesce(string_agg(t::text, ' ' order by t::text), '') as sum
    from (select kind, name, sum(projects) as projects from private.tallies group by 1, 2 having sum(projects) <> 0) t`;
  const { rows } = await db.query<{ sum: string }>(TALLIES);
  return { ...sums, 'private.tallies': rows[0]!.sum };
}
