-- How often pages are read and how far, as numbers per day. Nothing about a reader is stored: no address, no cookie, no
-- identifier. Off until an admin sets `analytics`.

create table public.reading_counts (
  day   date not null,
  page  text not null check (char_length(page) <= 100),
  mark  text not null check (char_length(mark) <= 60), -- visit, depth:25 to depth:90, section:<id>
  count integer not null default 1 check (count > 0),
  primary key (day, page, mark)
);
comment on table public.reading_counts is 'Page views per day (UTC), page and mark. Written through record_reading() alone.';

alter table public.reading_counts enable row level security;
alter table public.reading_counts force row level security;
create policy "admins read counts" on public.reading_counts for select to authenticated using ((select public.is_admin()));
revoke all on public.reading_counts from public, anon, authenticated, service_role;
grant select on public.reading_counts to authenticated;

create function private.counts_reading() returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.site_settings where name = 'analytics' and value = 'true'::jsonb)
$$;

create function private.is_known_page(page text) returns boolean
language sql stable set search_path = '' as $$
  select page in ('/', '/case-studies', '/about', '/join', '/privacy', '/terms', '/ai-jewelry-masterclass', '/contact')
    or exists (
      select from public.projects
      where status in ('active', 'completed')
        and id = substring(page from '^/case-studies/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$')::uuid
    )
$$;

create function private.sweep_reading_counts() returns void
language sql set search_path = '' as $$
  delete from public.reading_counts where day < (now() at time zone 'utc')::date - 400
$$;

create function public.record_reading(p_page text, p_marks text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  today date := (now() at time zone 'utc')::date;
begin
  if not private.counts_reading() or private.header('sec-gpc') = '1' or private.header('dnt') = '1' then
    return;
  end if;
  if p_marks is null or array_ndims(p_marks) is distinct from 1 or cardinality(p_marks) > 40
    or exists (
      select from unnest(p_marks) as given (mark)
      where mark is null or mark !~ '^(visit|depth:(25|50|75|90)|section:[a-z][a-z0-9-]{0,39})$'
    )
  then
    raise exception using errcode = 'PT400', message = 'At most 40 marks: visit, depth:25 to depth:90, section:<id>.';
  end if;
  if p_page is null or not private.is_known_page(p_page) then
    raise exception using errcode = 'PT400', message = 'This page is not counted.';
  end if;
  -- A page and day that have twenty rows get no new sections, so that made-up ones cannot fill the table. Sorted, so that
  -- two readers at once never wait for each other in a circle.
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
comment on function public.record_reading(text, text[]) is
  'Counts one page view with the marks it reached. Does nothing while counting is off or the reader asks not to be counted.';

create function public.reading_report(p_days integer) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  today date := (now() at time zone 'utc')::date;
  since date;
begin
  if not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can see what is read.';
  end if;
  if p_days is null or p_days not between 1 and 400 then
    raise exception using errcode = 'PT400', message = 'Between 1 and 400 days.';
  end if;
  since := today - p_days + 1;
  return (
    with counts as materialized (
      select day, page, mark, count from public.reading_counts where day between since and today
    )
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
          select page, mark, sum(count) as visits from counts where mark like 'section:%' group by page, mark
          order by visits desc, page, mark limit 12
        ) as seen
      )
    )
  );
end $$;
comment on function public.reading_report(integer) is
  'For admins: visits of each of the last days, the most read pages, how far they were read, and which sections were seen.';

revoke all on function private.counts_reading(), private.is_known_page(text), private.sweep_reading_counts() from public;
revoke all on function public.record_reading(text, text[]), public.reading_report(integer) from public, anon, authenticated, service_role;
grant execute on function public.record_reading(text, text[]) to anon, authenticated;
grant execute on function public.reading_report(integer) to authenticated;
