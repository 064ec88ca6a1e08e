-- Who is an admin: a row in user_roles, looked up again for every request. Nothing a person can write about
-- themselves counts.

create table public.roles (
  id         uuid primary key default gen_random_uuid(),
  name       text not null unique constraint "a role's name is 1 to 60 characters" check (btrim(name) <> '' and char_length(name) <= 60),
  created_at timestamptz not null default now()
);
comment on table public.roles is 'Names of roles. The role "admin" is always there.';
insert into public.roles (name) values ('admin');

create table public.user_roles (
  user_id    uuid not null references public.profiles (user_id) on delete cascade,
  role_id    uuid not null references public.roles on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, role_id)
);
comment on table public.user_roles is 'Who holds which role. Rows come and go; they are never changed.';
create index user_roles_by_role on public.user_roles (role_id);

alter table public.roles enable row level security;
alter table public.roles force row level security;
alter table public.user_roles enable row level security;
alter table public.user_roles force row level security;

create function public.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles held join public.roles on roles.id = held.role_id
    where held.user_id = (select auth.uid()) and roles.name = 'admin'
  )
$$;
comment on function public.is_admin() is 'Whether the caller is an admin right now. Never null.';
revoke all on function public.is_admin() from public, anon, authenticated, service_role;
grant execute on function public.is_admin() to anon, authenticated, service_role;

create policy "admins see every profile" on public.profiles for select to authenticated
  using ((select public.is_admin()));

create policy "signed-in people read the names of roles" on public.roles for select to authenticated
  using (true);
create policy "admins add roles" on public.roles for insert to authenticated
  with check ((select public.is_admin()));

create policy "people see the roles they hold" on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()));
create policy "admins see who holds which role" on public.user_roles for select to authenticated
  using ((select public.is_admin()));
create policy "admins grant roles" on public.user_roles for insert to authenticated
  with check ((select public.is_admin()));
create policy "admins withdraw roles" on public.user_roles for delete to authenticated
  using ((select public.is_admin()));

revoke all on public.roles, public.user_roles from public, anon, authenticated, service_role;
grant select, insert (name) on public.roles to authenticated;
grant select, insert (user_id, role_id), delete on public.user_roles to authenticated;
grant select, insert, update, delete on public.roles to service_role;
grant select, insert, delete on public.user_roles to service_role;

create function private.keep_admin_role() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.name <> 'admin' then
    raise exception using errcode = 'PT409', message = 'The role "admin" cannot be renamed or removed.';
  end if;
  return new;
end $$;
revoke all on function private.keep_admin_role() from public;
create trigger keep_admin_role before update of name or delete on public.roles
  for each row when (old.name = 'admin') execute function private.keep_admin_role();

-- There is always somebody who can let the others in. Taking turns on the role's row makes two admins who
-- remove each other at the same moment see each other.
create function private.refuse_without_another_admin(leaving uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  admin_role uuid;
begin
  select id into admin_role from public.roles where name = 'admin' for no key update;
  if not exists (
    select from public.user_roles held join auth.users account on account.id = held.user_id
    where held.role_id = admin_role and held.user_id <> leaving
      and account.deleted_at is null and (account.banned_until is null or account.banned_until <= now())
  ) then
    raise exception using errcode = 'PT409', message = 'The last admin cannot be removed.';
  end if;
end $$;

create function private.keep_last_admin() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.roles where id = old.role_id and name = 'admin') then
    perform private.refuse_without_another_admin(old.user_id);
  end if;
  return old;
end $$;
create trigger keep_last_admin before delete on public.user_roles
  for each row execute function private.keep_last_admin();

create function private.keep_last_admin_unbanned() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.user_roles held join public.roles on roles.id = held.role_id
    where held.user_id = new.id and roles.name = 'admin'
  ) then
    perform private.refuse_without_another_admin(new.id);
  end if;
  return new;
end $$;
create trigger keep_last_admin_unbanned before update of banned_until on auth.users
  for each row when (new.banned_until > now()) execute function private.keep_last_admin_unbanned();

revoke all on function private.refuse_without_another_admin(uuid), private.keep_last_admin(), private.keep_last_admin_unbanned()
  from public;
