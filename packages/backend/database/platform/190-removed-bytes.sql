-- expand
-- Bytes are retained after their row is deleted, so that a database restored from a backup has its images. A trigger
-- records every deletion; the storage service removes the bytes when the retention ends.
create table if not exists storage.removed_bytes (
  version    text primary key,
  removed_at timestamptz not null default now()
);
create index if not exists removed_bytes_removed_at_idx on storage.removed_bytes (removed_at);
alter table storage.removed_bytes enable row level security, force row level security;

create or replace function storage.remember_removed_bytes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into storage.removed_bytes (version) values (old.version) on conflict (version) do update set removed_at = excluded.removed_at;
  return null;
end $$;
revoke all on function storage.remember_removed_bytes from public;
create or replace trigger remember_deleted_bytes after delete on storage.objects
  for each row when (old.version is not null) execute function storage.remember_removed_bytes();
create or replace trigger remember_replaced_bytes after update of version on storage.objects
  for each row when (old.version is distinct from new.version and old.version is not null)
  execute function storage.remember_removed_bytes();

-- To find the row of stored bytes.
create index if not exists objects_version_idx on storage.objects (version);

-- Once a week each shelf is compared with the rows: all versions with the same first two hexadecimal digits.
create table if not exists storage.compared_shelves (
  shelf       text primary key,
  compared_at timestamptz not null
);
insert into storage.compared_shelves (shelf, compared_at)
  select lpad(to_hex(number), 2, '0'), now() - number * interval '7 days' / 256 from generate_series(0, 255) as number
  union all select 'unfinished', now() on conflict do nothing;
alter table storage.compared_shelves enable row level security, force row level security;

-- Marks an S3 bucket, so that no two installations share one. Created on demand.
create table if not exists storage.installation (
  alone boolean primary key default true check (alone),
  id    uuid not null default gen_random_uuid()
);
alter table storage.installation enable row level security, force row level security;
