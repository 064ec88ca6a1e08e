-- Neighbours as a computed column of projects: the detail page sends one query instead of three.
drop function public.related_experiments;
drop function public.adjacent_experiments;

-- Runs with the caller's rights. Each of the three searches for related projects finds at most three, so enough remain
-- after duplicates are removed. Scalar subqueries make the planner scan the list's index and stop early.
create function public.neighbours(p_project public.projects) returns jsonb
language sql stable set search_path = '' as $$
  with own as (
    select category, tags from public.case_study_metadata where project_id = p_project.id
  ),
  near (id, distance) as (
    (select other.id, 1
     from public.projects other
     where other.status in ('active', 'completed') and other.id <> p_project.id
       and exists (
         select from public.case_study_metadata
         where project_id = other.id and category = (select category from own)
       )
     order by other.created_at desc, other.id desc limit 3)
    union all
    (select other.id, 2
     from public.case_study_metadata metadata join public.projects other on other.id = metadata.project_id
     where other.status in ('active', 'completed') and other.id <> p_project.id
       and metadata.tags && (select tags from own)
     order by other.created_at desc, other.id desc limit 3)
    union all
    (select other.id, 3
     from public.projects other
     where other.status in ('active', 'completed') and other.id <> p_project.id
     order by other.created_at desc, other.id desc limit 3)
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
comment on function public.neighbours is
  'Neighbours of a listed project: up to three related ones (same category, then a common tag, then the newest) with up to four images each, the cover first; the next newer one of the list (previous) and the next older one (next). Null for one that is not listed.';

revoke all on function public.neighbours from public, anon, authenticated, service_role;
grant execute on function public.neighbours to anon, authenticated, service_role;
