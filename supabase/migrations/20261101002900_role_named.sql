-- The role is made where it is missing, and when that cannot be done the person is told so instead of being told of a
-- constraint (ERR-04).

create function private.role_named(role_name text) returns uuid
language plpgsql set search_path = '' as $$
declare
  found_role uuid;
begin
  insert into public.roles (name) values (role_name) on conflict (name) do nothing;
  -- One at a time: of many who present the setup key together, one finds no admin yet.
  select id into found_role from public.roles where name = role_name for no key update;
  if found_role is null then
    raise exception using message = format('Role %s not found and could not be created', role_name);
  end if;
  return found_role;
end $$;
comment on function private.role_named(text) is 'Id of a role, which is made when it is missing and locked until the transaction ends. Raises P0001 when it cannot be made.';
revoke all on function private.role_named(text) from public;

create or replace function public.assign_admin_role(admin_email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  trusted boolean := not private.is_client() or public.is_admin();
  setup_key text := private.header('x-setup-key');
  admin_role uuid;
  target uuid;
begin
  if not trusted then
    if not private.may_try(case when setup_key is null then 'assign admin role' else 'setup key' end) then
      return private.too_many_attempts();
    elsif setup_key is null then
      perform private.count_failure('assign admin role', 100);
      perform private.record('admin_role.assign', null, 'refused', 'neither an admin nor a setup key');
      return private.refuse(403, '42501', 'Only an admin can assign the admin role.');
    end if;
  end if;

  admin_role := private.role_named('admin');
  if not trusted and not private.setup_key_fits(setup_key) then
    perform private.count_failure('setup key', 5);
    perform private.record('admin_role.assign', null, 'refused', 'setup key');
    return private.refuse(403, '42501', 'Invalid admin key. Please enter the correct key to create an admin account.');
  end if;

  select profiles.user_id into target
  from public.profiles join auth.users account on account.id = profiles.user_id
  where account.email = lower(btrim(admin_email)) and account.email_confirmed_at is not null
    and account.deleted_at is null and (account.banned_until is null or account.banned_until <= now())
  order by account.is_sso_user
  limit 1;
  if target is null then
    perform private.record('admin_role.assign', null, 'refused', 'no confirmed account has the address');
    return private.refuse(400, 'P0001', 'No confirmed account has this e-mail address.');
  end if;

  insert into public.user_roles (user_id, role_id) values (target, admin_role) on conflict do nothing;
  if not trusted then
    update private.setup_keys set used_at = now() where hash = sha256(convert_to(setup_key, 'UTF8'));
  end if;
  perform private.record('admin_role.assign', target::text, 'done', case when not trusted then 'setup key' end);
  return 'true';
end $$;
