-- The list of experiments costs the same with a hundred as with a hundred thousand: what is listed, under which category
-- it stands and which words it holds is written down when it changes, not worked out on each visit. Only listed
-- experiments are in here, so nothing else can be found, counted, or noticed by how long an answer takes.

create table private.listings (
  category   text not null, -- 'all', the stored category, and those a title names
  created_at timestamptz not null,
  project_id uuid not null,
  primary key (category, created_at, project_id)
);
create index listings_by_project on private.listings (project_id);
comment on table private.listings is 'One row per listed project and category it is shown under, in the list''s order.';

create table private.listing_counts (
  category    text primary key,
  experiments integer not null default 0
);
insert into private.listing_counts (category) values ('all'), ('branding'), ('video'), ('ai'), ('social'), ('strategy'), ('other');
comment on table private.listing_counts is 'How many listings each category has.';

create table private.listing_words (
  project_id uuid primary key,
  created_at timestamptz not null,
  words      tsvector not null
);
create index listing_words_newest on private.listing_words (created_at, project_id);
-- Nothing waits in a pending list that every search would have to read through.
create index listing_words_found on private.listing_words using gin (words) with (fastupdate = off);
comment on table private.listing_words is 'What a listed project can be found by: title (A), client and tags (B), texts (C).';

create function private.is_listed(status text) returns boolean
language sql immutable set search_path = '' as $$
  select status in ('active', 'completed')
$$;

-- Accents are dropped, punctuation and every kind of space is one space, because the parser would take "chai/tea" for one word, a file.
create function private.plain_words(said text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(lower(normalize(said, NFD)), '[\u0300-\u036f]', '', 'g'), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u200b\u200e-\u206f\u3000-\u3003\ufeff]+', ' ', 'g'
  )
$$;

-- Marks inside a sentence may stand in the middle of a word; every other tag ends one.
create function private.without_markup(html text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(html, '</?(a|b|code|em|i|mark|s|span|strong|sub|sup|u)(\s[^>]*)?>', '', 'gi'), '<[^>]*>|&#?\w{1,10};', ' ', 'g'
  )
$$;

-- More than 50,000 characters of text would come near what a search vector can hold.
create function private.words_of(title text, client text, tags text[], texts text) returns tsvector
language sql immutable set search_path = '' as $$
  select setweight(to_tsvector('pg_catalog.simple', private.plain_words(title)), 'A')
    || setweight(to_tsvector('pg_catalog.simple', private.plain_words(concat_ws(' ', client, array_to_string(tags, ' ')))), 'B')
    || setweight(to_tsvector('pg_catalog.simple', private.plain_words(left(private.without_markup(texts), 50000))), 'C')
$$;

-- All the words, and the last one may be half typed. Nothing is left in them that a query could trip over.
create function private.query_for(said text, weights text default '') returns tsquery
language sql immutable set search_path = '' as $$
  select to_tsquery('pg_catalog.simple', coalesce(string_agg('''' || word || ''':' || weights, ' & ') || '*', ''))
  from (select word from string_to_table(private.plain_words(left(said, 100)), ' ') as word where word <> '' limit 12) as typed
$$;

-- The newest 1,000 that match: enough for anybody who looks, and a bound to what a common word may cost. Planned anew for
-- each question, since a rare word is best looked up and a common one met on the way from the newest to the oldest.
create function private.found_by(query tsquery, heading text)
returns table (project_id uuid, created_at timestamptz, words tsvector)
language plpgsql stable rows 100 set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  if heading = 'all' then
    return query
      select project_id, created_at, words from private.listing_words where words @@ query
      order by created_at desc, project_id desc limit 1000;
  else
    return query
      select listing.project_id, listing.created_at, listed.words
      from private.listings listing join private.listing_words listed using (project_id)
      where listing.category = heading and listed.words @@ query
      order by listing.created_at desc, listing.project_id desc limit 1000;
  end if;
end $$;

-- Whoever changes what is listed holds all the counts until the end. They are always taken in the same order and after
-- the rows of the projects, so that nobody waits in a circle.
create function private.take_turns() returns void
language sql set search_path = '' as $$
  select from private.listing_counts order by category for update
$$;

-- Marks what is shown under which category, and what it can be found by, as the projects are now.
create function private.list_again(ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  -- One who publishes and one who files the same project take turns, and the second sees what the first did.
  perform private.take_turns();

  with shown as materialized (
    select project.id, project.created_at, heading.category
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
  insert into private.listings (category, created_at, project_id) select category, created_at, id from shown
  on conflict do nothing;

  delete from private.listing_words listed
  where listed.project_id = any (ids)
    and not exists (select from public.projects where projects.id = listed.project_id and private.is_listed(projects.status));
  -- The texts stand on the project and beside it, always the same.
  insert into private.listing_words (project_id, created_at, words)
  select project.id, project.created_at, private.words_of(
    project.title, project.client, texts.tags,
    concat_ws(' ', project.description, project.understanding, project.actions, project.impact)
  )
  from public.projects project left join public.case_study_metadata texts on texts.project_id = project.id
  where project.id = any (ids) and private.is_listed(project.status)
  on conflict (project_id) do update set created_at = excluded.created_at, words = excluded.words
  where (listing_words.created_at, listing_words.words) is distinct from (excluded.created_at, excluded.words);
end $$;

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
create trigger list_inserted after insert on public.projects
  referencing new table as fresh for each statement execute function private.project_changed();
create trigger list_updated after update on public.projects
  referencing old table as stale new table as fresh for each statement execute function private.project_changed();
create trigger list_deleted after delete on public.projects
  referencing old table as stale for each statement execute function private.project_changed();
create trigger list_truncated after truncate on public.projects
  for each statement execute function private.project_changed();

-- Its texts go with a project; there is nothing to mark then.
create function private.texts_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.list_again(array(select project_id from fresh));
  elsif tg_op = 'UPDATE' then
    perform private.list_again(array(
      select stale.project_id from stale join fresh on fresh.id = stale.id
      where (stale.category, stale.tags) is distinct from (fresh.category, fresh.tags)
    ));
  elsif tg_op = 'DELETE' then
    perform private.list_again(array(select project_id from stale join public.projects on projects.id = project_id));
  else
    perform private.list_again(array(select id from public.projects where private.is_listed(status)));
  end if;
  return null;
end $$;
create trigger list_inserted after insert on public.case_study_metadata
  referencing new table as fresh for each statement execute function private.texts_changed();
create trigger list_updated after update on public.case_study_metadata
  referencing old table as stale new table as fresh for each statement execute function private.texts_changed();
create trigger list_deleted after delete on public.case_study_metadata
  referencing old table as stale for each statement execute function private.texts_changed();
create trigger list_truncated after truncate on public.case_study_metadata
  for each statement execute function private.texts_changed();

-- Counts follow the listings, whoever writes them.
create function private.count_listings() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from touched) then
    return null;
  end if;
  perform private.take_turns();
  update private.listing_counts counts
  set experiments = counts.experiments + case tg_op when 'INSERT' then more.listings else -more.listings end
  from (select category, count(*)::integer as listings from touched group by category) as more
  where counts.category = more.category;
  return null;
end $$;
create trigger count_inserted after insert on private.listings
  referencing new table as touched for each statement execute function private.count_listings();
create trigger count_deleted after delete on private.listings
  referencing old table as touched for each statement execute function private.count_listings();

select private.list_again(array(select id from public.projects where private.is_listed(status)));

-- For everybody, and the same for everybody: what is listed is public. Both borrow the owner's rights to look into the
-- tables above, and answer nothing that is not listed.
create function public.search_case_studies(
  words text default null, category text default null, skip integer default 0, take integer default 24
) returns setof public.projects
language plpgsql stable security definer rows 25 set search_path = '' as $$
#variable_conflict use_column
declare
  heading constant text := coalesce(nullif(search_case_studies.category, ''), 'all');
  first constant integer := least(greatest(coalesce(skip, 0), 0), 1000000);
  most constant integer := least(greatest(coalesce(take, 24), 0), 100);
  query tsquery;
  in_title tsquery;
  in_names tsquery;
begin
  if btrim(coalesce(search_case_studies.words, '')) = '' then
    return query
      select project.* from (
        select created_at, project_id from private.listings where category = heading
        order by created_at desc, project_id desc offset first limit most
      ) as page
      join public.projects project on project.id = page.project_id and private.is_listed(project.status)
      order by page.created_at desc, page.project_id desc;
    return;
  end if;
  query := private.query_for(search_case_studies.words);
  in_title := private.query_for(search_case_studies.words, 'A');
  in_names := private.query_for(search_case_studies.words, 'AB');
  return query
    with page as (
      select project_id, created_at, case when words @@ in_title then 0 when words @@ in_names then 1 else 2 end as place
      from private.found_by(query, heading)
      order by place, created_at desc, project_id desc offset first limit most
    )
    select project.* from page
    join public.projects project on project.id = page.project_id and private.is_listed(project.status)
    order by page.place, page.created_at desc, page.project_id desc;
end $$;
comment on function public.search_case_studies(text, text, integer, integer) is
  'Listed projects with all these words (the last may be half a word), or all of them; of one category, or of all. Newest first; with words, those first that have them in the title, then in client or tags. At most 100 at a time, of the newest 1,000 that match.';

create function public.count_case_studies(words text default null)
returns table (category text, experiments integer, exact boolean)
language plpgsql stable security definer rows 7 set search_path = '' as $$
#variable_conflict use_column
declare
  query tsquery;
begin
  if btrim(coalesce(count_case_studies.words, '')) = '' then
    return query select category, experiments, true from private.listing_counts;
    return;
  end if;
  query := private.query_for(count_case_studies.words);
  return query
    with found as materialized (
      select project_id from private.found_by(query, 'all')
    ), headings as (
      select listing.category, count(*)::integer as experiments
      from found join private.listings listing using (project_id) group by listing.category
    )
    select counts.category, coalesce(headings.experiments, 0), (select count(*) < 1000 from found)
    from private.listing_counts counts left join headings using (category);
end $$;
comment on function public.count_case_studies(text) is
  'How many listed projects each category has, and `all`; with words, how many of those match. When more than 1,000 match, the newest 1,000 are counted and the answer is not exact.';

revoke all on function private.is_listed(text), private.plain_words(text), private.without_markup(text),
  private.words_of(text, text, text[], text), private.query_for(text, text), private.found_by(tsquery, text),
  private.take_turns(), private.list_again(uuid[]), private.project_changed(), private.texts_changed(), private.count_listings() from public;
revoke all on function public.search_case_studies(text, text, integer, integer), public.count_case_studies(text)
  from public, anon, authenticated, service_role;
grant execute on function public.search_case_studies(text, text, integer, integer), public.count_case_studies(text)
  to anon, authenticated, service_role;
