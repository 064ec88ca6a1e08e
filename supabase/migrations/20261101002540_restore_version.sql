-- Any kept version of a project can be made the present one again. That is a save like any other: it makes a new version.

-- Whether readers find a project is decided by publishing, so the status stays as it is. A picture whose file is gone
-- is left out.
create function public.restore_project_version(p_id uuid, p_number integer, p_latest integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wanted jsonb;
  latest integer;
  left_out integer;
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can restore a version.';
  end if;
  -- The project, then what belongs to it, then the turn: the order in which every other save takes them.
  perform from public.projects where id = p_id for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'The project is not there any more.';
  end if;
  perform from public.project_media where project_id = p_id order by id for update;
  perform from public.project_members where project_id = p_id order by id for update;
  perform from public.case_study_metadata where project_id = p_id for update;
  perform private.take_turns_at(array[p_id]);
  select max(number) into latest from public.project_versions where project_id = p_id;
  if latest is distinct from p_latest then
    raise exception using errcode = 'PT409',
      message = 'Somebody saved this project meanwhile, so nothing was restored. Look at the newest version first.';
  end if;
  select content into wanted from public.project_versions where project_id = p_id and number = p_number;
  if not found then
    raise exception using errcode = 'PT404', message = 'This version is not kept any more.';
  end if;
  perform set_config('private.restored_from', p_number::text, true);

  update public.projects set
    title = wanted ->> 'title', client = wanted ->> 'client',
    budget = (wanted ->> 'budget')::numeric, show_budget = (wanted ->> 'show_budget')::boolean,
    start_date = (wanted ->> 'start_date')::date, end_date = (wanted ->> 'end_date')::date,
    description = wanted ->> 'description', understanding = wanted ->> 'understanding',
    actions = wanted ->> 'actions', impact = wanted ->> 'impact'
  where id = p_id;
  update public.case_study_metadata set
    category = wanted ->> 'category', tags = array(select jsonb_array_elements_text(wanted -> 'tags'))
  where project_id = p_id;
  if not found and (wanted ->> 'category' is not null or wanted -> 'tags' <> '[]') then
    insert into public.case_study_metadata (project_id, category, tags)
    values (p_id, wanted ->> 'category', array(select jsonb_array_elements_text(wanted -> 'tags')));
  end if;

  delete from public.project_members
  where project_id = p_id and id not in (select (member ->> 'id')::uuid from jsonb_array_elements(wanted -> 'team') member);
  -- First everybody's share goes, so that on the way there are never too many.
  update public.project_members set contribution_percentage = null
  where project_id = p_id and contribution_percentage is not null;
  -- What another project holds by now under the same id stays as it is; ours comes back under a new one.
  insert into public.project_members (id, project_id, user_id, name, role, contribution_percentage)
  select
    case when exists (select from public.project_members taken where taken.id = (member ->> 'id')::uuid and taken.project_id <> p_id)
      then gen_random_uuid() else (member ->> 'id')::uuid end,
    p_id, profiles.id, member ->> 'name', member ->> 'role',
    (member ->> 'contribution_percentage')::numeric
  from jsonb_array_elements(wanted -> 'team') with ordinality as listed (member, place)
    left join public.profiles on profiles.id = (member ->> 'user_id')::uuid
  order by place
  on conflict (id) do update set
    user_id = excluded.user_id, name = excluded.name, role = excluded.role,
    contribution_percentage = excluded.contribution_percentage
  where project_members.project_id = p_id;

  delete from public.project_media
  where project_id = p_id and id not in (select (item ->> 'id')::uuid from jsonb_array_elements(wanted -> 'media') item);
  insert into public.project_media (id, project_id, type, url, title, description, "order")
  select
    case when exists (select from public.project_media taken where taken.id = (item ->> 'id')::uuid and taken.project_id <> p_id)
      then gen_random_uuid() else (item ->> 'id')::uuid end,
    p_id, item ->> 'type', item ->> 'url', item ->> 'title', item ->> 'description', place - 1
  from jsonb_array_elements(wanted -> 'media') with ordinality as listed (item, place)
  where private.file_of(item ->> 'url') is null
    or exists (select from public.project_media known where known.id = (item ->> 'id')::uuid and known.project_id = p_id)
    or exists (
      select from storage.objects where bucket_id = 'case-studies' and name = private.file_of(item ->> 'url')
    )
  order by place
  on conflict (id) do update set
    type = excluded.type, url = excluded.url, title = excluded.title, description = excluded.description,
    "order" = excluded."order"
  where project_media.project_id = p_id;
  select jsonb_array_length(wanted -> 'media') - count(*) into left_out
  from public.project_media where project_id = p_id;

  perform set_config('private.restored_from', '', true);
  perform private.record('projects.restore_version', p_id::text, 'done', 'version ' || p_number);
  select max(number) into latest from public.project_versions where project_id = p_id;
  return jsonb_build_object('number', latest, 'left_out', left_out);
end $$;
comment on function public.restore_project_version(uuid, integer, integer) is
  'For admins: makes a version the present one again, unless somebody saved after p_latest. Answers the new version''s number and how many media could not come back.';
revoke all on function public.restore_project_version(uuid, integer, integer) from public, anon, authenticated, service_role;
grant execute on function public.restore_project_version(uuid, integer, integer) to authenticated, service_role;
