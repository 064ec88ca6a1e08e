-- Profiles, roles and admins. Accounts are stored in auth.users, which no client may read; a profile is the part that
-- admins see and that rows can reference. Admins and editors are rows in user_roles, looked up for every request:
-- data that users write about themselves grants nothing.

create function public.get_guest_user_id() returns uuid
language sql immutable as $$ select '00000000-0000-4000-8000-000000000001'::uuid $$;
comment on function public.get_guest_user_id is 'The account that owns submissions of guests.';

-- It has no password, address or identity, and is banned, so it cannot sign in.
insert into auth.users
  (instance_id, id, aud, role, email, email_change, email_change_token_new, confirmation_token, recovery_token,
   raw_app_meta_data, raw_user_meta_data, banned_until, created_at, updated_at)
values
  ('00000000-0000-0000-0000-000000000000', public.get_guest_user_id(), 'authenticated', 'authenticated', null, '', '', '', '',
   '{"provider": "none", "providers": []}', '{"name": "Guest"}', '2999-12-31', now(), now())
on conflict (id) do nothing;

create table public.profiles (
  -- Not the account id: a public team list may show a profile id without revealing the account.
  id                 uuid primary key default gen_random_uuid(),
  user_id            uuid not null unique references auth.users on delete cascade,
  email              text,
  name               text constraint "a name is at most 200 characters" check (char_length(name) <= 200),
  requested_admin    boolean not null default false,
  email_confirmed_at timestamptz,
  created_at         timestamptz not null default now()
);
comment on table public.profiles is 'The part of an account that admins may see. A trigger copies it from auth.users; clients never write it.';
comment on column public.profiles.requested_admin is 'A request made at sign-up. It grants nothing.';
create index profiles_newest on public.profiles (created_at desc);

create function private.sync_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is not null then
    delete from public.profiles where user_id = new.id;
    return null;
  end if;
  insert into public.profiles (user_id, email, name, requested_admin, email_confirmed_at, created_at)
  values (new.id, new.email, left(new.raw_user_meta_data ->> 'name', 200), new.raw_user_meta_data ->> 'requested_admin' is not distinct from 'true',
    new.email_confirmed_at, coalesce(new.created_at, now()))
  on conflict (user_id) do update set email = excluded.email, name = excluded.name,
    requested_admin = excluded.requested_admin, email_confirmed_at = excluded.email_confirmed_at;
  return null;
end $$;
create trigger sync_profile
  after insert or update of email, raw_user_meta_data, email_confirmed_at, deleted_at on auth.users
  for each row when (new.id <> public.get_guest_user_id()) execute function private.sync_profile();

-- A hosted project may have accounts already.
update auth.users set email = email where id <> public.get_guest_user_id() and deleted_at is null;

create table public.roles (
  id         uuid primary key default gen_random_uuid(),
  name       text not null unique constraint "a role's name is 1 to 60 characters" check (btrim(name) <> '' and char_length(name) <= 60),
  created_at timestamptz not null default now()
);
comment on table public.roles is 'Names of roles. The roles "admin" and "editor" always exist.';
insert into public.roles (name) values ('admin'), ('editor');

create table public.user_roles (
  user_id    uuid not null references public.profiles (user_id) on delete cascade,
  role_id    uuid not null references public.roles on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, role_id)
);
comment on table public.user_roles is 'Which user has which role: admin or editor, the later one replaces the other. Rows are inserted and deleted, never updated.';
create index user_roles_by_role on public.user_roles (role_id);

-- Created here, not with the other settings, because is_admin reads one of them.
create table public.site_settings (
  name       text primary key constraint "a setting's name is 1 to 60 small letters" check (name ~ '^[a-z][a-z0-9_]{0,59}$'),
  value      jsonb not null constraint "a setting is at most 16 KB" check (name in ('logo', 'logo_dark') or octet_length(value::text) <= 16384),
  updated_at timestamptz not null default now()
);
comment on table public.site_settings is 'Settings that differ from the built-in defaults. Public: must not contain secrets.';

-- Refreshing a token does not renew the session's created_at, signing in again does.
create function private.caller_session() returns table (created_at timestamptz, aal text)
language sql stable rows 1 set search_path = '' as $$
  select created_at, aal::text from auth.sessions where id = private.uuid_in(auth.jwt() ->> 'session_id') and user_id = auth.uid()
$$;

-- An admin with a second factor needs an aal2 session: otherwise a stolen password would grant everything except the
-- admin screens. The setting `admins_need_second_factor` requires a second factor of every admin.
create function private.has_shown_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() ->> 'aal', '') = 'aal2'
    -- The session may have lost its factor after the token was issued.
    and not exists (select from private.caller_session() where aal is distinct from 'aal2')
$$;
comment on function private.has_shown_second_factor is 'Whether the caller proved a second factor, and the session is still aal2.';

create function private.is_setting_on(setting text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.site_settings where name = setting and value = 'true'::jsonb)
$$;

-- Value of a setting in days, clamped to 1 to 3650.
create function private.days_of(setting text, otherwise integer) returns interval
language sql stable set search_path = '' as $$
  select make_interval(days => least(greatest(coalesce(
    (select (value #>> '{}')::numeric from public.site_settings where name = setting and jsonb_typeof(value) = 'number'), otherwise
  ), 1), 3650)::integer)
$$;

-- Security definer: no client may read factors, and the policies of user_roles call is_admin.
create function private.has_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from auth.mfa_factors where user_id = (select auth.uid()) and status = 'verified')
$$;

-- An admin may do what an editor may.
create function private.has_role(account uuid, role_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles held join public.roles on roles.id = held.role_id
    where held.user_id = account and roles.name in ('admin', role_name)
  )
$$;

create function private.has_settled_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.has_shown_second_factor() or not (private.is_setting_on('admins_need_second_factor') or private.has_second_factor())
$$;

create function public.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select case when private.has_role(auth.uid(), 'admin') then private.has_settled_second_factor() else false end
$$;
comment on function public.is_admin is 'Whether the caller is an admin now, and has proved the second factor if they have one or admins need one. Never null.';

create function public.can_edit_content() returns boolean
language sql stable security definer set search_path = '' as $$
  select case when private.has_role(auth.uid(), 'editor') then private.has_settled_second_factor() else false end
$$;
comment on function public.can_edit_content is
  'Whether the caller may edit projects, reviews, pages, media and messages: an editor or an admin, with the second factor of is_admin(). Never null.';

-- For functions that run as their owner. The service role and the server may do what admins may.
create function private.require_admin(reason text) returns void
language sql stable set search_path = '' as $$ select private.raise_if(private.is_client() and not public.is_admin(), '42501', reason) $$;

create function private.require_editor(reason text) returns void
language sql stable set search_path = '' as $$ select private.raise_if(private.is_client() and not public.can_edit_content(), '42501', reason) $$;

create function public.admin_needs_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.has_role(auth.uid(), 'editor') and private.is_setting_on('admins_need_second_factor') and not private.has_shown_second_factor()
$$;
comment on function public.admin_needs_second_factor is 'For the caller only: whether the missing second factor is all that keeps them from being an admin or editor.';

select private.enable_row_security('public.profiles', 'public.roles', 'public.user_roles', 'public.site_settings');

create policy "a profile is for its person" on public.profiles for select to authenticated using (user_id = (select auth.uid()));
create policy "admins see every profile" on public.profiles for select to authenticated using ((select public.is_admin()));

create policy "signed-in people read the names of roles" on public.roles for select to authenticated using (true);
create policy "admins add roles" on public.roles for insert to authenticated with check ((select public.is_admin()));

create policy "people see the roles they hold" on public.user_roles for select to authenticated using (user_id = (select auth.uid()));
create policy "editors see the roles of everyone" on public.user_roles for select to authenticated using ((select public.can_edit_content()));
create policy "admins grant and withdraw roles" on public.user_roles to authenticated using ((select public.is_admin()));

grant select on public.profiles to authenticated, service_role;
grant select on public.roles to anon; -- no policy: a guest's request returns an empty list, not an error
-- Responses of the data service are cached only while every table that guests may read reports its changes.
create trigger site_changed after insert or update or delete on public.roles for each row execute function private.site_changed();
create trigger site_emptied after truncate on public.roles for each statement execute function private.site_changed();
grant select, insert (name) on public.roles to authenticated;
grant select, insert, update, delete on public.roles to service_role;
grant select, insert (user_id, role_id), delete on public.user_roles to authenticated;
grant select, insert, delete on public.user_roles to service_role;

create policy "anyone reads settings" on public.site_settings for select to anon, authenticated using (true);
create policy "admins write settings" on public.site_settings to authenticated using ((select public.is_admin()));
grant select on public.site_settings to anon, authenticated;
grant delete, insert (name, value), update (name, value) on public.site_settings to authenticated;
grant select, insert, update, delete on public.site_settings to service_role;

create function private.protect_role_name() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.name <> old.name then
    raise exception using errcode = 'PT409', message = format('The role "%s" cannot be renamed or removed.', old.name);
  end if;
  return new;
end $$;
create trigger protect_role_name before update of name or delete on public.roles
  for each row when (old.name in ('admin', 'editor')) execute function private.protect_role_name();

-- Deleting the other role here keeps the last admin: the grant fails with its deletion.
create function private.replace_role() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_roles held using public.roles other, public.roles granted
  where held.user_id = new.user_id and held.role_id = other.id and granted.id = new.role_id
    and (granted.name, other.name) in (('admin', 'editor'), ('editor', 'admin'));
  return null;
end $$;
create trigger replace_role after insert on public.user_roles for each row execute function private.replace_role();

-- At least one admin who can sign in must remain. The lock on the role's row serializes two admins who remove each
-- other concurrently.
create function private.require_another_admin(leaving uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  admin_role uuid;
begin
  select id into admin_role from public.roles where name = 'admin' for no key update;
  perform private.raise_if(not exists (
    select from public.user_roles held join auth.users account on account.id = held.user_id
    where held.role_id = admin_role and held.user_id <> leaving
      and account.deleted_at is null and account.confirmed_at is not null and (account.banned_until is null or account.banned_until <= now())
  ), 'PT409', 'The last admin cannot be removed.');
end $$;

create function private.protect_last_admin() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_another_admin(old.user_id) from public.roles where id = old.role_id and name = 'admin';
  return old;
end $$;
create trigger protect_last_admin before delete on public.user_roles for each row execute function private.protect_last_admin();

create function private.protect_last_admin_from_ban() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_another_admin(new.id) where private.has_role(new.id, 'admin');
  return new;
end $$;
create trigger protect_last_admin_from_ban before update of banned_until on auth.users
  for each row when (new.banned_until > now()) execute function private.protect_last_admin_from_ban();

grant execute on function public.get_guest_user_id, public.is_admin, public.can_edit_content to anon, authenticated, service_role;
grant execute on function public.admin_needs_second_factor to authenticated;
