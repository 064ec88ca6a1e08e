-- Trash: every deleted row is kept for a period set by the operator, and editors can restore it: a project with its parts,
-- or a media item of an existing project. Rows deleted in one transaction are restored together.

create table private.trash (
  id         bigint generated always as identity primary key,
  table_name text not null,
  entry      jsonb not null,
  deleted_at timestamptz not null default now(), -- same for all rows of one transaction
  deleted_by uuid default auth.uid(),
  object_id  uuid generated always as (private.uuid_in(entry ->> 'id')) stored,
  project_id uuid generated always as (private.uuid_in(coalesce(entry ->> 'project_id', entry ->> 'id'))) stored,
  title      text generated always as (left(coalesce(nullif(btrim(entry ->> 'title'), ''), entry ->> 'url', entry ->> 'body'), 200)) stored
);
comment on table private.trash is 'Deleted rows of projects and their parts, and removed fields of the setting project_facts, kept as private.trash_keeping says.';
create index trash_by_time on private.trash (deleted_at);
create index trash_newest on private.trash (table_name, deleted_at desc, id desc);
create index trash_by_object on private.trash (object_id, table_name);
create index trash_by_project on private.trash (project_id);

create table private.trash_keeping (
  only_row boolean primary key default true check (only_row),
  days     integer not null constraint "deleted things are kept for 1 to 3650 days" check (days between 1 and 3650)
);
comment on table private.trash_keeping is 'Retention period of deleted rows. One row.';
insert into private.trash_keeping (days) values (30);

create function private.set_trash_days(days integer) returns void
language sql set search_path = '' as $$ update private.trash_keeping set days = set_trash_days.days $$;
comment on function private.set_trash_days is 'For the server at start, and for the operator of a hosted project.';

create function private.trash_retention() returns interval
language sql stable set search_path = '' as $$ select make_interval(days => days) from private.trash_keeping $$;

create function public.trash_days() returns integer
language sql stable security definer set search_path = '' as $$ select days from private.trash_keeping $$;
comment on function public.trash_days is 'For how many days an editor can restore deleted rows.';

create function private.purge_oldest_trash(most integer) returns void
language sql set search_path = '' as $$
  delete from private.trash where id in (
    select id from private.trash where deleted_at < now() - private.trash_retention() and table_name <> 'project_facts' order by deleted_at limit most for update skip locked
  )
$$;

-- Security definer: no client can write here, whatever they may delete.
create function private.insert_into_trash() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.trash (table_name, entry) select tg_table_name, to_jsonb(gone) from gone;
  -- A few, because the caller waits; the hourly job purges the rest.
  perform private.purge_oldest_trash(100);
  return null;
end $$;

-- Draft secrets are kept too: the links of a restored draft work again.
create trigger insert_into_trash after delete on private.draft_secrets referencing old table as gone for each statement execute function private.insert_into_trash();
create trigger insert_into_trash after delete on public.draft_comments referencing old table as gone for each statement execute function private.insert_into_trash();
-- Reviews are restored with their project. Contact addresses that were deleted for good are not kept.
create trigger insert_into_trash after delete on public.reviews referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.insert_into_trash();
create trigger insert_into_trash after delete on public.review_steps referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.insert_into_trash();
create trigger insert_into_trash after delete on public.review_notes referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.insert_into_trash();
create trigger insert_into_trash after delete on public.review_contacts referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.insert_into_trash();
create trigger insert_into_trash after delete on public.planned_changes referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.insert_into_trash();
create trigger insert_into_trash after delete on public.featured_experiments referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.insert_into_trash();

-- A project that is purged takes its versions along.
create function private.delete_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.project_versions
  where project_id in (select (entry ->> 'id')::uuid from gone where table_name = 'projects')
    and not exists (select from public.projects where projects.id = project_versions.project_id);
  return null;
end $$;
create trigger delete_versions after delete on private.trash referencing old table as gone for each statement execute function private.delete_versions();
create function private.removed_fact_fields() returns jsonb
language sql stable set search_path = '' as $$ select coalesce(jsonb_agg(entry), '[]') from private.trash where table_name = 'project_facts' $$;

create trigger delete_facts after delete on private.trash referencing old table as gone for each statement execute function private.delete_facts();
create function private.purge_fact_fields() returns void
language sql set search_path = '' as $$ delete from private.trash where table_name = 'project_facts' and deleted_at < now() - private.trash_retention() $$;
comment on function private.purge_fact_fields is 'Ends removed fields, which rewrites all projects with a value; so never while a caller waits. Runs hourly.';

-- Runs hourly, in portions that end in time. A contact address is not kept longer because its submission was deleted.
create function private.purge_trash() returns void
language sql set search_path = '' as $$
  select private.purge_oldest_trash(20000);
  delete from public.pages where deleted_at < now() - private.trash_retention();
  delete from private.trash contact using private.trash review
  where contact.table_name = 'review_contacts' and review.table_name = 'reviews' and review.project_id = contact.project_id
    and review.entry ->> 'state' in ('changes_requested', 'declined', 'published')
    and (review.entry ->> 'answered_at')::timestamptz < now() - private.days_of('submitter_address_days', 30);
  update private.trash set entry = entry || '{"mail_to": null}'
  where table_name = 'review_steps' and entry ->> 'mail_to' is not null
    and (entry ->> 'given_at')::timestamptz < now() - private.days_of('submitter_address_days', 30)
$$;
comment on function private.purge_trash is
  'Purges rows and pages whose retention period is over, and submitters'' addresses as private.delete_review_addresses() does. Runs hourly.';

-- A creator or user that no longer exists is replaced by the guest account, or null; so is an assignee who is no longer an
-- editor. Parts of a missing project stay in the trash, and so does what exists again: a project with its parts, or a part
-- alone. Existing projects are locked first, as everywhere. Listings and versions are written once per project at the end,
-- not once per table.
create function private.restore_trash(chosen bigint[]) returns integer
language plpgsql set search_path = '' as $$
declare
  restored integer;
  refused bigint[] := '{}';
  part regclass;
begin
  perform from public.projects where id in (select trash.project_id from private.trash where trash.id = any (chosen)) order by id for no key update;
  chosen := array(select id from private.trash where id = any (chosen) and project_id not in (
    select projects.id from private.trash join public.projects on projects.id = object_id where trash.id = any (chosen) and table_name = 'projects'
  ));
  perform set_config('private.restoring', 'yes', true);
  insert into public.projects
  select (jsonb_populate_record(null::public.projects, entry || jsonb_build_object('created_by', coalesce(account.id, public.get_guest_user_id())))).*
  from private.trash
    left join auth.users account on account.id = (entry ->> 'created_by')::uuid
  where trash.id = any (chosen) and table_name = 'projects' order by trash.id desc on conflict do nothing;
  get diagnostics restored = row_count;

  foreach part in array '{private.draft_secrets, public.reviews, public.review_steps, public.review_notes, public.review_contacts,
    public.project_budgets, public.case_study_metadata, public.project_members, public.project_media, public.planned_changes,
    public.draft_comments, public.featured_experiments}'::regclass[]
  loop
    execute format($insert$
      with kept as (
        select trash.id as entry_id, fixed.* from private.trash join public.projects on projects.id = trash.project_id
          cross join lateral jsonb_populate_record(null::%1$s, entry || coalesce((
            select jsonb_object_agg(person, (select user_id from public.profiles where user_id = (entry ->> person)::uuid))
            from unnest('{answered_by, given_by, author, resolved_by, updated_by}'::text[]) as person where entry ? person
          ), '{}') || case table_name
            when 'reviews' then jsonb_build_object('assignee', case when private.has_role((entry ->> 'assignee')::uuid, 'editor') then entry ->> 'assignee' end)
            when 'project_members' then jsonb_build_object('user_id', (select id from public.profiles where id = (entry ->> 'user_id')::uuid))
            -- A cover that was chosen meanwhile stays.
            when 'project_media' then jsonb_build_object('is_cover', (entry ->> 'is_cover')::boolean
              and not exists (select from public.project_media chosen where chosen.project_id = projects.id and is_cover))
            -- A restored project is not published by a date that has passed meanwhile.
            when 'planned_changes' then jsonb_build_object('problem',
              case when (entry ->> 'due_at')::timestamptz <= now() then 'The project was in the trash at that time.' else entry ->> 'problem' end)
            else '{}' end) as fixed
        where trash.id = any ($1) and table_name = %3$L and (table_name <> 'project_budgets' or not projects.show_budget) order by trash.id desc
      ), added as (insert into %1$s (%2$s) select %2$s from kept on conflict do nothing returning %4$I as key)
      select $2 || array(select entry_id from kept where %4$I not in (select key from added))
    $insert$, part, (
      select string_agg(quote_ident(attname), ', ') from pg_attribute
      where attrelid = part and attnum > 0 and attgenerated = '' and not attisdropped
    ), split_part(part::text, '.', 2), (select attname from pg_attribute where attrelid = part and attnum = 1)) into refused using chosen, refused;
  end loop;

  perform private.copy_texts(array(select object_id from private.trash where id = any (chosen) and table_name = 'case_study_metadata'), true);
  perform set_config('private.restoring', '', true);
  perform private.update_listings(array(
    select distinct projects.id from private.trash join public.projects on projects.id = trash.project_id
    where trash.id = any (chosen) and table_name in ('projects', 'case_study_metadata')
  ));
  perform private.insert_versions(array(
    select distinct projects.id from private.trash join public.projects on projects.id = trash.project_id where trash.id = any (chosen)
  ));
  delete from private.trash
  where trash.id = any (chosen) and trash.id <> all (refused) and exists (select from public.projects where projects.id = trash.project_id);
  return restored;
end $$;

-- An answer is restored into its thread.
create function private.is_restorable_comment(gone private.trash) returns boolean
language sql stable set search_path = '' as $$
  select gone.entry ->> 'body' is not null and exists (select from public.projects where id = gone.project_id)
    and (gone.entry ->> 'parent' is null or exists (select from public.draft_comments where id = (gone.entry ->> 'parent')::uuid))
$$;

create function private.is_newest_deletion(gone private.trash) returns boolean
language sql stable set search_path = '' as $$ select not exists (select from private.trash newer where newer.table_name = gone.table_name and newer.object_id = gone.object_id and newer.id > gone.id) $$;

create function public.list_trash(words text default null, kind text default null, skip integer default 0, take integer default 10) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  -- Counting stops here; a larger trash is searched instead of paged.
  most constant integer := 1000;
  wanted text := '%' || regexp_replace(btrim(left(words, 100)), '([\\%_])', '\\\1', 'g') || '%';
begin
  perform private.require_editor('Only an editor can look into the trash.');
  return (with matching as (
    select trash.id, trash.deleted_at from private.trash
    where trash.deleted_at > now() - (select private.trash_retention()) and (coalesce(btrim(words), '') = '' or trash.title ilike wanted) and (
      table_name = 'projects' and coalesce(kind, 'project') = 'project'
      or table_name = 'project_media' and coalesce(kind, 'media') = 'media' and exists (select from public.projects where projects.id = trash.project_id)
      or table_name = 'draft_comments' and coalesce(kind, 'comment') = 'comment' and private.is_restorable_comment(trash)
    )
    order by trash.deleted_at desc, trash.id desc limit most
  ),
  page as (
    select trash.* from matching join private.trash using (id) order by matching.deleted_at desc, matching.id desc
    offset greatest(coalesce(skip, 0), 0) limit least(greatest(coalesce(take, 10), 1), 100)
  )
  select jsonb_build_object(
    'total', (select count(*) from matching),
    'more', (select count(*) from matching) = most,
    'kept_days', (select days from private.trash_keeping),
    'rows', coalesce(jsonb_agg(jsonb_build_object(
      'kind', case page.table_name when 'projects' then 'project' when 'project_media' then 'media' else 'comment' end,
      'id', page.object_id, 'title', page.title,
      'client', page.entry ->> 'client', 'status', page.entry ->> 'status', 'type', page.entry ->> 'type', 'url', page.entry ->> 'url',
      'project', (select jsonb_build_object('id', projects.id, 'title', projects.title) from public.projects where projects.id = page.project_id),
      'media', case when page.table_name = 'projects' then (
        select count(*) from private.trash other where other.id = any(private.deleted_together(page.id)) and other.table_name = 'project_media'
      ) end,
      'deleted_at', page.deleted_at,
      'deleted_by', (select coalesce(profiles.email, profiles.name) from public.profiles where profiles.user_id = page.deleted_by),
      'kept_until', page.deleted_at + private.trash_retention()
    ) order by page.deleted_at desc, page.id desc), '[]')
  ) from page);
end $$;
comment on function public.list_trash is
  'For editors: deleted projects, and media and comments of existing projects, newest first; `words` searches titles, `kind` is project, media or comment.';

-- The row lock serializes concurrent restores: the second call finds the row gone from the trash, so nothing is
-- duplicated.
create function public.restore_from_trash(projects uuid[] default '{}', media uuid[] default '{}') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  chosen bigint[];
  parts bigint[];
  project_ids uuid[];
  media_ids uuid[];
  restored_projects integer;
begin
  perform private.require_editor('Only an editor can look into the trash.');
  perform private.raise_if(coalesce(cardinality(projects), 0) + coalesce(cardinality(media), 0) > 100, 'PT400', 'At most 100 things come back at once.');
  chosen := array(
    select id from private.trash
    where deleted_at > now() - (select private.trash_retention()) and private.is_newest_deletion(trash) and (
      (table_name = 'projects' and object_id = any(restore_from_trash.projects))
      or (table_name = 'project_media' and object_id = any(restore_from_trash.media))
    )
    order by id for update
  );
  media_ids := array(select object_id from private.trash where id = any(chosen) and table_name = 'project_media');
  project_ids := array(select object_id from private.trash where id = any(chosen) and table_name = 'projects');
  parts := array(
    select distinct all_of_it.id
    from private.trash
      cross join lateral unnest(case when table_name = 'projects' then private.deleted_together(trash.id) else array[trash.id] end) as all_of_it (id)
    where trash.id = any(chosen)
  );
  restored_projects := private.restore_trash(parts);
  media_ids := array(select unnest(media_ids) except select object_id from private.trash where id = any (chosen));
  project_ids := array(select unnest(project_ids) except select object_id from private.trash where id = any (chosen));
  perform private.record('project_media.restore', array_to_string(media_ids[:10], ' '), 'done', nullif(cardinality(media_ids), 1) || ' rows')
  where media_ids <> '{}';
  perform private.record('projects.restore', array_to_string(project_ids[:10], ' '), 'done', nullif(restored_projects, 1) || ' projects')
  where restored_projects > 0;
  return jsonb_build_object('projects', restored_projects, 'media', cardinality(media_ids));
end $$;
comment on function public.restore_from_trash is
  'For editors: restores projects with their parts, and single media; returns how many. Rows no longer in the trash count as none, and so do those that exist again, which stay there.';

grant execute on function public.trash_days, public.list_trash, public.restore_from_trash to authenticated;
