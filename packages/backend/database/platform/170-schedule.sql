-- expand
-- Not in Supabase: hourly jobs, run by the first process that claims them, or by another if that process crashes.
-- After a crash of the database the table is empty: all jobs are due in an hour, or at the next start.
create unlogged table if not exists internal.schedule (
  name       text primary key,
  due_at     timestamptz not null, -- while claimed: when another process may claim it
  claimed_by uuid
);
comment on table internal.schedule is 'When each scheduled job is due.';

-- When each service key was last used, to the hour.
create table if not exists internal.key_uses (
  name    text primary key,
  used_at timestamptz not null
);
comment on table internal.key_uses is 'Service keys by name, and the hour in which each was last used.';
