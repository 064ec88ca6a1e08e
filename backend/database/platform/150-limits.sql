-- expand
-- Ours: what the processes of one house have to agree on, beside the accounts and files: limits, mails, scheduled work.
-- No role but the owner's gets in.
create schema if not exists internal;
revoke all on schema internal from public, anon, authenticated, service_role;
comment on schema internal is 'Ours: what several processes of one house have in common.';

-- What is counted for minutes needs to survive no crash, so it costs no log. Only a house on a server counts here.
create unlogged table if not exists internal.limits (
  key     text primary key, -- the limit's name, and the hash of whom it is counted for
  points  bigint not null,
  ends_at timestamptz not null
);
create index if not exists limits_ends_at on internal.limits (ends_at);
comment on table internal.limits is 'Points used up in the window that ends at ends_at.';

-- What each guest's address and each account uploaded in its window. On both engines: an upload makes statements anyway.
create unlogged table if not exists internal.upload_allowances (
  owner   text primary key, -- hash of the account or address
  files   integer not null,
  bytes   bigint not null,
  refused integer not null, -- uploads whose bytes arrived and were not stored
  ends_at timestamptz not null
);
create index if not exists upload_allowances_ends_at on internal.upload_allowances (ends_at);
comment on table internal.upload_allowances is 'Files and bytes uploaded in the window that ends at ends_at.';
