-- A project and what it is filed under lie in two tables, and people save them with one press: all of it is stored, or
-- nothing, as one version. Category and tags count as the project's for whoever looks whether somebody else was faster.

create function private.require_admin_to_save() returns void
language plpgsql stable set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can save a project.';
  end if;
end $$;

-- The project's row is held by whoever calls.
create function private.file_under(project uuid, category text, tags text[], credits jsonb) returns void
language sql set search_path = '' as $$
  insert into public.case_study_metadata as stored (project_id, category, tags, credits)
  select project, nullif(btrim(file_under.category), ''), coalesce(file_under.tags, '{}'), coalesce(file_under.credits, '[]')
  where exists (select from public.case_study_metadata known where known.project_id = project)
    or nullif(btrim(file_under.category), '') is not null or cardinality(file_under.tags) > 0
    or coalesce(file_under.credits, '[]') <> '[]'
  on conflict (project_id) do update set category = excluded.category, tags = excluded.tags,
    credits = coalesce(file_under.credits, stored.credits)
  where (stored.category, stored.tags, stored.credits)
    is distinct from (excluded.category, excluded.tags, coalesce(file_under.credits, stored.credits))
$$;

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
  perform private.require_admin_to_save();
  if p_id is null then
    insert into public.projects
      (title, client, status, budget, show_budget, start_date, end_date, description, understanding, actions, impact, created_by)
    values (
      p_title, p_client, p_status, p_budget, p_show_budget, p_start_date, p_end_date, p_description, p_understanding, p_actions,
      p_impact, coalesce(auth.uid(), public.get_guest_user_id())
    )
    returning id into saved;
  else
    -- Both rows before the first change, which takes the turn: the order of everybody who saves.
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
  end if;
  if saved is not null then
    perform private.file_under(saved, p_category, p_tags, p_credits);
  end if;
  return saved;
end $$;
comment on function public.save_project(uuid, timestamptz, text, text, text, numeric, boolean, date, date, public.rich_text, public.rich_text, public.rich_text, public.rich_text, text, text[], jsonb) is
  'For admins: makes a project (p_id null) or changes one that is still as of p_seen, with category, tags and, unless null, credits. Answers its id; null when nothing was changed.';

create function public.file_project(p_id uuid, p_category text, p_tags text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin_to_save();
  perform from public.projects where id = p_id for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'The project is not there any more.';
  end if;
  perform from public.case_study_metadata where project_id = p_id for update;
  -- Whoever has the project's form open hears that something is different.
  update public.projects set title = title where id = p_id;
  perform private.file_under(p_id, p_category, p_tags, null);
end $$;
comment on function public.file_project(uuid, text, text[]) is 'For admins: corrects category and tags of a project, and nothing else.';

revoke all on function private.require_admin_to_save(), private.file_under(uuid, text, text[], jsonb) from public;
revoke all on function
  public.save_project(uuid, timestamptz, text, text, text, numeric, boolean, date, date, public.rich_text, public.rich_text, public.rich_text, public.rich_text, text, text[], jsonb),
  public.file_project(uuid, text, text[])
  from public, anon, authenticated, service_role;
grant execute on function
  public.save_project(uuid, timestamptz, text, text, text, numeric, boolean, date, date, public.rich_text, public.rich_text, public.rich_text, public.rich_text, text, text[], jsonb),
  public.file_project(uuid, text, text[])
  to authenticated, service_role;
