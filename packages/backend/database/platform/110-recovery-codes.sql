-- Not in Supabase: printed codes that replace a lost second factor. Each works once; a new set replaces the old one.
create table if not exists auth.recovery_codes (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users on delete cascade,
  set_id     uuid not null, -- the ten that were shown together
  code_hash  text not null, -- keyed with a secret that is not in the database
  created_at timestamptz not null default now(),
  used_at    timestamptz,
  unique (user_id, code_hash)
);
alter table auth.recovery_codes enable row level security;
