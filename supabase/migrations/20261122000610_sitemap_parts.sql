-- The data service lets nobody skip more than 100,000 rows, so the parts of a large sitemap are cut here, where a part is
-- found in the narrow index of what is listed and only its own projects are read.

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
comment on function public.sitemap_part(integer) is
  'The 5,000 listed projects of one part of the sitemap, counted from 1, oldest first: id, title, and when it was changed last.';
revoke all on function public.sitemap_part(integer) from public, anon, authenticated, service_role;
grant execute on function public.sitemap_part(integer) to anon, authenticated, service_role;
