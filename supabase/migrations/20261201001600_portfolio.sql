-- Public reads of listed projects: the list and its counts, the sitemap, neighbours of a project, and the home page's
-- selection.

-- The newest 1,000 matches, which bounds the cost of a frequent word. A frequent word is found soon by scanning from
-- the newest, a rare one in the index; the newest two hundred rows decide, because the planner has no statistics on
-- prefixes. If the scan ends early, the index is used after all.
create function private.search_matches(query tsquery, heading text, lead text)
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
  where newer + shown > far
  order by week desc limit 1
$$;

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
      from private.search_matches(query, heading, lead)
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
  headings constant text[] := array['all', 'branding', 'video', 'ai', 'social', 'strategy', 'other'];
  query tsquery;
begin
  if btrim(coalesce(count_case_studies.words, '')) = '' then
    return query
      select category, coalesce(sum(experiments), 0)::integer, coalesce(sum(hand_led), 0)::integer, coalesce(sum(half_and_half), 0)::integer,
        coalesce(sum(machine_led), 0)::integer, round(sum(hand_shares) / nullif(sum(hand_led + half_and_half + machine_led), 0))::smallint, true
      from unnest(headings) as category left join private.listing_counts using (category) group by category;
    return;
  end if;
  query := private.search_query(count_case_studies.words);
  return query
    with found as materialized (
      select project_id from private.search_matches(query, 'all', null)
    ), counted as (
      select listing.category, count(*)::integer as experiments,
        (count(*) filter (where led_by = 'hand'))::integer as hand_led,
        (count(*) filter (where led_by = 'half'))::integer as half_and_half,
        (count(*) filter (where led_by = 'machine'))::integer as machine_led,
        round(avg(hand_share))::smallint as hand_share
      from found join private.listings listing using (project_id) group by listing.category
    )
    select category, coalesce(counted.experiments, 0), coalesce(counted.hand_led, 0), coalesce(counted.half_and_half, 0),
      coalesce(counted.machine_led, 0), counted.hand_share, (select count(*) < 1000 from found)
    from unnest(headings) as category left join counted using (category);
end $$;
comment on function public.count_case_studies is
  'Number of listed projects per category, and `all`: how many of them hand or machine led or made half and half, and the average hand share of those with credits; with words, of the matches. With more than 1,000 matches, the newest 1,000 are counted and the result is not exact.';

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
    where until > (part - 1) * 5000
    order by week limit 1
  ) as beginning
  cross join lateral (
    select created_at, project_id from private.listings where category = 'all' and created_at >= since
    order by created_at, project_id offset skip limit 5000
  ) as listed
  join public.projects project on project.id = listed.project_id
$$;
comment on function public.sitemap_part is 'The 5,000 listed projects of one part of the sitemap, numbered from 1, oldest first: id, title and last change.';

create function public.count_results()
returns table (published integer, completed integer, media bigint, credited integer, hand_share smallint)
language sql stable security definer rows 1 set search_path = '' as $$
  select coalesce(sum(experiments), 0)::integer, private.tally_total('status', 'completed'), coalesce(sum(media), 0)::bigint,
    coalesce(sum(hand_led + half_and_half + machine_led), 0)::integer,
    round(sum(hand_shares) / nullif(sum(hand_led + half_and_half + machine_led), 0))::smallint
  from private.listing_counts where category = 'all'
$$;
comment on function public.count_results is
  'Public totals of the portfolio: published projects, completed ones, media, projects with credits, and their average hand share.';

-- A page ends with the next experiment and its cover; `related` and `previous` stay empty. Security definer reads
-- nothing of a draft that a caller claims to be published.
create function public.neighbours(p_project public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('related', '[]'::jsonb, 'previous', null, 'next', (
    select jsonb_build_object(
      'id', project.id, 'number', project.number, 'title', project.title, 'client', project.client,
      'created_at', project.created_at, 'category', metadata.category,
      'project_media', (
        select coalesce(jsonb_agg(to_jsonb(picture) - 'order' order by picture.type, picture.is_cover desc, picture."order"), '[]')
        from (
          select type, url, title, made, poster, is_cover, width, height, placeholder, animated, "order"
          from public.project_media
          where project_id = project.id and (type = 'image' or type = 'video' and poster is not null)
          order by type, is_cover desc, "order" limit 4
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
        where newest.status in ('active', 'completed') and newest.id <> p_project.id
        order by newest.created_at desc, newest.id desc limit 1
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
  perform private.require_admin('Only an admin can choose what the home page shows.');
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
comment on function public.home_experiments is 'The three projects of the home page: the selected ones, in order, then the newest.';

grant execute on function public.search_case_studies, public.count_case_studies, public.sitemap_part, public.count_results, public.neighbours,
  public.home_experiments to anon, authenticated, service_role;
grant execute on function public.feature_experiments to authenticated, service_role;
