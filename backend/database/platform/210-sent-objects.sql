-- expand
-- What was sent within the last day, and by whom, so that every process knows how much of it lies about unused.
create table if not exists storage.sent_objects (
  version text primary key,
  owner   text, -- whose share it counts against; null for the service
  sent_at timestamptz not null default now()
);
alter table storage.sent_objects enable row level security;
alter table storage.sent_objects force row level security;
revoke all on storage.sent_objects from public, anon, authenticated, service_role;

-- The product's own record of what uses which object is compared as often as the shelves are.
insert into storage.compared_shelves (shelf, compared_at) values ('references', now()) on conflict do nothing;
