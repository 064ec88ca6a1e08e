-- Simple Project Upload says what its pictures show, too: '' for a decorative one, null where nobody said.

create or replace function public.upload_project(
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
  media jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if private.is_client() and not public.is_admin() then
    if not private.may_try('upload project') then
      return private.too_many_attempts();
    end if;
    perform private.count_failure('upload project', 100);
    perform private.record('projects.upload', null, 'refused', 'not an admin');
    return private.refuse(403, '42501', 'Could not authenticate to create project');
  end if;

  -- The sender chose the id, so asking again after a lost answer makes nothing twice.
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
  insert into public.case_study_metadata (project_id, brief, understanding, actions, impact, category, tags)
  values (
    upload_project.project_id, upload_project.description,
    upload_project.understanding, upload_project.actions, upload_project.impact,
    upload_project.category, coalesce(upload_project.tags, '{}')
  );
  insert into public.project_media (project_id, type, url, title, alt, "order")
  select upload_project.project_id, coalesce(item ->> 'type', 'image'), item ->> 'url', item ->> 'title', btrim(item ->> 'alt'), place - 1
  from jsonb_array_elements(coalesce(upload_project.media, '[]')) with ordinality as listed (item, place)
  order by place;
  return to_jsonb(upload_project.project_id);
end $$;
