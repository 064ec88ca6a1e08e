-- expand
-- Not in Supabase: outgoing emails and webhook requests; a row exists from the transaction that causes it until the receiver has
-- accepted it.
create table if not exists internal.mails (
  id         uuid primary key default gen_random_uuid(), -- id of the row it is rendered from, if content is null
  kind       text not null,
  channel    text not null default 'mail' check (channel in ('mail', 'webhook')), -- each has its own sender
  content    text,        -- sealed; null: rendered from its row when it is sent
  sealed_by  text,        -- id of the sealing key
  queued_at  timestamptz not null default clock_timestamp(),
  due_at     timestamptz not null default clock_timestamp(), -- next attempt; while claimed: when another process may claim it
  give_up_at timestamptz, -- null: never
  attempts   integer not null default 0,
  claimed_by uuid,        -- the delivering process, until due_at
  failed_at  timestamptz, -- when it was given up; deleted after a month
  check ((content is null) = (sealed_by is null))
);
create index if not exists mails_due on internal.mails (due_at) where failed_at is null;
comment on table internal.mails is 'Emails and webhook requests that are queued, being delivered or given up. Delivered ones are deleted.';

create or replace function internal.tell_of_mails() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('mails', '');
  return null;
end $$;
create or replace trigger tell_of_mails after insert on internal.mails for each statement execute function internal.tell_of_mails();
