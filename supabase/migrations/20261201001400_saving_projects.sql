-- How admins save. A project, its category and its tags are in two tables and are saved together: everything is stored as
-- one version, or nothing is.

-- Creates a whole project in one call, for New Project and Simple Project Upload. Only for admins; guests submit
-- drafts. Texts are parameters of their own, because the data service sanitizes HTML by its type. An image's alternative
-- text is '' for a decorative one and null when missing.
create function public.upload_project(
  project_id uuid,
  fields jsonb,
  description public.rich_text default null,
  understanding public.rich_text default null,
  actions public.rich_text default null,
  impact public.rich_text default null,
  media jsonb default '[]',
  team jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  given jsonb;
begin
  if private.is_client() and not public.is_admin() then
    return private.reject_caller('upload project', 'projects.upload', 'Could not authenticate to create project');
  end if;

  -- The client chose the id, so repeating the call after a lost response creates nothing twice.
  perform pg_advisory_xact_lock(hashtextextended(upload_project.project_id::text, 0));
  if exists (select from public.projects where id = upload_project.project_id) then
    return to_jsonb(upload_project.project_id);
  end if;
  -- A field that is missing or empty has the default of its column.
  select coalesce(jsonb_object_agg(key, value), '{}') || jsonb_build_object(
    'description', upload_project.description, 'understanding', upload_project.understanding,
    'actions', upload_project.actions, 'impact', upload_project.impact
  ) into given from jsonb_each(private.pick_fields(fields)) where btrim(value #>> '{}') <> '';
  execute format('insert into public.projects (id, created_by, %1$s) select $1, $2, %1$s from jsonb_populate_record(null::public.projects, $3)',
    (select string_agg(key, ', ') from jsonb_object_keys(given) as key)
  ) using upload_project.project_id, coalesce(auth.uid(), public.get_guest_user_id()), given;
  insert into public.case_study_metadata (project_id, brief, understanding, actions, impact, category, tags, credits)
  select
    upload_project.project_id, upload_project.description, upload_project.understanding,
    upload_project.actions, upload_project.impact, category, tags, credits
  from jsonb_populate_record(null::public.case_study_metadata, upload_project.fields);
  insert into public.project_media (project_id, type, url, title, alt, "order")
  select upload_project.project_id, coalesce(item ->> 'type', 'image'), item ->> 'url', item ->> 'title', btrim(item ->> 'alt'), place - 1
  from jsonb_array_elements(coalesce(upload_project.media, '[]')) with ordinality as listed (item, place)
  order by place;
  insert into public.project_members (project_id, user_id, name, role, contribution_percentage)
  select upload_project.project_id, (item ->> 'user_id')::uuid, nullif(btrim(item ->> 'name'), ''), nullif(btrim(item ->> 'role'), ''),
    (item ->> 'contribution_percentage')::numeric
  from jsonb_array_elements(coalesce(upload_project.team, '[]')) as listed (item);
  return to_jsonb(upload_project.project_id);
end $$;
comment on function public.upload_project is
  'For admins: creates a project of `fields` (title, client, status, ..., category, tags, credits) with its texts, media and team, and returns its id. Others get a committed refusal (403, 429).';

-- Changes the given ones of category, tags and credits. The caller holds the lock of the project's row.
create function private.categorize_project(p_id uuid, given jsonb) returns void
language sql set search_path = '' as $$
  insert into public.case_study_metadata as stored (project_id, category, tags, credits)
  select p_id, filed.category, filed.tags, filed.credits
  from jsonb_populate_record((select known from public.case_study_metadata known where project_id = p_id), given) as filed
  where filed.project_id is not null or btrim(filed.category) <> '' or cardinality(filed.tags) > 0 or filed.credits <> '[]'
  on conflict (project_id) do update set category = excluded.category, tags = excluded.tags, credits = excluded.credits
  where (stored.category, stored.tags, stored.credits) is distinct from (excluded.category, excluded.tags, excluded.credits)
$$;

-- A change of category or tags counts as a change of the project: p_seen is compared with its updated_at.
create function public.save_project(
  p_id uuid, p_seen timestamptz, p_fields jsonb,
  p_description public.rich_text, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text
) returns uuid
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin('Only an admin can save a project.');
  -- Lock order of every save: the project, its texts, then the first change.
  perform from public.projects where id = p_id and updated_at = p_seen for no key update;
  if not found then
    return null;
  end if;
  perform from public.case_study_metadata where project_id = p_id for update;
  perform private.write_fields(p_id, p_fields || jsonb_build_object(
    'description', p_description, 'understanding', p_understanding, 'actions', p_actions, 'impact', p_impact
  ));
  perform private.categorize_project(p_id, p_fields);
  return p_id;
end $$;
comment on function public.save_project is
  'For admins: changes a project that is still as of p_seen: its texts, and those of its other fields that p_fields contains. Returns its id; null when nothing was changed.';

create function public.file_project(p_id uuid, p_category text, p_tags text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin('Only an admin can save a project.');
  perform from public.projects where id = p_id for no key update;
  perform private.raise_if(not found, 'PT404', 'The project is not there any more.');
  perform from public.case_study_metadata where project_id = p_id for update;
  -- Touches updated_at, so that an open form of the project meets a conflict.
  update public.projects set title = title where id = p_id;
  perform private.categorize_project(p_id, jsonb_build_object('category', p_category, 'tags', p_tags));
end $$;
comment on function public.file_project is 'For admins: corrects category and tags of a project, and nothing else.';

-- The order of a project's media is saved as a whole: of two concurrent orders one wins, never a mixture of both.
create function public.reorder_project_media(p_id uuid, p_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin('Only an admin can change the order of media.');
  perform from public.projects where id = p_id for no key update;
  perform from public.project_media where project_id = p_id order by id for update;
  perform private.lock_registers(array[p_id]);
  perform private.raise_if(
    cardinality(p_ids) > 1000 or array(select unnest(p_ids) order by 1) is distinct from array(
    select id from public.project_media where project_id = p_id order by 1
  ), 'PT409', 'Media were added or removed meanwhile, so nothing was moved. Look at the list again, then move.');
  update public.project_media set "order" = place - 1
  from unnest(p_ids) with ordinality as wanted (media, place)
  where id = media and "order" <> place - 1;
end $$;
comment on function public.reorder_project_media is
  'For admins: puts the media of a project in the order of all their ids. Refuses a list that does not match (409).';

create function public.choose_cover(p_id uuid, p_media uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin('Only an admin can choose the cover.');
  perform from public.projects where id = p_id for no key update;
  perform from public.project_media where project_id = p_id order by id for update;
  perform private.lock_registers(array[p_id]);
  perform private.raise_if(
    p_media is not null and not exists (
    select from public.project_media where id = p_media and project_id = p_id and type = 'image'
  ), 'PT404', 'This picture is not there any more. Look at the list again.');
  update public.project_media set is_cover = not is_cover
  where project_id = p_id and is_cover <> coalesce(id = p_media, false);
end $$;
comment on function public.choose_cover is 'For admins: sets the cover of a project; null for its first image.';

grant execute on function public.upload_project to anon, authenticated, service_role;
grant execute on function public.save_project, public.file_project, public.reorder_project_media, public.choose_cover to authenticated, service_role;
