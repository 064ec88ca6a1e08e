-- Strangers cannot keep the owner out: wrong guesses are counted for the address they come from, and the right setup key,
-- of 192 random bits, passes whatever was guessed before.

comment on table private.attempts is 'Wrong guesses, counted for each network address; where none is known, for everybody together.';
delete from private.attempts;

create function private.attempts_of(subject text) returns text
language sql stable set search_path = '' as $$
  select subject || coalesce(' ' || nullif(current_setting('request.address', true), ''), '')
$$;

create or replace function private.may_try(subject text) returns boolean
language sql stable set search_path = '' as $$
  select not exists (
    select from private.attempts where attempts.subject = private.attempts_of(may_try.subject) and blocked_until > now()
  )
$$;
create or replace function private.count_failure(subject text, allowed integer) returns void
language sql set search_path = '' as $$
  insert into private.attempts as stored (subject, failures) values (private.attempts_of(count_failure.subject), 1)
  on conflict on constraint attempts_pkey do update set
    failures = case when stored.last_failed_at < now() - interval '1 day' then 1 else stored.failures + 1 end,
    last_failed_at = now(),
    blocked_until = case
      when stored.last_failed_at >= now() - interval '1 day' and stored.failures + 1 >= allowed
      then now() + interval '15 minutes' * power(2, least(stored.failures + 1 - allowed, 8))
    end
$$;

create function private.forget_attempts() returns void
language sql set search_path = '' as $$
  delete from private.attempts
  where last_failed_at < now() - interval '1 day' and (blocked_until is null or blocked_until < now())
$$;
comment on function private.forget_attempts() is 'Wrong guesses of addresses that have been quiet for a day. Hourly.';

-- A key counts as told once the operator can have read it: at once when they set it themselves, else when it was printed.
alter table private.setup_keys add column told_at timestamptz;
update private.setup_keys set told_at = created_at;

drop function private.set_setup_key(text);
create function private.set_setup_key(key_hash text, told boolean default true) returns boolean
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
  if not exists (select from private.setup_keys where hash = given) then
    -- A new key has not been guessed at.
    delete from private.attempts where starts_with(subject, 'setup key');
  end if;
  insert into private.setup_keys (hash, told_at) values (given, case when told then now() end)
  on conflict (hash) do update set expires_at = now() + interval '24 hours', told_at = coalesce(setup_keys.told_at, excluded.told_at)
  where setup_keys.used_at is null;
  select used_at is null into usable from private.setup_keys where hash = given;
  return usable;
end $$;
comment on function private.set_setup_key(text, boolean) is
  'For the server at start. Replaces an unused key; answers false for one that was used up before. `told` is false for a key that has still to be printed.';

create or replace function public.check_setup_key(setup_key text) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if private.setup_key_fits(setup_key) then
    return 'true';
  elsif not private.may_try('setup key') then
    return private.too_many_attempts();
  end if;
  perform private.count_failure('setup key', 5);
  perform private.record('setup_key.check', null, 'refused');
  return private.refuse(403, '42501', 'Invalid admin key. Please enter the correct key to create an admin account.');
end $$;

create or replace function public.assign_admin_role(admin_email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  trusted boolean := not private.is_client() or public.is_admin();
  setup_key text := private.header('x-setup-key');
  guessed text := case when private.header('x-setup-key') is null then 'assign admin role' else 'setup key' end;
  admin_role uuid;
  target uuid;
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
  if not trusted then
    update private.setup_keys set used_at = now() where hash = sha256(convert_to(setup_key, 'UTF8'));
  end if;
  perform private.record('admin_role.assign', target::text, 'done', case when not trusted then 'setup key' end);
  return 'true';
end $$;

-- The right key always passes, so it is never shut out.
create or replace function public.health_report() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin sees how the house is.';
  end if;
  return jsonb_build_object(
    'now', clock_timestamp(),
    'admins', (
      select count(*) from public.user_roles held join public.roles on roles.id = held.role_id
        join auth.users account on account.id = held.user_id
      where roles.name = 'admin' and account.deleted_at is null and (account.banned_until is null or account.banned_until <= now())
    ),
    'setup_key', case
      when private.admin_exists() then 'closed'
      when exists (select from private.setup_keys where used_at is null and expires_at > now()) then 'waiting'
      else 'missing'
    end,
    'setup_key_until', (
      select max(expires_at) from private.setup_keys where used_at is null and expires_at > now() and not private.admin_exists()
    ),
    'second_factor', private.admins_need_second_factor(),
    'unmailed_since', (select min(created_at) from public.contact_messages where mailed_at is null)
  );
end $$;

revoke all on function private.attempts_of(text), private.forget_attempts(), private.set_setup_key(text, boolean) from public;
