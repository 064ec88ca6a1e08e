-- Twenty submissions in ten minutes are counted as case studies, not as requests: a hundred in one request are a hundred.
-- They are counted for the address they come from, and for the account that sends them from wherever.

create index audit_log_submissions_by_actor on public.audit_log (actor, at) where action = 'projects.insert';

create function private.submissions_since(since timestamptz, visitor text, account uuid) returns bigint
language sql stable set search_path = '' as $$
  -- A line of several names how many.
  select greatest(
    (select coalesce(sum(case when reason ~ '^\d{1,6} rows$' then split_part(reason, ' ', 1)::integer else 1 end), 0)
     from public.audit_log where action = 'projects.insert' and at > since and address = visitor),
    (select coalesce(sum(case when reason ~ '^\d{1,6} rows$' then split_part(reason, ' ', 1)::integer else 1 end), 0)
     from public.audit_log where action = 'projects.insert' and at > since and actor = account)
  )
$$;

create or replace function private.limit_submissions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 20;
  visitor text := nullif(current_setting('request.address', true), '');
  account uuid := auth.uid();
  fresh_rows integer := 1;
begin
  if not private.is_client() or public.is_admin() or (visitor is null and account is null) then
    return null;
  end if;
  if tg_when = 'BEFORE' then
    -- Two at once take turns, so that both cannot be the twentieth. The address first, for everybody.
    if visitor is not null then
      perform pg_advisory_xact_lock(hashtextextended('submissions from ' || visitor, 0));
    end if;
    if account is not null then
      perform pg_advisory_xact_lock(hashtextextended('submissions of ' || account, 0));
    end if;
  else
    select count(*) into fresh_rows from fresh;
  end if;
  if private.submissions_since(now() - interval '10 minutes', visitor, account) + fresh_rows > most and fresh_rows > 0 then
    raise sqlstate 'PGRST' using
      message = '{"code": "PT429", "message": "That is a lot of experiments in ten minutes. Please send the next one a little later.", "details": null, "hint": null}',
      detail = '{"status": 429, "headers": {"Retry-After": "600"}}';
  end if;
  return null;
end $$;
comment on function private.limit_submissions() is
  'Before the rows, which costs nothing, and after them, when they are counted. Repeating a submission with its own secret is free: it inserts nothing.';
-- Named so that it comes before the line of the audit log that these rows leave.
create trigger limit_submissions_counted after insert on public.projects
  referencing new table as fresh for each statement execute function private.limit_submissions();
revoke all on function private.submissions_since(timestamptz, text, uuid) from public;
