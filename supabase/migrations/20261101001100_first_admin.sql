-- How somebody becomes an admin: another admin says so, or, while there is none, whoever holds the one-time setup key.
-- The key travels as the header x-setup-key, is kept as a hash, lives for a day and is used up by granting the role.

create table private.setup_keys (
  hash       bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  used_at    timestamptz
);
comment on table private.setup_keys is 'SHA-256 of the keys the operator set. Only the newest counts.';

create table private.attempts (
  subject        text primary key,
  failures       integer not null default 0,
  last_failed_at timestamptz not null default now(),
  blocked_until  timestamptz
);
comment on table private.attempts is 'Wrong guesses, counted for everybody together.';

create function private.set_setup_key(key_hash text) returns boolean
language plpgsql set search_path = '' as $$
declare
  given bytea;
  usable boolean;
begin
  if key_hash !~ '^[0-9a-f]{64}$' then
    raise exception using errcode = '22023', message = 'The setup key is handed over as its SHA-256 in hexadecimal.';
  end if;
  given := decode(key_hash, 'hex');
  delete from private.setup_keys where hash <> given and used_at is null;
  insert into private.setup_keys (hash) values (given)
  on conflict (hash) do update set expires_at = now() + interval '24 hours' where setup_keys.used_at is null;
  select used_at is null into usable from private.setup_keys where hash = given;
  return usable;
end $$;
comment on function private.set_setup_key(text) is
  'For the server at start. Replaces an unused key; answers false for one that was used up before.';

create function private.admin_exists() returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.user_roles held join public.roles on roles.id = held.role_id where roles.name = 'admin')
$$;

-- Five wrong guesses in a quarter of an hour close the door for that long, and every further one for twice as long.
create function private.may_try(subject text) returns boolean
language sql stable set search_path = '' as $$
  select not exists (select from private.attempts where attempts.subject = may_try.subject and blocked_until > now())
$$;
create function private.count_failure(subject text, allowed integer) returns void
language sql set search_path = '' as $$
  insert into private.attempts as stored (subject, failures) values (count_failure.subject, 1)
  on conflict (subject) do update set
    failures = case when stored.last_failed_at < now() - interval '1 day' then 1 else stored.failures + 1 end,
    last_failed_at = now(),
    blocked_until = case
      when stored.last_failed_at >= now() - interval '1 day' and stored.failures + 1 >= allowed
      then now() + interval '15 minutes' * power(2, least(stored.failures + 1 - allowed, 8))
    end
$$;

create function private.setup_key_fits(key text) returns boolean
language sql stable set search_path = '' as $$
  select not private.admin_exists() and exists (
    select from private.setup_keys
    where hash = sha256(convert_to(key, 'UTF8')) and used_at is null and expires_at > now()
  )
$$;

create function private.too_many_attempts() returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('response.headers', '[{"Retry-After": "900"}]', true);
  return private.refuse(429, 'PT429', 'Too many attempts. Try again later.');
end $$;

create function public.check_setup_key(setup_key text) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if not private.may_try('setup key') then
    return private.too_many_attempts();
  end if;
  if private.setup_key_fits(setup_key) then
    return 'true';
  end if;
  perform private.count_failure('setup key', 5);
  perform private.record('setup_key.check', null, 'refused');
  return private.refuse(403, '42501', 'Invalid admin key. Please enter the correct key to create an admin account.');
end $$;
comment on function public.check_setup_key(text) is
  'For server functions that hold the service key: true, or a committed refusal (403, 429). Does not use the key up.';

-- Refusals are answers, not exceptions: an exception would take their record and their count back with it.
-- Nobody without the right to ask learns whether the address is known.
create function public.assign_admin_role(admin_email text) returns jsonb
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

  insert into public.roles (name) values ('admin') on conflict (name) do nothing;
  -- One at a time: of many who present the key together, one finds no admin yet.
  select id into admin_role from public.roles where name = 'admin' for no key update;
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
comment on function public.assign_admin_role(text) is
  'Makes a confirmed account an admin: true, or a committed refusal (400, 403, 429). For admins, the service, and the setup key while no admin exists.';

revoke all on function private.set_setup_key(text), private.admin_exists(), private.may_try(text),
  private.count_failure(text, integer), private.setup_key_fits(text), private.too_many_attempts() from public;
revoke all on function public.check_setup_key(text), public.assign_admin_role(text) from public, anon, authenticated, service_role;
grant execute on function public.check_setup_key(text) to service_role;
grant execute on function public.assign_admin_role(text) to anon, authenticated, service_role;
