-- Index tables for the public list, maintained by triggers: category, lead and search words of each listed project, so
-- that a visit costs the same with a hundred projects as with a hundred thousand. Only listed projects are included, so
-- nothing else can be found, counted, or inferred from response times.

create table private.listings (
  category   text not null, -- 'all', the stored category, and categories named by a setting for this title
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
-- Partial index: listings without credits are not in it.
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
comment on table private.listing_words is 'Search vector of a listed project: title (A), client, tags, and the people and tools of its credits (B), texts (C).';
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

-- Inline tags can be inside a word; every other tag ends one.
create function private.strip_markup(html text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(html, '</?(a|b|code|em|i|mark|s|span|strong|sub|sup|u)(\s[^>]*)?>', '', 'gi'), '<[^>]*>|&#?\w{1,10};', ' ', 'g'
  )
$$;

-- Limited to 50,000 characters: a search vector has a maximum size.
create function private.search_vector(title text, lines text[], texts text) returns tsvector
language sql immutable set search_path = '' as $$
  select setweight(to_tsvector('pg_catalog.simple', private.normalize_words(title)), 'A')
    || setweight(to_tsvector('pg_catalog.simple', private.normalize_words(array_to_string(lines, ' '))), 'B')
    || setweight(to_tsvector('pg_catalog.simple', private.normalize_words(left(private.strip_markup(texts), 50000))), 'C')
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

create function private.headings_of(title text, filed text) returns setof text
language sql immutable rows 2 set search_path = '' as $$
  select 'all' union select filed where filed is not null
  union select 'branding' where title ilike '%brand%' union select 'video' where title ilike '%video%'
$$;
comment on function private.headings_of is 'Categories under which a project is listed: all, its own, and those that a setting names for its title.';

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
    cross join lateral private.headings_of(project.title, texts.category) as heading (category)
    where project.id = any (ids) and private.is_listed(project.status)
  ), removed as (
    delete from private.listings listing where listing.project_id = any (ids)
      and (listing.category, listing.created_at, listing.project_id) not in (select category, created_at, id from shown)
  )
  insert into private.listings (category, created_at, project_id, hand_share, media)
  select category, created_at, id, hand_share, media from shown
  on conflict (category, created_at, project_id) do update set hand_share = excluded.hand_share, media = excluded.media
  where (listings.hand_share, listings.media) is distinct from (excluded.hand_share, excluded.media);

  delete from private.listing_words listed
  where listed.project_id = any (ids)
    and not exists (select from public.projects where projects.id = listed.project_id and private.is_listed(projects.status));
  -- Projects and case_study_metadata contain the same texts.
  insert into private.listing_words (project_id, created_at, words)
  select project.id, project.created_at, private.search_vector(
    project.title, private.searched_lines(project) || texts.tags || private.credited_names(texts.credits),
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
        and (stale.status, stale.title, private.searched_lines(stale), stale.created_at, stale.description::text, stale.understanding::text, stale.actions::text, stale.impact::text)
          is distinct from (fresh.status, fresh.title, private.searched_lines(fresh), fresh.created_at, fresh.description::text, fresh.understanding::text, fresh.actions::text, fresh.impact::text)
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

-- Texts deleted with their project need no update.
create function private.texts_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.update_listings(array(select project_id from fresh));
  elsif tg_op = 'UPDATE' then
    perform private.update_listings(array(
      select stale.project_id from stale join fresh on fresh.id = stale.id
      where (stale.category, stale.tags, stale.credits) is distinct from (fresh.category, fresh.tags, fresh.credits)
    ));
  elsif tg_op = 'DELETE' then
    perform private.update_listings(array(select project_id from stale join public.projects on projects.id = project_id));
  else
    perform private.update_listings(array(select id from public.projects where private.is_listed(status)));
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
  from (
    select touched.id, (select count(*) from public.project_media where project_media.project_id = touched.id) as media from unnest(of_projects) as touched (id)
  ) as counted
  where listing.project_id = counted.id and listing.media <> counted.media;
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
  if exists (select from touched) then
    perform private.lock_listings();
  end if;
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
