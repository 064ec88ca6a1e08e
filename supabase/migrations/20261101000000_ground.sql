-- What every later migration stands on: nothing is granted by itself, helpers live out of reach, and rich text
-- has a type of its own.

-- Hosted projects hand every new object in `public` to everybody. Here a table, a column or a procedure is closed
-- until its own migration opens it.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

-- Nobody but the owner may name anything in here. Policies may still call what they were given EXECUTE for:
-- they hold the function itself, not its name.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;
comment on schema private is 'Helpers, secrets and records that no client can name.';

-- HTML written by people. The data service cleans it with its allow list before it comes here and the pages clean it
-- again; this is the second line, for whoever found a way around the first.
create domain public.rich_text as text
  constraint "rich text is at most 100 KB" check (octet_length(value) <= 102400)
  constraint "rich text holds no script" check (
    value !~* '<\s*(script|style|object|embed|applet|base|meta|link|form|svg|math|template)\M'
    and value !~* '<[^>]*[\s/"'']on(abort|animation\w*|auxclick|before\w*|blur|change|click|contextmenu|copy|cut|dblclick|drag\w*|drop|error|focus\w*|hashchange|input|invalid|key\w*|load\w*|message|mouse\w*|page\w*|paste|pointer\w*|popstate|reset|resize|scroll\w*|select\w*|start|storage|submit|toggle|touch\w*|transition\w*|unload|wheel)\s*='
    and value !~* '(href|src|action|data)\s*=\s*["'']?\s*(javascript|vbscript)\s*:'
  );
comment on domain public.rich_text is 'HTML from an editor; cleaned by the data service when stored and by the pages when shown.';

create function private.header(name text) returns text
language sql stable set search_path = '' as $$
  select nullif(btrim(nullif(current_setting('request.headers', true), '')::json ->> name), '')
$$;
comment on function private.header(text) is 'A header of this request, by its lower-case name; null when it is missing or empty.';

create function private.is_client() returns boolean
language sql stable set search_path = '' as $$
  select current_setting('role', true) in ('anon', 'authenticated')
$$;
comment on function private.is_client() is
  'True for visitors and signed-in people, also inside definer functions; false for the service and the server itself.';

create function private.refuse(status integer, code text, message text) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('response.status', status::text, true);
  return jsonb_build_object('code', code, 'message', message, 'details', null, 'hint', null);
end $$;
comment on function private.refuse(integer, text, text) is
  'A refusal that is answered as an error but committed, so that what was counted and recorded stays.';

create function private.touch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end $$;

revoke all on all functions in schema private from public;
