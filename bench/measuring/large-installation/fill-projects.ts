import { pino } from 'pino';
import { openDatabase } from '../../../packages/backend/database/open-database.ts';

const BATCH_SIZE = 100;
// Maintenance between the batches takes long with many rows.
const TIMEOUTS = { maxWaitMs: 600_000, timeoutMs: 600_000 };

/** Triggers of the public list and of versions take long, and no admin screen reads the list. */
const DISABLE_TRIGGERS = `
  alter table public.projects disable trigger list_inserted, disable trigger list_updated,
    disable trigger insert_version_inserted, disable trigger insert_version_updated;
  alter table public.case_study_metadata disable trigger list_inserted, disable trigger list_updated,
    disable trigger insert_version_inserted, disable trigger insert_version_updated;
  alter table public.project_media disable trigger insert_version_inserted, disable trigger measure_media;
  alter table public.project_members disable trigger insert_version_inserted`;

/** A hundred random words of six letters out of eight thousand, different in each project. */
const WORDS = `select string_agg(substr(syllables, 1 + w % 20 * 2, 2) || substr(syllables, 1 + w / 20 % 20 * 2, 2) || substr(syllables, 1 + w / 400 % 20 * 2, 2), ' ')
    from (select 'bacedifoguhalemipolasotunavewixoyuzibroklats' as syllables, abs(hashint4(n * 100 + k)) as w from generate_series(1, 100) k) as drawn`;

const PROJECTS = `
  with made as (
    insert into public.projects (title, client, status, description, created_at, submitted_at)
    select 'Experiment number ' || lpad(n::text, 6, '0'), 'Client ' || n % 997,
      case when n % 10 = 0 then 'draft' when n % 10 = 1 then 'archived' else 'active' end,
      '<p>Hands, machines and paper: ' || (${WORDS}) || '</p>',
      now() - n * interval '10 minutes', now() - n * interval '10 minutes'
    from generate_series($1::int + 1, $1::int + $2::int) n
    returning id, description, status
  ), texts as (
    insert into public.case_study_metadata (project_id, brief, category, tags)
    select id, description, (array['branding', 'video', 'ai', 'social', null])[1 + abs(hashtext(id::text)) % 5], '{bench}' from made
  ), media as (
    insert into public.project_media (project_id, url, type, title, "order")
    select id, 'https://pictures.example/' || id || '/' || k || '.jpg', 'image', 'Picture ' || k, k from made, generate_series(0, 5) k
  )
  insert into public.project_members (project_id, name, role, contribution_percentage)
  select id, 'Member ' || k, 'Maker', 10 from made, generate_series(1, 2) k`;

/** Always forty waiting submissions, because their number does not grow with the installation. */
const RELATED_ROWS = `
  delete from public.reviews where project_id not in (select project_id from public.reviews order by arrived_at desc limit 40);
  insert into private.tallies (kind, name, projects)
  select 'category', category, count(*) from public.case_study_metadata where category is not null group by category;
  insert into public.project_versions (project_id, number, actor_kind, content)
  select id, 1, 'server', jsonb_build_object('title', title) from public.projects on conflict do nothing`;

/**
 * Writes `size` projects, each with texts, six media and a team of two, into a database folder that no server uses.
 * @param folder migrated embedded database
 */
export async function fillProjects(folder: string, size: number): Promise<void> {
  const db = await openDatabase({ kind: 'embedded', folder }, { log: pino({ level: 'silent' }), ...TIMEOUTS });
  try {
    await db.script(DISABLE_TRIGGERS);
    // The index is built faster after all rows are inserted.
    const { rows } = await db.query<{ made: string }>(
      `select indexdef as made from pg_indexes where indexname = 'project_words_found'`,
    );
    await db.script('drop index private.project_words_found');
    for (let from = 0; from < size; from += BATCH_SIZE)
      await db.query(PROJECTS, [from, Math.min(BATCH_SIZE, size - from)]);
    await db.script(rows[0]!.made);
    await db.script(RELATED_ROWS);
    await db.script(DISABLE_TRIGGERS.replaceAll('disable', 'enable'));
    await db.script('vacuum analyze');
  } finally {
    await db.close();
  }
}
