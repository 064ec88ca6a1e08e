-- The data service exposes `public`. Its grants are in 100-default-grants.sql and the migrations.
create schema if not exists auth;
create schema if not exists storage;
create schema if not exists extensions;

revoke create on schema public from public;
grant usage on schema public, auth, storage, extensions to anon, authenticated, service_role;

-- Projects made for Supabase add their tables to this publication; nothing here subscribes to it.
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    set local client_min_messages = error; -- the embedded engine warns that it cannot replicate
    create publication supabase_realtime;
  end if;
end $$;
