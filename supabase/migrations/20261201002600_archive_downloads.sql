-- A download of the archive contains all data. The database authorizes it, as before a wipe, and records the caller.
create function public.begin_archive_download() returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if not public.is_admin() then
    return private.reject_caller('archive', 'archive.download', 'Only an admin can download everything.');
  elsif not private.signed_in_recently() then
    perform private.record('archive.download', null, 'refused', 'signed in too long ago');
    return private.rejection(403, 'PT403', 'You signed in more than ten minutes ago. Sign in again to download everything.');
  elsif (
    select count(*) from public.audit_log
    where action = 'archive.download' and outcome = 'done' and at > now() - interval '15 minutes'
  ) >= 10 then
    perform private.record('archive.download', null, 'refused', 'too often');
    return private.too_many_attempts();
  end if;
  perform private.record('archive.download', null);
  return jsonb_build_object('begun', true);
end $$;
comment on function public.begin_archive_download is
  'Authorizes an archive download: an audit line, or a committed refusal (403, 429). For admins who signed in within ten minutes.';

grant execute on function public.begin_archive_download to anon, authenticated;
