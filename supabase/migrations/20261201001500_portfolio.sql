-- Index tables for the public list, maintained by triggers: category, lead and search words of each listed project, so
-- that a visit costs the same with a hundred projects as with a hundred thousand. Only listed projects are included, so
-- nothing else can be found, counted, or inferred from response times.

create table private.listings (
  category   text not null, -- see headings_of()
  created_at timestamptz not null,
  project_id uuid not null,
  hand_share smallint,
  led_by     text generated always as
    (case when hand_share > 50 then 'hand' when hand_share < 50 then 'machine' when hand_share = 50 then 'half' end) stored,
  media      integer not null default 0,
  primary key (category, created_at, project_id)
);
comment on table private.listings is 'One row per listed project and category, in the list''s order.';
comment on column private.listings.led_by is 'The larger share: hand, machine, or half; null without credits.';
comment on column private.listings.media is 'Number of media of its project.';
create index listings_by_project on private.listings (project_id);
create index listings_by_lead on private.listings (category, led_by, created_at, project_id) where led_by is not null;

create table private.listing_counts (
  category      text not null,
  week          date not null, -- its Monday, UTC
  experiments   integer not null,
  hand_led      integer not null,
  half_and_half integer not null,
  machine_led   integer not null,
  hand_shares   bigint not null, -- sum; divided by the number of listings with credits it is the average
  media         bigint not null,
  primary key (category, week)
);
comment on table private.listing_counts is 'Number of listings by category and week: totals and large offsets sum weeks up instead of scanning listings.';

create table private.listing_words (
  project_id uuid primary key,
  created_at timestamptz not null,
  words      tsvector not null
);
comment on table private.listing_words is 'Search vector of a listed project: title (A), client, facts, tags, and the people and tools of its credits (B), texts (C).';
create index listing_words_newest on private.listing_words (created_at, project_id);
-- fastupdate is off: searches would have to scan the pending list.
create index listing_words_found on private.listing_words using gin (words) with (fastupdate = off);

-- Archived projects are readable by their URL, but not listed.
create function private.is_listed(status text) returns boolean
language sql immutable set search_path = '' as $$ select status in ('active', 'completed') $$;

-- Removes accents and turns punctuation and whitespace into one space, because the parser would read "chai/tea" as one
-- token, a file name.
create function private.normalize_words(input text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(lower(normalize(input, NFD)), '[\u0300-\u036f]', '', 'g'), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u200b\u200e-\u206f\u3000-\u3003\ufeff]+', ' ', 'g'
  )
$$;

-- Limited: a search vector has at most 1 MB, and a character up to nine bytes.
create function private.search_vector(title text, lines text[], texts text) returns tsvector
language sql immutable set search_path = '' as $$
  select setweight(to_tsvector('pg_catalog.simple', private.normalize_words(title)), 'A')
    || setweight(to_tsvector('pg_catalog.simple', private.normalize_words(left(array_to_string(lines, ' '), 20000))), 'B')
    || setweight(to_tsvector('pg_catalog.simple', private.normalize_words(left(private.plain_text(texts), 50000))), 'C')
$$;

-- People and tools are searchable; the names of parts are nearly the same everywhere.
create function private.credited_names(credits jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select array(
    select name from jsonb_array_elements(credits) as credit,
      jsonb_array_elements_text(coalesce(credit -> 'people', '[]') || coalesce(credit -> 'tools', '[]')) as name
  )
$$;

-- All words must match, the last one as a prefix. Contains no query operators.
create function private.search_query(input text, weights text default '') returns tsquery
language sql immutable set search_path = '' as $$
  select to_tsquery('pg_catalog.simple', coalesce(string_agg('''' || word || ''':' || weights, ' & ') || '*', ''))
  from (select word from string_to_table(private.normalize_words(left(input, 100)), ' ') as word where word <> '' limit 12) as typed
$$;

-- Serializes concurrent publishing and categorising, after the rows of the projects.
create function private.lock_listings() returns void
language sql set search_path = '' as $$ select pg_advisory_xact_lock(hashtextextended('listings', 0)) $$;

create function private.headings_of(title text, filed text, facts jsonb) returns setof text
language sql stable rows 2 set search_path = '' as $$
  with categories (category) as (
    select 'all' union select filed where filed is not null
    union select 'branding' where title ilike '%brand%' union select 'video' where title ilike '%video%'
  )
  select category from categories
  union all select concat(category, ' ', field ->> 'id', ':', facts ->> (field ->> 'id')) from categories, jsonb_array_elements(private.fact_fields()) as field
  where facts <> '{}' and facts ? (field ->> 'id') and field ->> 'shown' in ('filter', 'everywhere')
$$;
comment on function private.headings_of is 'Categories under which a project is listed: all, its own, and those that a setting names for its title; and each of them with each fact of a filter: `all industry:Fashion`.';

-- Updates listings and search vectors of the given projects. With a generic plan, as insert_versions.
create function private.update_listings(ids uuid[]) returns void
language plpgsql set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  perform private.lock_listings();

  with shown as materialized (
    select project.id, project.created_at, heading.category, texts.hand_share,
      (select count(*) from public.project_media where project_media.project_id = project.id) as media
    from public.projects project left join public.case_study_metadata texts on texts.project_id = project.id
    cross join lateral private.headings_of(project.title, texts.category, project.facts) as heading (category)
    where project.id = any (ids) and private.is_listed(project.status)
  ), removed as (
    delete from private.listings listing where listing.project_id = any (ids)
      and (listing.category, listing.created_at, listing.project_id) not in (select category, created_at, id from shown)
  )
  insert into private.listings (category, created_at, project_id, hand_share, media)
  select category, created_at, id, hand_share, media from shown
  on conflict (category, created_at, project_id) do update set hand_share = excluded.hand_share, media = excluded.media
  where (listings.hand_share, listings.media) is distinct from (excluded.hand_share, excluded.media);

  delete from private.listing_words where project_id = any (ids)
    and project_id not in (select id from public.projects where id = any (ids) and private.is_listed(status));
  -- Projects and case_study_metadata contain the same texts.
  insert into private.listing_words (project_id, created_at, words)
  select project.id, project.created_at, private.search_vector(
    project.title, private.searched_lines(project) || private.fact_words(project.facts, false) || texts.tags || private.credited_names(texts.credits),
    concat_ws(' ', project.description, project.understanding, project.actions, project.impact)
  )
  from public.projects project left join public.case_study_metadata texts on texts.project_id = project.id
  where project.id = any (ids) and private.is_listed(project.status)
  on conflict (project_id) do update set created_at = excluded.created_at, words = excluded.words
  where (listing_words.created_at, listing_words.words) is distinct from (excluded.created_at, excluded.words);
end $$;

-- Only changes of listed fields count: a budget or a date needs no lock.
create function private.project_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.update_listings(array(select id from fresh where private.is_listed(status)));
  elsif tg_op = 'UPDATE' then
    perform private.update_listings(array(
      select stale.id from stale join fresh on fresh.id = stale.id
      where (private.is_listed(stale.status) or private.is_listed(fresh.status))
        and (stale.status, stale.title, private.searched_lines(stale), stale.facts, stale.created_at, stale.description::text, stale.understanding::text, stale.actions::text, stale.impact::text)
          is distinct from (fresh.status, fresh.title, private.searched_lines(fresh), fresh.facts, fresh.created_at, fresh.description::text, fresh.understanding::text, fresh.actions::text, fresh.impact::text)
    ));
  elsif tg_op = 'DELETE' then
    delete from private.listings using stale where listings.project_id = stale.id;
    delete from private.listing_words using stale where listing_words.project_id = stale.id;
  else
    delete from private.listings;
    delete from private.listing_words;
  end if;
  return null;
end $$;

-- Texts deleted with their project need no update; restored ones are listed at the end (restore_trash).
create function private.texts_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.update_listings(array(select project_id from fresh)) where current_setting('private.restoring', true) is distinct from 'yes';
    perform private.tally('category', array(select category from fresh), 1);
  elsif tg_op = 'UPDATE' then
    perform private.update_listings(array(
      select stale.project_id from stale join fresh on fresh.id = stale.id
      where (stale.category, stale.tags, stale.credits) is distinct from (fresh.category, fresh.tags, fresh.credits)
    ));
    perform private.tally_changes('category', array(select category from stale order by id), array(select category from fresh order by id));
  elsif tg_op = 'DELETE' then
    perform private.update_listings(array(select project_id from stale join public.projects on projects.id = project_id));
    perform private.tally('category', array(select category from stale), -1);
  else
    perform private.update_listings(array(select id from public.projects where private.is_listed(status)));
    delete from private.tallies where kind = 'category';
  end if;
  return null;
end $$;

-- Media never change their project. Those of a draft are not listed and need no lock.
create function private.media_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_projects uuid[];
begin
  if tg_op = 'INSERT' then
    of_projects := array(select distinct project_id from fresh);
  elsif tg_op = 'DELETE' then
    of_projects := array(select distinct project_id from stale);
  else
    of_projects := array(select project_id from private.listings where category = 'all' and media > 0);
  end if;
  if not exists (select from private.listings where project_id = any (of_projects)) then
    return null;
  end if;
  perform private.lock_listings();
  update private.listings listing set media = counted.media
  from unnest(of_projects) as touched (id)
    cross join lateral (select count(*) as media from public.project_media where project_media.project_id = touched.id) as counted
  where listing.project_id = touched.id and listing.media <> counted.media;
  return null;
end $$;
create trigger list_inserted after insert on public.project_media referencing new table as fresh for each statement execute function private.media_changed();
create trigger list_deleted after delete on public.project_media referencing old table as stale for each statement execute function private.media_changed();
create trigger list_truncated after truncate on public.project_media for each statement execute function private.media_changed();

-- Adjusts the counts for inserted (1) or removed (-1) listings; a changed listing is removed and inserted.
create function private.count_listings() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sign constant integer := tg_argv[0];
begin
  perform private.lock_listings() where exists (select from touched);
  insert into private.listing_counts as stored
  select category, date_trunc('week', created_at at time zone 'utc')::date, sign * count(*), sign * count(*) filter (where led_by = 'hand'),
    sign * count(*) filter (where led_by = 'half'), sign * count(*) filter (where led_by = 'machine'),
    sign * coalesce(sum(hand_share), 0), sign * sum(media)
  from touched group by 1, 2
  on conflict (category, week) do update set experiments = stored.experiments + excluded.experiments,
    hand_led = stored.hand_led + excluded.hand_led, half_and_half = stored.half_and_half + excluded.half_and_half,
    machine_led = stored.machine_led + excluded.machine_led, hand_shares = stored.hand_shares + excluded.hand_shares,
    media = stored.media + excluded.media;
  return null;
end $$;
create trigger count_inserted after insert on private.listings referencing new table as touched for each statement execute function private.count_listings('1');
create trigger count_deleted after delete on private.listings referencing old table as touched for each statement execute function private.count_listings('-1');
create trigger count_changed_from after update on private.listings
  referencing old table as touched for each statement execute function private.count_listings('-1');
create trigger count_changed_to after update on private.listings
  referencing new table as touched for each statement execute function private.count_listings('1');

-- The newest 1,000 matches, which bounds the cost of a frequent word. A frequent word is found soon by scanning from
-- the newest, a rare one in the index; the newest two hundred rows decide, because the planner has no statistics on
-- prefixes. If the scan ends early, the index is used after all. Of all projects, the table of words is enough.
create function private.search_matches(query tsquery, heading text, lead text) returns table (project_id uuid, created_at timestamptz, words tsvector)
language plpgsql stable rows 100 set search_path = '' set max_parallel_workers_per_gather = 0 as $$
declare
  most constant integer := 1000;
  far constant integer := 20000;
  everything constant boolean := heading = 'all' and lead is null;
  listings constant text := case when everything then 'private.listing_words listing' else 'private.listings listing' end;
  with_words constant text := case when everything then '' else ' join private.listing_words using (project_id)' end;
  wanted constant text := ' where true' || case when everything then '' else ' and category = $2' end || case when lead is null then '' else ' and led_by = $3' end;
  in_order constant text := ' order by listing.created_at desc, project_id desc';
  newest constant text := ' from (select * from ' || listings || wanted || in_order || ' limit $4) as listing' || with_words || ' where words @@ $1';
  hits integer;
  since timestamptz := 'infinity';
  last uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
begin
  execute 'select count(*)' || newest into hits using query, heading, lead, 200;
  if hits >= 10 then
    return query execute 'select project_id, listing.created_at, words' || newest || in_order || ' limit $5' using query, heading, lead, far, most;
    get diagnostics hits = row_count;
    if hits = most then
      return;
    end if;
    execute 'select created_at, project_id from ' || listings || wanted || in_order || ' offset $4 limit 1' into since, last using query, heading, lead, far - 1;
    if since is null then
      return;
    end if;
  else
    hits := 0;
  end if;
  return query execute 'select project_id, listing.created_at, words from ' || listings || with_words || wanted || ' and words @@ $1 and (listing.created_at, listing.project_id) < ($4, $5)'
    || in_order || ' limit $6' using query, heading, lead, since, last, most - hits;
end $$;

-- Where a page begins: rows before the end of a week, minus the newest ones. No row beyond the end of the list.
create function private.page_start(heading text, lead text, far integer) returns table (before timestamptz, skip integer)
language sql stable rows 1 set search_path = '' as $$
  select (week + 7)::timestamp at time zone 'utc', (far - newer)::integer
  from (
    select week, shown, sum(shown) over (order by week desc) - shown as newer
    from (
      select week, case lead when 'hand' then hand_led when 'half' then half_and_half when 'machine' then machine_led else experiments end as shown
      from private.listing_counts where category = heading
    ) as weeks
  ) as places
  where newer + shown > far order by week desc limit 1
$$;

-- Security definer, to read the index tables; they return listed projects only, the same for every caller.
create function public.search_case_studies(
  words text default null, category text default null, skip integer default 0, take integer default 24, made text default null,
  fact text default null
) returns setof public.projects
language plpgsql stable security definer rows 25 set search_path = '' as $$
#variable_conflict use_column
declare
  heading constant text := coalesce(nullif(search_case_studies.category, ''), 'all') || coalesce(' ' || nullif(fact, ''), '');
  lead constant text := nullif(made, '');
  first constant integer := least(greatest(coalesce(skip, 0), 0), 1000000);
  most constant integer := least(greatest(coalesce(take, 24), 0), 100);
  place record;
  query tsquery;
  in_title tsquery;
  in_names tsquery;
begin
  if btrim(coalesce(search_case_studies.words, '')) = '' then
    select * into place from private.page_start(heading, lead, first);
    -- Two queries, so that each can use its own index in the list's order.
    if lead is null then
      return query
        select project.* from (
          select created_at, project_id from private.listings where category = heading and created_at < place.before
          order by created_at desc, project_id desc offset place.skip limit most
        ) as page
        join public.projects project on project.id = page.project_id and private.is_listed(project.status)
        order by page.created_at desc, page.project_id desc;
    else
      return query
        select project.* from (
          select created_at, project_id from private.listings where category = heading and led_by = lead and created_at < place.before
          order by created_at desc, project_id desc offset place.skip limit most
        ) as page
        join public.projects project on project.id = page.project_id and private.is_listed(project.status)
        order by page.created_at desc, page.project_id desc;
    end if;
    return;
  end if;
  query := private.search_query(search_case_studies.words);
  in_title := private.search_query(search_case_studies.words, 'A');
  in_names := private.search_query(search_case_studies.words, 'AB');
  return query
    with page as (
      select project_id, created_at, case when words @@ in_title then 0 when words @@ in_names then 1 else 2 end as place
      from private.search_matches(query, heading, lead) order by place, created_at desc, project_id desc offset first limit most
    )
    select project.* from page
    join public.projects project on project.id = page.project_id and private.is_listed(project.status)
    order by page.place, page.created_at desc, page.project_id desc;
end $$;
comment on function public.search_case_studies is
  'Listed projects with all words (the last one as a prefix), or all of them; of one category, or of all; with one fact of a filter (`industry:Fashion`), or any; led by hand, half or machine, or any. Newest first; with words, matches in the title first, then in client, facts, tags or credits. At most 100 per call, of the newest 1,000 matches.';

create function public.count_case_studies(words text default null)
returns table (category text, experiments integer, hand_led integer, half_and_half integer, machine_led integer, hand_share smallint, exact boolean)
language plpgsql stable security definer rows 7 set search_path = '' as $$
#variable_conflict use_column
declare
  headings constant text[] := array['all', 'branding', 'video', 'ai', 'social', 'strategy', 'other'];
begin
  if btrim(coalesce(count_case_studies.words, '')) = '' then
    return query
      select category, coalesce(sum(experiments), 0)::integer, coalesce(sum(hand_led), 0)::integer, coalesce(sum(half_and_half), 0)::integer,
        coalesce(sum(machine_led), 0)::integer, round(sum(hand_shares) / nullif(sum(hand_led + half_and_half + machine_led), 0))::smallint, true
      from unnest(headings) as category full join private.listing_counts using (category)
      group by category having category = any (headings) or sum(experiments) > 0;
    return;
  end if;
  return query
    with found as materialized (select project_id from private.search_matches(private.search_query(count_case_studies.words), 'all', null)),
    counted as (
      select listing.category, count(*)::integer as experiments,
        (count(*) filter (where led_by = 'hand'))::integer as hand_led,
        (count(*) filter (where led_by = 'half'))::integer as half_and_half,
        (count(*) filter (where led_by = 'machine'))::integer as machine_led,
        round(avg(hand_share))::smallint as hand_share
      from found join private.listings listing using (project_id) group by listing.category
    )
    select category, coalesce(counted.experiments, 0), coalesce(counted.hand_led, 0), coalesce(counted.half_and_half, 0),
      coalesce(counted.machine_led, 0), counted.hand_share, (select count(*) < 1000 from found)
    from unnest(headings) as category full join counted using (category);
end $$;
comment on function public.count_case_studies is
  'Number of listed projects per category, and `all`, and of each with a fact of a filter (`all industry:Fashion`): how many of them hand or machine led or made half and half, and the average hand share of those with credits; with words, of the matches. With more than 1,000 matches, the newest 1,000 are counted and the result is not exact.';

-- The data service limits offsets to 100,000 rows, so parts of a large sitemap are computed here.
create function public.sitemap_part(part integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', project.id, 'title', project.title, 'changed', coalesce(project.updated_at, project.created_at))
    order by listed.created_at, listed.project_id
  ), '[]')
  from (
    -- The week in which the part begins, and how many of its listings belong to the previous part.
    select week::timestamp at time zone 'utc' as since, ((part - 1) * 5000 - older)::integer as skip
    from (
      select week, sum(experiments) over (order by week) as until, sum(experiments) over (order by week) - experiments as older
      from private.listing_counts where category = 'all' and part between 1 and 9999
    ) as weeks
    where until > (part - 1) * 5000 order by week limit 1
  ) as beginning
  cross join lateral (
    select created_at, project_id from private.listings where category = 'all' and created_at >= since order by created_at, project_id offset skip limit 5000
  ) as listed
  join public.projects project on project.id = listed.project_id
$$;
comment on function public.sitemap_part is 'The 5,000 listed projects of one part of the sitemap, numbered from 1, oldest first: id, title and last change.';

create function public.count_results() returns table (published integer, completed integer, media bigint, credited integer, hand_share smallint)
language sql stable security definer rows 1 set search_path = '' as $$
  select coalesce(sum(experiments), 0)::integer, private.tally_total('status', 'completed'), coalesce(sum(media), 0)::bigint,
    coalesce(sum(hand_led + half_and_half + machine_led), 0)::integer,
    round(sum(hand_shares) / nullif(sum(hand_led + half_and_half + machine_led), 0))::smallint
  from private.listing_counts where category = 'all'
$$;
comment on function public.count_results is
  'Public totals of the portfolio: published projects, completed ones, media, projects with credits, and their average hand share.';

-- A page ends with the next experiment and its cover. Security definer reads nothing of a draft that a caller claims to be
-- published.
create function public.neighbours(p_project public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('next', (
    select jsonb_build_object(
      'id', project.id, 'number', project.number, 'title', project.title, 'client', project.client,
      'created_at', project.created_at, 'category', metadata.category,
      'project_media', (
        select coalesce(jsonb_agg(to_jsonb(picture) - 'order' - 'created_at' order by type, is_cover desc, "order", created_at), '[]')
        from (
          select type, url, title, made, poster, is_cover, width, height, placeholder, animated, "order", created_at
          from public.project_media
          where project_id = project.id and (type = 'image' or type = 'video' and poster is not null) order by type, is_cover desc, "order", created_at limit 4
        ) picture
      )
    )
    from public.projects project left join public.case_study_metadata metadata on metadata.project_id = project.id
    where project.id = coalesce(
      (
        select older.id from public.projects older
        where (older.created_at, older.id) < (p_project.created_at, p_project.id) and older.status in ('active', 'completed')
        order by older.created_at desc, older.id desc limit 1
      ),
      (
        select newest.id from public.projects newest
        where newest.status in ('active', 'completed') and newest.id <> p_project.id order by newest.created_at desc, newest.id desc limit 1
      )
    )
  ))
  where p_project.status in ('active', 'completed')
$$;
comment on function public.neighbours is
  'For a listed experiment the next older one of the list, after the oldest the newest, with up to four pictures or posters, the cover first. Null for one that is not listed.';

-- Projects selected for the home page, in order. A separate table: a selection is not part of a project, so it creates
-- no version and conflicts with no open form. Deleting a project removes its row.
create table public.featured_experiments (
  project_id uuid primary key references public.projects on delete cascade,
  place      smallint not null constraint "a place is 1 to 12" check (place between 1 and 12)
);
comment on table public.featured_experiments is 'Selection for the home page, in order of `place`; written by feature_experiments().';

select private.enable_row_security('public.featured_experiments');
create policy "selections are readable with the project" on public.featured_experiments for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
grant select on public.featured_experiments to anon, authenticated, service_role;
create trigger site_changed after insert or update or delete on public.featured_experiments for each row execute function private.site_changed('of a project');

create function public.feature_experiments(p_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_editor('Only an editor can choose what the home page shows.');
  perform private.raise_if(p_ids is null or cardinality(p_ids) > 12 or cardinality(p_ids) <> (select count(distinct id) from unnest(p_ids) as id), 'PT422',
    'Choose at most 12 experiments, each once.');
  -- Serializes concurrent selections.
  lock table public.featured_experiments in share row exclusive mode;
  perform private.raise_if(exists (
    select from unnest(p_ids) as wanted (id) left join public.projects using (id)
    where coalesce(status not in ('active', 'completed'), true)
      and not exists (select from public.featured_experiments where project_id = wanted.id)
  ), 'PT409', 'Only a published experiment can be shown on the home page. Nothing was changed.');
  delete from public.featured_experiments where project_id <> all (p_ids);
  insert into public.featured_experiments as stored (project_id, place)
  select id, place from unnest(p_ids) with ordinality as wanted (id, place)
  where exists (select from public.projects where projects.id = wanted.id)
  on conflict (project_id) do update set place = excluded.place where stored.place <> excluded.place;
  perform private.record('projects.feature', array_to_string(p_ids, ' '));
end $$;
comment on function public.feature_experiments is
  'For editors: sets the projects that the home page shows first, all of them in order; an empty list for the newest.';

-- Runs with the caller's rights, but returns public projects only, also for admins.
create function public.home_experiments() returns setof public.projects
language sql stable rows 3 set search_path = '' as $$
  with chosen as (
    select projects.id, place from public.featured_experiments join public.projects on projects.id = project_id
    where status in ('active', 'completed') order by place, projects.id limit 3
  ),
  -- Enough even if all selected ones are among them.
  newest as (select id from public.projects where status in ('active', 'completed') order by created_at desc, id desc limit 6)
  select projects.* from public.projects left join chosen using (id)
  where id in (select id from chosen union select id from newest) order by place nulls last, created_at desc, id desc limit 3
$$;
comment on function public.home_experiments is 'The three projects of the home page: the selected ones, in order, then the newest.';

grant execute on function public.search_case_studies, public.count_case_studies, public.sitemap_part, public.count_results, public.neighbours,
  public.home_experiments to anon, authenticated, service_role;
grant execute on function public.feature_experiments to authenticated, service_role;
