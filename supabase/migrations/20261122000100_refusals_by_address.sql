-- Failures are counted for each address: with one count for everybody, a stranger's hundred refused calls closed a
-- procedure to all, and with it the record of who was refused (PERM-14).

create or replace function private.may_try(subject text) returns boolean
language sql stable set search_path = '' as $$
  select not exists (
    select from private.attempts
    where attempts.subject = concat_ws(' ', may_try.subject, nullif(current_setting('request.address', true), ''))
      and blocked_until > now()
  )
$$;

create or replace function private.count_failure(subject text, allowed integer) returns void
language sql set search_path = '' as $$
  delete from private.attempts where last_failed_at < now() - interval '7 days';
  insert into private.attempts as stored (subject, failures)
  values (concat_ws(' ', count_failure.subject, nullif(current_setting('request.address', true), '')), 1)
  on conflict (subject) do update set
    failures = case when stored.last_failed_at < now() - interval '1 day' then 1 else stored.failures + 1 end,
    last_failed_at = now(),
    blocked_until = case
      when stored.last_failed_at >= now() - interval '1 day' and stored.failures + 1 >= allowed
      then now() + interval '15 minutes' * power(2, least(stored.failures + 1 - allowed, 8))
    end
$$;
comment on table private.attempts is 'Wrong guesses and refused calls, counted by what was tried and from which address.';
