-- Accounts and their identities, with the table and column names of Supabase. Only the identity service reads these tables.
create table if not exists auth.users (
  instance_id                 uuid default '00000000-0000-0000-0000-000000000000',
  id                          uuid primary key default gen_random_uuid(),
  aud                         varchar(255) default 'authenticated',
  role                        varchar(255) default 'authenticated',
  email                       varchar(255),
  encrypted_password          varchar(255), -- argon2id in PHC form, or bcrypt when imported; null: no password
  email_confirmed_at          timestamptz,
  invited_at                  timestamptz,
  confirmation_token          varchar(255) default '', -- for compatible dumps; tokens are in auth.one_time_tokens
  confirmation_sent_at        timestamptz,
  recovery_token              varchar(255) default '',
  recovery_sent_at            timestamptz,
  email_change_token_new      varchar(255) default '',
  email_change                varchar(255) default '',
  email_change_sent_at        timestamptz,
  last_sign_in_at             timestamptz,
  raw_app_meta_data           jsonb default '{}',
  raw_user_meta_data          jsonb default '{}',
  is_super_admin              boolean,
  created_at                  timestamptz default now(),
  updated_at                  timestamptz default now(),
  phone                       text unique, -- digits without the leading +
  phone_confirmed_at          timestamptz,
  phone_change                text default '',
  phone_change_token          varchar(255) default '',
  phone_change_sent_at        timestamptz,
  confirmed_at                timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current  varchar(255) default '',
  email_change_confirm_status smallint default 0 check (email_change_confirm_status between 0 and 2),
  banned_until                timestamptz,
  reauthentication_token      varchar(255) default '',
  reauthentication_sent_at    timestamptz,
  is_sso_user                 boolean not null default false,
  deleted_at                  timestamptz,
  is_anonymous                boolean not null default false
);
comment on table auth.users is 'Accounts. Written by the identity service only.';
create unique index if not exists users_email_partial_key on auth.users (email) where not is_sso_user;
create index if not exists users_instance_id_email_idx on auth.users (instance_id, lower(email));
create index if not exists users_created_at_idx on auth.users (created_at desc);

create table if not exists auth.identities (
  provider_id     text not null,
  user_id         uuid not null references auth.users on delete cascade,
  identity_data   jsonb not null,
  provider        text not null,
  last_sign_in_at timestamptz,
  created_at      timestamptz default now(),
  updated_at      timestamptz default now(),
  email           text generated always as (lower(identity_data ->> 'email')) stored,
  id              uuid primary key default gen_random_uuid(),
  unique (provider_id, provider)
);
create index if not exists identities_user_id_idx on auth.identities (user_id);
create index if not exists identities_email_idx on auth.identities (email text_pattern_ops);

alter table auth.users enable row level security;
alter table auth.identities enable row level security;
