-- Codes, email links, redirects in progress, and failed attempts.
do $$ begin create type auth.one_time_token_type as enum (
  'confirmation_token', 'reauthentication_token', 'recovery_token', 'email_change_token_new', 'email_change_token_current', 'phone_change_token'
); exception when duplicate_object then null; end $$;
do $$ begin create type auth.code_challenge_method as enum ('s256', 'plain'); exception when duplicate_object then null; end $$;

create table if not exists auth.flow_state (
  id                     uuid primary key default gen_random_uuid(),
  user_id                uuid references auth.users on delete cascade,
  auth_code              text, -- hashed
  code_challenge_method  auth.code_challenge_method, -- null in the implicit flow
  code_challenge         text,
  provider_type          text not null,
  provider_access_token  text, -- sealed
  provider_refresh_token text, -- sealed
  created_at             timestamptz default now(),
  updated_at             timestamptz default now(),
  authentication_method  text not null,
  auth_code_issued_at    timestamptz,
  referrer               text, -- the validated redirect_to
  linking_target_id      uuid references auth.users on delete cascade,
  provider_code_verifier text, -- ours: PKCE verifier and nonce sent to the provider
  nonce                  text
);
create index if not exists flow_state_created_at_idx on auth.flow_state (created_at desc);
create index if not exists idx_auth_code on auth.flow_state (auth_code);
create index if not exists idx_user_id_auth_method on auth.flow_state (user_id, authentication_method);

create table if not exists auth.one_time_tokens (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null references auth.users on delete cascade,
  token_type      auth.one_time_token_type not null,
  token_hash      text not null check (token_hash <> ''), -- of the token in the link
  relates_to      text not null, -- the address or number it was sent to
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  -- Not in Supabase: the code in the same email, expiry of both, the purpose, and failed attempts.
  code_hash       text,
  expires_at      timestamptz not null default now() + interval '1 hour',
  code_expires_at timestamptz not null default now() + interval '10 minutes',
  purpose         text,
  attempts        smallint not null default 0,
  flow_state_id   uuid references auth.flow_state on delete cascade,
  unique (user_id, token_type)
);
create index if not exists one_time_tokens_token_hash_idx on auth.one_time_tokens (token_hash);
create index if not exists one_time_tokens_relates_to_idx on auth.one_time_tokens (relates_to);
create index if not exists one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);

-- Not in Supabase: wrong guesses per account or address, so that the delay grows across restarts and processes.
create table if not exists auth.attempts (
  subject        text primary key, -- such as 'password:<user id>'
  failures       integer not null default 0,
  last_failed_at timestamptz not null default now(),
  blocked_until  timestamptz
);
create index if not exists attempts_last_failed_at_idx on auth.attempts (last_failed_at);

alter table auth.flow_state enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.attempts enable row level security;
