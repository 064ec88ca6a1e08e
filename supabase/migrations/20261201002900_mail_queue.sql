-- contract: a release without the queue would mail the same rows
-- Messages and review steps are queued in internal.mails by the transaction that creates them. A hosted Supabase
-- project has no such queue and sends no email for them.

create function private.queue_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if to_regclass('internal.mails') is not null then
    insert into internal.mails (id, kind) values (new.id, tg_argv[0]) on conflict do nothing;
  end if;
  return null;
end $$;
comment on function private.queue_mail is 'Queues the email of a new row, under the kind that the trigger names.';

create trigger queue_mail after insert on public.contact_messages for each row
  when (new.mailed_at is null) execute function private.queue_mail('contact_message');
create trigger queue_mail after insert on public.review_steps for each row
  when (new.mail_to is not null and new.mailed_at is null) execute function private.queue_mail('review_step');

do $$
begin
  if to_regclass('internal.mails') is not null then
    insert into internal.mails (id, kind, queued_at)
    select id, 'contact_message', created_at from public.contact_messages where mailed_at is null
    union all
    select id, 'review_step', given_at from public.review_steps where mail_to is not null and mailed_at is null
    on conflict do nothing;
  end if;
end $$;

-- Called by the backend when an email is due: no row when it is no longer wanted.
create function private.unmailed_message(message uuid)
returns table (id uuid, created_at timestamptz, name text, email text, message text)
language sql stable set search_path = '' as $$
  select id, created_at, name, email, message from public.contact_messages where id = $1 and mailed_at is null
$$;
create function private.unmailed_review_step(step uuid)
returns table (id uuid, project_id uuid, kind text, words text, given_at timestamptz, mail_to text, title text)
language sql stable set search_path = '' as $$
  select steps.id, steps.project_id, steps.kind, steps.words, steps.given_at, steps.mail_to, projects.title
  from public.review_steps steps join public.projects on projects.id = steps.project_id
  where steps.id = $1 and steps.mail_to is not null and steps.mailed_at is null
$$;
drop function private.unmailed_messages(uuid[]);
drop function private.unmailed_review_steps(uuid[]);
revoke all on all functions in schema private from public;
