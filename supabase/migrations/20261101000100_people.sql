-- Accounts live in auth.users, which nobody may read. What admins see of them, and what rows can point to, is a profile.

create function public.get_guest_user_id() returns uuid
language sql immutable as $$ select '00000000-0000-4000-8000-000000000001'::uuid $$;
comment on function public.get_guest_user_id() is 'The account that stands for visitors who submit without signing in.';
revoke all on function public.get_guest_user_id() from public, anon, authenticated, service_role;
grant execute on function public.get_guest_user_id() to anon, authenticated, service_role;

-- It has no password, no address and no identity, and is banned: nobody signs in as the guest.
insert into auth.users
  (instance_id, id, aud, role, email, email_change, email_change_token_new, confirmation_token, recovery_token,
   raw_app_meta_data, raw_user_meta_data, banned_until, created_at, updated_at)
values
  ('00000000-0000-0000-0000-000000000000', public.get_guest_user_id(), 'authenticated', 'authenticated', null, '', '', '', '',
   '{"provider": "none", "providers": []}', '{"name": "Guest"}', '2999-12-31', now(), now())
on conflict (id) do nothing;

create table public.profiles (
  -- Not the account's id: a team list may name a profile without telling who signs in.
  id                 uuid primary key default gen_random_uuid(),
  user_id            uuid not null unique references auth.users on delete cascade,
  email              text,
  name               text constraint "a name is at most 200 characters" check (char_length(name) <= 200),
  requested_admin    boolean not null default false,
  email_confirmed_at timestamptz,
  created_at         timestamptz not null default now()
);
comment on table public.profiles is 'What admins may see of an account. Kept in step with auth.users, never written by clients.';
comment on column public.profiles.requested_admin is 'A wish made at sign-up. It grants nothing, anywhere.';
create index profiles_newest on public.profiles (created_at desc);

alter table public.profiles enable row level security;
alter table public.profiles force row level security;

create policy "a profile is for its person" on public.profiles for select to authenticated
  using (user_id = (select auth.uid()));

revoke all on public.profiles from public, anon, authenticated, service_role;
grant select on public.profiles to authenticated, service_role;

create function private.keep_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is not null then
    delete from public.profiles where user_id = new.id;
    return null;
  end if;
  insert into public.profiles (user_id, email, name, requested_admin, email_confirmed_at, created_at)
  values (
    new.id, new.email, left(new.raw_user_meta_data ->> 'name', 200),
    new.raw_user_meta_data ->> 'requested_admin' is not distinct from 'true',
    new.email_confirmed_at, coalesce(new.created_at, now())
  )
  on conflict (user_id) do update set
    email = excluded.email, name = excluded.name,
    requested_admin = excluded.requested_admin, email_confirmed_at = excluded.email_confirmed_at;
  return null;
end $$;
revoke all on function private.keep_profile() from public;

create trigger keep_profile
  after insert or update of email, raw_user_meta_data, email_confirmed_at, deleted_at on auth.users
  for each row when (new.id <> public.get_guest_user_id()) execute function private.keep_profile();

-- Accounts that were there before this migration.
insert into public.profiles (user_id, email, name, requested_admin, email_confirmed_at, created_at)
select id, email, left(raw_user_meta_data ->> 'name', 200),
  raw_user_meta_data ->> 'requested_admin' is not distinct from 'true', email_confirmed_at, coalesce(created_at, now())
from auth.users
where id <> public.get_guest_user_id() and deleted_at is null;
