-- Projects made for Supabase expect objects in `public` to be granted to the three roles, with row-level security as
-- the only protection. Granted once, before the first migration; a project may revoke it, as our first migration does.
do $$
begin
  if not exists (select from pg_catalog.pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')) then
    alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
    alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  end if;
end $$;
