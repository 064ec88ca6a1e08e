-- Nothing that was deleted is gone at once. Every deleted row, one by one or all together, is kept for thirty days, and
-- an admin can bring back what was deleted since a moment.

create table private.trash (
  id         bigint generated always as identity primary key,
  table_name text not null,
  entry      jsonb not null,
  deleted_at timestamptz not null default now(), -- the same for everything that went in one transaction
  deleted_by uuid default auth.uid()
);
create index trash_by_time on private.trash (deleted_at);
comment on table private.trash is 'Deleted rows of projects and what belongs to them, for thirty days.';

create function private.keep_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.trash (table_name, entry) select tg_table_name, to_jsonb(gone) from gone;
  delete from private.trash where deleted_at < now() - interval '30 days';
  return null;
end $$;

create trigger keep_deleted after delete on public.projects
  referencing old table as gone for each statement execute function private.keep_deleted();
create trigger keep_deleted after delete on public.project_budgets
  referencing old table as gone for each statement execute function private.keep_deleted();
create trigger keep_deleted after delete on public.project_media
  referencing old table as gone for each statement execute function private.keep_deleted();
create trigger keep_deleted after delete on public.project_members
  referencing old table as gone for each statement execute function private.keep_deleted();
create trigger keep_deleted after delete on public.case_study_metadata
  referencing old table as gone for each statement execute function private.keep_deleted();

create function private.require_admin() returns void
language plpgsql stable set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can look into the trash.';
  end if;
end $$;

create function public.list_deleted() returns table (deleted_at timestamptz, deleted_by uuid, kept_until timestamptz, projects bigint, titles text[])
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select trash.deleted_at, trash.deleted_by, trash.deleted_at + interval '30 days',
      count(*) filter (where table_name = 'projects'),
      (array_agg(entry ->> 'title') filter (where table_name = 'projects'))[1:20]
    from private.trash
    group by trash.deleted_at, trash.deleted_by
    order by trash.deleted_at desc
    limit 100;
end $$;
comment on function public.list_deleted() is 'For admins: what was deleted when, newest first, and until when it is kept.';

-- A creator or a person may be gone by now; then the guest, or nobody, stands in.
create function public.restore_deleted(since timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  restored integer;
begin
  perform private.require_admin();
  insert into public.projects
  select (jsonb_populate_record(null::public.projects, entry || jsonb_build_object('created_by', coalesce(account.id, public.get_guest_user_id())))).*
  from private.trash left join auth.users account on account.id = (entry ->> 'created_by')::uuid
  where table_name = 'projects' and trash.deleted_at >= since
  order by trash.id desc
  on conflict do nothing;
  get diagnostics restored = row_count;

  insert into public.project_budgets
  select (jsonb_populate_record(null::public.project_budgets, entry)).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
  where table_name = 'project_budgets' and trash.deleted_at >= since and not projects.show_budget
  order by trash.id desc
  on conflict do nothing;

  insert into public.case_study_metadata
  select (jsonb_populate_record(null::public.case_study_metadata, entry)).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
  where table_name = 'case_study_metadata' and trash.deleted_at >= since
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_members
  select (jsonb_populate_record(null::public.project_members, entry || jsonb_build_object('user_id', profiles.id))).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
    left join public.profiles on profiles.id = (entry ->> 'user_id')::uuid
  where table_name = 'project_members' and trash.deleted_at >= since
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_media
  select (jsonb_populate_record(null::public.project_media, entry)).*
  from private.trash join public.projects on projects.id = (entry ->> 'project_id')::uuid
  where table_name = 'project_media' and trash.deleted_at >= since
  order by trash.id desc
  on conflict do nothing;

  delete from private.trash
  where trash.deleted_at >= since
    and (table_name <> 'projects' or exists (select from public.projects where projects.id = (entry ->> 'id')::uuid));
  perform private.record('projects.restore', since::text, 'done', restored || ' projects');
  return restored;
end $$;
comment on function public.restore_deleted(timestamptz) is
  'For admins: brings back everything that was deleted at or after a moment; answers how many projects came back.';

revoke all on function private.keep_deleted(), private.require_admin() from public;
revoke all on function public.list_deleted(), public.restore_deleted(timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.list_deleted(), public.restore_deleted(timestamptz) to authenticated, service_role;
