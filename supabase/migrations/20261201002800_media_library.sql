-- expand: the release before works on without the library.
-- Media library: every stored picture and film, with the words that a new use starts with. Where a file is used is in
-- private.object_references.

create table public.media_files (
  id         uuid primary key default gen_random_uuid(),
  bucket_id  text not null,
  name       text not null,
  kind       text not null generated always as (case bucket_id when 'films' then 'film' else 'image' end) stored,
  file_name  text constraint "a file name is at most 200 characters" check (private.check_length('A file name', char_length(file_name), 200)),
  alt        text constraint "an alternative text of a file is at most 500 characters" check (private.check_length('An alternative text', char_length(alt), 500)),
  credit     text constraint "a credit is at most 200 characters" check (private.check_length('A credit', char_length(credit), 200)),
  bytes      bigint,
  width      integer,
  height     integer,
  kept       boolean not null default false,
  created_at timestamptz not null default now(),
  created_by uuid references public.profiles (user_id) on delete set null,
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint "a file is listed once" unique (bucket_id, name)
);
comment on table public.media_files is 'Pictures and films of the buckets case-studies and films. For editors; written by triggers and through functions.';
comment on column public.media_files.alt is 'Alternative text that a new use starts with; empty for a decorative picture, null when missing.';
comment on column public.media_files.kept is 'Whether the file stays without a use. Others are removed a day after their upload.';
comment on column public.media_files.deleted_at is 'When an admin deleted it; its bytes stay as long as a row in the trash.';
create index media_files_newest on public.media_files (created_at desc, id desc);
create index media_files_by_creator on public.media_files (created_by);

select private.enable_row_security('public.media_files');
create policy "editors read the media library" on public.media_files for select to authenticated using ((select public.can_edit_content()));
grant select on public.media_files to authenticated, service_role;
create trigger touch before update on public.media_files for each row execute function private.touch();

create function private.list_media_file(stored storage.objects) returns void
language sql set search_path = '' as $$
  insert into public.media_files (bucket_id, name, bytes, width, height, created_at, created_by)
  select (stored).bucket_id, (stored).name, ((stored).metadata ->> 'size')::bigint,
    ((stored).metadata ->> 'width')::integer, ((stored).metadata ->> 'height')::integer, coalesce((stored).created_at, now()),
    (select user_id from public.profiles where user_id = private.uuid_in((stored).owner_id))
  where (stored).bucket_id in ('case-studies', 'films')
  on conflict (bucket_id, name) do update set bytes = excluded.bytes, width = excluded.width, height = excluded.height
  where (media_files.bytes, media_files.width, media_files.height) is distinct from (excluded.bytes, excluded.width, excluded.height)
$$;

create function private.list_stored_media() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.media_files where bucket_id = old.bucket_id and name = old.name and (old.bucket_id, old.name) is distinct from (new.bucket_id, new.name);
  perform private.list_media_file(new) where tg_op <> 'DELETE';
  return null;
end $$;

create function private.sync_media_files() returns void
language plpgsql set search_path = '' as $$
begin
  perform private.list_media_file(stored) from storage.objects stored where bucket_id in ('case-studies', 'films');
  delete from public.media_files file where not exists (select from storage.objects stored where stored.bucket_id = file.bucket_id and stored.name = file.name);
end $$;
comment on function private.sync_media_files is 'Lists all stored files. For a hosted project, whose storage.objects takes no triggers: run it hourly.';

do $$
begin
  create trigger list_media after insert or delete or update of bucket_id, name, metadata on storage.objects
    for each row execute function private.list_stored_media();
exception when insufficient_privilege then
  raise notice 'storage.objects takes no triggers here: run private.sync_media_files() hourly.';
end $$;
select private.sync_media_files();

-- A new use of a file waits for its deletion and, unless a submitter made it, revokes it. Deletions lock `for update`, and
-- look for uses after that.
create function private.use_media_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.media_files file where (file.bucket_id, file.name) in (select bucket_id, name from fresh) order by id for key share;
  update public.media_files file set deleted_at = null
  where file.deleted_at is not null and (file.bucket_id, file.name) in (select bucket_id, name from fresh)
    and (not private.is_client() or public.can_edit_content());
  return null;
end $$;
create trigger use_media after insert on private.object_references referencing new table as fresh for each statement execute function private.use_media_file();

-- Like private.orphaned_objects(), without the files that the library keeps, and the captions of its films.
create function private.removable_objects(older_than interval) returns table (bucket_id text, name text)
language sql stable as $$
  select unused.bucket_id, unused.name from private.orphaned_objects(older_than) unused
  where not exists (
    select from public.media_files file
    where file.kept and case unused.bucket_id
        when 'captions' then file.bucket_id = 'films' and left(file.name, 36) = left(unused.name, 36)
        else file.bucket_id = unused.bucket_id and file.name = unused.name end
      and (file.deleted_at is null or file.deleted_at > pg_catalog.now() - (select private.trash_retention()))
  )
$$;
comment on function private.removable_objects is 'Unreferenced files that neither the library keeps nor an admin can still restore.';

create function private.remove_objects(older_than interval) returns table (version text, created_at timestamptz)
language plpgsql set search_path = '' as $$
begin
  perform from public.media_files file where (file.bucket_id, file.name) in (select * from private.removable_objects(older_than)) order by id for update;
  return query delete from storage.objects stored
  where (stored.bucket_id, stored.name) in (select * from private.removable_objects(older_than)) returning stored.version, stored.created_at;
end $$;

create function private.media_title(file public.media_files) returns text
language sql stable set search_path = '' as $$
  select coalesce((file).file_name, (
    select case when right(media.url, length((file).name)) = (file).name then media.title else 'Poster of “' || media.title || '”' end
    from private.object_references used join public.project_media media on media.id = private.uuid_in(used.record)
    where used.bucket_id = (file).bucket_id and used.name = (file).name and used.table_name = 'project_media' and media.title is not null
    order by right(media.url, length((file).name)) = (file).name desc, media.created_at, media.id limit 1
  ))
$$;
comment on function private.media_title is 'Name of the uploaded file, else the title of its first use, else null.';

create function private.is_media_used(file public.media_files) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.object_references used
    where used.bucket_id = (file).bucket_id and used.name = (file).name and used.table_name <> 'trash')
$$;

-- {"uses", "places": [{"kind": "project" | "page" | "legal" | "setting" | "trash", "id", "title", "status"}]}, the first 20 places.
create function private.media_places(file public.media_files) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('uses', count(*), 'places', coalesce(
    jsonb_agg(to_jsonb(place) - 'nth' order by place.nth) filter (where place.nth <= 20), '[]'))
  from (
    select found.*, row_number() over (order by kind, title, id) as nth
    from (
      select distinct
        case used.table_name when 'site_pages' then 'legal' when 'site_settings' then 'setting' when 'trash' then 'trash'
          when 'pages' then 'page' when 'page_versions' then 'page' else 'project' end as kind,
        case when used.table_name in ('site_pages', 'site_settings') then used.record else coalesce(project.id, page.id)::text end as id,
        coalesce(project.title, page.title, page.kind) as title, project.status
      from private.object_references used
        left join public.project_media media on used.table_name = 'project_media' and media.id = private.uuid_in(used.record)
        left join public.planned_changes plan on used.table_name = 'planned_changes' and plan.id = private.uuid_in(used.record)
        left join public.projects project on project.id = coalesce(
          media.project_id, plan.project_id, case when used.table_name in ('projects', 'case_study_metadata') then private.uuid_in(used.record) end)
        left join public.page_versions version on used.table_name = 'page_versions' and version.id = private.uuid_in(used.record)
        left join public.pages page on page.id = coalesce(
          version.page_id, case when used.table_name = 'pages' then private.uuid_in(used.record) end)
      where used.bucket_id = (file).bucket_id and used.name = (file).name
    ) found
  ) place
$$;

-- One page, newest first. `before` is the cursor of the page before: {"at", "id"}.
create function public.list_media(
  words text default null, kind text default null, state text default null, before jsonb default null, take integer default 24
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  size constant integer := least(greatest(coalesce(take, 24), 1), 100);
  pattern constant text := '%' || regexp_replace(nullif(btrim(left(words, 100)), ''), '([\\%_])', '\\\1', 'g') || '%';
begin
  perform private.require_editor('Only an editor can open the media library.');
  return (with titled as materialized (
    select used.bucket_id, used.name
    from private.object_references used
      join public.project_media media on media.id = case used.table_name when 'project_media' then used.record::uuid end
      join public.projects project on project.id = media.project_id
    where pattern is not null
      and (media.title ilike pattern or media.alt ilike pattern or project.title ilike pattern)
  ),
  -- All of their uses have words of their own, or need none as posters and portraits.
  described as materialized (
    select used.bucket_id, used.name
    from private.object_references used
      left join public.project_media media on media.id = case used.table_name when 'project_media' then used.record::uuid end
    where state = 'no_alt' and used.table_name in ('project_media', 'site_settings')
    group by 1, 2 having bool_and(used.table_name = 'site_settings' or media.alt is not null or right(media.url, length(used.name)) <> used.name)
  ),
  listed as materialized (
    select file.id, file.created_at
    from public.media_files file
    where (list_media.kind is null or file.kind = list_media.kind)
      and case when state = 'deleted'
        then file.deleted_at > now() - (select private.trash_retention()) else file.deleted_at is null end
      and (state is distinct from 'unused' or not exists (
        select from private.object_references used where used.bucket_id = file.bucket_id and used.name = file.name
      ))
      and (state is distinct from 'no_alt' or file.kind = 'image' and file.alt is null
        and (file.bucket_id, file.name) not in (select bucket_id, name from described))
      and (pattern is null or file.file_name ilike pattern or file.alt ilike pattern or file.credit ilike pattern
        or file.name ilike pattern or (file.bucket_id, file.name) in (select bucket_id, name from titled))
  ),
  page as (
    select file.*, row_number() over (order by file.created_at desc, file.id desc) as nth
    from (
      select id from listed
      where before is null or (created_at, id) < ((before ->> 'at')::timestamptz, (before ->> 'id')::uuid) order by created_at desc, id desc limit size + 1
    ) chosen join public.media_files file using (id)
  )
  select jsonb_build_object(
    'total', (select count(*) from listed),
    'next', (select jsonb_build_object('at', created_at, 'id', id) from page where nth = size and exists (select from page where nth > size)),
    'rows', coalesce(jsonb_agg(jsonb_build_object(
      'id', page.id, 'bucket', page.bucket_id, 'name', page.name, 'kind', page.kind,
      'title', private.media_title(file), 'file_name', page.file_name, 'credit', page.credit,
      'alt', coalesce(page.alt, (
        select media.alt from public.project_media media
        where private.file_of(media.url) = page.name and media.alt is not null order by media.created_at, media.id limit 1
      )),
      -- As the text of the video that it is the poster of, or as the person in a portrait of the settings.
      'is_named', (
        select coalesce(bool_and(used.table_name = 'site_settings' or right(media.url, length(page.name)) <> page.name), false)
        from private.object_references used left join public.project_media media on media.id = private.uuid_in(used.record)
        where used.bucket_id = page.bucket_id and used.name = page.name and used.table_name in ('project_media', 'site_settings')
      ), 'poster', case when page.kind = 'film' then (
        select media.poster from private.object_references used join public.project_media media on media.id = private.uuid_in(used.record)
        where used.bucket_id = page.bucket_id and used.name = page.name and used.table_name = 'project_media' and media.poster is not null
        order by media.created_at, media.id limit 1
      ) end,
      'bytes', page.bytes, 'width', page.width, 'height', page.height,
      'created_at', page.created_at, 'updated_at', page.updated_at,
      'created_by', (select coalesce(profiles.name, profiles.email) from public.profiles where profiles.user_id = page.created_by),
      'kept', page.kept, 'kept_until', page.deleted_at + private.trash_retention()
    ) || private.media_places(file) order by page.nth), '[]')
  )
  from page join public.media_files file using (id)
  where page.nth <= size);
end $$;
comment on function public.list_media is
  'For editors: stored pictures and films with where they are used. `kind` is image or film; `state` is unused, no_alt or deleted.';

create function public.add_to_library(p_name text, p_file_name text, p_bucket text default 'case-studies') returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  added uuid;
begin
  perform private.require_editor('Only an editor can add files to the media library.');
  perform private.list_media_file(stored) from storage.objects stored where bucket_id = p_bucket and name = p_name;
  update public.media_files set kept = true, file_name = nullif(btrim(left(p_file_name, 200)), '')
  where bucket_id = p_bucket and name = p_name returning id into added;
  perform private.raise_if(added is null, 'PT404', 'The file is not stored. Upload it again.');
  perform private.record('media_files.insert', added::text, 'done', p_file_name);
  return added;
end $$;
comment on function public.add_to_library is 'For editors: keeps an uploaded file without a use, under the name it had on the device.';

create function private.media_titles(ids uuid[]) returns text
language sql stable set search_path = '' as $$
  select string_agg(coalesce(private.media_title(file), file.name), ', ' order by file.created_at, file.id) from public.media_files file where file.id = any (ids)
$$;

create function private.media_projects(files uuid[]) returns uuid[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(distinct coalesce(media.project_id, plan.project_id, private.uuid_in(used.record))), '{}')
  from public.media_files file
    join private.object_references used using (bucket_id, name)
    left join public.project_media media on used.table_name = 'project_media' and media.id = private.uuid_in(used.record)
    left join public.planned_changes plan on used.table_name = 'planned_changes' and plan.id = private.uuid_in(used.record)
  where file.id = any (files) and used.table_name in ('projects', 'case_study_metadata', 'project_media', 'planned_changes')
$$;

-- Lock order of every save: projects, their parts, the registers; then the files, which keeps new uses out.
create function private.lock_media_uses(files uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  locked constant uuid[] := private.media_projects(files);
begin
  perform from public.projects where id = any (locked) order by id for no key update;
  perform from public.project_media where project_id = any (locked) order by id for update;
  perform from public.case_study_metadata where project_id = any (locked) order by project_id for update;
  perform private.lock_registers(locked);
  perform from public.media_files where id = any (files) order by id for update;
  perform private.raise_if(not private.media_projects(files) <@ locked, 'PT409',
    'A file was used in another project meanwhile, so nothing was changed. Try again.');
end $$;

create function private.describe_media_in(fields jsonb, alts jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_set(fields, '{media}', coalesce(jsonb_agg(
    case when alts ? (item ->> 'id') and item ->> 'alt' is not distinct from alts -> (item ->> 'id') ->> 'old'
      then item || jsonb_build_object('alt', alts -> (item ->> 'id') -> 'new') else item end order by place), '[]'))
  from jsonb_array_elements(fields -> 'media') with ordinality as listed (item, place)
$$;

create function public.describe_media_files(p_changes jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  ids uuid[];
  former jsonb;
begin
  perform private.require_editor('Only an editor can change the media library.');
  perform private.raise_if(jsonb_typeof(p_changes) is distinct from 'array', 'PT400', 'The changes are a list.');
  ids := array(select (change ->> 'id')::uuid from jsonb_array_elements(p_changes) change);
  perform private.raise_if(cardinality(ids) > 100, 'PT400', 'At most 100 files are changed at once.');
  perform private.lock_media_uses(ids);
  perform private.raise_if(exists (
    select from jsonb_array_elements(p_changes) change
      left join public.media_files file on file.id = (change ->> 'id')::uuid and file.updated_at = (change ->> 'seen')::timestamptz
    where file.id is null
  ), 'PT409', 'A file was changed or deleted meanwhile, so nothing was saved. Look at the list again, then save.');

  select to_jsonb(file) into former from public.media_files file where id = ids[1] and cardinality(ids) = 1;
  -- Uses without words of their own, or with the earlier default, get the new one.
  with described as (
    update public.project_media media set alt = btrim(change ->> 'alt')
    from jsonb_array_elements(p_changes) change join public.media_files file on file.id = (change ->> 'id')::uuid
    where private.file_of(media.url) = file.name and media.type = 'image' and change ->> 'alt' is not null
      and media.alt is not distinct from file.alt and media.alt is distinct from btrim(change ->> 'alt')
    returning media.project_id, media.id, file.alt as old_alt, media.alt as new_alt
  ), by_project as (select project_id, jsonb_object_agg(id, jsonb_build_object('old', old_alt, 'new', new_alt)) as alts from described group by project_id)
  -- Also in a revision and its base, or the words would be a conflict.
  update public.planned_changes plan set updated_at = clock_timestamp(),
    fields = private.describe_media_in(plan.fields, alts), base = private.describe_media_in(plan.base, alts)
  from by_project where plan.project_id = by_project.project_id and plan.fields ? 'media';
  update public.media_files file set kept = true,
    alt = case when change ? 'alt' then btrim(change ->> 'alt') else file.alt end,
    credit = case when change ? 'credit' then nullif(btrim(change ->> 'credit'), '') else file.credit end,
    file_name = case when change ? 'file_name' then nullif(btrim(change ->> 'file_name'), '') else file.file_name end
  from jsonb_array_elements(p_changes) change
  where file.id = (change ->> 'id')::uuid;
  update public.project_media media set credit = file.credit
  from public.media_files file join private.object_references used using (bucket_id, name)
  where file.id = any (ids) and used.table_name = 'project_media' and media.id = private.uuid_in(used.record)
    and right(media.url, length(file.name)) = file.name and media.credit is distinct from file.credit;
  perform private.record('media_files.update', array_to_string(ids, ' '), 'done', private.media_titles(ids),
    private.changed_columns(former, (select to_jsonb(file) from public.media_files file where id = ids[1] and former is not null), '{alt, credit, file_name}'));
end $$;
comment on function public.describe_media_files is
  'For editors: changes alt, credit and file_name of files, [{id, seen, alt, credit, file_name}], all or none. Refuses files that were changed after `seen` (409).';

create function public.delete_media_files(p_ids uuid[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  gone uuid[];
  used jsonb;
begin
  perform private.require_editor('Only an editor can delete files of the media library.');
  perform private.raise_if(cardinality(p_ids) > 100, 'PT400', 'At most 100 files are deleted at once.');
  perform from public.media_files where id = any (p_ids) order by id for update;
  with deleted as (
    update public.media_files file set deleted_at = now(), kept = true
    where id = any (p_ids) and deleted_at is null and not private.is_media_used(file) returning id
  )
  select coalesce(array_agg(id), '{}') into gone from deleted;
  select coalesce(jsonb_agg(jsonb_build_object('id', file.id, 'name', file.name, 'kind', file.kind, 'title', private.media_title(file)) || private.media_places(file)), '[]') into used
  from public.media_files file where id = any (p_ids) and private.is_media_used(file);
  perform private.record('media_files.delete', array_to_string(gone, ' '), 'done', private.media_titles(gone)) where gone <> '{}';
  perform private.record('media_files.delete', null, 'refused', 'in use') where used <> '[]';
  return jsonb_build_object('deleted', gone, 'used', used);
end $$;
comment on function public.delete_media_files is
  'For editors: deletes files that are not used; they can be restored as long as a row in the trash. Returns the ids of the deleted ones, and the used ones with their places.';

create function public.restore_media_files(p_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  restored uuid[];
begin
  perform private.require_editor('Only an editor can restore files of the media library.');
  with back as (update public.media_files set deleted_at = null where id = any (p_ids) and deleted_at is not null returning id)
  select coalesce(array_agg(id), '{}') into restored from back;
  perform private.record('media_files.restore', array_to_string(restored, ' '), 'done', private.media_titles(restored)) where restored <> '{}';
  return cardinality(restored);
end $$;
comment on function public.restore_media_files is 'For editors: restores deleted files and returns how many.';

create function public.replace_media_file(p_id uuid, p_by uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  file public.media_files;
  other public.media_files;
  old_path text;
  new_path text;
  size constant text := '%s", "width": %s, "height": %s';
  old_size text;
  new_size text;
  uses integer;
begin
  perform private.require_editor('Only an editor can replace files of the media library.');
  perform private.lock_media_uses(array[p_id, p_by]);
  select * into file from public.media_files where id = p_id;
  select * into other from public.media_files where id = p_by and deleted_at is null;
  perform private.raise_if(p_id = p_by or file.id is null or other.id is null, 'PT404', 'One of the files is not there any more. Nothing was replaced.');
  perform private.raise_if(file.kind <> other.kind, 'PT422', 'A picture is replaced by a picture, and a film by a film. Nothing was replaced.');
  old_path := '/' || file.bucket_id || '/' || file.name;
  new_path := '/' || other.bucket_id || '/' || other.name;
  old_size := format(size, old_path, coalesce(file.width::text, 'null'), coalesce(file.height::text, 'null'));
  new_size := format(size, new_path, coalesce(other.width::text, 'null'), coalesce(other.height::text, 'null'));
  uses := (private.media_places(other) ->> 'uses')::integer;

  update public.project_media media set url = replace(url, old_path, new_path), poster = replace(poster, old_path, new_path)
  from private.object_references used
  where used.table_name = 'project_media' and (used.bucket_id, used.name) = (file.bucket_id, file.name) and media.id = private.uuid_in(used.record);
  update public.projects project set
    description = replace(description, old_path, new_path), understanding = replace(understanding, old_path, new_path),
    actions = replace(actions, old_path, new_path), impact = replace(impact, old_path, new_path)
  from private.object_references used
  where used.table_name = 'projects' and (used.bucket_id, used.name) = (file.bucket_id, file.name) and project.id = private.uuid_in(used.record);
  -- Also the base, or the replacement would be a conflict.
  update public.planned_changes set updated_at = clock_timestamp(),
    fields = replace(fields::text, old_path, new_path)::jsonb, base = replace(base::text, old_path, new_path)::jsonb
  where position(old_path in concat(fields, base)) > 0;
  update public.site_pages set body = replace(body, old_path, new_path) where position(old_path in body) > 0;
  update public.site_settings set value = replace(value::text, old_path, new_path)::jsonb where position(old_path in value::text) > 0;
  update public.pages set revision = revision + 1,
    draft = replace(replace(draft::text, old_size, new_size), old_path, new_path)::jsonb,
    live = replace(replace(live::text, old_size, new_size), old_path, new_path)::jsonb
  where position(old_path in concat(draft, live)) > 0;
  update public.media_files set kept = true where id in (p_id, p_by);
  -- The words of a project, which a guest may have written, can contain the address without showing the file.
  perform private.raise_if(exists (
    select from private.object_references used
    where (used.bucket_id, used.name) = (file.bucket_id, file.name)
      and used.table_name not in ('trash', 'page_versions', 'projects', 'project_media', 'case_study_metadata')
  ), 'PT409', 'Not every use could be changed, so nothing was replaced. Try again.');
  perform private.record('media_files.replace', p_id || ' ' || p_by, 'done', private.media_titles(array[p_id, p_by]));
  return (private.media_places(other) ->> 'uses')::integer - uses;
end $$;
comment on function public.replace_media_file is
  'For editors: makes every use of a file show another one of its kind, and returns in how many more places that is used now. The trash and published versions of pages keep the former one.';

grant execute on function public.list_media, public.add_to_library, public.describe_media_files, public.delete_media_files,
  public.restore_media_files, public.replace_media_file to authenticated;
