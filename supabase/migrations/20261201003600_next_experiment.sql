-- expand
-- A page ends in the next experiment alone, with its cover. Related ones and the previous one are no longer searched; the two
-- keys remain, empty, for the release before.
create or replace function public.neighbours(p_project public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('related', '[]'::jsonb, 'previous', null, 'next', (
    select jsonb_build_object(
      'id', project.id, 'number', project.number, 'title', project.title, 'client', project.client,
      'created_at', project.created_at, 'category', metadata.category,
      'project_media', (
        select coalesce(jsonb_agg(to_jsonb(picture) - 'order' order by picture.is_cover desc, picture."order"), '[]')
        from (
          select type, url, title, made, is_cover, width, height, placeholder, animated, "order"
          from public.project_media
          where project_id = project.id and type = 'image'
          order by is_cover desc, "order" limit 4
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
  'For a listed experiment the next older one of the list, after the oldest the newest, with up to four pictures, the cover first. Null for one that is not listed.';

drop function private.near_listed;
