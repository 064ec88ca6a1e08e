-- An admin who has a second factor is an admin only with a token of a session that has shown it: otherwise a stolen
-- password would be enough for everything but signing in at the screen. Admins may agree that all of them need one; the
-- setting `admins_need_second_factor` says so.

-- Also of a session that has lost its factor since the token was made.
create function private.second_factor_shown() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() ->> 'aal', '') = 'aal2'
    and not exists (select from auth.sessions where id = private.own_session() and aal::text is distinct from 'aal2')
$$;
comment on function private.second_factor_shown() is 'Whether the caller proved a second factor, and the session still says so.';

create function private.admins_need_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.site_settings where name = 'admins_need_second_factor' and value = 'true'::jsonb
  )
$$;

create function private.has_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from auth.mfa_factors where user_id = (select auth.uid()) and status = 'verified')
$$;

create function private.holds_admin_role() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles held join public.roles on roles.id = held.role_id
    where held.user_id = (select auth.uid()) and roles.name = 'admin'
  )
$$;

create or replace function public.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when not private.holds_admin_role() then false
    when private.admins_need_second_factor() or private.has_second_factor() then private.second_factor_shown()
    else true
  end
$$;
comment on function public.is_admin() is
  'Whether the caller is an admin right now, and has shown the second factor if they have one or admins need one. Never null.';

create function public.admin_needs_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.holds_admin_role() and private.admins_need_second_factor() and not private.second_factor_shown()
$$;
comment on function public.admin_needs_second_factor() is
  'For the caller alone: whether all that keeps them from being an admin is the second factor they have not shown.';

-- Who switches it on has one, so at least one admin still gets in. Switching it off takes an admin, who by then has
-- shown theirs. The service and the server may do both: that is the way back when all factors are lost.
create function private.guard_second_factor_setting() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was_on boolean := tg_op <> 'INSERT' and old.name = 'admins_need_second_factor' and old.value = 'true'::jsonb;
  is_on boolean := tg_op <> 'DELETE' and new.name = 'admins_need_second_factor' and new.value = 'true'::jsonb;
begin
  if tg_op <> 'DELETE' and new.name = 'admins_need_second_factor' and jsonb_typeof(new.value) <> 'boolean' then
    raise exception using errcode = '23514', message = 'admins_need_second_factor is true or false.';
  end if;
  if is_on and not was_on and private.is_client() and not private.second_factor_shown() then
    raise exception using errcode = 'PT403',
      message = 'Sign in with your own second factor first: otherwise this would lock you out.';
  end if;
  if is_on <> was_on then
    perform private.record('admins_need_second_factor', case when is_on then 'on' else 'off' end);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger guard_second_factor before insert or update or delete on public.site_settings
  for each row execute function private.guard_second_factor_setting();

revoke all on function private.second_factor_shown(), private.admins_need_second_factor(), private.has_second_factor(),
  private.holds_admin_role(), private.guard_second_factor_setting() from public;
revoke all on function public.admin_needs_second_factor() from public, anon, authenticated, service_role;
grant execute on function public.admin_needs_second_factor() to authenticated;
