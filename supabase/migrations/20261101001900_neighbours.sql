-- What stands beside a listed experiment: more of its kind, and the two next to it in the list. Both run with the
-- caller's rights; the first answers with rows of projects, so that clients may embed what belongs to them.

create index case_study_metadata_by_tag on public.case_study_metadata using gin (tags);

-- Each of the three searches finds at most three: whatever the nearer ones have found already, enough is left of it.
create function public.related_experiments(p_id uuid) returns setof public.projects
language sql stable rows 3 set search_path = '' as $$
  with own as (
    select projects.id, metadata.category, metadata.tags
    from public.projects left join public.case_study_metadata metadata on metadata.project_id = projects.id
    where projects.id = p_id and status in ('active', 'completed')
  ),
  near (id, distance) as (
    (select other.id, 1
     from own
     join public.case_study_metadata metadata on metadata.category = own.category
     join public.projects other on other.id = metadata.project_id
     where other.id <> own.id and other.status in ('active', 'completed')
     order by other.created_at desc, other.id desc limit 3)
    union all
    (select other.id, 2
     from own
     join public.case_study_metadata metadata on metadata.tags && own.tags
     join public.projects other on other.id = metadata.project_id
     where other.id <> own.id and other.status in ('active', 'completed')
     order by other.created_at desc, other.id desc limit 3)
    union all
    (select other.id, 3
     from own
     join public.projects other on other.id <> own.id
     where other.status in ('active', 'completed')
     order by other.created_at desc, other.id desc limit 3)
  ),
  nearest as (select id, min(distance) as distance from near group by id)
  select projects.*
  from nearest join public.projects on projects.id = nearest.id
  order by nearest.distance, projects.created_at desc, projects.id desc
  limit 3
$$;
comment on function public.related_experiments(uuid) is
  'Up to three other listed experiments: of the same category, then with a tag in common, then the newest. None for one that is not listed.';

create function public.adjacent_experiments(p_id uuid) returns table (place text, id uuid, title text)
language sql stable rows 2 set search_path = '' as $$
  with own as (
    select projects.id, created_at from public.projects where projects.id = p_id and status in ('active', 'completed')
  )
  (select 'previous', newer.id, newer.title
   from own join public.projects newer on (newer.created_at, newer.id) > (own.created_at, own.id)
   where newer.status in ('active', 'completed')
   order by newer.created_at, newer.id limit 1)
  union all
  (select 'next', older.id, older.title
   from own join public.projects older on (older.created_at, older.id) < (own.created_at, own.id)
   where older.status in ('active', 'completed')
   order by older.created_at desc, older.id desc limit 1)
$$;
comment on function public.adjacent_experiments(uuid) is
  'Where a listed experiment stands in the list: the next newer one (previous) and the next older one (next), as far as there are any.';

revoke all on function public.related_experiments(uuid), public.adjacent_experiments(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.related_experiments(uuid), public.adjacent_experiments(uuid)
  to anon, authenticated, service_role;
