-- Images, videos and demos of a project, in order. Visibility follows the project: the policies query projects, whose
-- own policies apply.

create table public.project_media (
  id          uuid primary key default gen_random_uuid(),
  project_id  uuid not null references public.projects on delete cascade,
  type        text not null default 'image' constraint "a type is image, video or demo" check (type in ('image', 'video', 'demo')),
  url         text not null
    constraint "a url is at most 2048 characters" check (char_length(url) <= 2048)
    constraint "a url is an http or https address" check (url ~* '^https?://[^\s/?#@\\]+([/?#]\S*)?$'),
  "order"     integer not null default 0,
  is_cover    boolean not null default false,
  title       text constraint "a media title is at most 500 characters" check (private.check_length('A media title', char_length(title), 500)),
  description text constraint "a caption is at most 500 characters" check (private.check_length('A caption', char_length(description), 500)),
  alt         text constraint "an alternative text is at most 500 characters" check (private.check_length('An alternative text', char_length(alt), 500)),
  made        text constraint "a picture is made by hand, machine or together" check (made in ('hand', 'machine', 'together')),
  poster      text
    constraint "a poster is at most 2048 characters" check (char_length(poster) <= 2048)
    constraint "a poster is an http or https address" check (poster ~* '^https?://[^\s/?#@\\]+([/?#]\S*)?$'),
  width       integer, -- of images in our bucket, so that layouts do not shift
  height      integer,
  placeholder text, -- a tiny inline image
  animated    boolean,
  provenance  jsonb,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  loops       text[],
  captions    boolean not null default false,
  credit      text
);
comment on table public.project_media is 'Media of a project. Clients may choose the id, so that a repeated request adds nothing.';
comment on column public.project_media.alt is 'Alternative text; empty for a decorative image, null when missing.';
comment on column public.project_media.made is 'Who made it: by hand, by machine, or both together; null when not stated.';
comment on column public.project_media.poster is 'URL of the image that a video shows before it plays.';
comment on column public.project_media.is_cover is 'The cover image; the first of several, or the first image when none is marked.';
comment on column public.project_media.animated is 'Whether an image of our bucket has more than one frame; null for others.';
comment on column public.project_media.provenance is 'Origin that the XMP of the uploaded file names: {source, credit}; null when it names none.';
comment on column public.project_media.loops is 'Formats of the loop of an image of our bucket, such as {webm,mp4}; null without a loop.';
comment on column public.project_media.captions is 'Whether a film of our bucket has captions.';
comment on column public.project_media.credit is 'Credit of the file in the media library, for guests too; maintained by triggers.';
create index project_media_in_order on public.project_media (project_id, "order");

select private.enable_row_security('public.project_media');
create policy "media are readable with the project" on public.project_media for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
create policy "submitters add media to their drafts" on public.project_media for insert to anon, authenticated
  with check (project_id = (select private.editable_draft()) or private.created_draft(project_id));
create policy "editors write media" on public.project_media to authenticated using ((select public.can_edit_content())) with check ((select public.can_edit_content()));

-- An upsert names every column that it sends, also those that may not change; a trigger enforces that.
grant select, insert (id, project_id, type, url, title, description, "order", alt, made, poster, is_cover) on public.project_media to anon, authenticated;
grant delete, update (id, project_id, type, url, title, description, "order", alt, made, poster) on public.project_media to authenticated;
grant select, insert, update, delete on public.project_media to service_role;

-- Reordering upserts pairs of id and order. PostgreSQL requires a complete row before it looks for a conflict, so the
-- rest is filled in for callers who may update. For others, an id that belongs to another project or to the trash is
-- silently replaced, so that ids of hidden media are not revealed. Repeated inserts into the same draft change nothing.
create function private.normalize_media() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  known public.project_media;
begin
  new.is_cover := coalesce(new.is_cover, false);
  select * into known from public.project_media where id = new.id;
  if not private.is_client() or public.can_edit_content() then
    new.project_id := coalesce(new.project_id, known.project_id);
    new.url := coalesce(new.url, known.url);
  elsif known.project_id <> new.project_id or known.id is null and exists (
    select from private.trash
    where object_id = new.id and table_name = 'project_media' and trash.project_id is distinct from new.project_id
  ) then
    new.id := gen_random_uuid();
  end if;
  return new;
end $$;
create trigger normalize_media before insert on public.project_media for each row execute function private.normalize_media();

-- A media row that moved to another project would invalidate the audit log, the trash and the versions.
create trigger reject_moved_media before update of id, project_id on public.project_media
  for each row when (new.id <> old.id or new.project_id <> old.project_id)
  execute function private.reject_row('PT400', 'A media item keeps its id and stays with its project.');
create trigger touch before update on public.project_media for each row execute function private.touch();

-- Runs after the policies, so that the number of media of a hidden project is not revealed. The lock on the project
-- serializes concurrent inserts at the limit.
create function private.limit_media() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_client() then
    return null;
  end if;
  perform from public.projects where id = new.project_id for no key update;
  perform private.raise_if((select count(*) from public.project_media where project_id = new.project_id) > 50, 'PT422', 'An experiment holds at most 50 media items.');
  return null;
end $$;
create trigger limit_media after insert on public.project_media for each row execute function private.limit_media();

-- Files: anyone may add a picture under an unguessable name; no picture can be replaced; anyone who knows a name may read
-- it. All else is for editors. An image may have a loop, a short silent video that is shown instead, in one or two
-- formats: files with the image's id, deleted with it. A film is a medium of its own, and may have captions: a file with
-- its id, which may be replaced. Submitters give the address of a video elsewhere: no anonymous uploads of this size.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
select id, id, true, bytes, types
from (values
  ('case-studies', 10485760, array['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']),
  ('loops', 4194304, array['video/mp4', 'video/webm']),
  ('films', 209715200, array['video/mp4', 'video/webm']),
  ('captions', 1048576, array['text/vtt'])
) as bucket (id, bytes, types)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

create policy "editors see buckets" on storage.buckets for select to authenticated using ((select public.can_edit_content()));
create policy "anyone adds pictures of experiments" on storage.objects for insert to anon, authenticated
  with check (bucket_id = 'case-studies' and name ~ '^images/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(png|jpg|jpeg|gif|webp|avif)$');
create policy "editors add loops, films and captions" on storage.objects for insert to authenticated
  with check (
    (select public.can_edit_content())
    and (bucket_id, substring(name from '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.(mp4|webm|vtt)$'))
      in (('loops', 'mp4'), ('loops', 'webm'), ('films', 'mp4'), ('films', 'webm'), ('captions', 'vtt'))
  );
create policy "editors replace captions" on storage.objects for update to authenticated
  using (bucket_id = 'captions' and (select public.can_edit_content()))
  with check (bucket_id = 'captions' and name ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.vtt$');
create policy "editors list files of experiments" on storage.objects for select to authenticated
  using (bucket_id in ('case-studies', 'loops', 'films', 'captions') and (select public.can_edit_content()));
create policy "editors remove files of experiments" on storage.objects for delete to authenticated
  using (bucket_id in ('case-studies', 'loops', 'films', 'captions') and (select public.can_edit_content()));

create function private.file_of(url text) returns text
language sql immutable set search_path = '' as $$ select substring(url from '/storage/v1/object/public/case-studies/(images/[0-9a-f-]{36}\.[a-z]{3,4})$') $$;
comment on function private.file_of is 'Name of the image in our bucket that a URL refers to; null for any other URL.';
create index project_media_by_file on public.project_media (private.file_of(url)) where private.file_of(url) is not null;

create function private.film_of(url text) returns text
language sql immutable set search_path = '' as $$ select substring(url from '/storage/v1/object/public/films/([0-9a-f-]{36}\.(?:mp4|webm))$') $$;
comment on function private.film_of is 'Name of the film in our bucket that a URL refers to; null for any other URL.';
create index project_media_by_film on public.project_media (left(private.film_of(url), 36)) where private.film_of(url) is not null;

create function private.loop_files(file text) returns text[]
language sql immutable set search_path = '' as $$ select array[substring(file, 8, 36) || '.mp4', substring(file, 8, 36) || '.webm'] $$;

-- Size, placeholder, animation, origin, credit, loop and captions come from the stored files, never from a client.
create function private.measured(media public.project_media) returns public.project_media
language plpgsql stable security definer set search_path = '' as $$
declare
  file constant text := private.file_of(media.url);
  film constant text := private.film_of(media.url);
  stored jsonb;
begin
  select object.metadata, listed.credit into stored, media.credit
  from storage.objects object left join public.media_files listed using (bucket_id, name)
  where (bucket_id = 'case-studies' and name = file) or (bucket_id = 'films' and name = film);
  media.width := (stored ->> 'width')::integer;
  media.height := (stored ->> 'height')::integer;
  media.placeholder := stored ->> 'placeholder';
  media.animated := (stored ->> 'animated')::boolean;
  media.provenance := stored -> 'provenance';
  select array_agg(split_part(name, '.', 2) order by name desc) into media.loops from storage.objects
  where bucket_id = 'loops' and name = any (private.loop_files(file));
  media.captions := exists (select from storage.objects where bucket_id = 'captions' and name = left(film, 36) || '.vtt');
  return media;
end $$;

create function private.measure_media() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  return private.measured(new);
end $$;
create trigger measure_media before insert or update of url on public.project_media for each row execute function private.measure_media();

-- A file may be stored after its media row, as in the seed. The loops of a picture are deleted with it. In a hosted
-- project storage.objects belongs to the storage service.
create function private.measure_media_of_file() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  file constant storage.objects := coalesce(new, old);
begin
  if tg_op = 'DELETE' and file.bucket_id = 'case-studies' then
    delete from storage.objects where bucket_id = 'loops' and name = any (private.loop_files(file.name));
  elsif file.bucket_id = 'case-studies' then
    update public.project_media set url = url where private.file_of(url) = file.name;
  elsif tg_op <> 'UPDATE' and file.bucket_id = 'loops' then
    update public.project_media set url = url
    where private.file_of(url) = any (array(
      select 'images/' || split_part(file.name, '.', 1) || '.' || ending
      from unnest(array['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif']) as ending
    ));
  elsif tg_op <> 'UPDATE' and file.bucket_id in ('films', 'captions') then
    update public.project_media set url = url where private.film_of(url) is not null and left(private.film_of(url), 36) = left(file.name, 36);
  end if;
  return null;
end $$;

do $$
begin
  create trigger measure_media after insert or delete or update of metadata on storage.objects for each row execute function private.measure_media_of_file();
exception when insufficient_privilege then
  raise notice 'storage.objects takes no triggers here: call private.remeasure_media() after a late upload, or a loop or captions added or removed.';
end $$;

create function private.remeasure_media() returns void
language sql set search_path = '' as $$
  update public.project_media set url = url where width is null and coalesce(private.file_of(url), private.film_of(url)) is not null
$$;

-- Label of a served image. Drafts do not count: guests may put any picture into theirs. Of several labels, the one with
-- the largest machine share wins.
create function private.file_label(bucket text, file text) returns text
language sql stable set search_path = '' as $$
  select case
    when bool_or(made = 'machine') then 'machine'
    when bool_or(made = 'together') then 'together'
    when bool_or(made = 'hand') then 'hand'
  end
  from public.project_media media join public.projects on projects.id = media.project_id
  where bucket = 'case-studies' and private.file_of(media.url) = file and projects.status <> 'draft'
$$;
comment on function private.file_label is 'Who made a stored image, according to published projects: machine, together, hand, or null.';

-- The result of `file_label` may have changed: servers evict their cached responses for the file.
create function private.notify_picture_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'TRUNCATE' then
    perform pg_notify('stored_file_changed', '');
    return null;
  elsif tg_op = 'UPDATE' and old.made is not distinct from new.made and old.url is not distinct from new.url then
    return null;
  end if;
  -- A row without a label matters only when other rows use the same file.
  perform pg_notify('stored_file_changed', 'case-studies/' || file)
  from (select distinct private.file_of(url) from unnest(array[old.url, new.url]) as shown (url)) as files (file)
  where file is not null and (coalesce(old.made, new.made) is not null
    or exists (select from public.project_media where private.file_of(url) = file and id is distinct from new.id));
  return null;
end $$;

grant execute on function private.file_of, private.film_of to anon, authenticated, service_role;
