-- Foundations: no default grants, a private schema for helpers, and a type for rich text.

-- Hosted projects grant every new object in `public` to all API roles, and PostgreSQL every new function to everyone. Here a
-- table, column or function is closed until its own migration grants access.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;

-- Only the owner may name objects in this schema. Policies can still call functions for which they have EXECUTE,
-- because they hold the function's oid.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;
comment on schema private is 'Helpers, secrets and records that no client can name.';

-- A check constraint can only return true or false. This raises a message that says what to shorten.
create function private.check_length(noun text, length integer, most integer, unit text default 'characters') returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if length > most then
    raise exception using errcode = 'PT422', message = format('%s is longer than %s %s. Please shorten it, then save again.',
      noun, case unit when 'KB' then most / 1024 else most end, unit);
  end if;
  return true;
end $$;
comment on function private.check_length is 'For length checks: true, or error 422 that names the noun. For the unit KB, the lengths are bytes.';

-- HTML from editors. The data service sanitises it before it is stored and the pages sanitise it again; these
-- constraints are the second line of defence if the first is bypassed.
create domain public.rich_text as text
  constraint "rich text is at most 100 KB" check (private.check_length('A text', octet_length(value), 102400, 'KB'))
  constraint "rich text holds no script" check (
    value !~* '<\s*(script|style|object|embed|applet|base|meta|link|form|svg|math|template)\M'
    and value !~* '<[^>]*[\s/"'']on(abort|animation\w*|auxclick|before\w*|blur|change|click|contextmenu|copy|cut|dblclick|drag\w*|drop|error|focus\w*|hashchange|input|invalid|key\w*|load\w*|message|mouse\w*|page\w*|paste|pointer\w*|popstate|reset|resize|scroll\w*|select\w*|start|storage|submit|toggle|touch\w*|transition\w*|unload|wheel)\s*='
    and value !~* '(href|src|action|data)\s*=\s*["'']?\s*(javascript|vbscript)\s*:'
  );
comment on domain public.rich_text is 'HTML from an editor; sanitised by the data service when stored and by the pages when shown.';

create function private.request_header(name text) returns text
language sql stable set search_path = '' as $$ select nullif(btrim(nullif(current_setting('request.headers', true), '')::json ->> name), '') $$;

create function private.is_client() returns boolean
language sql stable set search_path = '' as $$ select current_setting('role', true) in ('anon', 'authenticated') $$;
comment on function private.is_client is
  'True for guests and signed-in users, also inside security definer functions; false for the service role and the server itself.';

-- Callers need EXECUTE: only for functions that run as their owner.
create function private.raise_if(refused boolean, code text, reason text) returns void
language plpgsql stable set search_path = '' as $$
begin
  if refused then
    raise exception using errcode = code, message = reason;
  end if;
end $$;

create function private.raise_too_many(reason text) returns void
language plpgsql set search_path = '' as $$
begin
  raise sqlstate 'PGRST' using
    message = jsonb_build_object('code', 'PT429', 'message', reason, 'details', null, 'hint', null),
    detail = '{"status": 429, "headers": {"Retry-After": "600"}}';
end $$;

-- An exception rolls back everything, also the record of the refusal. Functions that must keep that record return this
-- instead.
create function private.rejection(status integer, code text, message text) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('response.status', status::text, true);
  return jsonb_build_object('code', code, 'message', message, 'details', null, 'hint', null);
end $$;
comment on function private.rejection is 'A refusal that is returned as an error but committed, so that counters and audit lines are kept.';

create function private.enable_row_security(variadic tables regclass[]) returns void
language plpgsql set search_path = '' as $$
declare
  protected regclass;
begin
  foreach protected in array tables loop
    execute format('alter table %s enable row level security, force row level security', protected);
  end loop;
end $$;

-- Arguments: SQLSTATE and message.
create function private.reject_row() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception using errcode = tg_argv[0], message = tg_argv[1];
end $$;

create function private.touch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- Lists of ids are stored as text, mixed with other words, in the audit log and in search terms.
create function private.uuid_in(word text) returns uuid
language sql immutable set search_path = '' as $$ select case when word ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then word::uuid end $$;

-- Notifies servers on commit, so that they evict cached public responses. Changes of drafts, and statements that change
-- no row, notify no one: each notification empties the whole cache. Published and archived projects, settings and legal
-- texts are public.
create function private.site_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_level = 'ROW' and tg_table_name = 'projects' then
    if coalesce(old.status, 'draft') = 'draft' and coalesce(new.status, 'draft') = 'draft' then
      return null;
    end if;
  elsif tg_level = 'ROW' and tg_argv[0] = 'of a project' then
    -- A cascade needs no notification of its own: the project has sent one.
    if not exists (select from public.projects where id in (old.project_id, new.project_id) and status <> 'draft') then
      return null;
    end if;
  end if;
  perform pg_notify('site_changed', tg_table_name);
  return null;
end $$;

-- Messages and review steps are queued in internal.mails by the transaction that creates them. A hosted Supabase
-- project has no such queue and sends no email for them. Mail to an address that cannot be corrected is given up.
create function private.queue_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if to_regclass('internal.mails') is not null then
    insert into internal.mails (id, kind, give_up_at) values (new.id, tg_argv[0],
      case when tg_argv[0] in ('review_step', 'farewell') then now() + interval '30 days' end) on conflict do nothing;
  end if;
  return null;
end $$;

grant execute on function private.check_length to anon, authenticated, service_role;
