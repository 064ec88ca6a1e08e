-- Accepted SAML assertions: each opens one session only.
create table if not exists auth.saml_assertions (
  sso_provider_id uuid not null references auth.sso_providers on delete cascade,
  assertion_id    text not null check (assertion_id <> ''),
  expires_at      timestamptz not null, -- after this the assertion itself has expired
  created_at      timestamptz not null default now(),
  primary key (sso_provider_id, assertion_id)
);
create index if not exists saml_assertions_expires_at_idx on auth.saml_assertions (expires_at);
comment on table auth.saml_assertions is 'Ours: prevents the replay of a signed assertion.';

alter table auth.saml_assertions enable row level security;
