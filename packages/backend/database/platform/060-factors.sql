-- Second factors.
do $$ begin create type auth.factor_type as enum ('totp', 'webauthn', 'phone'); exception when duplicate_object then null; end $$;
do $$ begin create type auth.factor_status as enum ('unverified', 'verified'); exception when duplicate_object then null; end $$;

create table if not exists auth.mfa_factors (
  id                           uuid primary key default gen_random_uuid(),
  user_id                      uuid not null references auth.users on delete cascade,
  friendly_name                text,
  factor_type                  auth.factor_type not null,
  status                       auth.factor_status not null default 'unverified',
  created_at                   timestamptz not null default now(),
  updated_at                   timestamptz not null default now(),
  secret                       text, -- sealed with a key that is not in the database
  phone                        text,
  last_challenged_at           timestamptz,
  web_authn_credential         jsonb,
  web_authn_aaguid             uuid,
  last_webauthn_challenge_data jsonb,
  last_used_step               bigint -- ours: a time-based code works once
);
create index if not exists mfa_factors_user_id_idx on auth.mfa_factors (user_id, created_at);
create unique index if not exists mfa_factors_user_friendly_name_unique on auth.mfa_factors (friendly_name, user_id) where btrim(friendly_name) <> '';
create unique index if not exists unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);

create table if not exists auth.mfa_challenges (
  id                     uuid primary key default gen_random_uuid(),
  factor_id              uuid not null references auth.mfa_factors on delete cascade,
  created_at             timestamptz not null default now(),
  verified_at            timestamptz,
  ip_address             inet not null,
  otp_code               text, -- hashed
  web_authn_session_data jsonb,
  attempts               smallint not null default 0 -- ours: wrong guesses
);
create index if not exists mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index if not exists mfa_challenge_created_at_idx on auth.mfa_challenges (created_at desc);

alter table auth.mfa_factors enable row level security;
alter table auth.mfa_challenges enable row level security;
