-- A cleanup of any size comes back whole. One statement has a few seconds, so restore_cleanup() brings back a portion at
-- a time and says how many are left; whoever asks repeats until none is. Each portion holds whole projects, one
-- transaction each, so what is public is complete at every moment, and what stops midway goes on from there.

alter table private.cleanups
  add column restoring_since  timestamptz,                -- what is deleted after this is a deletion of its own
  add column restored_through uuid,                       -- projects come back in the order of their ids
  add column restored         integer not null default 0, -- projects that came back so far
  add column found            integer;                    -- projects it took something of

create or replace function private.trash_of(cleanup private.cleanups) returns setof private.trash
language sql stable set search_path = '' as $$
  select * from private.trash
  where deleted_at between cleanup.began_at and least(cleanup.last_at + interval '10 minutes', cleanup.restoring_since)
$$;

-- Of the four milliseconds that a project took to come back, three were spent here: its texts were carried over to it one
-- by one, and every such look asks all that follows a change of a project.
drop trigger texts_to_project on public.case_study_metadata;
create trigger texts_to_project after insert on public.case_study_metadata
  for each row when (current_setting('private.restoring', true) is distinct from 'yes') execute function private.texts_to_project();
create trigger texts_to_project_updated after update on public.case_study_metadata
  for each row execute function private.texts_to_project();

-- What comes back all together gets its version once, at the end, like its listing: not one after each of five tables.
do $$
declare
  kept regclass;
begin
  foreach kept in array array['public.projects', 'public.project_budgets', 'public.case_study_metadata', 'public.project_media', 'public.project_members']::regclass[] loop
    execute format('drop trigger keep_version_inserted on %s', kept);
    execute format(
      'create trigger keep_version_inserted after insert on %s referencing new table as touched for each statement when (%scurrent_setting(''private.restoring'', true) is distinct from ''yes'') execute function private.%I()',
      kept,
      case when kept = 'public.project_budgets'::regclass then 'pg_trigger_depth() = 0 and ' else '' end,
      case when kept = 'public.projects'::regclass then 'keep_version_of_project' else 'keep_version_of_belonging' end
    );
  end loop;
end $$;

create or replace function private.receive_project() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('role', true) in ('anon', 'authenticated') and not public.is_admin() then
    new.status := 'draft';
    new.submitted_at := null;
    new.created_by := coalesce(auth.uid(), public.get_guest_user_id());
  else
    -- Whatever an admin inserts counts as complete; what comes back from the trash is what it was.
    if current_setting('private.restoring', true) is distinct from 'yes' then
      new.submitted_at := coalesce(new.submitted_at, now());
    end if;
    if current_user = 'authenticated' then
      new.created_by := auth.uid();
    end if;
  end if;
  if new.created_by is null or new.created_by = '00000000-0000-0000-0000-000000000000' then
    new.created_by := public.get_guest_user_id();
  end if;
  return new;
end $$;

create or replace function private.bring_back(chosen bigint[]) returns integer
language plpgsql set search_path = '' as $$
declare
  restored integer;
begin
  perform from public.projects
  where id in (select trash.project_id from private.trash where trash.id = any (chosen))
  order by id for no key update;
  perform set_config('private.restoring', 'yes', true);
  insert into public.projects
  select (jsonb_populate_record(null::public.projects, entry || jsonb_build_object('created_by', coalesce(account.id, public.get_guest_user_id())))).*
  from private.trash
    left join auth.users account on account.id = (entry ->> 'created_by')::uuid
  where trash.id = any (chosen) and table_name = 'projects'
  order by trash.id desc
  on conflict do nothing;
  get diagnostics restored = row_count;

  insert into private.draft_secrets
  select (jsonb_populate_record(null::private.draft_secrets, entry)).*
  from private.trash join public.projects on projects.id = trash.project_id
  where trash.id = any (chosen) and table_name = 'draft_secrets'
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_budgets
  select (jsonb_populate_record(null::public.project_budgets, entry)).*
  from private.trash join public.projects on projects.id = trash.project_id
  where trash.id = any (chosen) and table_name = 'project_budgets' and not projects.show_budget
  order by trash.id desc
  on conflict do nothing;

  insert into public.case_study_metadata
  select (jsonb_populate_record(null::public.case_study_metadata, entry)).*
  from private.trash join public.projects on projects.id = trash.project_id
  where trash.id = any (chosen) and table_name = 'case_study_metadata'
  order by trash.id desc
  on conflict do nothing;

  -- Texts stand beside their project and on it. Where a project stayed, it may have been written on meanwhile.
  update public.case_study_metadata stored set
    brief = coalesce(stored.brief, project.description), understanding = coalesce(stored.understanding, project.understanding),
    actions = coalesce(stored.actions, project.actions), impact = coalesce(stored.impact, project.impact)
  from private.trash join public.projects project on project.id = trash.project_id
  where trash.id = any (chosen) and table_name = 'case_study_metadata' and stored.id = trash.object_id
    and num_nulls(stored.brief, stored.understanding, stored.actions, stored.impact) > num_nulls(
      coalesce(stored.brief, project.description), coalesce(stored.understanding, project.understanding),
      coalesce(stored.actions, project.actions), coalesce(stored.impact, project.impact)
    );
  update public.projects set
    description = texts.brief, understanding = texts.understanding, actions = texts.actions, impact = texts.impact,
    submitted_at = coalesce(projects.submitted_at, now())
  from private.trash join public.case_study_metadata texts on texts.id = trash.object_id
  where trash.id = any (chosen) and table_name = 'case_study_metadata' and projects.id = texts.project_id
    and (projects.description, projects.understanding, projects.actions, projects.impact, projects.submitted_at is null)
      is distinct from (texts.brief, texts.understanding, texts.actions, texts.impact, false);

  insert into public.project_members
  select (jsonb_populate_record(null::public.project_members, entry || jsonb_build_object('user_id', profiles.id))).*
  from private.trash join public.projects on projects.id = trash.project_id
    left join public.profiles on profiles.id = (entry ->> 'user_id')::uuid
  where trash.id = any (chosen) and table_name = 'project_members'
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_media
  select (jsonb_populate_record(null::public.project_media, entry)).*
  from private.trash join public.projects on projects.id = trash.project_id
  where trash.id = any (chosen) and table_name = 'project_media'
  order by trash.id desc
  on conflict do nothing;

  perform set_config('private.restoring', '', true);
  perform private.list_again(array(
    select distinct projects.id
    from private.trash join public.projects on projects.id = trash.project_id
    where trash.id = any (chosen) and table_name in ('projects', 'case_study_metadata')
  ));
  perform private.keep_versions(array(
    select distinct projects.id
    from private.trash join public.projects on projects.id = trash.project_id
    where trash.id = any (chosen)
  ));
  delete from private.trash
  where trash.id = any (chosen) and exists (select from public.projects where projects.id = trash.project_id)
    and (table_name <> 'project_media' or exists (
      select from public.project_media where project_media.id = trash.object_id and project_media.project_id = trash.project_id
    ));
  return restored;
end $$;

-- The same as before, but it finds what belongs to a project by the index instead of reading all the trash each time.
create or replace function private.open_reviews() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  restoring boolean := coalesce(current_setting('private.restoring', true), '') = 'yes';
begin
  if restoring then
    insert into public.reviews (project_id, state, arrived_at, answered_at, answered_by, rights_cleared, client_agreed, before)
    select distinct on (kept.project_id)
      kept.project_id, kept.state, kept.arrived_at, kept.answered_at, profiles.user_id, kept.rights_cleared, kept.client_agreed, kept.before
    from fresh join private.trash on trash.table_name = 'reviews' and trash.project_id = fresh.id
      cross join lateral jsonb_populate_record(null::public.reviews, entry) kept
      left join public.profiles on profiles.user_id = kept.answered_by
    order by kept.project_id, trash.id desc;
    insert into public.review_steps
    select kept.id, kept.project_id, kept.kind, kept.words, profiles.user_id, kept.given_at, kept.mail_to, kept.mailed_at
    from fresh join private.trash on trash.table_name = 'review_steps' and trash.project_id = fresh.id
      cross join lateral jsonb_populate_record(null::public.review_steps, entry) kept
      left join public.profiles on profiles.user_id = kept.given_by
    on conflict do nothing;
    insert into public.review_notes
    select kept.id, kept.project_id, profiles.user_id, kept.body, kept.created_at
    from fresh join private.trash on trash.table_name = 'review_notes' and trash.project_id = fresh.id
      cross join lateral jsonb_populate_record(null::public.review_notes, entry) kept
      left join public.profiles on profiles.user_id = kept.author
    on conflict do nothing;
    insert into public.review_contacts
    select (jsonb_populate_record(null::public.review_contacts, entry)).*
    from fresh join private.trash on trash.table_name = 'review_contacts' and trash.project_id = fresh.id
    order by trash.id desc
    on conflict do nothing;
  end if;
  -- What an admin begins at the desk is nobody's submission; what an admin sends with the form for everybody is.
  insert into public.reviews (project_id, arrived_at)
  select id, case when submitted_at is null then created_at + interval '2 hours' else created_at end
  from fresh
  where status = 'draft'
    and (restoring or not private.is_client() or private.draft_secret_hash() is not null or not public.is_admin())
  on conflict do nothing;
  return null;
end $$;

-- Who goes on after signing in again goes on with the same wipe.
create or replace function public.begin_cleanup() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  cleanup private.cleanups;
begin
  if not public.is_admin() then
    if not private.may_try('cleanup') then
      return private.too_many_attempts();
    end if;
    perform private.count_failure('cleanup', 100);
    perform private.record('cleanup.begin', null, 'refused', 'not an admin');
    return private.refuse(403, '42501', 'Only an admin can delete all case studies. Nothing was deleted.');
  elsif not private.signed_in_recently() then
    perform private.record('cleanup.begin', null, 'refused', 'signed in too long ago');
    return private.refuse(403, 'PT403', 'You signed in more than ten minutes ago. Sign in again to delete all case studies. Nothing was deleted.');
  end if;

  perform pg_advisory_xact_lock(hashtextextended('cleanup', 0));
  update private.cleanups set last_at = now()
  where id = (
    select id from private.cleanups
    where began_by = auth.uid() and restoring_since is null and last_at > now() - interval '15 minutes'
    order by last_at desc limit 1
  )
  returning * into cleanup;
  if not found then
    if (select count(*) from private.cleanups where began_at > now() - interval '15 minutes') >= 5 then
      return private.too_many_attempts();
    end if;
    delete from private.cleanups where last_at < now() - private.kept_for() - interval '1 day';
    insert into private.cleanups (session_id, began_by) values (private.own_session(), auth.uid()) returning * into cleanup;
  end if;
  perform private.record('cleanup.begin', cleanup.id::text, 'done', (select count(*) from public.projects) || ' projects');
  return jsonb_build_object('id', cleanup.id, 'kept_until', cleanup.began_at + private.kept_for());
end $$;

create or replace function public.cleanup_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    return jsonb_build_object('admin', false);
  end if;
  return jsonb_build_object(
    'admin', true,
    'may_wipe_until', private.signed_in_at() + interval '10 minutes',
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
        select cleanup.id, cleanup.began_at, profiles.email as began_by, cleanup.began_at + private.kept_for() as kept_until,
          content.projects, content.belongings,
          cleanup.restoring_since is not null as restoring, cleanup.restored, cleanup.found
        from private.cleanups cleanup
          left join public.profiles on profiles.user_id = cleanup.began_by
          cross join lateral (
            select count(*) filter (where table_name = 'projects') as projects,
              count(*) filter (where table_name in ('project_media', 'case_study_metadata', 'project_members')) as belongings
            from private.trash_of(cleanup)
          ) content
        where cleanup.restored_at is null
          and (cleanup.began_at > now() - private.kept_for() or cleanup.restoring_since is not null)
          and content.projects + content.belongings > 0
        order by cleanup.began_at desc
        limit 10
      ) kept
    )
  );
end $$;

-- The answer was a number before.
drop function public.restore_cleanup(uuid);
create function public.restore_cleanup(cleanup_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  -- Well below what a caller has, also where every step takes some times as long as it should.
  enough constant interval := '0.5 seconds';
  began constant timestamptz := clock_timestamp();
  cleanup private.cleanups;
  waiting uuid[];
  portion uuid[];
  -- The first portion is small: nobody knows yet how long a project takes here.
  size integer := 10;
  done integer := 0;
  portion_began timestamptz;
  took interval;
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can bring deleted case studies back.';
  end if;
  -- Two who bring it back at once take turns; each goes on where the other stopped.
  select * into cleanup from private.cleanups
  where id = cleanup_id and restored_at is null
    and (began_at > now() - private.kept_for() or restoring_since is not null)
  for no key update;
  if not found then
    raise exception using errcode = 'PT409', message = 'This was brought back already, or its time is over.';
  end if;
  cleanup.restoring_since := coalesce(cleanup.restoring_since, now());
  waiting := array(
    select distinct project_id from private.trash_of(cleanup)
    where cleanup.restored_through is null or project_id > cleanup.restored_through
    order by project_id
  );
  cleanup.found := coalesce(cleanup.found, cardinality(waiting));
  while done < cardinality(waiting) loop
    portion_began := clock_timestamp();
    portion := waiting[done + 1:done + size];
    cleanup.restored := cleanup.restored + private.bring_back(array(
      select id from private.trash
      where project_id = any (portion)
        and deleted_at between cleanup.began_at and least(cleanup.last_at + interval '10 minutes', cleanup.restoring_since)
    ));
    done := done + cardinality(portion);
    cleanup.restored_through := waiting[done];
    took := clock_timestamp() - portion_began;
    exit when clock_timestamp() - began + took > enough;
    size := least(case when took < enough / 10 then size * 2 else size end, 200);
  end loop;
  update private.cleanups set
    restoring_since = cleanup.restoring_since, restored_through = cleanup.restored_through, restored = cleanup.restored,
    found = cleanup.found, restored_at = case when done = cardinality(waiting) then now() end
  where id = cleanup.id;
  -- A line for who begins and one for who brings the last; what is between is the same act.
  if done = cardinality(waiting) then
    perform private.record('cleanup.restore', cleanup.id::text, 'done', cleanup.restored || ' projects');
  elsif cleanup.found = cardinality(waiting) then
    perform private.record('cleanup.restore', cleanup.id::text, 'done', 'begun, ' || cleanup.found || ' projects');
  end if;
  return jsonb_build_object('restored', cleanup.restored, 'left', cardinality(waiting) - done, 'found', cleanup.found);
end $$;
comment on function public.restore_cleanup(uuid) is
  'For admins: brings back a portion of what a wipe deleted. Call it until `left` is 0; `restored` and `found` are case studies since its first call.';
revoke all on function public.restore_cleanup(uuid) from public, anon, authenticated, service_role;
grant execute on function public.restore_cleanup(uuid) to authenticated, service_role;
