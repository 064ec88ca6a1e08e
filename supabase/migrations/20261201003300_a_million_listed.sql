-- expand
-- Offsets far down the list, parts of the sitemap and the numbers of the about page cost the same with a million
-- projects as with a thousand: triggers maintain the number of listings per week and of media per listing.

create table private.listing_weeks (
  category      text not null,
  week          date not null, -- its Monday, UTC
  experiments   integer not null,
  hand_led      integer not null,
  half_and_half integer not null,
  machine_led   integer not null,
  primary key (category, week)
);
comment on table private.listing_weeks is 'Number of listings by category and week: a large offset sums weeks up instead of scanning listings.';

-- Filled before its index and foreign key are created, which is much faster.
create table private.listing_tags as
  select distinct unnest(texts.tags) as tag, listed.created_at, listed.project_id
  from private.listings listed join public.case_study_metadata texts using (project_id) where listed.category = 'all';
alter table private.listing_tags add primary key (tag, created_at, project_id),
  add foreign key (project_id) references public.projects on delete cascade;
create index listing_tags_by_project on private.listing_tags (project_id);
comment on table private.listing_tags is 'One row per listed project and tag, to find projects with a common tag.';

-- Adjusts the counts for inserted (1) or removed (-1) listings; a changed listing is removed and inserted.
create or replace function private.count_listings() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sign constant integer := tg_argv[0];
begin
  if not exists (select from touched) then
    return null;
  end if;
  perform private.take_turns();
  with more as (
    select category, date_trunc('week', created_at at time zone 'utc')::date as week, sign * count(*)::integer as listings,
      sign * (count(*) filter (where led_by = 'hand'))::integer as hand_led,
      sign * (count(*) filter (where led_by = 'half'))::integer as half_and_half,
      sign * (count(*) filter (where led_by = 'machine'))::integer as machine_led,
      sign * coalesce(sum(hand_share), 0) as hand_shares, sign * sum(media) as media
    from touched group by 1, 2
  ), weeks as (
    insert into private.listing_weeks as stored (category, week, experiments, hand_led, half_and_half, machine_led)
    select category, week, listings, hand_led, half_and_half, machine_led from more
    on conflict (category, week) do update set experiments = stored.experiments + excluded.experiments, hand_led = stored.hand_led + excluded.hand_led,
      half_and_half = stored.half_and_half + excluded.half_and_half, machine_led = stored.machine_led + excluded.machine_led
  )
  update private.listing_counts counts set
    experiments = counts.experiments + more.listings,
    hand_led = counts.hand_led + more.hand_led,
    half_and_half = counts.half_and_half + more.half_and_half,
    machine_led = counts.machine_led + more.machine_led,
    hand_shares = counts.hand_shares + more.hand_shares,
    media = counts.media + more.media
  from (
    select category, sum(listings) as listings, sum(hand_led) as hand_led, sum(half_and_half) as half_and_half,
      sum(machine_led) as machine_led, sum(hand_shares) as hand_shares, sum(media) as media
    from more group by category
  ) as more
  where counts.category = more.category;
  return null;
end $$;

-- Existing listings. The trigger above counts them, so nothing is counted twice.
do $$
begin
  perform private.take_turns();
  insert into private.listing_weeks (category, week, experiments, hand_led, half_and_half, machine_led)
  select category, date_trunc('week', created_at at time zone 'utc')::date, count(*), count(*) filter (where led_by = 'hand'),
    count(*) filter (where led_by = 'half'), count(*) filter (where led_by = 'machine')
  from private.listings group by 1, 2;
  update private.listings listing set media = had.media
  from (select project_id, count(*) as media from public.project_media group by 1) as had where had.project_id = listing.project_id;
end $$;

-- Updates listings and search vectors of the given projects. With a generic plan, as keep_versions.
create or replace function private.list_again(ids uuid[]) returns void
language plpgsql set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  -- The lock serializes concurrent publishing and categorising of one project.
  perform private.take_turns();

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

  delete from private.listing_tags tagged
  where tagged.project_id = any (ids) and not exists (
    select from public.projects project join public.case_study_metadata texts on texts.project_id = project.id
    where project.id = tagged.project_id and private.is_listed(project.status)
      and project.created_at = tagged.created_at and tagged.tag = any (texts.tags)
  );
  insert into private.listing_tags (tag, created_at, project_id)
  select unnest(texts.tags), project.created_at, project.id
  from public.projects project join public.case_study_metadata texts on texts.project_id = project.id
  where project.id = any (ids) and private.is_listed(project.status)
  on conflict do nothing;

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
  perform private.take_turns();
  update private.listings listing set media = counted.media
  from (
    select touched.id, (select count(*) from public.project_media where project_media.project_id = touched.id) as media from unnest(of_projects) as touched (id)
  ) as counted
  where listing.project_id = counted.id and listing.media <> counted.media;
  return null;
end $$;
create trigger list_inserted after insert on public.project_media
  referencing new table as fresh for each statement execute function private.media_changed();
create trigger list_deleted after delete on public.project_media
  referencing old table as stale for each statement execute function private.media_changed();
create trigger list_truncated after truncate on public.project_media
  for each statement execute function private.media_changed();

-- The newest 1,000 matches, which bounds the cost of a frequent word. A frequent word is found soon by scanning from
-- the newest, a rare one in the index; the newest two hundred rows decide, because the planner has no statistics on
-- prefixes. If the scan ends early, the index is used after all.
create or replace function private.found_by(query tsquery, heading text, lead text)
returns table (project_id uuid, created_at timestamptz, words tsvector)
language plpgsql stable rows 100 set search_path = '' set plan_cache_mode = force_custom_plan set max_parallel_workers_per_gather = 0 as $$
#variable_conflict use_column
declare
  most constant integer := 1000;
  far constant integer := 20000;
  everything constant boolean := heading = 'all' and lead is null;
  hits integer := 0;
  since timestamptz := 'infinity';
  last uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
begin
  if everything then
    select count(*) into hits from (
      select words from private.listing_words order by created_at desc, project_id desc limit 200
    ) as newest where words @@ query;
  else
    select count(*) into hits from (
      select project_id from private.listings where category = heading and (lead is null or led_by = lead)
      order by created_at desc, project_id desc limit 200
    ) as newest join private.listing_words listed using (project_id) where listed.words @@ query;
  end if;
  if hits >= 10 then
    if everything then
      return query
        select newest.project_id, newest.created_at, newest.words from (
          select project_id, created_at, words from private.listing_words order by created_at desc, project_id desc limit far
        ) as newest where newest.words @@ query order by newest.created_at desc, newest.project_id desc limit most;
    else
      return query
        select newest.project_id, newest.created_at, listed.words from (
          select project_id, created_at from private.listings where category = heading and (lead is null or led_by = lead)
          order by created_at desc, project_id desc limit far
        ) as newest join private.listing_words listed using (project_id)
        where listed.words @@ query order by newest.created_at desc, newest.project_id desc limit most;
    end if;
    get diagnostics hits = row_count;
    if hits = most then
      return;
    elsif everything then
      select created_at, project_id into since, last from private.listing_words order by created_at desc, project_id desc offset far - 1 limit 1;
    else
      select created_at, project_id into since, last from private.listings
      where category = heading and (lead is null or led_by = lead) order by created_at desc, project_id desc offset far - 1 limit 1;
    end if;
    if since is null then
      return;
    end if;
  else
    hits := 0;
  end if;
  if everything then
    return query
      select project_id, created_at, words from private.listing_words
      where words @@ query and (created_at, project_id) < (since, last)
      order by created_at desc, project_id desc limit most - hits;
  else
    return query
      select listing.project_id, listing.created_at, listed.words
      from private.listings listing join private.listing_words listed using (project_id)
      where listing.category = heading and (lead is null or listing.led_by = lead) and listed.words @@ query
        and (listing.created_at, listing.project_id) < (since, last)
      order by listing.created_at desc, listing.project_id desc limit most - hits;
  end if;
end $$;

-- Listed projects related to another: same category, a common tag, and the newest. At most three of each, so enough
-- remain after duplicates are removed.
create function private.near_listed(project uuid, filed text, tagged text[]) returns table (id uuid, distance integer)
language plpgsql stable rows 9 set search_path = '' as $$
begin
  return query
    (select project_id, 1 from private.listings where category = filed and project_id <> project
     order by created_at desc, project_id desc limit 3)
    union all
    (select near.project_id, 2
     from unnest(tagged) as own (tag) cross join lateral (
       select other.project_id, other.created_at from private.listing_tags other where other.tag = own.tag and other.project_id <> project
       order by other.created_at desc, other.project_id desc limit 3
     ) as near
     group by near.project_id, near.created_at order by near.created_at desc, near.project_id desc limit 3)
    union all
    (select project_id, 3 from private.listings where category = 'all' and project_id <> project
     order by created_at desc, project_id desc limit 3);
end $$;

-- The same for every caller. Security definer, to read the index tables; it returns listed projects only, and reads
-- nothing of a draft that a caller claims to be published.
create or replace function public.neighbours(p_project public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  with near (id, distance) as (
    select near.id, near.distance
    from private.listings listed left join public.case_study_metadata own using (project_id)
      cross join lateral private.near_listed(p_project.id, own.category, own.tags) as near
    where listed.project_id = p_project.id and listed.category = 'all'
  ),
  related (id, distance) as (
    select near.id, min(distance)
    from near join public.projects using (id)
    group by near.id, created_at
    order by min(distance), created_at desc, near.id desc limit 3
  )
  select jsonb_build_object(
    'related', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', project.id, 'number', project.number, 'title', project.title, 'client', project.client,
        'created_at', project.created_at, 'category', metadata.category,
        'hand_share', metadata.hand_share, 'together_share', metadata.together_share,
        'project_media', (
          select coalesce(jsonb_agg(to_jsonb(picture) - 'order' order by picture.is_cover desc, picture."order"), '[]')
          from (
            select type, url, title, made, is_cover, width, height, placeholder, animated, "order"
            from public.project_media
            where project_id = project.id and type = 'image'
            order by is_cover desc, "order" limit 4
          ) picture
        )
      ) order by related.distance, project.created_at desc, project.id desc), '[]')
      from related
        join public.projects project using (id)
        left join public.case_study_metadata metadata on metadata.project_id = project.id
    ),
    'previous', (
      select jsonb_build_object('id', newer.id, 'title', newer.title)
      from public.projects newer
      where (newer.created_at, newer.id) > (p_project.created_at, p_project.id) and newer.status in ('active', 'completed')
      order by newer.created_at, newer.id limit 1
    ),
    'next', (
      select jsonb_build_object('id', older.id, 'title', older.title)
      from public.projects older
      where (older.created_at, older.id) < (p_project.created_at, p_project.id) and older.status in ('active', 'completed')
      order by older.created_at desc, older.id desc limit 1
    )
  )
  where p_project.status in ('active', 'completed')
$$;
-- Start of a large offset: rows before the end of a week, minus the newest ones.
create function private.place_in_list(heading text, lead text, far integer, out before timestamptz, out skip integer)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  skip := far;
  before := 'infinity';
  if far < 1000 then
    return;
  end if;
  select (found.week + 7)::timestamp at time zone 'utc', far - found.newer into before, skip
  from (
    select weeks.week, sum(weeks.shown) over (order by weeks.week desc) as until,
      sum(weeks.shown) over (order by weeks.week desc) - weeks.shown as newer
    from (
      select week, case lead when 'hand' then hand_led when 'half' then half_and_half when 'machine' then machine_led else experiments end as shown
      from private.listing_weeks where category = heading
    ) as weeks
  ) as found
  where found.until > far
  order by found.week desc limit 1;
  if not found then
    before := '-infinity';
    skip := 0;
  end if;
end $$;

create or replace function public.search_case_studies(
  words text default null, category text default null, skip integer default 0, take integer default 24, made text default null
) returns setof public.projects
language plpgsql stable security definer rows 25 set search_path = '' as $$
#variable_conflict use_column
declare
  heading constant text := coalesce(nullif(search_case_studies.category, ''), 'all');
  lead constant text := nullif(made, '');
  first constant integer := least(greatest(coalesce(skip, 0), 0), 1000000);
  most constant integer := least(greatest(coalesce(take, 24), 0), 100);
  place record;
  query tsquery;
  in_title tsquery;
  in_names tsquery;
begin
  if btrim(coalesce(search_case_studies.words, '')) = '' then
    place := private.place_in_list(heading, lead, first);
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

create or replace function public.sitemap_part(part integer) returns jsonb
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
      from private.listing_weeks where category = 'all' and part between 1 and 9999
    ) as weeks
    where until > (part - 1) * 5000
    order by week limit 1
  ) as beginning
  cross join lateral (
    select created_at, project_id from private.listings where category = 'all' and created_at >= since
    order by created_at, project_id offset skip limit 5000
  ) as listed
  join public.projects project on project.id = listed.project_id
$$;

create function public.count_results()
returns table (published integer, completed integer, media bigint, credited integer, hand_share smallint)
language sql stable security definer rows 1 set search_path = '' as $$
  select experiments, private.tallied('completed'), media, hand_led + half_and_half + machine_led,
    round(hand_shares::numeric / nullif(hand_led + half_and_half + machine_led, 0))::smallint
  from private.listing_counts where category = 'all'
$$;
comment on function public.count_results is
  'Public totals of the portfolio: published projects, completed ones, media, projects with credits, and their average hand share.';

revoke all on function private.media_changed, private.place_in_list, private.near_listed from public;
revoke all on function public.count_results from public, anon, authenticated, service_role;
grant execute on function public.count_results to anon, authenticated, service_role;
