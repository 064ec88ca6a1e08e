-- Direct Admin Access asks for the role at each sign-in. Where somebody is an admin already nothing is changed, so nothing
-- is written down either.

create or replace function public.assign_admin_role(admin_email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  trusted boolean := not private.is_client() or public.is_admin();
  setup_key text := private.header('x-setup-key');
  guessed text := case when private.header('x-setup-key') is null then 'assign admin role' else 'setup key' end;
  admin_role uuid;
  target uuid;
  given bigint;
begin
  if not trusted and not coalesce(private.setup_key_fits(setup_key), false) then
    if not private.may_try(guessed) then
      return private.too_many_attempts();
    elsif setup_key is null then
      perform private.count_failure(guessed, 100);
      perform private.record('admin_role.assign', null, 'refused', 'neither an admin nor a setup key');
      return private.refuse(403, '42501', 'Only an admin can assign the admin role.');
    end if;
  end if;

  admin_role := private.role_named('admin');
  -- Again, now that nobody else presents the key: of many who do together, one finds no admin yet.
  if not trusted and not private.setup_key_fits(setup_key) then
    perform private.count_failure(guessed, 5);
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
  get diagnostics given = row_count;
  if not trusted then
    update private.setup_keys set used_at = now() where hash = sha256(convert_to(setup_key, 'UTF8'));
  end if;
  if given > 0 or not trusted then
    perform private.record('admin_role.assign', target::text, 'done', case when not trusted then 'setup key' end);
  end if;
  return 'true';
end $$;
