-- expand
-- An image of our bucket may have a loop: a short silent video that is shown instead, in one or two formats. Its files
-- have the image's id, are in a bucket of their own, and are deleted with the image.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('loops', 'loops', true, 4194304, array['video/mp4', 'video/webm'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

create policy "admins add loops" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'loops' and (select public.is_admin())
    and name ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(mp4|webm)$'
  );
create policy "admins list loops" on storage.objects for select to authenticated
  using (bucket_id = 'loops' and (select public.is_admin()));
create policy "admins remove loops" on storage.objects for delete to authenticated
  using (bucket_id = 'loops' and (select public.is_admin()));

alter table public.project_media add column loops text[];
comment on column public.project_media.loops is 'Formats of the loop of an image of our bucket, such as {webm,mp4}; null without a loop.';

create function private.loop_files(file text) returns text[]
language sql immutable set search_path = '' as $$
  select array[substring(file, 8, 36) || '.mp4', substring(file, 8, 36) || '.webm']
$$;
comment on function private.loop_files is 'Possible names of the loop of a file of the image bucket.';

create or replace function private.measure_media() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  file constant text := private.file_of(new.url);
  stored jsonb;
begin
  select metadata into stored from storage.objects where bucket_id = 'case-studies' and name = file;
  new.width := (stored ->> 'width')::integer;
  new.height := (stored ->> 'height')::integer;
  new.placeholder := stored ->> 'placeholder';
  new.animated := (stored ->> 'animated')::boolean;
  new.provenance := stored -> 'provenance';
  select array_agg(split_part(name, '.', 2) order by name desc) into new.loops from storage.objects
  where bucket_id = 'loops' and name = any (private.loop_files(file));
  return new;
end $$;

create function private.measure_media_of_loop() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.project_media set url = url
  where private.file_of(url) = any (array(
    select 'images/' || split_part(coalesce(new.name, old.name), '.', 1) || '.' || ending
    from unnest(array['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif']) as ending
  ));
  return null;
end $$;

create function private.remove_loops_of_picture() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects where bucket_id = 'loops' and name = any (private.loop_files(old.name));
  return null;
end $$;

do $$
begin
  create trigger measure_media_of_added_loop after insert on storage.objects
    for each row when (new.bucket_id = 'loops') execute function private.measure_media_of_loop();
  create trigger measure_media_of_removed_loop after delete on storage.objects
    for each row when (old.bucket_id = 'loops') execute function private.measure_media_of_loop();
  create trigger remove_loops after delete on storage.objects
    for each row when (old.bucket_id = 'case-studies') execute function private.remove_loops_of_picture();
exception when insufficient_privilege then
  raise notice 'storage.objects takes no triggers here: save a picture again after its loop was added or removed.';
end $$;

revoke all on function private.loop_files, private.measure_media_of_loop, private.remove_loops_of_picture from public;
