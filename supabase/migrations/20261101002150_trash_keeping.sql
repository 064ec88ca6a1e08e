-- How long the trash keeps what was deleted is the operator's to say, and what comes back from it comes back whole, also
-- hundreds of experiments at once.

create table private.trash_keeping (
  only_row boolean primary key default true check (only_row),
  days     integer not null constraint "deleted things are kept for 1 to 3650 days" check (days between 1 and 3650)
);
comment on table private.trash_keeping is 'How long deleted things are kept. One row.';
insert into private.trash_keeping (days) values (30);

create function private.keep_deleted_for(days integer) returns void
language sql set search_path = '' as $$
  update private.trash_keeping set days = keep_deleted_for.days
$$;
comment on function private.keep_deleted_for(integer) is 'For the server at start, and for the operator of a hosted project.';

create function private.kept_for() returns interval
language sql stable set search_path = '' as $$
  select make_interval(days => days) from private.trash_keeping
$$;

-- The secrets of drafts go to the trash too: a submitter whose draft comes back holds the key to it again.
create or replace function private.keep_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.trash (table_name, entry) select tg_table_name, to_jsonb(gone) from gone;
  delete from private.trash where deleted_at < now() - private.kept_for();
  return null;
end $$;
create trigger keep_deleted after delete on private.draft_secrets
  referencing old table as gone for each statement execute function private.keep_deleted();
comment on table private.trash is 'Deleted rows of projects and what belongs to them, for as long as private.trash_keeping says.';

create or replace function public.list_deleted() returns table (deleted_at timestamptz, deleted_by uuid, kept_until timestamptz, projects bigint, titles text[])
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select trash.deleted_at, trash.deleted_by, trash.deleted_at + private.kept_for(),
      count(*) filter (where table_name = 'projects'),
      (array_agg(entry ->> 'title') filter (where table_name = 'projects'))[1:20]
    from private.trash
    group by trash.deleted_at, trash.deleted_by
    order by trash.deleted_at desc
    limit 100;
end $$;

-- What comes back all together is listed once, at the end, instead of once for the project and once for its texts.
drop trigger list_inserted on public.projects;
create trigger list_inserted after insert on public.projects
  referencing new table as fresh for each statement when (current_setting('private.restoring', true) is distinct from 'yes')
  execute function private.project_changed();
drop trigger list_inserted on public.case_study_metadata;
create trigger list_inserted after insert on public.case_study_metadata
  referencing new table as fresh for each statement when (current_setting('private.restoring', true) is distinct from 'yes')
  execute function private.texts_changed();

-- A creator or a person may be gone by now; then the guest, or nobody, stands in. What belongs to a project that is not
-- there stays in the trash.
create function private.restore(since timestamptz, until timestamptz) returns integer
language plpgsql set search_path = '' as $$
declare
  restored integer;
begin
  perform set_config('private.restoring', 'yes', true);
  insert into public.projects
  select (jsonb_populate_record(null::public.projects, entry || jsonb_build_object('created_by', coalesce(account.id, public.get_guest_user_id())))).*
  from private.trash left join auth.users account on account.id = (entry ->> 'created_by')::uuid
  where table_name = 'projects' and trash.deleted_at between since and until
  order by trash.id desc
  on conflict do nothing;
  get diagnostics restored = row_count;

  -- Whatever an admin inserts counts as complete; a submission that was not stays open.
  update public.projects set submitted_at = null
  from private.trash
  where projects.id = (entry ->> 'id')::uuid and projects.status = 'draft' and projects.submitted_at = now()
    and table_name = 'projects' and trash.deleted_at between since and until and entry ->> 'submitted_at' is null;

  insert into private.draft_secrets
  select (jsonb_populate_record(null::private.draft_secrets, entry)).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
  where table_name = 'draft_secrets' and trash.deleted_at between since and until
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_budgets
  select (jsonb_populate_record(null::public.project_budgets, entry)).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
  where table_name = 'project_budgets' and trash.deleted_at between since and until and not projects.show_budget
  order by trash.id desc
  on conflict do nothing;

  insert into public.case_study_metadata
  select (jsonb_populate_record(null::public.case_study_metadata, entry)).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
  where table_name = 'case_study_metadata' and trash.deleted_at between since and until
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_members
  select (jsonb_populate_record(null::public.project_members, entry || jsonb_build_object('user_id', profiles.id))).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
    left join public.profiles on profiles.id = (entry ->> 'user_id')::uuid
  where table_name = 'project_members' and trash.deleted_at between since and until
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_media
  select (jsonb_populate_record(null::public.project_media, entry)).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
  where table_name = 'project_media' and trash.deleted_at between since and until
  order by trash.id desc
  on conflict do nothing;

  perform set_config('private.restoring', '', true);
  perform private.list_again(array(
    select distinct projects.id
    from private.trash join public.projects on projects.id = coalesce(entry ->> 'project_id', entry ->> 'id')::uuid
    where table_name in ('projects', 'case_study_metadata') and trash.deleted_at between since and until
  ));
  delete from private.trash
  where trash.deleted_at between since and until
    and exists (select from public.projects where projects.id = coalesce(entry ->> 'project_id', entry ->> 'id')::uuid);
  return restored;
end $$;

create or replace function public.restore_deleted(since timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  restored integer;
begin
  perform private.require_admin();
  restored := private.restore(since, 'infinity');
  perform private.record('projects.restore', since::text, 'done', restored || ' projects');
  return restored;
end $$;

revoke all on function private.keep_deleted_for(integer), private.kept_for(), private.restore(timestamptz, timestamptz) from public;
