-- Which published experiments the home page shows first, and in which order. A table of its own: it is no part of an
-- experiment, so choosing one saves no version and meets nobody who is editing it. Who is deleted loses its place.

create table public.featured_experiments (
  project_id uuid primary key references public.projects on delete cascade,
  place      smallint not null constraint "a place is 1 to 12" check (place between 1 and 12)
);
comment on table public.featured_experiments is 'Shown first on the home page, in the order of their places; written by feature_experiments().';

alter table public.featured_experiments enable row level security;
alter table public.featured_experiments force row level security;
create policy "featured ones are for whoever sees the project" on public.featured_experiments for select to anon, authenticated
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
  -- One order after the other.
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
comment on function public.feature_experiments(uuid[]) is
  'For admins: the experiments that the home page shows first, all of them in their order; an empty list for the newest.';
revoke all on function public.feature_experiments(uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.feature_experiments(uuid[]) to authenticated, service_role;

-- Runs with the caller's rights, and shows what is public alone: to an admin, too.
create function public.home_experiments() returns setof public.projects
language sql stable rows 3 set search_path = '' as $$
  with chosen as (
    select projects.id, place from public.featured_experiments join public.projects on projects.id = project_id
    where status in ('active', 'completed')
    order by place, projects.id limit 3
  ),
  newest as (
    -- As many as are needed even if all of the chosen ones are among them.
    select id from public.projects where status in ('active', 'completed')
    order by created_at desc, id desc limit 6
  )
  select projects.* from public.projects left join chosen using (id)
  where id in (select id from chosen union select id from newest)
  order by place nulls last, created_at desc, id desc
  limit 3
$$;
comment on function public.home_experiments() is 'The three experiments of the home page: those that admins chose, in their order, then the newest.';
revoke all on function public.home_experiments() from public, anon, authenticated, service_role;
grant execute on function public.home_experiments() to anon, authenticated, service_role;
