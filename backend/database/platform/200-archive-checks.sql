-- expand
-- Ours: when an archive was last read back and found whole, and when that last failed, for Help. A row for each outcome.
create table if not exists storage.archive_checks (
  outcome text primary key check (outcome in ('whole', 'failed')),
  at timestamptz not null default clock_timestamp(),
  made_at timestamptz -- of the newest archive that was found whole
);
alter table storage.archive_checks enable row level security;
alter table storage.archive_checks force row level security;
revoke all on storage.archive_checks from public, anon, authenticated, service_role;
