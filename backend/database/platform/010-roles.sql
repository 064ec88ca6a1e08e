-- The roles a hosted Supabase project already has. The server logs in as the owner of everything and takes one of
-- the first three for each request; the others exist because projects name them in their grants.
do $$
begin
  if not (select rolsuper or rolbypassrls from pg_catalog.pg_roles where rolname = current_user) then
    raise exception 'The database user "%" needs SUPERUSER, or CREATEROLE and BYPASSRLS: it owns what row security guards.', current_user;
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
    ) as list (name, options)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      execute format('create role %I %s', wanted.name, wanted.options);
    end if;
  end loop;
end $$;

-- The login role may become any of the three; PostgREST's own login role may too.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    if not pg_catalog.pg_has_role(current_user, role_name, 'member') then
      execute format('grant %I to current_user', role_name);
    end if;
    if not exists (
      select from pg_catalog.pg_auth_members
      where roleid = role_name::regrole and member = 'authenticator'::regrole
    ) then
      execute format('grant %I to authenticator', role_name);
    end if;
  end loop;
end $$;
