-- expand
-- Not in Supabase: state that the processes of one installation share: limits, emails, scheduled work. Only the owner has access.
create schema if not exists internal;
revoke all on schema internal from public, anon, authenticated, service_role;
comment on schema internal is 'Ours: state that the processes of one installation share.';

-- Unlogged: a window of minutes need not survive a crash. Not used with the embedded database, which has one process.
create unlogged table if not exists internal.limits (
  key     text primary key, -- the limit's name, and a hash of the counted client
  points  bigint not null,
  ends_at timestamptz not null
);
create index if not exists limits_ends_at on internal.limits (ends_at);
comment on table internal.limits is 'Points used up in the window that ends at ends_at.';

-- Uploads per guest address and per account, on both engines, because an upload runs statements anyway.
create unlogged table if not exists internal.upload_allowances (
  owner   text primary key, -- hash of the account or address
  files   integer not null,
  bytes   bigint not null,
  refused integer not null, -- uploads that were received and not stored
  ends_at timestamptz not null
);
create index if not exists upload_allowances_ends_at on internal.upload_allowances (ends_at);
comment on table internal.upload_allowances is 'Files and bytes uploaded in the window that ends at ends_at.';
