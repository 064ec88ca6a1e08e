import postgres from 'postgres';

const BATCH_SIZE = 50_000;
/** Number of different texts; each project has one of them. */
const TEXTS = 20_000;

/** Triggers would take too long, so their tables are filled by the statements below. */
const SESSION_SETTINGS = `
  set session_replication_role = replica;
  set maintenance_work_mem = '1GB';
  set synchronous_commit = off`;

/** Forty random words of six letters out of eight thousand, and three words that every text has. */
const TEXT = `
  create temporary table texts as
  select number, html, private.plain_text(html) as plain, private.search_vector('', '{}', html) as words
  from (
    select n as number, '<p>Hands, machines and paper: ' || (
      select string_agg(substr(syllables, 1 + w % 20 * 2, 2) || substr(syllables, 1 + w / 20 % 20 * 2, 2) || substr(syllables, 1 + w / 400 % 20 * 2, 2), ' ')
      from (select 'bacedifoguhalemipolasotunavewixoyuzibroklats' as syllables, abs(hashint4(n * 100 + k)) as w from generate_series(1, 40) k) as drawn
    ) || '</p>' as html
    from generate_series(0, ${TEXTS} - 1) n
  ) as written;
  alter table texts add primary key (number);
  analyze texts`;

/** Indexes that are built faster after all rows are inserted. */
const SLOW_INDEXES = ['project_words_found', 'listing_words_found'];

const PROJECTS = `
  with made as materialized (
    select gen_random_uuid() as id, n, 'Experiment number ' || lpad(n::text, 7, '0') as title, 'Client ' || n % 997 as client,
      (array['draft', 'archived', 'completed', 'active', 'active', 'active', 'active', 'active', 'active', 'active'])[1 + n % 10] as status,
      html, plain, words, (array['branding', 'video', 'ai', 'social', 'strategy', null])[1 + n % 6] as category,
      array['tag ' || n % 5000, 'bench'] as tags,
      -- Every third has a share made by hand.
      case when n % 3 = 0 then (n * 7 % 101)::smallint end as hand_share,
      date_trunc('minute', now()) - n * interval '5 minutes' as moment
    from generate_series($1::int + 1, $2::int) n join texts on texts.number = n % ${TEXTS}
  ), projects as (
    insert into public.projects (id, number, title, client, status, description, created_at, updated_at, submitted_at)
    select id, case when status <> 'draft' then n + 1000 end, title, client, status, html, moment, moment, moment from made
  ), texts as (
    insert into public.case_study_metadata (project_id, brief, category, tags, hand_share)
    select id, html, category, tags, hand_share from made
  ), media as (
    insert into public.project_media (project_id, url, type, title, "order")
    select id, 'https://pictures.example/' || id || '/' || k || '.jpg', 'image', 'Picture ' || k, k from made, generate_series(0, 2) k
  ), members as (
    insert into public.project_members (project_id, name, role, contribution_percentage) select id, 'Member ' || n % 5000, 'Maker', 10 from made
  ), versions as (
    insert into public.project_versions (project_id, number, at, actor_kind, content)
    select id, 1, moment, 'server', jsonb_build_object('title', title) from made
  ), reviews as (
    -- Always forty waiting submissions, because their number does not grow with the installation.
    insert into public.reviews (project_id, state, arrived_at, answered_at)
    select id, case when status <> 'draft' then 'published' when n <= 400 then 'waiting' else 'declined' end, moment, moment from made
  ), steps as (
    insert into public.review_steps (project_id, kind, given_at) select id, 'published', moment from made where status <> 'draft'
  ), log as (
    insert into public.audit_log (at, actor_kind, action, object, outcome) select moment, 'guest', 'projects.insert', id, 'done' from made order by n desc
  ), register as (
    insert into private.project_register (project_id, status, created_at, changed_at, title) select id, status, moment, moment, lower(title) from made
  ), found as (
    insert into private.project_words (project_id, words) select id, lower(title || chr(31) || client || chr(31) || plain) from made
  ), listed as (
    insert into private.listings (category, created_at, project_id, hand_share, media)
    select heading, moment, id, hand_share, 3 from made cross join lateral private.headings_of(title, category, '{}') as heading where private.is_listed(status)
  )
  insert into private.listing_words (project_id, created_at, words)
  select id, moment, private.search_vector(title, client || tags, '') || words from made where private.is_listed(status)`;

/** A file of the media library for every hundredth project; every third has an alt text, every fiftieth is deleted. */
const FILES = `
  create temporary table files as
    select number as n, id, created_at, 'images/' || id || '.webp' as name from public.projects where number % 100 = 7;
  insert into storage.objects (bucket_id, name, metadata, created_at)
    select 'case-studies', name, '{"size": 250000, "width": 1600, "height": 900}', created_at from files;
  insert into public.media_files (bucket_id, name, file_name, alt, kept, bytes, width, height, created_at, deleted_at)
    select 'case-studies', name, 'photo-' || lpad(n::text, 7, '0'), case when n % 3 = 0 then 'Alternative text ' || n end, true,
      250000, 1600, 900, created_at, case when n % 5000 = 7 then now() end
    from files;
  insert into private.object_references
    select 'project_media', media.id::text, 'case-studies', files.name
    from files join public.project_media media on media.project_id = files.id and media."order" = 0 where n % 500 <> 7;
  drop table files`;

/** Counts, as the triggers would have maintained them. */
const COUNTS = `
  truncate private.tallies, private.listing_counts;
  insert into private.tallies (kind, name, projects)
    select 'status', status, count(*) from public.projects group by status
    union all select 'day', private.day_of(submitted_at), count(*) from public.projects where submitted_at is not null group by 2
    union all select 'category', category, count(*) from public.case_study_metadata where category is not null group by 2;
  update private.experiment_numbers set last = (select coalesce(max(number), 0) from public.projects);
  insert into private.listing_counts
    select category, date_trunc('week', created_at at time zone 'utc')::date, count(*), count(*) filter (where led_by = 'hand'),
      count(*) filter (where led_by = 'half'), count(*) filter (where led_by = 'machine'), coalesce(sum(hand_share), 0), sum(media)
    from private.listings group by 1, 2`;

/**
 * Writes `size` projects with all related rows into a PostgreSQL database, older than the existing ones. A million projects
 * take some minutes.
 * @param url URL of a superuser for a migrated database
 */
export async function fillLarge(url: string, size: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(SESSION_SETTINGS);
    await sql.unsafe(TEXT);
    const slow = await sql<{ name: string; made: string }[]>`
      select indexname as name, indexdef as made from pg_indexes where indexname in ${sql(SLOW_INDEXES)}`;
    for (const { name } of slow) await sql.unsafe(`drop index private.${name}`);
    for (let from = 0; from < size; from += BATCH_SIZE)
      await sql.unsafe(PROJECTS, [from, Math.min(from + BATCH_SIZE, size)]);
    await sql.unsafe(FILES);
    for (const { made } of slow) await sql.unsafe(made);
    await sql.unsafe(COUNTS);
    await sql.unsafe('vacuum analyze');
  } finally {
    await sql.end();
  }
}
