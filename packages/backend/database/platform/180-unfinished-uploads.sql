-- expand
-- Pending resumable uploads: their terms, and their pieces in the object store. Any process may continue one; only
-- the holder of the lease writes.
create table if not exists storage.unfinished_uploads (
  token        uuid primary key, -- the secret part of the upload's URL
  agreed       jsonb not null,
  owner        text, -- whose limit it counts against; null for the service
  came         bigint not null default 0, -- bytes of the pieces
  done         boolean not null default false, -- the object is recorded, the pieces are removed
  created_at   timestamptz not null default now(),
  came_at      timestamptz not null default now(), -- last write, or creation
  lease        uuid,
  leased_until timestamptz,
  asked_back   boolean not null default false -- another request waits for the lease
);
create index if not exists unfinished_uploads_owner_idx on storage.unfinished_uploads (owner) where not done;
create index if not exists unfinished_uploads_created_at_idx on storage.unfinished_uploads (created_at);
alter table storage.unfinished_uploads enable row level security, force row level security;

create table if not exists storage.unfinished_pieces (
  token    uuid not null references storage.unfinished_uploads on delete cascade,
  position bigint not null, -- of its first byte
  size     bigint not null,
  part     text not null, -- its name in the store
  primary key (token, position)
);
alter table storage.unfinished_pieces enable row level security, force row level security;
