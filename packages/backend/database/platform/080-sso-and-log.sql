-- Company sign-in (SAML), and the identity service's own log.
create table if not exists auth.sso_providers (
  id          uuid primary key default gen_random_uuid(),
  resource_id text check (resource_id is null or resource_id <> ''),
  created_at  timestamptz default now(),
  updated_at  timestamptz default now(),
  disabled    boolean
);
create unique index if not exists sso_providers_resource_id_idx on auth.sso_providers (lower(resource_id));

create table if not exists auth.sso_domains (
  id              uuid primary key default gen_random_uuid(),
  sso_provider_id uuid not null references auth.sso_providers on delete cascade,
  domain          text not null check (domain <> ''),
  created_at      timestamptz default now(),
  updated_at      timestamptz default now()
);
create index if not exists sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);
create unique index if not exists sso_domains_domain_idx on auth.sso_domains (lower(domain));

create table if not exists auth.saml_providers (
  id                uuid primary key default gen_random_uuid(),
  sso_provider_id   uuid not null references auth.sso_providers on delete cascade,
  entity_id         text not null unique check (entity_id <> ''),
  metadata_xml      text not null check (metadata_xml <> ''),
  metadata_url      text check (metadata_url is null or metadata_url <> ''),
  attribute_mapping jsonb,
  created_at        timestamptz default now(),
  updated_at        timestamptz default now(),
  name_id_format    text
);
create index if not exists saml_providers_sso_provider_id_idx on auth.saml_providers (sso_provider_id);

create table if not exists auth.saml_relay_states (
  id              uuid primary key default gen_random_uuid(),
  sso_provider_id uuid not null references auth.sso_providers on delete cascade,
  request_id      text not null check (request_id <> ''),
  for_email       text,
  redirect_to     text,
  created_at      timestamptz default now(),
  updated_at      timestamptz default now(),
  flow_state_id   uuid references auth.flow_state on delete cascade
);
create index if not exists saml_relay_states_sso_provider_id_idx on auth.saml_relay_states (sso_provider_id);
create index if not exists saml_relay_states_created_at_idx on auth.saml_relay_states (created_at desc);

create table if not exists auth.audit_log_entries (
  instance_id uuid default '00000000-0000-0000-0000-000000000000',
  id          uuid primary key default gen_random_uuid(),
  payload     json,
  created_at  timestamptz default now(),
  ip_address  varchar(64) not null default ''
);
create index if not exists audit_log_entries_created_at_idx on auth.audit_log_entries (created_at desc);

alter table auth.sso_providers enable row level security;
alter table auth.sso_domains enable row level security;
alter table auth.saml_providers enable row level security;
alter table auth.saml_relay_states enable row level security;
alter table auth.audit_log_entries enable row level security;
