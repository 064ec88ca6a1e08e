-- Revisions of published projects, which readers do not see yet, and the dates at which a project or the draft of a page is
-- published, or a project becomes a draft again.
--
-- What is published at a date is the revision, or the draft, as it is then, unless its submitter changed it since. A revision
-- holds only the fields that differed from what was live when it was saved (`base`), so live changes of other fields stay. The
-- whole list of media is one field, and so is the team. A field that both sides changed differently is a conflict: nothing is
-- published, `problem` says so, and saving the revision again after a choice gives it a new base. The same happens when the
-- database refuses a publication at its date. Nothing is retried until an admin saves or schedules it again. A plan is carried
-- out also if its admin has lost the role since.
--
-- Publishing and the removal of the plan are one transaction that first locks the project or page, so servers that find
-- the same date publish once, and a crash in between leaves the plan as it was.

create table public.planned_changes (
  id           uuid primary key default gen_random_uuid(),
  kind         text not null constraint "a planned change publishes or unpublishes" check (kind in ('publish', 'unpublish')),
  project_id   uuid references public.projects on delete cascade,
  page_id      uuid references public.pages on delete cascade,
  fields       jsonb not null default '{}',
  base         jsonb not null default '{}',
  base_version integer,
  due_at       timestamptz,
  problem      text,
  updated_at   timestamptz not null default clock_timestamp(),
  updated_by   uuid default auth.uid() references public.profiles (user_id) on delete set null,
  constraint "a planned change is of a project or a page" check (num_nonnulls(project_id, page_id) = 1),
  constraint "a page is only published at a date" check (page_id is null or kind = 'publish'),
  constraint "a project has one plan of each kind" unique (project_id, kind),
  constraint "a page has one plan" unique (page_id, kind)
);
comment on table public.planned_changes is 'Revisions of projects, and dates for projects and pages. For editors; written through functions.';
comment on column public.planned_changes.fields is 'Fields of the revision that differ from what is live, as in a version; {} for a date alone: a draft that becomes public, or a page.';
comment on column public.planned_changes.base is 'What was live in these fields when the revision was saved, in the version base_version.';
comment on column public.planned_changes.due_at is 'When servers carry it out; null: when an admin does.';
comment on column public.planned_changes.problem is 'Why it was not carried out at its date.';
create index planned_changes_due on public.planned_changes (due_at);
create index planned_changes_by_editor on public.planned_changes (updated_by);

select private.enable_row_security('public.planned_changes');
create policy "editors read plans" on public.planned_changes for select to authenticated using ((select public.can_edit_content()));
grant select on public.planned_changes to authenticated, service_role;

create function private.live_fields(project uuid) returns jsonb
language sql stable set search_path = '' as $$ select content from private.version_contents(array[project]) $$;

create function private.apply_fields(project uuid, live jsonb, given jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.lock_parts(project);
  perform private.write_team(project, given -> 'team') where given ? 'team';
  perform private.write_media(project, given -> 'media') where given ? 'media';
  -- Last: a new status is refused while media lack what publishing needs.
  perform private.categorize_project(project, live || given);
  perform private.write_fields(project, live || given);
end $$;

create function private.conflicts(plan public.planned_changes, live jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(distinct key), '{}') from (
    select key, value, live -> key as now, plan.base -> key as before from jsonb_each(plan.fields) where key <> 'facts'
    union all
    select 'facts', plan.fields -> 'facts' -> id, live -> 'facts' -> id, plan.base -> 'facts' -> id
    from jsonb_object_keys((plan.base -> 'facts') || (plan.fields -> 'facts')) as id
  ) as changed where value is distinct from before and value is distinct from now and now is distinct from before
$$;

-- The fields as they are published: live changes of other facts stay.
create function private.revised_fields(plan public.planned_changes, live jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select plan.fields || jsonb_strip_nulls(jsonb_build_object('facts', (live -> 'facts') || coalesce((
    select jsonb_object_agg(id, plan.fields -> 'facts' -> id) from jsonb_object_keys((plan.base -> 'facts') || (plan.fields -> 'facts')) as id
    where plan.fields -> 'facts' -> id is distinct from plan.base -> 'facts' -> id
  ), case when plan.fields ? 'facts' then jsonb '{}' end)))
$$;

create function private.reject_conflicts(plan public.planned_changes, live jsonb) returns void
language sql stable set search_path = '' as $$
  select private.raise_if(private.conflicts(plan, live) <> '{}', 'PT409',
    'The same fields were changed on the site meanwhile. Edit the changes and choose what to keep.')
$$;

-- Links of a draft end with its publication; those of a revision end with the revision.
create function private.end_revision(project uuid) returns void
language sql set search_path = '' as $$
  delete from public.planned_changes where project_id = project and kind = 'publish';
  update private.draft_secrets set revoked_at = now()
  where project_id = project and revoked_at is null and exists (select from public.projects where id = project and status <> 'draft');
$$;

-- Saves fields beside the others of the revision, or publishes all with p_publish. They are written and rolled back, so
-- what could not be published is refused now, and the revision holds values as the tables store them. The caller has
-- locked the project. Null when its revision was saved meanwhile.
create function private.stage(p_id uuid, p_staged timestamptz, given jsonb, p_publish boolean) returns boolean
language plpgsql set search_path = '' as $$
declare
  known public.planned_changes;
  live constant jsonb := private.live_fields(p_id);
  wanted jsonb;
begin
  select * into known from public.planned_changes where project_id = p_id and kind = 'publish' and fields <> '{}' for update;
  if known.updated_at is distinct from p_staged then
    return null;
  end if;
  perform private.raise_if(known.id is null and live ->> 'status' = 'draft', 'PT422', 'Readers do not see a draft. Save it instead.');
  known.fields := coalesce(known.fields, '{}') - array(select jsonb_object_keys(given));
  perform private.reject_conflicts(known, live) where p_publish;
  begin
    perform private.apply_fields(p_id, live, known.fields || given);
    wanted := private.live_fields(p_id);
    perform private.raise_if(not p_publish, 'MH001', 'Only tried.');
  exception when sqlstate 'MH001' then null;
  end;
  if p_publish or wanted = live then
    perform private.end_revision(p_id) where known.id is not null;
    perform private.record(case when p_publish then 'projects.publish_revision' else 'projects.discard_revision' end, p_id::text)
    where p_publish or known.id is not null;
    return true;
  end if;
  insert into public.planned_changes as plan (kind, project_id, fields, base, base_version)
  select 'publish', p_id, jsonb_object_agg(key, value),
    jsonb_object_agg(key, case when known.fields ? key then known.base else live end -> key),
    coalesce(case when known.fields <> '{}' then known.base_version end, (select max(number) from public.project_versions where project_id = p_id))
  from jsonb_each(wanted) where value is distinct from live -> key
  on conflict (project_id, kind) do update set
    fields = excluded.fields, base = excluded.base, base_version = excluded.base_version, problem = null,
    due_at = case when plan.due_at > now() then plan.due_at end,
    updated_at = excluded.updated_at, updated_by = excluded.updated_by;
  perform private.record('projects.stage', p_id::text);
  return true;
end $$;

create function public.stage_project(
  p_id uuid, p_seen timestamptz, p_staged timestamptz, p_publish boolean, p_fields jsonb,
  p_description public.rich_text, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text
) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_editor('Only an editor can save a project.');
  perform from public.projects where id = p_id and updated_at = p_seen for no key update;
  if not found then
    return null;
  end if;
  return private.stage(p_id, p_staged, private.live_fields(p_id) - '{media, team}'::text[] || p_fields || jsonb_build_object(
    'description', p_description, 'understanding', p_understanding, 'actions', p_actions, 'impact', p_impact
  ), p_publish);
end $$;
comment on function public.stage_project is
  'For editors: saves changes of a project as its revision, which readers do not see, or publishes them with p_publish. True; null when the project (p_seen) or its revision (p_staged) was saved meanwhile.';

create function public.stage_parts(p_id uuid, p_version integer, p_staged timestamptz, p_media jsonb default null, p_team jsonb default null) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_editor('Only an editor can save a project.');
  perform from public.projects where id = p_id for no key update;
  if not found or p_version is distinct from (select max(number) from public.project_versions where project_id = p_id) then
    return null;
  end if;
  return private.stage(p_id, p_staged, jsonb_strip_nulls(jsonb_build_object('media', p_media, 'team', p_team)), false);
end $$;
comment on function public.stage_parts is
  'For editors: saves lists of media and team, as versions have them, in the revision of a project. True; null when there is a version after p_version, or the revision (p_staged) was saved meanwhile.';

-- The caller has locked the project or the page, and then the plan.
create function private.carry_out(plan public.planned_changes) returns void
language plpgsql set search_path = '' as $$
declare
  live jsonb;
begin
  perform private.raise_if(plan.kind = 'publish' and plan.due_at <= now() and plan.problem is null and exists (
    select from public.project_versions where project_id = plan.project_id and actor_kind in ('guest', 'user') and at > plan.updated_at and changed <> '{team}'
  ), 'PT409', 'Its submitter changed it after the date was set. Read it again, then publish it or set a new date.');
  if plan.page_id is not null then
    perform private.publish_page_draft(plan.page_id);
  elsif plan.kind = 'unpublish' then
    update public.projects set status = 'draft' where id = plan.project_id and status <> 'draft';
    perform private.raise_if(not found, 'PT409', concat_ws(' ', 'It was not published before.',
      (select problem from public.planned_changes where project_id = plan.project_id and kind = 'publish')));
  elsif plan.fields = '{}' then
    update public.projects set status = 'active' where id = plan.project_id and status = 'draft';
  else
    live := private.live_fields(plan.project_id);
    perform private.reject_conflicts(plan, live);
    perform private.apply_fields(plan.project_id, live, private.revised_fields(plan, live));
    update public.projects set status = 'active' where id = plan.project_id and status = 'draft' and not plan.fields ? 'status';
    perform private.end_revision(plan.project_id);
    perform private.record('projects.publish_revision', plan.project_id::text);
  end if;
  delete from public.planned_changes where id = plan.id;
end $$;

create function private.lock_revision(project uuid, seen timestamptz) returns public.planned_changes
language plpgsql set search_path = '' as $$
declare
  plan public.planned_changes;
begin
  perform from public.projects where id = project for no key update;
  select * into plan from public.planned_changes where project_id = project and kind = 'publish' and fields <> '{}' for update;
  perform private.raise_if(plan.updated_at is distinct from seen or seen is null, 'PT409',
    'The changes were saved, published or discarded meanwhile. Look at the project again.');
  return plan;
end $$;

create function public.publish_revision(p_id uuid, p_staged timestamptz) returns void
language sql security definer set search_path = '' as $$
  select private.require_editor('Only an editor can publish a project.');
  select private.carry_out(private.lock_revision(p_id, p_staged))
$$;
comment on function public.publish_revision is
  'For editors: shows the revision of a project to readers, unless it was saved after p_staged, or conflicts with what is live (409).';

create function public.discard_revision(p_id uuid, p_staged timestamptz) returns void
language sql security definer set search_path = '' as $$
  select private.require_editor('Only an editor can save a project.');
  select private.lock_revision(p_id, p_staged);
  select private.end_revision(p_id);
  select private.record('projects.discard_revision', p_id::text)
$$;
comment on function public.discard_revision is 'For editors: deletes the revision of a project with its date and links, unless it was saved after p_staged (409).';

create function public.plan_change(p_kind text, p_at timestamptz, p_project uuid default null, p_page uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  is_live boolean;
  other timestamptz;
begin
  perform private.require_editor('Only an editor can schedule changes.');
  perform private.raise_if(p_at <= now() or p_at > now() + interval '5 years', 'PT422', 'Choose a time to come, within five years.');
  if p_page is not null then
    perform private.raise_if((private.lock_page(p_page)).draft is null and p_at is not null, 'PT422', 'There are no changes to publish.');
  else
    select status <> 'draft' into is_live from public.projects where id = p_project for no key update;
    perform private.raise_if(not found, 'PT404', 'The project is not there any more.');
    select due_at into other from public.planned_changes where project_id = p_project and kind <> p_kind;
    perform private.raise_if(p_at is not null and p_kind = 'publish' and is_live
      and not exists (select from public.planned_changes where project_id = p_project and kind = 'publish'), 'PT422', 'There are no changes to publish.');
    perform private.raise_if(p_at is not null and p_kind is distinct from 'publish' and not is_live and other is null, 'PT422',
      'Readers do not see this project: there is nothing to unpublish.');
    perform private.raise_if(not is_live and case p_kind when 'publish' then p_at >= other else p_at <= other end, 'PT422', 'A project is published before it is unpublished.');
  end if;
  update public.planned_changes set due_at = p_at, problem = null, updated_at = clock_timestamp(), updated_by = auth.uid()
  where kind = p_kind and (project_id = p_project or page_id = p_page);
  insert into public.planned_changes (kind, project_id, page_id, due_at) select p_kind, p_project, p_page, p_at where not found and p_at is not null;
  -- Only a revision is kept without a date; a draft without one is not unpublished either.
  delete from public.planned_changes
  where p_at is null and fields = '{}' and (page_id = p_page or project_id = p_project and (kind = p_kind or p_kind = 'publish' and not is_live));
  perform private.record(
    case when p_page is not null then 'pages.plan_publish' when p_kind = 'publish' then 'projects.plan_publish' else 'projects.plan_unpublish' end,
    coalesce(p_project, p_page)::text, 'done', coalesce(p_at::text, 'cancelled'));
end $$;
comment on function public.plan_change is
  'For editors: schedules that a draft, the revision of a project or the draft of a page is published, or that a project becomes a draft again. Without p_at the date is cancelled.';

create function private.publish_next_due() returns table (object text, refused text)
language plpgsql set search_path = '' as $$
declare
  plan public.planned_changes;
begin
  loop
    select * into plan from public.planned_changes where due_at <= now() and problem is null order by due_at, id limit 1;
    exit when not found;
    perform from public.projects where id = plan.project_id for no key update;
    perform from public.pages where id = plan.page_id for update;
    select * into plan from public.planned_changes where id = plan.id and due_at <= now() and problem is null for update;
    continue when not found; -- Another server was faster, or it was cancelled.
    object := coalesce('project ' || plan.project_id, 'page ' || plan.page_id);
    -- Versions and the audit log name the admin who scheduled it, as an act of the server.
    perform set_config('request.jwt.claims', coalesce(jsonb_build_object('sub', plan.updated_by)::text, ''), true);
    begin
      perform private.carry_out(plan);
    exception when others then
      if sqlstate ~ '^(08|25|40|53|57|58|XX)' then
        raise; -- The next attempt may succeed: a lost connection, a conflict, no room, a timeout, a stop.
      end if;
      refused := case when sqlstate ~ '^(PT|23)' then sqlerrm else 'The database refused it (' || sqlstate || ').' end;
      update public.planned_changes set problem = refused where id = plan.id;
    end;
    perform set_config('request.jwt.claims', '', true);
    perform private.emit_event(case when refused is null then 'schedule.done' else 'schedule.refused' end, jsonb_strip_nulls(jsonb_build_object(
      'id', coalesce(plan.project_id, plan.page_id), 'of', split_part(object, ' ', 1), 'kind', plan.kind, 'problem', refused,
      'title', coalesce((select title from public.projects where id = plan.project_id),
        (select coalesce(title, initcap(kind) || ' page') from public.pages where id = plan.page_id)))));
    return next;
    exit;
  end loop;
end $$;
comment on function private.publish_next_due is
  'Carries out the next plan whose date has come; no row when there is none. Servers call it every few seconds; without one, pg_cron can.';

-- Dates that have become meaningless, because an admin or a client published or unpublished the project first. Links end
-- too: those of a draft when it is published, those of a revision when its project becomes a draft. Undoing that within ten
-- minutes gives back the links that it ended, their comments, and a later date that it cancelled, except that of a revision.
create function private.end_plans_of_project() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  undone constant text := case new.status when 'draft' then 'publish' else 'unpublish' end;
  undone_at constant timestamptz := (
    select max(began_at) from public.audit_log where action = 'projects.' || undone and object = new.id::text and at > now() - interval '10 minutes'
  );
begin
  delete from public.planned_changes where project_id = new.id and kind <> undone and fields = '{}';
  update public.planned_changes set due_at = null where project_id = new.id and new.status = 'draft' and private.is_client();
  update private.draft_secrets set revoked_at = case when revoked_at is null then now() end
  where project_id = new.id and (revoked_at is null or revoked_at = undone_at);
  perform private.restore_trash(array(
    select id from private.trash where project_id = new.id and deleted_at = undone_at and (table_name = 'draft_comments'
      or table_name = 'planned_changes' and private.is_client() and entry ->> 'kind' = undone and (entry ->> 'due_at')::timestamptz > now())
  )) where undone_at is not null;
  return null;
end $$;

create function private.readable_revision() returns uuid
language sql stable security definer set search_path = '' as $$
  select held.project_id
  from private.draft_secrets held join public.planned_changes plan on plan.project_id = held.project_id
  where held.hash = private.draft_secret_hash() and held.revoked_at is null and held.expires_at > now()
    and plan.kind = 'publish' and plan.fields <> '{}'
$$;
comment on function private.readable_revision is 'The project whose revision the caller''s secret opens for reading; null without one.';

-- Its media as rows would have them; null when it leaves them as they are.
create function private.staged_media(plan public.planned_changes) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(private.measured(jsonb_populate_record(null::public.project_media,
    item || jsonb_build_object('project_id', plan.project_id, 'order', place - 1, 'updated_at', plan.updated_at)
  ))) order by place), '[]')
  from jsonb_array_elements(plan.fields -> 'media') with ordinality as listed (item, place)
  having plan.fields ? 'media'
$$;

create function public.project_revision(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select (private.revised_fields(plan, private.live_fields(p_id)) || case when plan.fields ? 'media' then jsonb_build_object('media', private.staged_media(plan)) else '{}' end)
    - case when coalesce((plan.fields -> 'show_budget')::boolean, project.show_budget) then '' else 'budget' end
  from public.planned_changes plan join public.projects project on project.id = plan.project_id
  where plan.project_id = p_id and p_id = private.readable_revision() and plan.kind = 'publish'
$$;
comment on function public.project_revision is 'For the holder of a link to it: the fields of a project''s revision, without a hidden budget. Null for everyone else.';

create function public.revision_parts(p_plan public.planned_changes) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('media', private.staged_media(p_plan), 'conflicts', private.conflicts(p_plan, private.live_fields(p_plan.project_id)))
  where (select public.can_edit_content())
$$;
comment on function public.revision_parts is
  'For editors, a computed column: {media, conflicts}, the revision''s media as rows, and its fields that were changed on the site meanwhile.';

grant execute on function public.project_revision to anon, authenticated;
grant execute on function public.stage_project, public.stage_parts, public.revision_parts, public.publish_revision, public.discard_revision, public.plan_change to authenticated, service_role;
