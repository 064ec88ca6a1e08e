-- A write that changes nothing shown must not cost everybody the kept pages: drafts, and statements that change no row,
-- are told to nobody. What is published or archived can be read by everybody, and so can every setting and text.

create or replace function private.site_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_level = 'ROW' and tg_table_name = 'projects' then
    if coalesce(old.status, 'draft') = 'draft' and coalesce(new.status, 'draft') = 'draft' then
      return null;
    end if;
  elsif tg_level = 'ROW' and tg_argv[0] = 'of a project' then
    -- What goes with its project needs no word of its own: the project has told.
    if not exists (select from public.projects where id in (old.project_id, new.project_id) and status <> 'draft') then
      return null;
    end if;
  end if;
  perform pg_notify('site_changed', tg_table_name);
  return null;
end $$;

do $$
declare
  shown text;
begin
  foreach shown in array array['projects', 'project_media', 'case_study_metadata', 'project_members', 'site_settings', 'site_pages'] loop
    execute format('drop trigger site_changed on public.%I', shown);
    execute format(
      'create trigger site_changed after insert or update or delete on public.%I for each row execute function private.site_changed(%s)',
      shown, case when shown in ('project_media', 'case_study_metadata', 'project_members') then quote_literal('of a project') else '' end
    );
    execute format('create trigger site_emptied after truncate on public.%I for each statement execute function private.site_changed()', shown);
  end loop;
end $$;
