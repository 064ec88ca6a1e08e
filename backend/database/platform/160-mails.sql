-- expand
-- Ours: every mail on its way out, one row from the transaction that causes it until the mail server has taken it.
create table if not exists internal.mails (
  id         uuid primary key default gen_random_uuid(), -- of the row that it tells of, when it has no content of its own
  kind       text not null,
  content    text,        -- sealed; null: written when its turn has come, from the row that it tells of
  sealed_by  text,        -- which sealing key opens the content
  queued_at  timestamptz not null default clock_timestamp(),
  due_at     timestamptz not null default clock_timestamp(), -- when it may be tried, or claimed by somebody else
  give_up_at timestamptz, -- null: never
  attempts   integer not null default 0,
  claimed_by uuid,        -- the process that is delivering it, until due_at
  failed_at  timestamptz, -- given up; kept for a month
  check ((content is null) = (sealed_by is null))
);
create index if not exists mails_due on internal.mails (due_at) where failed_at is null;
comment on table internal.mails is 'Mails that wait, are being delivered or were given up. Delivered ones are gone.';

create or replace function internal.tell_of_mails() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('mails', '');
  return null;
end $$;
create or replace trigger tell_of_mails after insert on internal.mails
  for each statement execute function internal.tell_of_mails();
