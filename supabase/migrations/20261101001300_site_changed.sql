-- Public answers are kept until something they show has changed. Listeners hear of it when the change is committed.

create function private.site_changed() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_notify('site_changed', tg_table_name);
  return null;
end $$;
revoke all on function private.site_changed() from public;

create trigger site_changed after insert or update or delete or truncate on public.projects
  for each statement execute function private.site_changed();
create trigger site_changed after insert or update or delete or truncate on public.project_media
  for each statement execute function private.site_changed();
create trigger site_changed after insert or update or delete or truncate on public.case_study_metadata
  for each statement execute function private.site_changed();
create trigger site_changed after insert or update or delete or truncate on public.project_members
  for each statement execute function private.site_changed();
