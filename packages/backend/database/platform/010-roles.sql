-- The roles of a hosted Supabase project. The server connects as the owner of all objects and switches
-- to one of the first three for each request; the others exist because projects name them in their grants.
do $$
declare
  own record;
begin
  select rolsuper, rolbypassrls into own from pg_catalog.pg_roles where rolname = current_user;
  if not (own.rolsuper or own.rolbypassrls) then
    raise exception 'The database user "%" needs SUPERUSER, or CREATEROLE and BYPASSRLS: it owns the tables that row security protects.', current_user;
  elsif not own.rolsuper and current_setting('server_version_num')::integer < 160000
    and not exists (select from pg_catalog.pg_roles where rolname = 'service_role') then
    raise exception 'On PostgreSQL 15 only a superuser can create the role "service_role". Let one run: create role service_role nologin noinherit bypassrls';
  end if;
end $$;

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'nologin noinherit'),
      ('dashboard_user', 'nologin'),
      ('supabase_admin', 'nologin'),
      ('supabase_auth_admin', 'nologin noinherit'),
      ('supabase_storage_admin', 'nologin noinherit'),
      ('postgres', 'nologin')
    ) as list (name, options) where not exists (select from pg_catalog.pg_roles where rolname = list.name)
  loop
    execute format('create role %I %s', wanted.name, wanted.options);
  end loop;
end $$;

-- The login role may become any of the three; PostgREST's own login role may too. From PostgreSQL 16 on the creator of a role
-- is a member of it without the right to become it.
do $$
declare
  role_name text;
  become constant text := case when current_setting('server_version_num')::integer < 160000 then 'member' else 'set' end;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    if not pg_catalog.pg_has_role(current_user, role_name, become) then
      execute format('grant %I to current_user', role_name);
    end if;
    if not exists (select from pg_catalog.pg_auth_members where roleid = role_name::regrole and member = 'authenticator'::regrole) then
      execute format('grant %I to authenticator', role_name);
    end if;
  end loop;
end $$;
