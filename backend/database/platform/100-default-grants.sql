-- Projects made for Supabase expect that what they make in `public` is granted to its three roles, with row-level
-- security as the only guard. So it is here, once, before the first migration; a project that closes what it makes, as
-- ours does in its first, takes this back for good.
do $$
begin
  if not exists (
    select from pg_catalog.pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
  ) then
    alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
    alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  end if;
end $$;
