-- Pictures nobody uses: a form that was never sent, a picture that was replaced. The storage service asks once an hour
-- and removes them, bytes included; a hosted project can ask from a scheduled function.

create function private.orphaned_objects(older_than interval) returns table (bucket_id text, name text)
language plpgsql stable set search_path = '' as $$
declare
  picture constant text := '/case-studies/(images/[0-9a-f-]{36}\.[a-z]{3,4})';
  used text[] := '{}';
  here record;
  found text[];
begin
  -- Every column that may hold an address: rich texts, and plain ones named for it. Tables to come are counted in.
  for here in
    select namespaces.nspname, classes.relname, attributes.attname
    from pg_catalog.pg_attribute attributes
    join pg_catalog.pg_class classes on classes.oid = attributes.attrelid
    join pg_catalog.pg_namespace namespaces on namespaces.oid = classes.relnamespace
    join pg_catalog.pg_type types on types.oid = attributes.atttypid
    where namespaces.nspname = 'public' and classes.relkind in ('r', 'p') and attributes.attnum > 0 and not attributes.attisdropped
      and (types.typname = 'rich_text' or (types.typname = 'text' and attributes.attname ~ '(^|_)url$'))
  loop
    execute format(
      'select array_agg(hit[1]) from %I.%I, regexp_matches(%I::text, %L, ''g'') as hits (hit) where %I like ''%%/case-studies/images/%%''',
      here.nspname, here.relname, here.attname, picture, here.attname
    ) into found;
    used := used || coalesce(found, '{}');
  end loop;
  return query
    select objects.bucket_id, objects.name from storage.objects
    where objects.bucket_id = 'case-studies' and objects.created_at < now() - older_than and objects.name <> all (used);
end $$;
comment on function private.orphaned_objects(interval) is
  'Pictures in our bucket, older than this, whose address stands in no record and in no text.';
revoke all on function private.orphaned_objects(interval) from public;
