-- The list can be asked for what hands led and what machines led, and tells how many of each there are, at the cost of an
-- index and four more numbers beside each count. What was made together is kept as well: the strip draws it as the overlap.

alter table public.case_study_metadata add column together_share smallint;
comment on column public.case_study_metadata.together_share is
  'Percent of the parts that hand and machine made together, worked out of the credits; half of it is in hand_share. Null while there are none.';

create function private.together_share_of(credits jsonb) returns smallint
language sql immutable set search_path = '' as $$
  select round(avg(case credit ->> 'made' when 'together' then 100 else 0 end))::smallint
  from jsonb_array_elements(credits) as credit
$$;
-- People and tools are what somebody who searches knows; the names of parts are the same nearly everywhere.
create function private.credited(credits jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select array(
    select name from jsonb_array_elements(credits) as credit,
      jsonb_array_elements_text(coalesce(credit -> 'people', '[]') || coalesce(credit -> 'tools', '[]')) as name
  )
$$;
revoke all on function private.together_share_of(jsonb), private.credited(jsonb) from public;
grant execute on function private.together_share_of(jsonb) to anon, authenticated, service_role;

create or replace function private.receive_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.project_id <> old.project_id then
    raise exception using errcode = 'PT400', message = 'Texts stay with their project.';
  end if;
  new.category := nullif(btrim(new.category), '');
  new.tags := coalesce(new.tags, '{}');
  new.credits := coalesce(new.credits, '[]');
  if not private.are_tags(new.tags) then
    raise exception using errcode = 'PT422',
      message = 'tags are at most 500, of 1 to 60 characters. Nothing was saved: remove or shorten some, then save again.';
  end if;
  if not private.are_credits(new.credits) then
    raise exception using errcode = 'PT422',
      message = 'credits are at most 20 parts of 1 to 60 characters, each made by hand, machine or together, with at most 20 people and tools of 1 to 120 characters. Nothing was saved.';
  end if;
  new.hand_share := private.hand_share_of(new.credits);
  new.together_share := private.together_share_of(new.credits);
  return new;
end $$;
update public.case_study_metadata set together_share = private.together_share_of(credits) where credits <> '[]';

alter table private.listings
  add column hand_share smallint,
  add column led_by text generated always as
    (case when hand_share > 50 then 'hand' when hand_share < 50 then 'machine' when hand_share = 50 then 'half' end) stored;
comment on column private.listings.led_by is 'Who made more of it: hand, machine, or half and half; null while nobody said.';
-- What nobody said it of costs nothing here.
create index listings_by_lead on private.listings (category, led_by, created_at, project_id) where led_by is not null;

alter table private.listing_counts
  add column hand_led integer not null default 0,
  add column half_and_half integer not null default 0,
  add column machine_led integer not null default 0,
  add column hand_shares bigint not null default 0;
comment on column private.listing_counts.hand_shares is 'Sum of the hand shares of its listings: divided by how many say so, the average.';

-- Called with 1 for listings that came and -1 for those that went; one that changed has gone and come.
create or replace function private.count_listings() returns trigger
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
drop trigger count_inserted on private.listings;
drop trigger count_deleted on private.listings;
create trigger count_inserted after insert on private.listings
  referencing new table as touched for each statement execute function private.count_listings('1');
create trigger count_deleted after delete on private.listings
  referencing old table as touched for each statement execute function private.count_listings('-1');
create trigger count_changed_from after update on private.listings
  referencing old table as touched for each statement execute function private.count_listings('-1');
create trigger count_changed_to after update on private.listings
  referencing new table as touched for each statement execute function private.count_listings('1');

create or replace function private.list_again(ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  -- One who publishes and one who files the same project take turns, and the second sees what the first did.
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
  -- The texts stand on the project and beside it, always the same.
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
comment on table private.listing_words is
  'What a listed project can be found by: title (A), client, tags, and the people and tools of its credits (B), texts (C).';

create or replace function private.texts_changed() returns trigger
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

select private.list_again(array(
  select project_id from public.case_study_metadata texts join public.projects on projects.id = texts.project_id
  where texts.credits <> '[]' and private.is_listed(projects.status)
));

-- The functions of before know nothing of who led, and one with another signature would stand beside them.
drop function public.search_case_studies(text, text, integer, integer), public.count_case_studies(text), private.found_by(tsquery, text);

create function private.found_by(query tsquery, heading text, lead text)
returns table (project_id uuid, created_at timestamptz, words tsvector)
language plpgsql stable rows 100 set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  if heading = 'all' and lead is null then
    return query
      select project_id, created_at, words from private.listing_words where words @@ query
      order by created_at desc, project_id desc limit 1000;
  else
    return query
      select listing.project_id, listing.created_at, listed.words
      from private.listings listing join private.listing_words listed using (project_id)
      where listing.category = heading and (lead is null or listing.led_by = lead) and listed.words @@ query
      order by listing.created_at desc, listing.project_id desc limit 1000;
  end if;
end $$;

create function public.search_case_studies(
  words text default null, category text default null, skip integer default 0, take integer default 24, made text default null
) returns setof public.projects
language plpgsql stable security definer rows 25 set search_path = '' as $$
#variable_conflict use_column
declare
  heading constant text := coalesce(nullif(search_case_studies.category, ''), 'all');
  lead constant text := nullif(made, '');
  first constant integer := least(greatest(coalesce(skip, 0), 0), 1000000);
  most constant integer := least(greatest(coalesce(take, 24), 0), 100);
  query tsquery;
  in_title tsquery;
  in_names tsquery;
begin
  if btrim(coalesce(search_case_studies.words, '')) = '' then
    -- Two questions, so that each walks an index of its own in the list's order.
    if lead is null then
      return query
        select project.* from (
          select created_at, project_id from private.listings where category = heading
          order by created_at desc, project_id desc offset first limit most
        ) as page
        join public.projects project on project.id = page.project_id and private.is_listed(project.status)
        order by page.created_at desc, page.project_id desc;
    else
      return query
        select project.* from (
          select created_at, project_id from private.listings where category = heading and led_by = lead
          order by created_at desc, project_id desc offset first limit most
        ) as page
        join public.projects project on project.id = page.project_id and private.is_listed(project.status)
        order by page.created_at desc, page.project_id desc;
    end if;
    return;
  end if;
  query := private.query_for(search_case_studies.words);
  in_title := private.query_for(search_case_studies.words, 'A');
  in_names := private.query_for(search_case_studies.words, 'AB');
  return query
    with page as (
      select project_id, created_at, case when words @@ in_title then 0 when words @@ in_names then 1 else 2 end as place
      from private.found_by(query, heading, lead)
      order by place, created_at desc, project_id desc offset first limit most
    )
    select project.* from page
    join public.projects project on project.id = page.project_id and private.is_listed(project.status)
    order by page.place, page.created_at desc, page.project_id desc;
end $$;
comment on function public.search_case_studies(text, text, integer, integer, text) is
  'Listed projects with all these words (the last may be half a word), or all of them; of one category, or of all; led by hand, half (and half) or machine, or by whomever. Newest first; with words, those first that have them in the title, then in client, tags or credits. At most 100 at a time, of the newest 1,000 that match.';

create function public.count_case_studies(words text default null)
returns table (
  category text, experiments integer, hand_led integer, half_and_half integer, machine_led integer, hand_share smallint, exact boolean
)
language plpgsql stable security definer rows 7 set search_path = '' as $$
#variable_conflict use_column
declare
  query tsquery;
begin
  if btrim(coalesce(count_case_studies.words, '')) = '' then
    return query
      select category, experiments, hand_led, half_and_half, machine_led,
        round(hand_shares::numeric / nullif(hand_led + half_and_half + machine_led, 0))::smallint, true
      from private.listing_counts;
    return;
  end if;
  query := private.query_for(count_case_studies.words);
  return query
    with found as materialized (
      select project_id from private.found_by(query, 'all', null)
    ), headings as (
      select listing.category, count(*)::integer as experiments,
        (count(*) filter (where led_by = 'hand'))::integer as hand_led,
        (count(*) filter (where led_by = 'half'))::integer as half_and_half,
        (count(*) filter (where led_by = 'machine'))::integer as machine_led,
        round(avg(hand_share))::smallint as hand_share
      from found join private.listings listing using (project_id) group by listing.category
    )
    select counts.category, coalesce(headings.experiments, 0), coalesce(headings.hand_led, 0), coalesce(headings.half_and_half, 0),
      coalesce(headings.machine_led, 0), headings.hand_share, (select count(*) < 1000 from found)
    from private.listing_counts counts left join headings using (category);
end $$;
comment on function public.count_case_studies(text) is
  'How many listed projects each category has, and `all`, how many of them hand or machine led or made half and half, and the average hand share of those that say; with words, of those that match. When more than 1,000 match, the newest 1,000 are counted and the answer is not exact.';

revoke all on function private.found_by(tsquery, text, text) from public;
revoke all on function public.search_case_studies(text, text, integer, integer, text), public.count_case_studies(text)
  from public, anon, authenticated, service_role;
grant execute on function public.search_case_studies(text, text, integer, integer, text), public.count_case_studies(text)
  to anon, authenticated, service_role;
