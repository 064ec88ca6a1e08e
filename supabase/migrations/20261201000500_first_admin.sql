-- Becoming an admin: granted by another admin or, while there is none, with the one-time setup key. The key is sent as
-- the header x-setup-key, stored as a hash, expires after a day, and is used up by the grant.

create table private.setup_keys (
  hash       bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  used_at    timestamptz,
  printed_at timestamptz -- when the operator could read it: immediately for SETUP_KEY, else when it was printed
);
comment on table private.setup_keys is 'SHA-256 of the setup keys. Only the newest is valid.';

-- Wrong guesses are counted per client address, and a correct key passes whatever was guessed before, so attackers
-- cannot lock the owner out. With one shared counter, a hundred refused calls of one attacker would block everyone, and
-- the audit lines of refusals with it (PERM-14).
create table private.attempts (
  subject        text primary key,
  failures       integer not null default 0,
  last_failed_at timestamptz not null default now(),
  blocked_until  timestamptz
);
comment on table private.attempts is 'Wrong guesses per client address; per subject where the address is unknown.';

-- The address is verified by the front server; a client cannot choose it.
create function private.attempt_key(subject text) returns text
language sql stable set search_path = '' as $$ select subject || coalesce(' ' || nullif(current_setting('request.address', true), ''), '') $$;

create function private.is_attempt_allowed(subject text) returns boolean
language sql stable set search_path = '' as $$
  select not exists (select from private.attempts where attempts.subject = private.attempt_key(is_attempt_allowed.subject) and blocked_until > now())
$$;

-- After `allowed` failures within a day, tries are blocked for 15 minutes, doubling with each further failure.
create function private.count_failure(subject text, allowed integer) returns void
language sql set search_path = '' as $$
  insert into private.attempts as stored (subject, failures) values (private.attempt_key(count_failure.subject), 1)
  on conflict on constraint attempts_pkey do update set
    failures = case when stored.last_failed_at < now() - interval '1 day' then 1 else stored.failures + 1 end,
    last_failed_at = now(),
    blocked_until = case
      when stored.last_failed_at >= now() - interval '1 day' and stored.failures + 1 >= allowed
      then now() + interval '15 minutes' * power(2, least(stored.failures + 1 - allowed, 8))
    end
$$;

create function private.clear_attempts() returns void
language sql set search_path = '' as $$
  delete from private.attempts
  where last_failed_at < now() - interval '1 day' and (blocked_until is null or blocked_until < now())
$$;

-- Same response for right and wrong guesses.
create function private.too_many_attempts() returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('response.headers', '[{"Retry-After": "900"}]', true);
  return private.rejection(429, 'PT429', 'Too many attempts. Try again later.');
end $$;

create function private.reject_caller(subject text, action text, message text, reason text default 'not an admin') returns jsonb
language plpgsql set search_path = '' as $$
begin
  if not private.is_attempt_allowed(subject) then
    return private.too_many_attempts();
  end if;
  perform private.count_failure(subject, 100);
  perform private.record(action, null, 'refused', reason);
  return private.rejection(403, '42501', message);
end $$;

create function private.set_setup_key(key_hash text, printed boolean default true) returns boolean
language plpgsql set search_path = '' as $$
declare
  given bytea;
begin
  perform private.raise_if(key_hash !~ '^[0-9a-f]{64}$', '22023', 'The setup key is handed over as its SHA-256 in hexadecimal.');
  given := decode(key_hash, 'hex');
  delete from private.setup_keys where hash <> given and used_at is null;
  delete from private.attempts where starts_with(subject, 'setup key') and not exists (select from private.setup_keys where hash = given);
  insert into private.setup_keys (hash, printed_at) values (given, case when printed then now() end)
  on conflict (hash) do update set expires_at = now() + interval '24 hours', printed_at = coalesce(setup_keys.printed_at, excluded.printed_at)
  where setup_keys.used_at is null;
  return (select used_at is null from private.setup_keys where hash = given);
end $$;
comment on function private.set_setup_key is
  'For the server at start. Replaces an unused key; returns false for a key that was already used. `printed` is false for a key that still has to be printed.';

create function private.admin_exists() returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.user_roles held join public.roles on roles.id = held.role_id where roles.name = 'admin')
$$;

create function private.setup_key_fits(key text) returns boolean
language sql stable set search_path = '' as $$
  select not private.admin_exists() and exists (
    select from private.setup_keys
    where hash = sha256(convert_to(key, 'UTF8')) and used_at is null and expires_at > now()
  )
$$;

create function public.check_setup_key(setup_key text, actor uuid default null, kind text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if private.setup_key_fits(setup_key) then
    return 'true';
  elsif not private.is_attempt_allowed('setup key') then
    return private.too_many_attempts();
  end if;
  perform private.count_failure('setup key', 5);
  perform public.record_act(actor, 'setup_key.check', null, 'refused', kind => kind);
  return private.rejection(403, '42501', 'Invalid admin key. Please enter the correct key to create an admin account.');
end $$;
comment on function public.check_setup_key is
  'For server functions, which run with the service key: true, or a committed refusal (403, 429) recorded for their caller. Does not use the key up.';

-- Refusals are returned, not raised: an exception would roll back their record and their count. Callers without the
-- right get the same refusal for known and unknown addresses. Admin sign-in calls this each time: nothing is recorded
-- for an account that is an admin already. A grant has one line, so the trigger of user_roles records none.
create function public.assign_admin_role(admin_email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  trusted boolean := not private.is_client() or public.is_admin();
  setup_key text := private.request_header('x-setup-key');
  admin_role uuid;
  target uuid;
  given bigint;
begin
  if not trusted and not coalesce(private.setup_key_fits(setup_key), false) then
    if setup_key is null then
      return private.reject_caller('assign admin role', 'admin_role.assign', 'Only an admin can assign the admin role.', 'neither an admin nor a setup key');
    elsif not private.is_attempt_allowed('setup key') then
      return private.too_many_attempts();
    end if;
  end if;

  -- A failure gets its own message instead of a constraint violation (ERR-04).
  insert into public.roles (name) values ('admin') on conflict (name) do nothing;
  select id into admin_role from public.roles where name = 'admin' for no key update;
  perform private.raise_if(admin_role is null, 'P0001', 'Role admin not found and could not be created');
  -- Checked again under the lock: of several concurrent calls with the key, one finds no admin yet.
  if not trusted and not private.setup_key_fits(setup_key) then
    perform private.count_failure('setup key', 5);
    perform private.record('admin_role.assign', null, 'refused', 'wrong setup key');
    return private.rejection(403, '42501', 'Invalid admin key. Please enter the correct key to create an admin account.');
  end if;

  -- Addresses of SAML accounts are only claims of their providers: one of several is not chosen.
  select (array_agg(profiles.user_id order by account.is_sso_user))[1] into target
  from public.profiles join auth.users account on account.id = profiles.user_id
  where account.email = lower(btrim(admin_email)) and account.email_confirmed_at is not null
    and account.deleted_at is null and (account.banned_until is null or account.banned_until <= now())
  having count(*) = 1 or not bool_and(account.is_sso_user);
  if target is null then
    perform private.record('admin_role.assign', null, 'refused', 'no confirmed account has the address');
    return private.rejection(400, 'P0001', 'No confirmed account has this email address.');
  end if;

  perform set_config('private.assigning', 'yes', true);
  insert into public.user_roles (user_id, role_id) values (target, admin_role) on conflict do nothing;
  get diagnostics given = row_count;
  perform set_config('private.assigning', '', true);
  if not trusted then
    update private.setup_keys set used_at = now() where hash = sha256(convert_to(setup_key, 'UTF8'));
    perform private.record('admin_role.first', target::text);
  elsif given > 0 then
    perform private.record('admin_role.assign', target::text);
  end if;
  return 'true';
end $$;
comment on function public.assign_admin_role is
  'Makes a confirmed account an admin: true, or a committed refusal (400, 403, 429). For admins, the service, and the setup key while no admin exists.';

grant execute on function public.check_setup_key to service_role;
grant execute on function public.assign_admin_role to anon, authenticated, service_role;
