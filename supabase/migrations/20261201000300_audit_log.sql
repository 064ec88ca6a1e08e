-- Audit log: actions on other people's data, and refusals. Written in the same transaction as the action, read by
-- admins, never changed. Each line names the caller who acted, not the service that carried the action out.

create table public.audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  began_at   timestamptz not null default now(), -- of its transaction, as in the versions that the same transaction made
  actor      uuid,
  actor_kind text not null check (actor_kind in ('guest', 'user', 'editor', 'admin', 'service', 'server')),
  session_id text,
  address    text, -- client address as verified by the front server
  request_id text,
  action     text not null,
  object     text,
  outcome    text not null check (outcome in ('done', 'refused')),
  reason     text,
  changes    jsonb -- {column: [before, after]}, small values of tables without a history
);
comment on table public.audit_log is 'Append only. No foreign keys, so a line outlives the object that it names.';
create index audit_log_in_order on public.audit_log (at desc, id desc);
create index audit_log_by_actor on public.audit_log (actor, at desc, id desc);
create index audit_log_by_action on public.audit_log (action text_pattern_ops, at desc, id desc);
create index audit_log_refused on public.audit_log (at desc, id desc) where outcome = 'refused';
-- read_log hides the identity service's line for a request that has a line here.
create index audit_log_by_request on public.audit_log (request_id) where request_id is not null;
-- The history of an enquiry.
create index audit_log_by_message on public.audit_log (object, at) where action like 'contact_messages.%';
-- The submission limits count these.
create index audit_log_submissions on public.audit_log (address, at) where action = 'projects.insert';
create index audit_log_submissions_by_actor on public.audit_log (actor, at) where action = 'projects.insert';

select private.enable_row_security('public.audit_log');
create policy "admins read the log" on public.audit_log for select to authenticated using ((select public.is_admin()));
grant select on public.audit_log to authenticated, service_role;

create function private.caller_kind() returns text
language sql stable set search_path = '' as $$
  select case current_setting('role', true)
    when 'anon' then 'guest'
    when 'service_role' then 'service'
    when 'authenticated' then case when public.is_admin() then 'admin' when public.can_edit_content() then 'editor' else 'user' end
    else 'server'
  end
$$;

create function private.record(
  action text, object text, outcome text default 'done', reason text default null, changes jsonb default null,
  actor uuid default auth.uid(), kind text default private.caller_kind()
) returns void
language sql security definer set search_path = '' as $$
  insert into public.audit_log (actor, actor_kind, session_id, address, request_id, action, object, outcome, reason, changes)
  values (record.actor, record.kind, case when current_setting('role', true) = 'authenticated' then left(auth.jwt() ->> 'session_id', 100) end,
    nullif(current_setting('request.address', true), ''), nullif(current_setting('request.id', true), ''),
    record.action, left(record.object, 500), record.outcome, left(record.reason, 500), record.changes)
$$;

create function public.current_caller() returns jsonb
language sql stable security definer set search_path = '' as $$ select jsonb_build_object('id', auth.uid(), 'kind', private.caller_kind()) $$;
comment on function public.current_caller is
  'The caller as the audit log names them: account id or null, and guest, user, editor, admin or service. For server functions, which call it with their caller''s credentials.';

create function public.record_act(actor uuid, action text, object text, outcome text, reason text default null, kind text default null) returns void
language sql security definer set search_path = '' as $$
  select private.record(action, object, outcome, reason, null, actor, coalesce(kind, case
    when actor is null then 'guest' when private.has_role(actor, 'admin') then 'admin' when private.has_role(actor, 'editor') then 'editor' else 'user'
  end))
$$;
comment on function public.record_act is 'For server functions, which run with the service key: adds a line to the audit log about their caller.';

create function private.changed_columns(before jsonb, after jsonb, names text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_object_agg(name, jsonb_build_array(before -> name, after -> name))
  from unnest(names) as name where before -> name is distinct from after -> name
$$;

-- One line per statement. No line for deeper statements, such as a cascade (unless a role is withdrawn), nor for those of
-- a procedure that records its own line: restoring from the trash, assigning the admin role. Rows without an id are named
-- by their key.
create function private.record_write() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  written_by text := current_setting('role', true);
  total bigint;
  names text;
  changes jsonb;
begin
  if (pg_trigger_depth() > 1 and tg_table_name <> 'user_roles') or written_by not in ('anon', 'authenticated', 'service_role')
    or (tg_argv[0] = 'admins' and written_by <> 'service_role' and not public.can_edit_content())
    or 'yes' in (current_setting('private.restoring', true), current_setting('private.assigning', true))
  then
    return null;
  end if;
  select count(*), string_agg(name, ' ') filter (where place <= 10) into total, names
  from (
    select coalesce(
        entry ->> 'id', nullif(concat_ws(' ', entry ->> 'user_id', entry ->> 'role_id'), ''),
        entry ->> 'project_id', entry ->> 'name', entry ->> 'slug'
      ) as name,
      row_number() over () as place
    from (select to_jsonb(touched) from touched) as entries (entry)
  ) as named;
  -- Rows deleted with their project are covered by the project's line; the project is gone by now.
  if tg_op = 'DELETE' and tg_table_name not in ('projects', 'contact_messages', 'split_sheets') and not exists (
    select from touched left join public.projects on projects.id = (to_jsonb(touched) ->> 'project_id')::uuid
    where to_jsonb(touched) ->> 'project_id' is null or projects.id is not null
  ) then
    return null;
  end if;
  if tg_op = 'UPDATE' and total = 1 and tg_nargs > 1 then
    changes := private.changed_columns((select to_jsonb(former) from former), (select to_jsonb(touched) from touched), tg_argv[1:]);
  end if;
  perform private.record(tg_table_name || '.' || lower(tg_op), names, 'done', case when total > 1 then total || ' rows' end, changes) where total > 0;
  return null;
end $$;

create function private.record_writes_of(watched regclass, whom text default 'admins', stored text[] default '{}') returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create trigger record_insert after insert on %s referencing new table as touched for each statement execute function private.record_write(%L)', watched, whom);
  execute format('create trigger record_update after update on %s referencing old table as former new table as touched for each statement execute function private.record_write(%s)',
    watched, (select string_agg(quote_literal(argument), ', ') from unnest(whom || stored) as argument));
  execute format('create trigger record_delete after delete on %s referencing old table as touched for each statement execute function private.record_write(%L)', watched, whom);
end $$;
comment on function private.record_writes_of is 'Records writes to a table: those by admins, editors and the service, or by every caller; of an updated row also the former and new values of the stored columns.';

select private.record_writes_of('public.roles', 'all', '{name}');
select private.record_writes_of('public.user_roles', 'all');

grant execute on function public.record_act to service_role;
grant execute on function public.current_caller to anon, authenticated, service_role;
