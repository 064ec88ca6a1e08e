-- How admins save. A project, its category and its tags are in two tables and are saved together: everything is stored as
-- one version, or nothing is.

-- Creates a whole project in one call, for New Project and Simple Project Upload. Only for admins; guests submit
-- drafts. An image's alternative text is '' for a decorative one and null when missing.
create function public.upload_project(
  project_id uuid,
  title text,
  description public.rich_text default null,
  client text default null,
  status text default 'draft',
  budget numeric default null,
  show_budget boolean default true,
  start_date date default null,
  end_date date default null,
  understanding public.rich_text default null,
  actions public.rich_text default null,
  impact public.rich_text default null,
  category text default null,
  tags text[] default '{}',
  media jsonb default '[]',
  credits jsonb default '[]',
  team jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if private.is_client() and not public.is_admin() then
    return private.reject_caller('upload project', 'projects.upload', 'Could not authenticate to create project');
  end if;

  -- The client chose the id, so repeating the call after a lost response creates nothing twice.
  perform pg_advisory_xact_lock(hashtextextended(upload_project.project_id::text, 0));
  if exists (select from public.projects where id = upload_project.project_id) then
    return to_jsonb(upload_project.project_id);
  end if;
  insert into public.projects
    (id, title, description, client, status, budget, show_budget, start_date, end_date, understanding, actions, impact, created_by)
  values (
    upload_project.project_id, upload_project.title, upload_project.description, nullif(btrim(upload_project.client), ''),
    coalesce(upload_project.status, 'draft'), upload_project.budget, coalesce(upload_project.show_budget, true),
    upload_project.start_date, upload_project.end_date,
    upload_project.understanding, upload_project.actions, upload_project.impact,
    coalesce(auth.uid(), public.get_guest_user_id())
  );
  insert into public.case_study_metadata (project_id, brief, understanding, actions, impact, category, tags, credits)
  values (
    upload_project.project_id, upload_project.description,
    upload_project.understanding, upload_project.actions, upload_project.impact,
    upload_project.category, coalesce(upload_project.tags, '{}'), coalesce(upload_project.credits, '[]')
  );
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
  'For admins: creates a project with its texts, tags, credits, media and team, and returns its id. Others get a committed refusal (403, 429).';

-- The caller holds the lock of the project's row.
create function private.categorize_project(project uuid, category text, tags text[], credits jsonb) returns void
language sql set search_path = '' as $$
  insert into public.case_study_metadata as stored (project_id, category, tags, credits)
  select project, nullif(btrim(categorize_project.category), ''), coalesce(categorize_project.tags, '{}'), coalesce(categorize_project.credits, '[]')
  where exists (select from public.case_study_metadata known where known.project_id = project)
    or nullif(btrim(categorize_project.category), '') is not null or cardinality(categorize_project.tags) > 0
    or coalesce(categorize_project.credits, '[]') <> '[]'
  on conflict (project_id) do update set category = excluded.category, tags = excluded.tags,
    credits = coalesce(categorize_project.credits, stored.credits)
  where (stored.category, stored.tags, stored.credits)
    is distinct from (excluded.category, excluded.tags, coalesce(categorize_project.credits, stored.credits))
$$;

-- A change of category or tags counts as a change of the project: p_seen is compared with its updated_at.
create function public.save_project(
  p_id uuid, p_seen timestamptz, p_title text, p_client text, p_status text, p_budget numeric, p_show_budget boolean,
  p_start_date date, p_end_date date,
  p_description public.rich_text, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text,
  p_category text, p_tags text[], p_credits jsonb default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  saved uuid;
begin
  perform private.require_admin('Only an admin can save a project.');
  -- Lock order of every save: the project, its texts, then the first change.
  perform from public.projects where id = p_id and updated_at = p_seen for no key update;
  if not found then
    return null;
  end if;
  perform from public.case_study_metadata where project_id = p_id for update;
  update public.projects set
    title = p_title, client = p_client, status = p_status, budget = p_budget, show_budget = p_show_budget,
    start_date = p_start_date, end_date = p_end_date,
    description = p_description, understanding = p_understanding, actions = p_actions, impact = p_impact
  where id = p_id
  returning id into saved;
  if saved is not null then
    perform private.categorize_project(saved, p_category, p_tags, p_credits);
  end if;
  return saved;
end $$;
comment on function public.save_project is
  'For admins: changes a project that is still as of p_seen, with category, tags and, unless null, credits. Returns its id; null when nothing was changed.';

create function public.file_project(p_id uuid, p_category text, p_tags text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin('Only an admin can save a project.');
  perform from public.projects where id = p_id for no key update;
  perform private.raise_if(not found, 'PT404', 'The project is not there any more.');
  perform from public.case_study_metadata where project_id = p_id for update;
  -- Touches updated_at, so that an open form of the project meets a conflict.
  update public.projects set title = title where id = p_id;
  perform private.categorize_project(p_id, p_category, p_tags, null);
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
