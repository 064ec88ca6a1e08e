-- What was done with other people's things, and what was refused: who, what, when. Written in the same transaction as
-- the act, read by admins, changed by nobody.

create table public.audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  actor      uuid,
  actor_kind text not null check (actor_kind in ('guest', 'user', 'admin', 'service', 'server')),
  session_id text,
  address    text, -- as the front door saw it
  request_id text,
  action     text not null,
  object     text,
  outcome    text not null check (outcome in ('done', 'refused')),
  reason     text
);
comment on table public.audit_log is 'Append only. Rows point to nothing, so they outlive what they tell of.';
create index audit_log_newest on public.audit_log (at desc);

alter table public.audit_log enable row level security;
alter table public.audit_log force row level security;

create policy "admins read the log" on public.audit_log for select to authenticated
  using ((select public.is_admin()));

revoke all on public.audit_log from public, anon, authenticated, service_role;
grant select on public.audit_log to authenticated, service_role;

create function private.record(action text, object text, outcome text default 'done', reason text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  role_name text := current_setting('role', true);
begin
  insert into public.audit_log (actor, actor_kind, session_id, address, request_id, action, object, outcome, reason)
  values (
    auth.uid(),
    case
      when role_name = 'anon' then 'guest'
      when role_name = 'service_role' then 'service'
      when role_name = 'authenticated' then case when public.is_admin() then 'admin' else 'user' end
      else 'server'
    end,
    case when role_name = 'authenticated' then left(auth.jwt() ->> 'session_id', 100) end,
    nullif(current_setting('request.address', true), ''),
    nullif(current_setting('request.id', true), ''),
    record.action, left(record.object, 500), record.outcome, left(record.reason, 500)
  );
end $$;
comment on function private.record(text, text, text, text) is 'Adds a line to the audit log about the current caller.';
revoke all on function private.record(text, text, text, text) from public;

create function public.record_event(action text, object text, outcome text, reason text default null) returns void
language sql security definer set search_path = '' as $$
  select private.record(record_event.action, record_event.object, record_event.outcome, record_event.reason)
$$;
comment on function public.record_event(text, text, text, text) is 'For server functions that hold the service key.';
revoke all on function public.record_event(text, text, text, text) from public, anon, authenticated, service_role;
grant execute on function public.record_event(text, text, text, text) to service_role;

-- One line per statement. Deeper statements, such as a cascade, belong to an act that already has its line.
create function private.record_write() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  written_by text := current_setting('role', true);
  total bigint;
  names text;
begin
  if pg_trigger_depth() > 1 or written_by not in ('anon', 'authenticated', 'service_role')
    or (tg_argv[0] = 'admins' and written_by <> 'service_role' and not public.is_admin())
  then
    return null;
  end if;
  select count(*), string_agg(name, ' ') filter (where place <= 10) into total, names
  from (
    select coalesce(entry ->> 'id', entry ->> 'user_id') as name, row_number() over () as place
    from (select to_jsonb(touched) from touched) as entries (entry)
  ) as named;
  if total > 0 then
    perform private.record(
      tg_table_name || '.' || lower(tg_op), names, 'done', case when total > 1 then total || ' rows' end
    );
  end if;
  return null;
end $$;
revoke all on function private.record_write() from public;

create function private.watch(watched regclass, whom text default 'admins') returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create trigger record_insert after insert on %s referencing new table as touched for each statement execute function private.record_write(%L)', watched, whom);
  execute format('create trigger record_update after update on %s referencing new table as touched for each statement execute function private.record_write(%L)', watched, whom);
  execute format('create trigger record_delete after delete on %s referencing old table as touched for each statement execute function private.record_write(%L)', watched, whom);
end $$;
comment on function private.watch(regclass, text) is 'Records writes to a table: those by admins and the service, or everybody''s.';
revoke all on function private.watch(regclass, text) from public;

select private.watch('public.roles', 'everybody');
select private.watch('public.user_roles', 'everybody');
