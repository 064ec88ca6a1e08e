-- A server function holds the service key, so the log would only say that the service did it. It knows for whom it acts.

create function public.record_act(actor uuid, action text, object text, outcome text, reason text default null) returns void
language sql security definer set search_path = '' as $$
  insert into public.audit_log (actor, actor_kind, address, request_id, action, object, outcome, reason)
  values (
    record_act.actor,
    case
      when record_act.actor is null then 'guest'
      when exists (
        select from public.user_roles held join public.roles on roles.id = held.role_id
        where held.user_id = record_act.actor and roles.name = 'admin'
      ) then 'admin'
      else 'user'
    end,
    nullif(current_setting('request.address', true), ''),
    nullif(current_setting('request.id', true), ''),
    record_act.action, left(record_act.object, 500), record_act.outcome, left(record_act.reason, 500)
  )
$$;
comment on function public.record_act(uuid, text, text, text, text)
  is 'For server functions that hold the service key: adds a line to the audit log about the person who called them.';
revoke all on function public.record_act(uuid, text, text, text, text) from public, anon, authenticated, service_role;
grant execute on function public.record_act(uuid, text, text, text, text) to service_role;
