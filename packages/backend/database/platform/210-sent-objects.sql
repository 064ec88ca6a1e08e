-- expand
-- Uploads of the last day and their owners, so that every process can count unused bytes.
create table if not exists storage.sent_objects (
  version text primary key,
  owner   text, -- whose limit it counts against; null for the service
  sent_at timestamptz not null default now()
);
alter table storage.sent_objects enable row level security, force row level security;
revoke all on storage.sent_objects from public, anon, authenticated, service_role;

-- The project's record of object references is compared as often as the shelves.
insert into storage.compared_shelves (shelf, compared_at) values ('references', now()) on conflict do nothing;
