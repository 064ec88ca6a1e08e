-- What everything else stands on: nothing is granted by itself, helpers live out of reach, and rich text has a type of
-- its own.

-- Hosted projects hand every new object in `public` to everybody. Here a table, a column or a procedure is closed
-- until its own migration opens it.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

-- Nobody but the owner may name anything in here. Policies may still call what they were given EXECUTE for: they hold
-- the function itself, not its name. Each file takes from everybody what it adds, in its last lines.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;
comment on schema private is 'Helpers, secrets and records that no client can name.';

-- A check constraint can only answer yes or no. Whoever typed a text that is too long is told what to do about it.
create function private.at_most(length integer, most integer, words text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if length > most then
    raise exception using errcode = 'PT422', message = words;
  end if;
  return true;
end $$;
comment on function private.at_most is
  'For checks of lengths: true, or the whole statement is refused with 422 and these words.';

-- HTML written by people. The data service cleans it with its allow list before it comes here and the pages clean it
-- again; this is the second line, for whoever found a way around the first.
create domain public.rich_text as text
  constraint "rich text is at most 100 KB" check (
    private.at_most(octet_length(value), 102400, 'A text is longer than 100 KB. Please shorten it, then save again.')
  )
  constraint "rich text holds no script" check (
    value !~* '<\s*(script|style|object|embed|applet|base|meta|link|form|svg|math|template)\M'
    and value !~* '<[^>]*[\s/"'']on(abort|animation\w*|auxclick|before\w*|blur|change|click|contextmenu|copy|cut|dblclick|drag\w*|drop|error|focus\w*|hashchange|input|invalid|key\w*|load\w*|message|mouse\w*|page\w*|paste|pointer\w*|popstate|reset|resize|scroll\w*|select\w*|start|storage|submit|toggle|touch\w*|transition\w*|unload|wheel)\s*='
    and value !~* '(href|src|action|data)\s*=\s*["'']?\s*(javascript|vbscript)\s*:'
  );
comment on domain public.rich_text is 'HTML from an editor; cleaned by the data service when stored and by the pages when shown.';

-- Who is asking, and what they brought along.
create function private.header(name text) returns text
language sql stable set search_path = '' as $$
  select nullif(btrim(nullif(current_setting('request.headers', true), '')::json ->> name), '')
$$;
comment on function private.header is
  'A header of this request, by its lower-case name; null when it is missing or empty.';

create function private.is_client() returns boolean
language sql stable set search_path = '' as $$
  select current_setting('role', true) in ('anon', 'authenticated')
$$;
comment on function private.is_client is
  'True for visitors and signed-in people, also inside definer functions; false for the service and the server itself.';

-- A procedure that raises takes back all it did. One that must remember whom it refused answers this instead.
create function private.refuse(status integer, code text, message text) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('response.status', status::text, true);
  return jsonb_build_object('code', code, 'message', message, 'details', null, 'hint', null);
end $$;
comment on function private.refuse is
  'A refusal that is answered as an error but committed, so that what was counted and recorded stays.';

-- For the trigger of the same name on every table that says when it was changed last.
create function private.touch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- Lists of ids come as text with other words between them, in the log and in what is searched for.
create function private.uuid_in(word text) returns uuid
language sql immutable set search_path = '' as $$
  select case when word ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then word::uuid end
$$;

-- Public answers are kept until something they show has changed; listeners hear of it when the change is committed. A
-- write that changes nothing shown must not cost everybody the kept pages: drafts, and statements that change no row,
-- are told to nobody. What is published or archived can be read by everybody, and so can every setting and text.
create function private.site_changed() returns trigger
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

revoke all on all functions in schema private from public;
grant execute on function private.at_most to anon, authenticated, service_role;
