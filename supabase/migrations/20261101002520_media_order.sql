-- The order of a project's media is saved as a whole: of two people who sort at the same moment one order wins, never a
-- mixture of both.

create function public.reorder_project_media(p_id uuid, p_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can change the order of media.';
  end if;
  perform from public.projects where id = p_id for no key update;
  perform from public.project_media where project_id = p_id order by id for update;
  perform private.take_turns_at(array[p_id]);
  if cardinality(p_ids) > 1000 or array(select unnest(p_ids) order by 1) is distinct from array(
    select id from public.project_media where project_id = p_id order by 1
  ) then
    raise exception using errcode = 'PT409',
      message = 'Media were added or removed meanwhile, so nothing was moved. Look at the list again, then move.';
  end if;
  update public.project_media set "order" = place - 1
  from unnest(p_ids) with ordinality as wanted (media, place)
  where id = media and "order" <> place - 1;
end $$;
comment on function public.reorder_project_media(uuid, uuid[]) is
  'For admins: puts the media of a project in the order of all their ids. Refuses a list that does not match (409).';
revoke all on function public.reorder_project_media(uuid, uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.reorder_project_media(uuid, uuid[]) to authenticated, service_role;
