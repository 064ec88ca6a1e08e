-- A stored file knows whether it moves, and what the upload told of its own origin before that was taken out of it. As
-- with its size, records take this from the file and from nobody else.
alter table public.project_media add column animated boolean, add column provenance jsonb;
comment on column public.project_media.animated is 'Whether a picture of our bucket has more than one frame; null for any other.';
comment on column public.project_media.provenance is
  'What the uploaded file told of itself: {source, credit, credentials}; null when it told nothing.';

create or replace function private.measure_media() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  stored jsonb;
begin
  select metadata into stored from storage.objects
  where bucket_id = 'case-studies' and name = private.file_of(new.url);
  new.width := (stored ->> 'width')::integer;
  new.height := (stored ->> 'height')::integer;
  new.placeholder := stored ->> 'placeholder';
  new.animated := (stored ->> 'animated')::boolean;
  new.provenance := stored -> 'provenance';
  return new;
end $$;

-- Nothing that people wrote changes, so nothing that follows a change is wanted: no version, no new date.
alter table public.project_media disable trigger user;
update public.project_media set animated = (metadata ->> 'animated')::boolean
from storage.objects where bucket_id = 'case-studies' and name = private.file_of(url);
alter table public.project_media enable trigger user;

-- A served picture says in itself who made it. Several records may show one file: what is published speaks, and drafts
-- only while nothing published shows it, so that nobody relabels the work of others; of several marks the one that
-- admits most speaks.
create function private.made_of_file(bucket text, file text) returns text
language sql stable set search_path = '' as $$
  select case
    when bool_or(made = 'machine') then 'machine'
    when bool_or(made = 'together') then 'together'
    when bool_or(made = 'hand') then 'hand'
  end
  from (
    select media.made, projects.status <> 'draft' as published, bool_or(projects.status <> 'draft') over () as any_published
    from public.project_media media join public.projects on projects.id = media.project_id
    where bucket = 'case-studies' and private.file_of(media.url) = file
  ) told
  where published = any_published
$$;
comment on function private.made_of_file(text, text) is 'Who made a stored picture, as its records say it: machine, together, hand, or null.';
revoke all on function private.made_of_file(text, text) from public;
