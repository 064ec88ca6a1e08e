-- What the dashboard's charts show. Like the lists, it is written down when a project changes, so that a house with fifty
-- thousand projects is told as quickly as one with fifty.

create table private.overview_tallies (
  id       bigint generated always as identity primary key,
  kind     text not null check (kind in ('day', 'category')),
  name     text not null, -- a day of UTC, or a category
  projects integer not null
);
create index overview_tallies_by_name on private.overview_tallies (kind, name) include (projects);
comment on table private.overview_tallies is 'How many submissions came or went by day and category. Sums count; nobody waits for anybody to write one.';

create function private.tally_overview(kind text, names text[], projects integer) returns void
language plpgsql set search_path = '' as $$
declare
  last bigint;
begin
  insert into private.overview_tallies (kind, name, projects)
  select tally_overview.kind, name, tally_overview.projects * count(*) from unnest(names) as name where name is not null group by name;
  select max(id) into last from private.overview_tallies;
  -- Now and then they are added up. What somebody else adds up at this moment is left to them.
  if last % 32 = 0 then
    with folded as (
      delete from private.overview_tallies
      where id in (select id from private.overview_tallies order by id desc limit 1000 for update skip locked)
      returning overview_tallies.kind, overview_tallies.name, overview_tallies.projects
    )
    insert into private.overview_tallies (kind, name, projects)
    select folded.kind, folded.name, sum(folded.projects) from folded group by 1, 2 having sum(folded.projects) <> 0;
  end if;
end $$;

create function private.day_of(moment timestamptz) returns text
language sql immutable set search_path = '' as $$
  select to_char(moment at time zone 'utc', 'YYYY-MM-DD')
$$;

create function private.tally_submissions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.tally_overview('day', array(select private.day_of(submitted_at) from fresh), 1);
  elsif tg_op = 'DELETE' then
    perform private.tally_overview('day', array(select private.day_of(submitted_at) from stale), -1);
  elsif tg_op = 'TRUNCATE' then
    delete from private.overview_tallies where kind = 'day';
  elsif exists (select from fresh join stale using (id) where fresh.submitted_at is distinct from stale.submitted_at) then
    perform private.tally_overview('day', array(
      select private.day_of(stale.submitted_at) from fresh join stale using (id) where fresh.submitted_at is distinct from stale.submitted_at
    ), -1);
    perform private.tally_overview('day', array(
      select private.day_of(fresh.submitted_at) from fresh join stale using (id) where fresh.submitted_at is distinct from stale.submitted_at
    ), 1);
  end if;
  return null;
end $$;
create trigger tally_inserted after insert on public.projects
  referencing new table as fresh for each statement execute function private.tally_submissions();
create trigger tally_updated after update on public.projects
  referencing old table as stale new table as fresh for each statement execute function private.tally_submissions();
create trigger tally_deleted after delete on public.projects
  referencing old table as stale for each statement execute function private.tally_submissions();
create trigger tally_truncated after truncate on public.projects
  for each statement execute function private.tally_submissions();

create function private.tally_categories() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.tally_overview('category', array(select category from fresh), 1);
  elsif tg_op = 'DELETE' then
    perform private.tally_overview('category', array(select category from stale), -1);
  elsif tg_op = 'TRUNCATE' then
    delete from private.overview_tallies where kind = 'category';
  elsif exists (select from fresh join stale using (id) where fresh.category is distinct from stale.category) then
    perform private.tally_overview('category', array(
      select stale.category from fresh join stale using (id) where fresh.category is distinct from stale.category
    ), -1);
    perform private.tally_overview('category', array(
      select fresh.category from fresh join stale using (id) where fresh.category is distinct from stale.category
    ), 1);
  end if;
  return null;
end $$;
create trigger tally_inserted after insert on public.case_study_metadata
  referencing new table as fresh for each statement execute function private.tally_categories();
create trigger tally_updated after update on public.case_study_metadata
  referencing old table as stale new table as fresh for each statement execute function private.tally_categories();
create trigger tally_deleted after delete on public.case_study_metadata
  referencing old table as stale for each statement execute function private.tally_categories();
create trigger tally_truncated after truncate on public.case_study_metadata
  for each statement execute function private.tally_categories();

insert into private.overview_tallies (kind, name, projects)
select 'day', private.day_of(submitted_at), count(*) from public.projects where submitted_at is not null group by 2;
insert into private.overview_tallies (kind, name, projects)
select 'category', category, count(*) from public.case_study_metadata where category is not null group by category;

-- Submissions between two days, both included.
create function private.submitted_between(since date, until date) returns integer
language sql stable set search_path = '' as $$
  select coalesce(sum(projects), 0)::integer from private.overview_tallies
  where kind = 'day' and name between to_char(since, 'YYYY-MM-DD') and to_char(until, 'YYYY-MM-DD')
$$;

create function public.admin_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  this_week constant date := date_trunc('week', today)::date;
begin
  if not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin sees the overview.';
  end if;
  return jsonb_build_object(
    'weeks', (
      select jsonb_agg(jsonb_build_object('week', to_char(monday, 'YYYY-MM-DD'), 'projects', private.submitted_between(monday, monday + 6)) order by monday)
      from (select this_week - 7 * weeks as monday from generate_series(0, 25) as weeks) as mondays
    ),
    'recent', private.submitted_between(today - 29, today),
    'before', private.submitted_between(today - 59, today - 30),
    'statuses', (
      select jsonb_agg(jsonb_build_object('status', status, 'projects', private.tallied(status)) order by place)
      from unnest(array['draft', 'active', 'completed', 'archived']) with ordinality as each (status, place)
    ),
    'categories', (
      select jsonb_agg(jsonb_build_object('category', category, 'projects', projects) order by projects desc, place)
      from (
        select category, place, (
          select coalesce(sum(tally.projects), 0)::integer from private.overview_tallies tally
          where tally.kind = 'category' and tally.name = category
        ) as projects
        from unnest(array['branding', 'video', 'ai', 'social', 'strategy', 'other']) with ordinality as each (category, place)
      ) as counted
    ),
    'all', private.tallied(null)
  );
end $$;
comment on function public.admin_overview() is
  'For admins: submissions in each of the last 26 weeks (from Monday, UTC), in the last 30 days and the 30 before, and how many projects each status and category has.';

revoke all on function private.tally_overview(text, text[], integer), private.day_of(timestamptz), private.tally_submissions(),
  private.tally_categories(), private.submitted_between(date, date) from public;
revoke all on function public.admin_overview() from public, anon, authenticated, service_role;
grant execute on function public.admin_overview() to authenticated;

-- What the live checks of /admin-help ask of the database. Numbers and times, no names, no addresses.
create function public.health_report() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin sees how the house is.';
  end if;
  return jsonb_build_object(
    'now', clock_timestamp(),
    'admins', (
      select count(*) from public.user_roles held join public.roles on roles.id = held.role_id
        join auth.users account on account.id = held.user_id
      where roles.name = 'admin' and account.deleted_at is null and (account.banned_until is null or account.banned_until <= now())
    ),
    'setup_key', case
      when private.admin_exists() then 'closed'
      when not private.may_try('setup key') then 'blocked'
      when exists (select from private.setup_keys where used_at is null and expires_at > now()) then 'waiting'
      else 'missing'
    end,
    'setup_key_until', (
      select max(expires_at) from private.setup_keys where used_at is null and expires_at > now() and not private.admin_exists()
    ),
    'second_factor', private.admins_need_second_factor(),
    'unmailed_since', (select min(created_at) from public.contact_messages where mailed_at is null)
  );
end $$;
comment on function public.health_report() is 'For admins and the service: what the database knows of the state of the house.';
revoke all on function public.health_report() from public, anon, authenticated, service_role;
grant execute on function public.health_report() to authenticated, service_role;
