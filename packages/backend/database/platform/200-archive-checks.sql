-- expand
-- Not in Supabase: when an archive was last verified, and when that last failed, for the Help page. One row per outcome.
create table if not exists storage.archive_checks (
  outcome text primary key check (outcome in ('whole', 'failed')),
  at timestamptz not null default clock_timestamp(),
  made_at timestamptz -- of the newest intact archive
);
alter table storage.archive_checks enable row level security, force row level security;
revoke all on storage.archive_checks from public, anon, authenticated, service_role;
