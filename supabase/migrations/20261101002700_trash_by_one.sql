-- What was deleted comes back one by one, or several at once: a project with all that went with it, or a media item
-- whose project is still there. What was one act of deleting stays one: it carries what it took.

-- What a kept row is about, so that the trash can be searched without reading every deleted text.
alter table private.trash
  add column object_id uuid generated always as (
    case when entry ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (entry ->> 'id')::uuid end
  ) stored,
  add column project_id uuid generated always as (
    case when coalesce(entry ->> 'project_id', entry ->> 'id') ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      then coalesce(entry ->> 'project_id', entry ->> 'id')::uuid end
  ) stored,
  add column title text generated always as (
    left(coalesce(nullif(btrim(entry ->> 'title'), ''), entry ->> 'url'), 200)
  ) stored;
create index trash_newest on private.trash (table_name, deleted_at desc, id desc);
create index trash_by_object on private.trash (object_id, table_name);
create index trash_by_project on private.trash (project_id);

-- Everything that went in the same transaction, or in the same wipe: that one takes four calls.
create function private.gone_with(entry_id bigint) returns bigint[]
language sql stable set search_path = '' as $$
  select array_agg(other.id)
  from private.trash project join private.trash other on other.project_id = project.project_id
  where project.id = entry_id and (
    other.deleted_at = project.deleted_at
    or exists (
      select from private.cleanups wipe
      where project.deleted_at between wipe.began_at and wipe.last_at + interval '10 minutes'
        and other.deleted_at between wipe.began_at and wipe.last_at + interval '10 minutes'
    )
  )
$$;

-- Whoever may not change every project gets another id for one that is taken elsewhere, also by what lies in the trash:
-- that comes back under its id. What a draft holds already stays what it is, however often it is sent.
create or replace function private.receive_media() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  known public.project_media;
begin
  select * into known from public.project_media where id = new.id;
  if not private.is_client() or public.is_admin() then
    if known.id is not null then
      new.project_id := coalesce(new.project_id, known.project_id);
      new.url := coalesce(new.url, known.url);
    end if;
  elsif known.project_id <> new.project_id or known.id is null and exists (
    select from private.trash
    where object_id = new.id and table_name = 'project_media' and trash.project_id is distinct from new.project_id
  ) then
    new.id := gen_random_uuid();
  end if;
  return new;
end $$;

-- A creator or a person may be gone by now; then the guest, or nobody, stands in. What belongs to a project that is not
-- there stays in the trash, and so does whatever could not be put back. Projects that are still there are taken first,
-- as everybody who changes what belongs to them does.
create function private.bring_back(chosen bigint[]) returns integer
language plpgsql set search_path = '' as $$
declare
  restored integer;
begin
  perform from public.projects
  where id in (select trash.project_id from unnest(chosen) as wanted (id) join private.trash using (id))
  order by id for no key update;
  perform set_config('private.restoring', 'yes', true);
  insert into public.projects
  select (jsonb_populate_record(null::public.projects, entry || jsonb_build_object('created_by', coalesce(account.id, public.get_guest_user_id())))).*
  from unnest(chosen) as wanted (id) join private.trash using (id)
    left join auth.users account on account.id = (entry ->> 'created_by')::uuid
  where table_name = 'projects'
  order by trash.id desc
  on conflict do nothing;
  get diagnostics restored = row_count;

  -- Whatever an admin inserts counts as complete; a submission that was not stays open.
  update public.projects set submitted_at = null
  from unnest(chosen) as wanted (id) join private.trash using (id)
  where projects.id = trash.object_id and projects.status = 'draft' and projects.submitted_at = now()
    and table_name = 'projects' and entry ->> 'submitted_at' is null;

  insert into private.draft_secrets
  select (jsonb_populate_record(null::private.draft_secrets, entry)).*
  from unnest(chosen) as wanted (id) join private.trash using (id) join public.projects on projects.id = trash.project_id
  where table_name = 'draft_secrets'
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_budgets
  select (jsonb_populate_record(null::public.project_budgets, entry)).*
  from unnest(chosen) as wanted (id) join private.trash using (id) join public.projects on projects.id = trash.project_id
  where table_name = 'project_budgets' and not projects.show_budget
  order by trash.id desc
  on conflict do nothing;

  insert into public.case_study_metadata
  select (jsonb_populate_record(null::public.case_study_metadata, entry)).*
  from unnest(chosen) as wanted (id) join private.trash using (id) join public.projects on projects.id = trash.project_id
  where table_name = 'case_study_metadata'
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_members
  select (jsonb_populate_record(null::public.project_members, entry || jsonb_build_object('user_id', profiles.id))).*
  from unnest(chosen) as wanted (id) join private.trash using (id) join public.projects on projects.id = trash.project_id
    left join public.profiles on profiles.id = (entry ->> 'user_id')::uuid
  where table_name = 'project_members'
  order by trash.id desc
  on conflict do nothing;

  insert into public.project_media
  select (jsonb_populate_record(null::public.project_media, entry)).*
  from unnest(chosen) as wanted (id) join private.trash using (id) join public.projects on projects.id = trash.project_id
  where table_name = 'project_media'
  order by trash.id desc
  on conflict do nothing;

  perform set_config('private.restoring', '', true);
  perform private.list_again(array(
    select distinct projects.id
    from unnest(chosen) as wanted (id) join private.trash using (id) join public.projects on projects.id = trash.project_id
    where table_name in ('projects', 'case_study_metadata')
  ));
  delete from private.trash
  using unnest(chosen) as wanted (id)
  where trash.id = wanted.id and exists (select from public.projects where projects.id = trash.project_id)
    and (table_name <> 'project_media' or exists (
      select from public.project_media where project_media.id = trash.object_id and project_media.project_id = trash.project_id
    ));
  return restored;
end $$;

create or replace function private.restore(since timestamptz, until timestamptz) returns integer
language sql set search_path = '' as $$
  select private.bring_back(array(select id from private.trash where deleted_at between since and until))
$$;

create function public.list_trash(words text default null, kind text default null, skip integer default 0, take integer default 10)
returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  -- Counting stops here: nobody pages further, and a trash that holds more is searched.
  most constant integer := 1000;
  wanted text := '%' || regexp_replace(btrim(left(words, 100)), '([\\%_])', '\\\1', 'g') || '%';
  since timestamptz := now() - private.kept_for();
  answer jsonb;
begin
  perform private.require_admin();
  with matching as (
    select trash.id, trash.deleted_at
    from private.trash
    where trash.deleted_at > since
      and (
        (table_name = 'projects' and coalesce(kind, 'project') = 'project')
        or (table_name = 'project_media' and coalesce(kind, 'media') = 'media'
          and exists (select from public.projects where projects.id = trash.project_id))
      )
      and (coalesce(btrim(words), '') = '' or trash.title ilike wanted)
    order by trash.deleted_at desc, trash.id desc
    limit most
  ),
  page as (
    select trash.* from matching join private.trash using (id)
    order by matching.deleted_at desc, matching.id desc
    offset greatest(coalesce(skip, 0), 0) limit least(greatest(coalesce(take, 10), 1), 100)
  )
  select jsonb_build_object(
    'total', (select count(*) from matching),
    'more', (select count(*) from matching) = most,
    'kept_days', (select days from private.trash_keeping),
    'rows', coalesce(jsonb_agg(jsonb_build_object(
      'kind', case when page.table_name = 'projects' then 'project' else 'media' end,
      'id', page.object_id,
      'title', page.title,
      'client', case when page.table_name = 'projects' then page.entry ->> 'client' end,
      'status', case when page.table_name = 'projects' then page.entry ->> 'status' end,
      'type', case when page.table_name = 'project_media' then page.entry ->> 'type' end,
      'url', case when page.table_name = 'project_media' then page.entry ->> 'url' end,
      'project', (select jsonb_build_object('id', projects.id, 'title', projects.title) from public.projects where projects.id = page.project_id),
      'media', case when page.table_name = 'projects' then (
        select count(*) from private.trash other where other.id = any(private.gone_with(page.id)) and other.table_name = 'project_media'
      ) end,
      'deleted_at', page.deleted_at,
      'deleted_by', (select coalesce(profiles.email, profiles.name) from public.profiles where profiles.user_id = page.deleted_by),
      'kept_until', page.deleted_at + private.kept_for()
    ) order by page.deleted_at desc, page.id desc), '[]')
  ) into answer from page;
  return answer;
end $$;
comment on function public.list_trash(text, text, integer, integer) is
  'For admins: deleted projects, and media of projects that are still there, newest first; `words` looks in titles, `kind` is project or media.';

-- Two who bring back the same thing take turns on its row; the second finds it gone from the trash, and nothing is doubled.
create function public.restore_from_trash(projects uuid[] default '{}', media uuid[] default '{}') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  since timestamptz := now() - private.kept_for();
  chosen bigint[];
  restored_projects integer;
  restored_media integer;
  names text;
begin
  perform private.require_admin();
  if coalesce(cardinality(projects), 0) + coalesce(cardinality(media), 0) > 100 then
    raise exception using errcode = 'PT400', message = 'At most 100 things come back at once.';
  end if;
  select array_agg(found.id) into chosen
  from (
    select trash.id from private.trash
    where trash.deleted_at > since and (
      (table_name = 'projects' and object_id = any(restore_from_trash.projects))
      or (table_name = 'project_media' and object_id = any(restore_from_trash.media))
    )
    order by trash.id
    for update
  ) as found;
  select count(*), string_agg(object_id::text, ' ') filter (where place <= 10) into restored_media, names
  from (
    select object_id, row_number() over (order by trash.id) as place from private.trash
    where id = any(chosen) and table_name = 'project_media' and exists (select from public.projects where projects.id = trash.project_id)
  ) as items;
  if restored_media > 0 then
    perform private.record('project_media.restore', names, 'done', case when restored_media > 1 then restored_media || ' rows' end);
  end if;
  select string_agg(object_id::text, ' ') filter (where place <= 10) into names
  from (
    select object_id, row_number() over (order by trash.id) as place from private.trash
    where id = any(chosen) and table_name = 'projects'
  ) as items;
  restored_projects := private.bring_back(array(
    select distinct all_of_it.id
    from private.trash
      cross join lateral unnest(case when table_name = 'projects' then private.gone_with(trash.id) else array[trash.id] end) as all_of_it (id)
    where trash.id = any(chosen)
  ));
  if restored_projects > 0 then
    perform private.record('projects.restore', names, 'done', case when restored_projects > 1 then restored_projects || ' projects' end);
  end if;
  return jsonb_build_object('projects', restored_projects, 'media', restored_media);
end $$;
comment on function public.restore_from_trash(uuid[], uuid[]) is
  'For admins: brings back projects with all that went with them, and single media; answers how many. What is not in the trash any more counts as none.';

-- Also when nobody deletes anything any more. An address is not kept longer because its submission was deleted.
create function private.forget_deleted() returns void
language sql set search_path = '' as $$
  delete from private.trash where deleted_at < now() - private.kept_for();
  delete from private.trash contact using private.trash review
  where contact.table_name = 'review_contacts' and review.table_name = 'reviews' and review.project_id = contact.project_id
    and review.entry ->> 'state' in ('asked', 'declined', 'published')
    and (review.entry ->> 'answered_at')::timestamptz < now() - private.addresses_kept_for();
  update private.trash set entry = entry || '{"mail_to": null}'
  where table_name = 'review_steps' and entry ->> 'mail_to' is not null
    and (entry ->> 'given_at')::timestamptz < now() - private.addresses_kept_for()
$$;
comment on function private.forget_deleted() is
  'Removes from the trash what was kept long enough, and submitters'' addresses as private.forget_review_addresses() does. Hourly.';

revoke all on function private.gone_with(bigint), private.bring_back(bigint[]), private.forget_deleted() from public;
revoke all on function public.list_trash(text, text, integer, integer), public.restore_from_trash(uuid[], uuid[])
  from public, anon, authenticated, service_role;
grant execute on function public.list_trash(text, text, integer, integer), public.restore_from_trash(uuid[], uuid[]) to authenticated;
