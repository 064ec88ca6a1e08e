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
  primary key (category, created_at, project_id)
);
comment on table private.listings is 'One row per listed project and category, in the list''s order.';
comment on column private.listings.led_by is 'The larger share: hand, machine, or half; null without credits.';
create index listings_by_project on private.listings (project_id);
-- Partial index: listings without credits are not in it.
create index listings_by_lead on private.listings (category, led_by, created_at, project_id) where led_by is not null;

create table private.listing_counts (
  category      text primary key,
  experiments   integer not null default 0,
  hand_led      integer not null default 0,
  half_and_half integer not null default 0,
  machine_led   integer not null default 0,
  hand_shares   bigint not null default 0
);
comment on table private.listing_counts is 'Number of listings per category.';
comment on column private.listing_counts.hand_shares is 'Sum of the hand shares of its listings; divided by the number of listings with credits it is the average.';
insert into private.listing_counts (category) values ('all'), ('branding'), ('video'), ('ai'), ('social'), ('strategy'), ('other');

create table private.listing_words (
  project_id uuid primary key,
  created_at timestamptz not null,
  words      tsvector not null
);
comment on table private.listing_words is
  'Search vector of a listed project: title (A), client, tags, and the people and tools of its credits (B), texts (C).';
create index listing_words_newest on private.listing_words (created_at, project_id);
-- fastupdate is off: searches would have to scan the pending list.
create index listing_words_found on private.listing_words using gin (words) with (fastupdate = off);

-- Archived projects are readable by their URL, but not listed.
create function private.is_listed(status text) returns boolean
language sql immutable set search_path = '' as $$
  select status in ('active', 'completed')
$$;

-- Removes accents and turns punctuation and whitespace into one space, because the parser would read "chai/tea" as one
-- token, a file name.
create function private.plain_words(said text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(lower(normalize(said, NFD)), '[\u0300-\u036f]', '', 'g'), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u200b\u200e-\u206f\u3000-\u3003\ufeff]+', ' ', 'g'
  )
$$;

-- Inline tags can be inside a word; every other tag ends one.
create function private.without_markup(html text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(html, '</?(a|b|code|em|i|mark|s|span|strong|sub|sup|u)(\s[^>]*)?>', '', 'gi'), '<[^>]*>|&#?\w{1,10};', ' ', 'g'
  )
$$;

-- Limited to 50,000 characters: a search vector has a maximum size.
create function private.words_of(title text, client text, tags text[], texts text) returns tsvector
language sql immutable set search_path = '' as $$
  select setweight(to_tsvector('pg_catalog.simple', private.plain_words(title)), 'A')
    || setweight(to_tsvector('pg_catalog.simple', private.plain_words(concat_ws(' ', client, array_to_string(tags, ' ')))), 'B')
    || setweight(to_tsvector('pg_catalog.simple', private.plain_words(left(private.without_markup(texts), 50000))), 'C')
$$;

-- People and tools are searchable; the names of parts are nearly the same everywhere.
create function private.credited(credits jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select array(
    select name from jsonb_array_elements(credits) as credit,
      jsonb_array_elements_text(coalesce(credit -> 'people', '[]') || coalesce(credit -> 'tools', '[]')) as name
  )
$$;

-- All words must match, the last one as a prefix. Contains no query operators.
create function private.query_for(said text, weights text default '') returns tsquery
language sql immutable set search_path = '' as $$
  select to_tsquery('pg_catalog.simple', coalesce(string_agg('''' || word || ''':' || weights, ' & ') || '*', ''))
  from (select word from string_to_table(private.plain_words(left(said, 100)), ' ') as word where word <> '' limit 12) as typed
$$;

-- Writers lock all counts until the end of the transaction, always in the same order and after the rows of the
-- projects, to avoid deadlocks.
create function private.take_turns() returns void
language sql set search_path = '' as $$
  select from private.listing_counts order by category for update
$$;

-- Updates listings and search vectors of the given projects.
create function private.list_again(ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  -- The lock serializes concurrent publishing and categorising of one project.
  perform private.take_turns();

  with shown as materialized (
    select project.id, project.created_at, heading.category, texts.hand_share
    from public.projects project left join public.case_study_metadata texts on texts.project_id = project.id
    cross join lateral (
      select 'all' union select texts.category where texts.category is not null
      union select 'branding' where project.title ilike '%brand%' union select 'video' where project.title ilike '%video%'
    ) as heading (category)
    where project.id = any (ids) and private.is_listed(project.status)
  ), removed as (
    delete from private.listings listing where listing.project_id = any (ids)
      and (listing.category, listing.created_at, listing.project_id) not in (select category, created_at, id from shown)
  )
  insert into private.listings (category, created_at, project_id, hand_share) select category, created_at, id, hand_share from shown
  on conflict (category, created_at, project_id) do update set hand_share = excluded.hand_share
  where listings.hand_share is distinct from excluded.hand_share;

  delete from private.listing_words listed
  where listed.project_id = any (ids)
    and not exists (select from public.projects where projects.id = listed.project_id and private.is_listed(projects.status));
  -- Projects and case_study_metadata contain the same texts.
  insert into private.listing_words (project_id, created_at, words)
  select project.id, project.created_at, private.words_of(
    project.title, project.client, texts.tags || private.credited(texts.credits),
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
    perform private.list_again(array(select id from fresh where private.is_listed(status)));
  elsif tg_op = 'UPDATE' then
    perform private.list_again(array(
      select stale.id from stale join fresh on fresh.id = stale.id
      where (private.is_listed(stale.status) or private.is_listed(fresh.status))
        and (stale.status, stale.title, stale.client, stale.created_at, stale.description::text, stale.understanding::text, stale.actions::text, stale.impact::text)
          is distinct from (fresh.status, fresh.title, fresh.client, fresh.created_at, fresh.description::text, fresh.understanding::text, fresh.actions::text, fresh.impact::text)
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
    perform private.list_again(array(select project_id from fresh));
  elsif tg_op = 'UPDATE' then
    perform private.list_again(array(
      select stale.project_id from stale join fresh on fresh.id = stale.id
      where (stale.category, stale.tags, stale.credits) is distinct from (fresh.category, fresh.tags, fresh.credits)
    ));
  elsif tg_op = 'DELETE' then
    perform private.list_again(array(select project_id from stale join public.projects on projects.id = project_id));
  else
    perform private.list_again(array(select id from public.projects where private.is_listed(status)));
  end if;
  return null;
end $$;

-- Adjusts the counts for inserted (1) or removed (-1) listings; a changed listing is removed and inserted.
create function private.count_listings() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sign constant integer := tg_argv[0];
begin
  if not exists (select from touched) then
    return null;
  end if;
  perform private.take_turns();
  update private.listing_counts counts set
    experiments = counts.experiments + sign * more.listings,
    hand_led = counts.hand_led + sign * more.hand_led,
    half_and_half = counts.half_and_half + sign * more.half_and_half,
    machine_led = counts.machine_led + sign * more.machine_led,
    hand_shares = counts.hand_shares + sign * more.hand_shares
  from (
    select category, count(*)::integer as listings,
      (count(*) filter (where led_by = 'hand'))::integer as hand_led,
      (count(*) filter (where led_by = 'half'))::integer as half_and_half,
      (count(*) filter (where led_by = 'machine'))::integer as machine_led,
      coalesce(sum(hand_share), 0) as hand_shares
    from touched group by category
  ) as more
  where counts.category = more.category;
  return null;
end $$;
create trigger count_inserted after insert on private.listings
  referencing new table as touched for each statement execute function private.count_listings('1');
create trigger count_deleted after delete on private.listings
  referencing old table as touched for each statement execute function private.count_listings('-1');
create trigger count_changed_from after update on private.listings
  referencing old table as touched for each statement execute function private.count_listings('-1');
create trigger count_changed_to after update on private.listings
  referencing new table as touched for each statement execute function private.count_listings('1');

revoke all on all functions in schema private from public;
