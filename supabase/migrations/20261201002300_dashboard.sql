-- Data of the dashboard: page views, submissions, and the state of the installation. Numbers and days, no names.

-- Page views and reading depth, as numbers per day. Nothing about a reader is stored: no address, cookie or identifier.
-- Disabled until an admin sets `analytics`.
create table public.reading_counts (
  day   date not null,
  page  text not null check (char_length(page) <= 100),
  mark  text not null check (char_length(mark) <= 60), -- visit, depth:25 to depth:90, section:<id>
  count integer not null default 1 check (count > 0),
  primary key (day, page, mark)
);
comment on table public.reading_counts is 'Page views per day (UTC), page and mark. Written through record_reading() only.';

select private.enable_row_security('public.reading_counts');
create policy "editors read counts" on public.reading_counts for select to authenticated using ((select public.can_edit_content()));
grant select on public.reading_counts to authenticated;

-- A little over a year, to compare a month with the same month of the previous year.
create function private.sweep_reading_counts() returns void
language sql set search_path = '' as $$ delete from public.reading_counts where day < (now() at time zone 'utc')::date - 400 $$;

create function public.record_reading(p_page text, p_marks text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  today date := (now() at time zone 'utc')::date;
begin
  if not private.is_setting_on('analytics') or private.request_header('sec-gpc') = '1' or private.request_header('dnt') = '1' then
    return;
  end if;
  perform private.raise_if(array_ndims(p_marks) is distinct from 1 or cardinality(p_marks) > 40 or exists (
    select from unnest(p_marks) as mark where (mark ~ '^(visit|depth:(25|50|75|90)|section:[a-z][a-z0-9-]{0,39})$') is not true
  ), 'PT400', 'At most 40 marks: visit, depth:25 to depth:90, section:<id>.');
  -- Prevents clients from filling the table with pages that do not exist.
  perform private.raise_if(coalesce(p_page, '') not in ('/', '/case-studies', '/about', '/join', '/privacy', '/terms', '/ai-jewelry-masterclass', '/contact')
    and not exists (select from public.pages where path = p_page and live is not null and deleted_at is null)
    and not exists (select from public.projects where id = private.uuid_in(substring(p_page from '^/case-studies/([0-9a-f-]{36})$')) and private.is_listed(status)),
    'PT400', 'This page is not counted.');
  -- A page and day with twenty rows gets no new sections, so that clients cannot fill the table. Sorted, so that
  -- concurrent calls cannot deadlock.
  insert into public.reading_counts as stored (day, page, mark)
  select today, p_page, mark
  from (select distinct mark from unnest(p_marks) as given (mark)) as marks
  where mark !~ '^section:'
    or exists (select from public.reading_counts known where known.day = today and known.page = p_page and known.mark = marks.mark)
    or (select count(*) from public.reading_counts known where known.day = today and known.page = p_page) < 20
  order by mark
  on conflict (day, page, mark) do update set count = stored.count + 1 where stored.count < 2147483647;
  perform private.sweep_reading_counts();
end $$;
comment on function public.record_reading is
  'Counts one page view with the marks it reached. Does nothing while counting is disabled or the reader sends Do Not Track.';

create function public.reading_report(p_days integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  since date;
begin
  perform private.require_editor('Only an editor can see what is read.');
  perform private.raise_if(p_days is null or p_days not between 1 and 400, 'PT400', 'Between 1 and 400 days.');
  since := today - p_days + 1;
  return (
    with counts as materialized (select day, page, mark, count from public.reading_counts where day between since and today)
    select jsonb_build_object(
      'days', (
        select jsonb_agg(jsonb_build_object('day', to_char(one.day, 'YYYY-MM-DD'), 'visits', coalesce(visits, 0)) order by one.day)
        from generate_series(since::timestamp, today::timestamp, interval '1 day') as one (day)
        left join (select day, sum(count) as visits from counts where mark = 'visit' group by day) as counted on counted.day = one.day::date
      ),
      'pages', (
        select coalesce(jsonb_agg(jsonb_build_object('page', page, 'title', title, 'visits', visits) order by visits desc, page), '[]')
        from (
          select page, sum(count) as visits, (
              select projects.title from public.projects where projects.id = substring(page from '^/case-studies/(.{36})$')::uuid
            ) as title
          from counts where mark = 'visit' group by page order by visits desc, page limit 10
        ) as top
      ),
      'depth', (
        select jsonb_agg(jsonb_build_object('mark', percent, 'visits', coalesce(visits, 0)) order by percent)
        from unnest(array[25, 50, 75, 90]) as steps (percent)
        left join (select mark, sum(count) as visits from counts group by mark) as reached on reached.mark = 'depth:' || percent
      ),
      'sections', (
        select coalesce(jsonb_agg(jsonb_build_object('page', page, 'section', substr(mark, 9), 'visits', visits) order by visits desc, page, mark), '[]')
        from (
          select page, mark, sum(count) as visits from counts where mark like 'section:%' group by page, mark order by visits desc, page, mark limit 12
        ) as seen
      )
    )
  );
end $$;
comment on function public.reading_report is
  'For editors: visits of each of the last days, the most read pages, how far they were read, and which sections were seen.';

create function private.submitted_between(since date, until date) returns integer
language sql stable set search_path = '' as $$
  select coalesce(sum(projects), 0)::integer from private.tallies
  where kind = 'day' and name between to_char(since, 'YYYY-MM-DD') and to_char(until, 'YYYY-MM-DD')
$$;

create function public.admin_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  perform private.require_editor('Only an editor sees the overview.');
  return jsonb_build_object(
    'weeks', (
      select jsonb_agg(jsonb_build_object('week', to_char(monday, 'YYYY-MM-DD'), 'projects', private.submitted_between(monday, monday + 6)) order by monday)
      from (select date_trunc('week', today)::date - 7 * weeks as monday from generate_series(0, 25) as weeks) as mondays
    ),
    'recent', private.submitted_between(today - 29, today),
    'before', private.submitted_between(today - 59, today - 30),
    'statuses', (
      select jsonb_agg(jsonb_build_object('status', status, 'projects', private.tally_total('status', status)) order by place)
      from unnest(array['draft', 'active', 'completed', 'archived']) with ordinality as each (status, place)
    ),
    'categories', (
      select jsonb_agg(jsonb_build_object('category', category, 'projects', projects) order by projects desc, place)
      from (
        select category, place, private.tally_total('category', category) as projects
        from unnest(array['branding', 'video', 'ai', 'social', 'strategy', 'other']) with ordinality as each (category, place)
      ) as counted
    ), 'all', private.tally_total('status'),
    'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', project_id, 'title', title, 'open', open,
        'submission', exists (select from public.reviews where reviews.project_id = waiting.project_id)) order by since), '[]')
      from (
        select project_id, count(*) as open, min(created_at) as since from public.draft_comments
        where body is not null and parent is null and resolved_at is null group by project_id order by since limit 5
      ) as waiting join public.projects on projects.id = project_id
    ));
end $$;
comment on function public.admin_overview is
  'For editors: submissions in each of the last 26 weeks (from Monday, UTC), in the last 30 days and the 30 before, how many projects each status and category has, and the five projects whose clients wait longest.';

-- Database part of the live checks of /admin-help. Numbers and times, no names or addresses.
create function public.health_report() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.require_admin('Only an admin can read the health report.');
  select jsonb_build_object(
    'admins', (
      select count(*) from public.user_roles held join public.roles on roles.id = held.role_id
        join auth.users account on account.id = held.user_id
      where roles.name = 'admin' and account.deleted_at is null and (account.banned_until is null or account.banned_until <= now())
    ),
    'setup_key', case
      when private.admin_exists() then 'closed'
      when exists (select from private.setup_keys where used_at is null and expires_at > now()) then 'waiting'
      else 'missing'
    end,
    'setup_key_until', (select max(expires_at) from private.setup_keys where used_at is null and expires_at > now() and not private.admin_exists()),
    'second_factor', private.is_setting_on('admins_need_second_factor')
  )
$$;
comment on function public.health_report is 'For admins and the service role: the state of the installation as far as the database knows it.';

grant execute on function public.record_reading to anon, authenticated;
grant execute on function public.reading_report, public.admin_overview to authenticated;
grant execute on function public.health_report to authenticated, service_role;
