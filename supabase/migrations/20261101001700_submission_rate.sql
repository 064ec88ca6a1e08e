-- One visitor's twenty submissions in ten minutes are work; more are a machine. What was received is in the audit log,
-- with the address that the front door saw, so nothing else has to be counted. Where no address is known (a hosted
-- project), nothing is limited here.

create index audit_log_submissions on public.audit_log (address, at) where action = 'projects.insert';

create function private.limit_submissions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  visitor text := nullif(current_setting('request.address', true), '');
begin
  if visitor is not null and private.is_client() and not public.is_admin() and (
    select count(*) from public.audit_log
    where action = 'projects.insert' and address = visitor and at > now() - interval '10 minutes'
  ) >= 20 then
    raise sqlstate 'PGRST' using
      message = '{"code": "PT429", "message": "That is a lot of experiments in ten minutes. Please send the next one a little later.", "details": null, "hint": null}',
      detail = '{"status": 429, "headers": {"Retry-After": "600"}}';
  end if;
  return null;
end $$;
comment on function private.limit_submissions() is 'Repeating a submission with its own secret is free: it inserts nothing.';
revoke all on function private.limit_submissions() from public;
create trigger limit_submissions before insert on public.projects
  for each statement execute function private.limit_submissions();
