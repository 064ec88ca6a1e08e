-- A client with an admin's token could delete the whole portfolio without the cleanup page, so the database decides:
-- many projects can be deleted at once only by an admin who has just signed in; deleted rows stay in the trash for a
-- period set by the operator, and can be restored.

create function private.signed_in_recently() returns boolean
language sql stable set search_path = '' as $$ select exists (select from private.caller_session() where created_at > now() - interval '10 minutes') $$;
comment on function private.signed_in_recently is 'Whether the caller signed in within ten minutes. False for a token without a session.';

-- Only editors delete parts of a project; other callers get an error instead of deleting no row. Nested statements, such
-- as a cascade, are part of an action that others may perform; and submitters may remove media of their own draft
-- (send_draft_back).
create function private.only_editors_delete() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.raise_if(pg_trigger_depth() = 1 and private.is_client() and not public.can_edit_content()
    and coalesce(current_setting('private.sending_back', true), '') <> 'yes', '42501', 'Only an editor can delete this. Nothing was deleted.');
  return null;
end $$;

-- A single project, or its parts, is deleted as usual. More than one at a time counts as a wipe. Rows deleted with
-- their project are not counted again.
create function private.guard_delete() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  experiments bigint;
begin
  if pg_trigger_depth() > 1 or not private.is_client() then
    return null;
  end if;
  select case when tg_table_name = 'projects' then (select count(*) from gone)
    else (select count(*) from public.projects where id in (select (to_jsonb(gone) ->> 'project_id')::uuid from gone)) end into experiments;
  perform private.raise_if(experiments > 1 and not public.is_admin(), '42501', 'Only an admin can delete several experiments at once. Nothing was deleted.');
  perform private.raise_if(experiments > 1 and not private.signed_in_recently(), '42501',
    'You signed in more than ten minutes ago. Sign in again to delete several experiments at once. Nothing was deleted.');
  return null;
end $$;
comment on function private.guard_delete is 'Refuses wipes except by an admin who has just signed in.';

create table private.cleanups (
  id               uuid primary key default gen_random_uuid(),
  began_by         uuid not null,
  began_at         timestamptz not null default now(),
  ended_at         timestamptz not null default now() + interval '10 minutes', -- later deletions do not belong to it
  restored_at      timestamptz,
  restored_through uuid,                       -- id of the last restored project; they are restored in order of id
  restored         integer not null default 0, -- projects restored so far
  found            integer                     -- number of projects affected by the wipe; null until its restore begins
);
comment on table private.cleanups is
  'Each wipe. Rows deleted until ten minutes after its last start, or until its restore begins, belong to it, also those of other admins: concurrent wipes share one entry.';
create index cleanups_newest on private.cleanups (ended_at desc);

-- Everything deleted in the same transaction, or in the same wipe, which takes four calls.
create function private.deleted_together(entry_id bigint) returns bigint[]
language sql stable set search_path = '' as $$
  select array_agg(other.id)
  from private.trash project join private.trash other on other.project_id = project.project_id
  where project.id = entry_id and (
    other.deleted_at = project.deleted_at
    or exists (
      select from private.cleanups wipe
      where project.deleted_at between wipe.began_at and wipe.ended_at and other.deleted_at between wipe.began_at and wipe.ended_at
    )
  )
$$;

-- Refusals are returned, not raised, so that their record is kept. Continuing after signing in again continues the same
-- wipe.
create function public.begin_cleanup() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  cleanup private.cleanups;
begin
  if not public.is_admin() then
    return private.reject_caller('cleanup', 'cleanup.begin', 'Only an admin can delete all case studies. Nothing was deleted.');
  elsif not private.signed_in_recently() then
    perform private.record('cleanup.begin', null, 'refused', 'signed in too long ago');
    return private.rejection(403, 'PT403', 'You signed in more than ten minutes ago. Sign in again to delete all case studies. Nothing was deleted.');
  end if;

  perform pg_advisory_xact_lock(hashtextextended('cleanup', 0));
  -- A page that was closed midway starts it again.
  update private.cleanups set ended_at = default
  where id = (
    select id from private.cleanups
    where began_by = auth.uid() and cleanups.found is null and ended_at > now() - interval '5 minutes' order by ended_at desc limit 1
  )
  returning * into cleanup;
  if not found then
    if (select count(*) from private.cleanups where began_at > now() - interval '15 minutes') >= 5 then
      return private.too_many_attempts();
    end if;
    delete from private.cleanups where ended_at < now() - private.trash_retention() - interval '1 day';
    insert into private.cleanups (began_by) values (auth.uid()) returning * into cleanup;
  end if;
  perform private.record('cleanup.begin', cleanup.id::text, 'done', (select count(*) from public.projects) || ' projects');
  return jsonb_build_object('id', cleanup.id, 'kept_until', cleanup.began_at + private.trash_retention());
end $$;
comment on function public.begin_cleanup is
  'Before a wipe: its id and until when it can be undone, or a committed refusal (403, 429). For admins who signed in within ten minutes.';

create function public.cleanup_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    return jsonb_build_object('admin', false);
  end if;
  return jsonb_build_object(
    'admin', true,
    'may_wipe_until', (select created_at + interval '10 minutes' from private.caller_session()),
    'kept_days', (select days from private.trash_keeping),
    'rows', jsonb_build_object(
      'project_media', (select count(*) from public.project_media),
      'case_study_metadata', (select count(*) from public.case_study_metadata),
      'project_members', (select count(*) from public.project_members),
      'projects', (select count(*) from public.projects)
    ),
    'cleanups', (
      select coalesce(jsonb_agg(to_jsonb(kept) order by kept.began_at desc), '[]')
      from (
        select cleanup.id, cleanup.began_at, profiles.email as began_by, cleanup.began_at + private.trash_retention() as kept_until,
          content.projects, content.belongings,
          cleanup.found is not null as restoring, cleanup.restored, cleanup.found
        from private.cleanups cleanup
          left join public.profiles on profiles.user_id = cleanup.began_by
          cross join lateral (
            select count(*) filter (where table_name = 'projects') as projects,
              count(*) filter (where table_name in ('project_media', 'case_study_metadata', 'project_members')) as belongings
            from private.trash where deleted_at between cleanup.began_at and cleanup.ended_at
          ) content
        where cleanup.restored_at is null
          and (cleanup.began_at > now() - private.trash_retention() or cleanup.found is not null)
          and content.projects + content.belongings > 0
        order by cleanup.began_at desc limit 10
      ) kept
    )
  );
end $$;
comment on function public.cleanup_overview is 'For admins: what a wipe would delete, and which wipes can still be undone.';

-- Restores a wipe of any size. A statement has only a few seconds, so each call restores a portion and returns how many
-- are left; the client repeats the call until none is left. Each portion restores whole projects, one transaction each, so
-- public data is always complete, and an interrupted restore continues where it stopped.
create function public.restore_cleanup(cleanup_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  -- Well below the caller's time limit, also when every step takes several times as long as it should.
  enough constant interval := '0.5 seconds';
  began constant timestamptz := clock_timestamp();
  cleanup private.cleanups;
  waiting uuid[];
  portion uuid[];
  -- The first portion is small, because the time per project is not known yet.
  size integer := 10;
  done integer := 0;
  portion_began timestamptz;
  took interval;
begin
  perform private.require_admin('Only an admin can bring deleted case studies back.');
  -- Concurrent restores are serialized; each continues where the other stopped.
  select * into cleanup from private.cleanups
  where id = cleanup_id and restored_at is null
    and (began_at > now() - private.trash_retention() or cleanups.found is not null)
  for no key update;
  perform private.raise_if(not found, 'PT409', 'Already restored, or deleted permanently.');
  cleanup.ended_at := least(cleanup.ended_at, now());
  waiting := array(
    select distinct project_id from private.trash
    where deleted_at between cleanup.began_at and cleanup.ended_at and project_id is not null and (cleanup.restored_through is null or project_id > cleanup.restored_through)
    order by project_id
  );
  cleanup.found := coalesce(cleanup.found, cardinality(waiting));
  while done < cardinality(waiting) loop
    portion_began := clock_timestamp();
    portion := waiting[done + 1:done + size];
    cleanup.restored := cleanup.restored + private.restore_trash(array(
      select id from private.trash
      where project_id = any (portion) and deleted_at between cleanup.began_at and cleanup.ended_at
    ));
    done := done + cardinality(portion);
    cleanup.restored_through := waiting[done];
    took := clock_timestamp() - portion_began;
    exit when clock_timestamp() - began + took > enough;
    size := least(case when took < enough / 10 then size * 2 else size end, 200);
  end loop;
  update private.cleanups set
    ended_at = cleanup.ended_at, restored_through = cleanup.restored_through, restored = cleanup.restored,
    found = cleanup.found, restored_at = case when done = cardinality(waiting) then now() end
  where id = cleanup.id;
  -- Audit lines for the first and the last portion only.
  if done = cardinality(waiting) then
    perform private.record('cleanup.restore', cleanup.id::text, 'done', cleanup.restored || ' projects');
  elsif cleanup.found = cardinality(waiting) then
    perform private.record('cleanup.restore', cleanup.id::text, 'done', 'begun, ' || cleanup.found || ' projects');
  end if;
  return jsonb_build_object('restored', cleanup.restored, 'left', cardinality(waiting) - done, 'found', cleanup.found);
end $$;
comment on function public.restore_cleanup is
  'For admins: restores a portion of what a wipe deleted. Call it until `left` is 0; `restored` and `found` count projects since its first call.';

-- A download of the archive contains all data. The database authorizes it, as before a wipe, and records the caller.
create function public.begin_archive_download() returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if not public.is_admin() then
    return private.reject_caller('archive', 'archive.download', 'Only an admin can download everything.');
  elsif not private.signed_in_recently() then
    perform private.record('archive.download', null, 'refused', 'signed in too long ago');
    return private.rejection(403, 'PT403', 'You signed in more than ten minutes ago. Sign in again to download everything.');
  elsif (select count(*) from public.audit_log where action = 'archive.download' and outcome = 'done' and at > now() - interval '15 minutes') >= 10 then
    perform private.record('archive.download', null, 'refused', 'too often');
    return private.too_many_attempts();
  end if;
  perform private.record('archive.download', null);
  return jsonb_build_object('begun', true);
end $$;
comment on function public.begin_archive_download is
  'Authorizes an archive download: an audit line, or a committed refusal (403, 429). For admins who signed in within ten minutes.';

grant execute on function public.begin_cleanup, public.begin_archive_download to anon, authenticated;
grant execute on function public.cleanup_overview, public.restore_cleanup to authenticated, service_role;
