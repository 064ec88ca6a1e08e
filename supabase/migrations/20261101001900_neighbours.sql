-- What stands beside a listed experiment: more of its kind, and the two next to it in the list. Both run with the
-- caller's rights; the first answers with rows of projects, so that clients may embed what belongs to them.

create index case_study_metadata_by_tag on public.case_study_metadata using gin (tags);

-- Each of the three searches finds at most three: whatever the nearer ones have found already, enough is left of it.
-- What is asked for stands in scalar queries, so that the list's index is walked and left as soon as there are enough.
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
comment on function public.related_experiments(uuid) is
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
comment on function public.adjacent_experiments(uuid) is
  'Where a listed experiment stands in the list: the next newer one (previous) and the next older one (next), as far as there are any.';

revoke all on function public.related_experiments(uuid), public.adjacent_experiments(uuid)
  from public, anon, authenticated, service_role;
grant execute on function public.related_experiments(uuid), public.adjacent_experiments(uuid)
  to anon, authenticated, service_role;
