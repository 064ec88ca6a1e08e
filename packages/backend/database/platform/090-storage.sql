-- Files by name, with their permissions; the bytes are in the object store. Without a policy only the service has
-- access; the grants below only enable policies.
do $$ begin create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR'); exception when duplicate_object then null; end $$;

create table if not exists storage.buckets (
  id                 text primary key,
  name               text not null unique,
  owner              uuid,
  created_at         timestamptz default now(),
  updated_at         timestamptz default now(),
  public             boolean default false,
  avif_autodetection boolean default false,
  file_size_limit    bigint,
  allowed_mime_types text[],
  owner_id           text,
  type               storage.buckettype not null default 'STANDARD'
);

create table if not exists storage.objects (
  id               uuid primary key default gen_random_uuid(),
  bucket_id        text references storage.buckets,
  name             text,
  owner            uuid,
  created_at       timestamptz default now(),
  updated_at       timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata         jsonb, -- eTag, size, mimetype, cacheControl, lastModified; ours for pictures: width, height, placeholder
  path_tokens      text[] generated always as (string_to_array(name, '/')) stored,
  version          text,
  owner_id         text,
  user_metadata    jsonb
);
create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);
create index if not exists name_prefix_search on storage.objects (name text_pattern_ops);
create index if not exists objects_created_at_idx on storage.objects (bucket_id, created_at);

alter table storage.buckets enable row level security, force row level security;
alter table storage.objects enable row level security, force row level security;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;

create or replace function storage.foldername(name text) returns text[]
language sql immutable as $$ select parts[1:array_length(parts, 1) - 1] from (select string_to_array(name, '/')) as split (parts) $$;
create or replace function storage.filename(name text) returns text
language sql immutable as $$ select parts[array_length(parts, 1)] from (select string_to_array(name, '/')) as split (parts) $$;
create or replace function storage.extension(name text) returns text
language sql immutable as $$
  select reverse(split_part(reverse(parts[array_length(parts, 1)]), '.', 1)) from (select string_to_array(name, '/')) as split (parts)
$$;

create or replace function storage.update_updated_at_column() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
create or replace trigger update_objects_updated_at before update on storage.objects for each row execute function storage.update_updated_at_column();

-- Servers cache public files. The payload names the changed file, or is empty when any may have changed.
create or replace function storage.notify_file_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  file text := '';
begin
  if tg_table_name = 'objects' and tg_level = 'ROW' then
    file := old.bucket_id || '/' || old.name;
  end if;
  -- A payload has less than 8,000 bytes.
  perform pg_notify('stored_file_changed', case when octet_length(file) < 4000 then file else '' end);
  return null;
end $$;
revoke all on function storage.notify_file_changed from public;
create or replace trigger notify_file_deleted after delete on storage.objects for each row execute function storage.notify_file_changed();
create or replace trigger notify_file_changed after update on storage.objects
  for each row when ((old.bucket_id, old.name, old.version, old.metadata) is distinct from (new.bucket_id, new.name, new.version, new.metadata))
  execute function storage.notify_file_changed();
create or replace trigger notify_files_emptied after truncate on storage.objects for each statement execute function storage.notify_file_changed();
create or replace trigger notify_bucket_changed after update or delete or truncate on storage.buckets
  for each statement execute function storage.notify_file_changed();
