-- Public reads of listed projects: the list and its counts, the sitemap, neighbours of a project, and the home page's
-- selection.

-- The newest 1,000 matches, which bounds the cost of a frequent word. force_custom_plan: a rare word is best looked up
-- in the index, a frequent one found by scanning from the newest.
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

-- Security definer, to read the index tables; they return listed projects only, the same for every caller.
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
    -- Two queries, so that each can use its own index in the list's order.
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
comment on function public.search_case_studies is
  'Listed projects with all words (the last one as a prefix), or all of them; of one category, or of all; led by hand, half or machine, or any. Newest first; with words, matches in the title first, then in client, tags or credits. At most 100 per call, of the newest 1,000 matches.';

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
comment on function public.count_case_studies is
  'Number of listed projects per category, and `all`: how many of them hand or machine led or made half and half, and the average hand share of those with credits; with words, of the matches. With more than 1,000 matches, the newest 1,000 are counted and the result is not exact.';

-- The data service limits offsets to 100,000 rows, so parts of a large sitemap are computed here: the part is found in
-- the narrow index, and only its own projects are read.
create function public.sitemap_part(part integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', project.id, 'title', project.title, 'changed', coalesce(project.updated_at, project.created_at))
    order by listed.created_at, listed.project_id
  ), '[]')
  from (
    select created_at, project_id from private.listings where category = 'all' and part between 1 and 9999
    order by created_at, project_id offset (part - 1) * 5000 limit 5000
  ) as listed join public.projects project on project.id = listed.project_id
$$;
comment on function public.sitemap_part is
  'The 5,000 listed projects of one part of the sitemap, numbered from 1, oldest first: id, title and last change.';

-- Related projects and neighbours in the list. These run with the caller's rights; the first returns rows of projects,
-- so that clients may embed related tables. Each of its three searches finds at most three, so enough remain after
-- duplicates are removed. Scalar subqueries make the planner scan the list's index and stop early.
create function public.related_experiments(p_id uuid) returns setof public.projects
language sql stable rows 3 set search_path = '' as $$
  with own as (
    select projects.id, metadata.category, metadata.tags
    from public.projects left join public.case_study_metadata metadata on metadata.project_id = projects.id
    where projects.id = p_id and status in ('active', 'completed')
  ),
  near (id, distance) as (
    (select other.id, 1
     from public.projects other
     where other.status in ('active', 'completed') and other.id <> (select id from own)
       and exists (
         select from public.case_study_metadata
         where project_id = other.id and category = (select category from own)
       )
     order by other.created_at desc, other.id desc limit 3)
    union all
    (select other.id, 2
     from public.case_study_metadata metadata join public.projects other on other.id = metadata.project_id
     where other.status in ('active', 'completed') and other.id <> (select id from own)
       and metadata.tags && (select tags from own)
     order by other.created_at desc, other.id desc limit 3)
    union all
    (select other.id, 3
     from public.projects other
     where other.status in ('active', 'completed') and other.id <> (select id from own)
     order by other.created_at desc, other.id desc limit 3)
  ),
  nearest as (select id, min(distance) as distance from near group by id)
  select projects.*
  from nearest join public.projects on projects.id = nearest.id
  order by nearest.distance, projects.created_at desc, projects.id desc
  limit 3
$$;
comment on function public.related_experiments is
  'Up to three other listed experiments: of the same category, then with a tag in common, then the newest. None for one that is not listed.';

create function public.adjacent_experiments(p_id uuid) returns table (place text, id uuid, title text)
language sql stable rows 2 set search_path = '' as $$
  with own as (
    select projects.id, created_at from public.projects where projects.id = p_id and status in ('active', 'completed')
  )
  (select 'previous', newer.id, newer.title
   from public.projects newer
   where (newer.created_at, newer.id) > ((select created_at from own), (select own.id from own))
     and newer.status in ('active', 'completed')
   order by newer.created_at, newer.id limit 1)
  union all
  (select 'next', older.id, older.title
   from public.projects older
   where (older.created_at, older.id) < ((select created_at from own), (select own.id from own))
     and older.status in ('active', 'completed')
   order by older.created_at desc, older.id desc limit 1)
$$;
comment on function public.adjacent_experiments is
  'Neighbours of a listed project in the list: the next newer one (previous) and the next older one (next), if any.';

-- Projects selected for the home page, in order. A separate table: a selection is not part of a project, so it creates
-- no version and conflicts with no open form. Deleting a project removes its row.
create table public.featured_experiments (
  project_id uuid primary key references public.projects on delete cascade,
  place      smallint not null constraint "a place is 1 to 12" check (place between 1 and 12)
);
comment on table public.featured_experiments is 'Selection for the home page, in order of `place`; written by feature_experiments().';

alter table public.featured_experiments enable row level security;
alter table public.featured_experiments force row level security;
create policy "selections are readable with the project" on public.featured_experiments for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
revoke all on public.featured_experiments from public, anon, authenticated, service_role;
grant select on public.featured_experiments to anon, authenticated, service_role;
create trigger site_changed after insert or update or delete on public.featured_experiments
  for each row execute function private.site_changed('of a project');

create function public.feature_experiments(p_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can choose what the home page shows.';
  end if;
  if p_ids is null or cardinality(p_ids) > 12 or cardinality(p_ids) <> (select count(distinct id) from unnest(p_ids) as id) then
    raise exception using errcode = 'PT422', message = 'Choose at most 12 experiments, each once.';
  end if;
  -- Serializes concurrent selections.
  lock table public.featured_experiments in share row exclusive mode;
  if exists (
    select from unnest(p_ids) as wanted (id) left join public.projects using (id)
    where coalesce(status not in ('active', 'completed'), true)
      and not exists (select from public.featured_experiments where project_id = wanted.id)
  ) then
    raise exception using errcode = 'PT409', message = 'Only a published experiment can be shown on the home page. Nothing was changed.';
  end if;
  delete from public.featured_experiments where project_id <> all (p_ids);
  insert into public.featured_experiments as stored (project_id, place)
  select id, place from unnest(p_ids) with ordinality as wanted (id, place)
  where exists (select from public.projects where projects.id = wanted.id)
  on conflict (project_id) do update set place = excluded.place where stored.place <> excluded.place;
  perform private.record('projects.feature', array_to_string(p_ids, ' '));
end $$;
comment on function public.feature_experiments is
  'For admins: sets the projects that the home page shows first, all of them in order; an empty list for the newest.';

-- Runs with the caller's rights, but returns public projects only, also for admins.
create function public.home_experiments() returns setof public.projects
language sql stable rows 3 set search_path = '' as $$
  with chosen as (
    select projects.id, place from public.featured_experiments join public.projects on projects.id = project_id
    where status in ('active', 'completed')
    order by place, projects.id limit 3
  ),
  newest as (
    -- Enough even if all selected ones are among them.
    select id from public.projects where status in ('active', 'completed')
    order by created_at desc, id desc limit 6
  )
  select projects.* from public.projects left join chosen using (id)
  where id in (select id from chosen union select id from newest)
  order by place nulls last, created_at desc, id desc
  limit 3
$$;
comment on function public.home_experiments is
  'The three projects of the home page: the selected ones, in order, then the newest.';

revoke all on all functions in schema private from public;
revoke all on function public.search_case_studies, public.count_case_studies, public.sitemap_part, public.related_experiments,
  public.adjacent_experiments, public.feature_experiments, public.home_experiments from public, anon, authenticated, service_role;
grant execute on function public.search_case_studies, public.count_case_studies, public.sitemap_part, public.related_experiments,
  public.adjacent_experiments, public.home_experiments to anon, authenticated, service_role;
grant execute on function public.feature_experiments to authenticated, service_role;
