-- Pictures, films and demos of an experiment, in their order. What belongs to a project is seen by whoever sees the
-- project: the question is asked of the projects' own policies, so a hidden project has no media either.

create table public.project_media (
  id          uuid primary key default gen_random_uuid(),
  project_id  uuid not null references public.projects on delete cascade,
  type        text not null default 'image' constraint "a type is image, video or demo" check (type in ('image', 'video', 'demo')),
  url         text not null
    constraint "a url is at most 2048 characters" check (char_length(url) <= 2048)
    constraint "a url is an http or https address" check (url ~* '^https?://[^\s/?#@\\]+([/?#]\S*)?$'),
  title       text constraint "a media title is at most 500 characters" check (char_length(title) <= 500),
  description text constraint "a caption is at most 500 characters" check (char_length(description) <= 500),
  "order"     integer not null default 0,
  width       integer, -- of pictures in our bucket, so that pages never jump
  height      integer,
  placeholder text, -- a tiny inline picture
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
comment on table public.project_media is 'Media of a project. Clients may choose the id, so that a repeated request adds nothing.';
create index project_media_in_order on public.project_media (project_id, "order");

alter table public.project_media enable row level security;
alter table public.project_media force row level security;

create policy "media are for whoever sees the project" on public.project_media for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
create policy "the holder of a draft's secret adds its media" on public.project_media for insert to anon, authenticated
  with check (project_id = (select private.editable_draft()));
create policy "creators add media to their drafts" on public.project_media for insert to authenticated
  with check (exists (
    select from public.projects
    where projects.id = project_id and projects.status = 'draft' and projects.created_by = (select auth.uid())
  ));
create policy "admins add media" on public.project_media for insert to authenticated
  with check ((select public.is_admin()));
create policy "admins change media" on public.project_media for update to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "admins remove media" on public.project_media for delete to authenticated
  using ((select public.is_admin()));

-- An upsert names every column it sends, also those that may not change; a trigger holds them still.
revoke all on public.project_media from public, anon, authenticated, service_role;
grant select, insert (id, project_id, type, url, title, description, "order") on public.project_media to anon;
grant select, delete,
  insert (id, project_id, type, url, title, description, "order"),
  update (id, project_id, type, url, title, description, "order")
  on public.project_media to authenticated;
grant select, insert, update, delete on public.project_media to service_role;

-- Reordering sends pairs of id and order as an upsert. The database wants a whole row before it looks for the one that
-- is there, so for those who may change it the rest is filled in. For anybody else an id that is taken elsewhere is
-- replaced in silence: ids of hidden media must not show.
create function private.receive_media() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  known public.project_media;
begin
  select * into known from public.project_media where id = new.id;
  if found then
    if not private.is_client() or public.is_admin() then
      new.project_id := coalesce(new.project_id, known.project_id);
      new.url := coalesce(new.url, known.url);
    elsif known.project_id is distinct from new.project_id then
      new.id := gen_random_uuid();
    end if;
  end if;
  return new;
end $$;
create trigger receive_media before insert on public.project_media
  for each row execute function private.receive_media();

create function private.keep_media_in_place() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or new.project_id <> old.project_id then
    raise exception using errcode = 'PT400', message = 'A media item keeps its id and stays with its project.';
  end if;
  return new;
end $$;
create trigger keep_media_in_place before update of id, project_id on public.project_media
  for each row execute function private.keep_media_in_place();
create trigger touch before update on public.project_media for each row execute function private.touch();

-- Size and placeholder come from the stored file, never from a client.
create function private.file_of(url text) returns text
language sql immutable set search_path = '' as $$
  select substring(url from '/storage/v1/object/public/case-studies/(images/[0-9a-f-]{36}\.[a-z]{3,4})$')
$$;
revoke all on function private.file_of(text) from public;
grant execute on function private.file_of(text) to anon, authenticated, service_role;
comment on function private.file_of(text) is 'Name of the file in our bucket that an address stands for; null for any other address.';
create index project_media_by_file on public.project_media (private.file_of(url)) where private.file_of(url) is not null;

create function private.measure_media() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  stored jsonb;
begin
  select metadata into stored from storage.objects
  where bucket_id = 'case-studies' and name = private.file_of(new.url);
  new.width := (stored ->> 'width')::integer;
  new.height := (stored ->> 'height')::integer;
  new.placeholder := stored ->> 'placeholder';
  return new;
end $$;
create trigger measure_media before insert or update of url on public.project_media
  for each row execute function private.measure_media();

-- A file may arrive after its media row, as those of the seed do.
create function private.measure_media_of_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.project_media set url = url where private.file_of(url) = new.name;
  return null;
end $$;
do $$
begin
  create trigger measure_media after insert or update of metadata on storage.objects
    for each row when (new.bucket_id = 'case-studies') execute function private.measure_media_of_file();
exception when insufficient_privilege then
  raise notice 'storage.objects takes no triggers here: call private.measure_media_again() after a late upload.';
end $$;
create function private.measure_media_again() returns void
language sql set search_path = '' as $$
  update public.project_media set url = url where width is null and private.file_of(url) is not null
$$;
comment on function private.measure_media_again() is 'Measures what was not measured yet, where no trigger could do it.';

-- After the policies had their say, so that the count of a hidden project's media is told to nobody. Taking turns on
-- the project's row keeps two requests from both being the fiftieth.
create function private.limit_media() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_client() then
    return null;
  end if;
  perform from public.projects where id = new.project_id for no key update;
  if (select count(*) from public.project_media where project_id = new.project_id) > 50 then
    raise exception using errcode = 'PT422', message = 'An experiment holds at most 50 media items.';
  end if;
  return null;
end $$;
create trigger limit_media after insert on public.project_media
  for each row execute function private.limit_media();

revoke all on function private.receive_media(), private.keep_media_in_place(), private.measure_media(),
  private.measure_media_of_file(), private.measure_media_again(), private.limit_media() from public;
select private.watch('public.project_media');
