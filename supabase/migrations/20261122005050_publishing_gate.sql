-- An admin can decide that nothing is published while a picture of it does not say what it shows. Off until then.

create function private.refuse_silent_pictures() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  silent integer;
begin
  if not exists (select from public.site_settings where name = 'publishing_needs_checks' and value = 'true') then
    return new;
  end if;
  select count(*) into silent from public.project_media where project_id = new.id and type = 'image' and alt is null;
  if silent > 0 then
    raise exception using errcode = 'PT422', message = format(
      '%s what %s. Say it, or call it decorative; then publish. An admin can switch this off in the settings.',
      case silent when 1 then '1 picture does not say' else silent || ' pictures do not say' end,
      case silent when 1 then 'it shows' else 'they show' end
    );
  end if;
  return new;
end $$;
-- Its name comes before number_published, so nobody who is refused uses up a number.
create trigger gate_publishing before update of status on public.projects
  for each row when (old.status = 'draft' and new.status <> 'draft' and current_setting('private.restoring', true) is distinct from 'yes')
  execute function private.refuse_silent_pictures();
revoke all on function private.refuse_silent_pictures() from public;
