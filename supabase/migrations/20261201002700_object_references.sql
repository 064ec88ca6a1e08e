-- References of rows to stored files. Searching all texts for URLs gets slower as rows are added, so triggers
-- record the references of each changed row here; a file without a row here is unused. Versions of projects and the
-- history of settings do not count.

create table private.object_references (
  table_name text not null,
  record     text not null, -- primary key of the row
  bucket_id  text not null,
  name       text not null,
  primary key (table_name, record, bucket_id, name)
);
comment on table private.object_references is
  'Stored files by the rows that refer to them. Maintained by triggers; private.repair_object_references() verifies it.';
create index object_references_by_object on private.object_references (bucket_id, name);

-- No search_path, so that the function can be inlined.
create function private.objects_in(body text) returns table (bucket_id text, name text)
language sql immutable as $$
  select distinct file.bucket_id, file.name
  from pg_catalog.regexp_matches(body, '/(case-studies(?=/images/)|films)/((?:images/)?([0-9a-f-]{36})\.[a-z0-9]{3,4})', 'g') as found
  cross join lateral (values (found[1], found[2]), ('captions', found[3] || '.vtt')) as file (bucket_id, name)
  where file.bucket_id <> 'captions' or found[1] = 'films'
$$;
comment on function private.objects_in is 'Files of our buckets whose URLs occur in a text; with a film, its captions.';

-- Reads the rows again, because another trigger may have changed them. Arguments: primary key, and its type.
create function private.update_object_references() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  key constant text := tg_argv[0];
  touched text[] := '{}';
begin
  if tg_op = 'TRUNCATE' then
    delete from private.object_references where table_name = tg_table_name;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    touched := array(select to_jsonb(stale) ->> key from stale where to_jsonb(stale)::text like any ('{%/case-studies/images/%,%/films/%}'));
  end if;
  if tg_op <> 'DELETE' then
    touched := touched || array(select to_jsonb(fresh) ->> key from fresh where to_jsonb(fresh)::text like any ('{%/case-studies/images/%,%/films/%}'));
  end if;
  if touched = '{}' then
    return null;
  end if;
  execute format('
    with found as materialized (
      select one.%1$I::text as record, found.bucket_id, found.name
      from %2$I.%3$I one cross join lateral private.objects_in(to_jsonb(one)::text) found
      where one.%1$I = any ($1::%4$s[])
    ), gone as (
      delete from private.object_references known where known.table_name = %3$L and known.record = any ($1)
        and not exists (select from found where (found.record, found.bucket_id, found.name) = (known.record, known.bucket_id, known.name))
    )
    insert into private.object_references select %3$L, found.* from found on conflict do nothing',
    key, tg_table_schema, tg_table_name, tg_argv[1]
  ) using touched;
  return null;
end $$;

-- Tables whose texts may refer to files, each with its primary key and the type of that.
create function private.referring_tables() returns table (place regclass, key name, kind text)
language sql immutable set search_path = '' as $$
  values ('public.projects'::regclass, 'id'::name, 'uuid'), ('public.case_study_metadata', 'project_id', 'uuid'), ('public.project_media', 'id', 'uuid'),
    ('public.site_pages', 'slug', 'text'), ('public.site_settings', 'name', 'text'), ('private.trash', 'id', 'bigint'),
    ('public.pages', 'id', 'uuid'), ('public.page_versions', 'id', 'uuid'), ('public.planned_changes', 'id', 'uuid')
$$;

do $$
declare
  source record;
begin
  for source in select place, concat_ws(', ', key, kind) as arguments from private.referring_tables() loop
    execute format('create trigger reference_inserted after insert on %s referencing new table as fresh for each statement execute function private.update_object_references(%s)', source.place, source.arguments);
    execute format('create trigger reference_updated after update on %s referencing old table as stale new table as fresh for each statement execute function private.update_object_references(%s)', source.place, source.arguments);
    execute format('create trigger reference_deleted after delete on %s referencing old table as stale for each statement execute function private.update_object_references(%s)', source.place, source.arguments);
    execute format('create trigger reference_emptied after truncate on %s for each statement execute function private.update_object_references()', source.place);
  end loop;
end $$;

create function private.search_object_references() returns setof private.object_references
language plpgsql stable set search_path = '' as $$
begin
  return query execute (
    select format(
      'select table_name, record, found.bucket_id, found.name from (%s) as source cross join lateral private.objects_in(body) found where body like any (%L)',
      string_agg(format('select %L as table_name, %I::text as record, to_jsonb(one)::text as body from %s one', split_part(place::text, '.', 2), key, place), ' union all '),
      '{%/case-studies/images/%,%/films/%}'::text[]
    ) from private.referring_tables()
  );
end $$;
comment on function private.search_object_references is 'The references found by searching all texts. Its time grows with the number of rows.';

-- No lock while everything matches. For a repair, changes of references are blocked, so that the search and the table
-- describe the same state.
create function private.repair_object_references() returns table (missing bigint, surplus bigint)
language plpgsql set search_path = '' as $$
begin
  select count(*) filter (where known.name is null), count(*) filter (where found.name is null) into missing, surplus
  from private.search_object_references() found
    full join private.object_references known using (table_name, record, bucket_id, name)
  where known.name is null or found.name is null;
  if missing + surplus > 0 then
    lock table private.object_references in share row exclusive mode;
    with found as materialized (select * from private.search_object_references()),
    gone as (
      delete from private.object_references known where not exists (
        select from found where (found.table_name, found.record, found.bucket_id, found.name) = (known.table_name, known.record, known.bucket_id, known.name)
      )
    )
    insert into private.object_references select * from found on conflict do nothing;
  end if;
  return next;
end $$;
comment on function private.repair_object_references is
  'Compares the references with every text, repairs them, and returns how many were missing and how many surplus.';

-- A file may be uploaded and never used, or its project may be purged. No search_path either: inlined, so a query for a
-- few files is planned as one.
create function private.orphaned_objects(older_than interval) returns table (bucket_id text, name text)
language sql stable as $$
  select stored.bucket_id, stored.name from storage.objects stored
  where stored.bucket_id in ('case-studies', 'films', 'captions') and stored.created_at <= pg_catalog.now() - older_than and not exists (
    select from private.object_references known where known.bucket_id = stored.bucket_id and known.name = stored.name
  )
$$;

comment on function private.orphaned_objects is 'Files of the product''s buckets that have been unreferenced for at least the given time.';

-- References of existing rows.
select private.repair_object_references();
