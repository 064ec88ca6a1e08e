-- expand: the release before sends no notices.
-- Notices of events: webhooks, which are signed requests to addresses that admins enter, and emails that each admin
-- chooses. Both wait in internal.mails; a hosted Supabase project has no such queue and sends none.

create table public.webhooks (
  id            uuid primary key default gen_random_uuid(),
  url           text not null
    constraint "the address of a webhook is at most 2048 characters" check (char_length(url) <= 2048)
    constraint "a webhook has an address such as https://example.com/hook, without a password"
      check (url ~ '^https?://[^[:space:][:cntrl:]/?#@\\]+([/?][^[:space:][:cntrl:]#]*)?$'),
  events        text[] not null constraint "a webhook has one or more of the known events" check (
    cardinality(events) between 1 and 8
    and events <@ '{submission.received, submission.changed, comment.received, message.received, project.published, project.unpublished,
      schedule.done, schedule.refused}'::text[]
  ),
  active        boolean not null default true,
  secrets       integer not null default 0, -- how many secrets it has had; the last one signs
  failing_since timestamptz,                -- null: its last delivery succeeded
  created_at    timestamptz not null default clock_timestamp()
);
comment on table public.webhooks is 'Addresses that are sent events. For admins only. Their secrets are derived from the server''s keys and not stored.';

-- The log is also what is sent: a delivery has the id of its entry in internal.mails, and of its request.
create table public.webhook_deliveries (
  id           uuid primary key default gen_random_uuid(),
  webhook_id   uuid not null references public.webhooks on delete cascade,
  event        text not null,
  data         jsonb not null,
  created_at   timestamptz not null default clock_timestamp(),
  gives_up_at  timestamptz not null,
  attempts     integer not null default 0,
  attempted_at timestamptz,
  status       integer,    -- HTTP status of the last response
  problem      text,       -- of the last attempt
  delivered_at timestamptz
);
comment on table public.webhook_deliveries is 'Events sent to webhooks in the last 30 days. Written by the server alone; admins read it.';
create index webhook_deliveries_newest on public.webhook_deliveries (webhook_id, created_at desc);
create index webhook_deliveries_old on public.webhook_deliveries (created_at);

select private.enable_row_security('public.webhooks', 'public.webhook_deliveries');
create policy "admins manage webhooks" on public.webhooks to authenticated using ((select public.is_admin()));
create policy "admins read what webhooks were sent" on public.webhook_deliveries for select to authenticated using ((select public.is_admin()));
grant select, delete, insert (url, events), update (url, events, active) on public.webhooks to authenticated;
grant select on public.webhook_deliveries to authenticated;
select private.record_writes_of('public.webhooks', stored => '{events, active}');

create function private.limit_webhooks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('webhooks'));
  perform private.raise_if((select count(*) from public.webhooks) > 20, 'PT422', 'There are 20 webhooks already. Delete one first.');
  return null;
end $$;
create trigger limit_webhooks after insert on public.webhooks for each statement execute function private.limit_webhooks();

-- A webhook that is turned on again gets another five days. What the queue dropped while it was off has failed.
create function private.reset_failures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.failing_since := null;
  if to_regclass('internal.mails') is not null then
    update public.webhook_deliveries sent set gives_up_at = now()
    where webhook_id = new.id and delivered_at is null and gives_up_at > now() and not exists (select from internal.mails where id = sent.id);
  end if;
  return new;
end $$;
create trigger reset_failures before update of active on public.webhooks
  for each row when (new.active and not old.active) execute function private.reset_failures();

create function public.renew_webhook_secret(p_webhook uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  number integer;
begin
  perform private.require_admin('Only an admin can make a secret. Nothing was changed.');
  perform set_config('private.assigning', 'yes', true); -- no line for the update: record() below says what it was
  update public.webhooks set secrets = secrets + 1 where id = p_webhook returning secrets into number;
  perform set_config('private.assigning', '', true);
  perform private.raise_if(number is null, 'PT404', 'This webhook no longer exists.');
  perform private.record('webhooks.secret', p_webhook::text);
  return number;
end $$;
comment on function public.renew_webhook_secret is
  'Replaces the secret of a webhook and returns its number. The function webhook-secret, which calls it as its caller, derives the secret from it.';

-- Sends an event to a webhook, or an earlier delivery again, under the same id.
create function private.queue_delivery(webhook uuid, event text, data jsonb, delivery uuid default gen_random_uuid()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  gives_up constant timestamptz := now() + interval '1 day';
begin
  if to_regclass('internal.mails') is null then
    return;
  end if;
  insert into public.webhook_deliveries (id, webhook_id, event, data, gives_up_at) values (delivery, webhook, event, data, gives_up)
    on conflict (id) do update set gives_up_at = excluded.gives_up_at, delivered_at = null, problem = null, status = null;
  insert into internal.mails (id, kind, channel, give_up_at) values (delivery, 'webhook', 'webhook', gives_up)
    on conflict (id) do update set attempts = 0, due_at = now(), failed_at = null, give_up_at = excluded.give_up_at
      where mails.claimed_by is null;
end $$;

create function public.test_webhook(p_webhook uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  held integer := (select secrets from public.webhooks where id = p_webhook);
begin
  perform private.require_admin('Only an admin can test a webhook. Nothing was sent.');
  perform private.raise_if(held is null, 'PT404', 'This webhook no longer exists.');
  perform private.raise_if(held = 0, 'PT422', 'This webhook has no secret yet. Create one first.');
  perform private.raise_if((
    select count(*) from public.webhook_deliveries where webhook_id = p_webhook and event = 'webhook.test' and created_at > now() - interval '1 minute'
  ) >= 10, 'PT429', 'That is a lot of tests at once. Try again in a minute.');
  perform private.queue_delivery(p_webhook, 'webhook.test', '{}');
  perform private.record('webhooks.test', p_webhook::text);
end $$;
comment on function public.test_webhook is 'Sends an event of the type webhook.test, also to a webhook that is turned off: at most ten a minute.';

create function public.redeliver_webhook(p_delivery uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  sent public.webhook_deliveries;
begin
  perform private.require_admin('Only an admin can send an event again. Nothing was sent.');
  select * into sent from public.webhook_deliveries where id = p_delivery for update;
  perform private.raise_if(sent.id is null, 'PT404', 'This delivery is no longer in the log.');
  perform private.raise_if(sent.event <> 'webhook.test' and not (select active from public.webhooks where id = sent.webhook_id), 'PT409', 'This webhook is off. Turn it on first.');
  perform private.queue_delivery(sent.webhook_id, sent.event, sent.data, sent.id);
  perform private.record('webhooks.redeliver', sent.webhook_id::text, 'done', sent.event);
end $$;
comment on function public.redeliver_webhook is 'Sends a delivery of the log again, under the same id, by which receivers recognise it.';

-- For the backend, which has no other access: no row when the delivery is no longer wanted.
create function private.due_delivery(delivery uuid) returns table (webhook_id uuid, url text, secrets integer, event text, data jsonb, created_at timestamptz)
language sql stable set search_path = '' as $$
  select webhook.id, url, secrets, event, data, sent.created_at
  from public.webhook_deliveries sent join public.webhooks webhook on webhook.id = sent.webhook_id
  where sent.id = delivery and delivered_at is null and (active or event = 'webhook.test')
$$;

-- After five days without a success, or when the receiver says that it is gone, the webhook is turned off.
create function private.record_attempt(delivery uuid, response integer, failure text) returns void
language plpgsql set search_path = '' as $$
declare
  sent public.webhook_deliveries;
begin
  update public.webhook_deliveries
    set attempts = attempts + 1, attempted_at = clock_timestamp(), status = response, problem = failure,
      delivered_at = case when failure is null then clock_timestamp() end
  where id = delivery returning * into sent;
  if failure is null then
    update public.webhooks set failing_since = null where id = sent.webhook_id and failing_since is not null;
  elsif sent.event <> 'webhook.test' then
    update public.webhooks set failing_since = now() where id = sent.webhook_id and failing_since is null;
    update public.webhooks set active = false
    where id = sent.webhook_id and active and (failing_since < now() - interval '5 days' or response = 410);
    if found then
      perform private.record('webhooks.turn_off', sent.webhook_id::text);
      insert into internal.mails (id, kind) values (sent.webhook_id, 'webhook_turned_off') on conflict do nothing;
    end if;
  end if;
end $$;

create function private.turned_off_webhook(webhook uuid) returns table (url text, failing_since timestamptz)
language sql stable set search_path = '' as $$ select url, failing_since from public.webhooks where id = $1 and not active $$;

-- What an admin wants by email. The agency's mailbox gets messages in any case.
create table public.mail_preferences (
  user_id     uuid primary key default auth.uid() references public.profiles (user_id) on delete cascade,
  submissions boolean not null default false,
  messages    boolean not null default false,
  comments    boolean not null default false,
  schedules   boolean not null default false,
  digest      boolean not null default false
);
comment on table public.mail_preferences is 'Which notices an admin gets by email; none without a row. For that admin alone.';
select private.enable_row_security('public.mail_preferences');
create policy "admins choose their own mail" on public.mail_preferences to authenticated using (user_id = (select auth.uid()) and (select public.is_admin()));
grant select, insert (submissions, messages, comments, schedules, digest), update (submissions, messages, comments, schedules, digest) on public.mail_preferences to authenticated;

create table private.mail_notices (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references public.profiles (user_id) on delete cascade,
  kind       text not null check (kind in ('submission', 'message', 'comment', 'schedule', 'digest')),
  data       jsonb not null,
  created_at timestamptz not null default now()
);
comment on table private.mail_notices is 'Notices that wait to be emailed to an admin; deleted once they are.';
create index mail_notices_of_user on private.mail_notices (user_id);
create trigger queue_mail after insert on private.mail_notices for each row execute function private.queue_mail('notice');

-- Only to a confirmed address of someone who is still an admin and still wants it.
create function private.due_notice(notice uuid) returns table (mail_to text, kind text, data jsonb)
language sql stable set search_path = '' as $$
  select email, notices.kind, notices.data
  from private.mail_notices notices join public.profiles using (user_id) join public.mail_preferences wanted using (user_id)
  where notices.id = $1 and email_confirmed_at is not null and private.has_role(user_id, 'admin')
    and not exists (select from auth.users where id = user_id and banned_until > now())
    and case notices.kind when 'submission' then submissions when 'comment' then comments when 'schedule' then schedules when 'digest' then digest
      else messages end
$$;

create function private.notice_mailed(notice uuid) returns void
language sql set search_path = '' as $$ delete from private.mail_notices where id = $1 $$;

create table private.farewell_mails (
  id         uuid primary key default gen_random_uuid(),
  email      text not null,
  created_at timestamptz not null default now()
);
comment on table private.farewell_mails is 'Addresses of deleted accounts whose confirmation waits to be emailed; deleted once it is.';
create trigger queue_mail after insert on private.farewell_mails for each row execute function private.queue_mail('farewell');

create table private.digests (
  week timestamptz primary key -- Monday, 0:00 UTC: what happened before it has been counted
);

-- Called every hour and at each start by one process, so a digest that was missed covers more than a week.
create function private.queue_digests() returns void
language plpgsql set search_path = '' as $$
declare
  till constant timestamptz := date_trunc('week', now(), 'UTC');
  since timestamptz := coalesce((select max(week) from private.digests where week < till), till - interval '7 days');
  arrived integer;
  written integer;
begin
  insert into private.digests (week) values (till) on conflict do nothing;
  if not found or to_regclass('internal.mails') is null then
    return;
  end if;
  select count(*) into arrived from public.reviews join public.projects on projects.id = project_id
  where submitted_at >= since and submitted_at < till;
  select count(*) into written from public.contact_messages where created_at >= since and created_at < till;
  insert into private.mail_notices (user_id, kind, data)
  select user_id, 'digest', jsonb_build_object('since', since, 'submissions', arrived, 'messages', written,
    'waiting', (select count(*) from public.reviews where turn = 0))
  from public.mail_preferences where digest and arrived + written > 0;
end $$;

create function private.sweep_notices() returns void
language sql set search_path = '' as $$
  delete from public.webhook_deliveries where created_at < now() - interval '30 days';
  delete from private.mail_notices where created_at < now() - interval '30 days';
  delete from private.farewell_mails where created_at < now() - interval '30 days';
$$;

-- Events carry ids, and titles of projects; receivers read the rest with a key. A comment on a project, or an approval, is
-- mailed unless another came in the hour before: guests must not delay other mail.
create function private.emit_event(event text, data jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if to_regclass('internal.mails') is null then
    return;
  end if;
  perform private.queue_delivery(id, event, data) from public.webhooks where active and secrets > 0 and emit_event.event = any (events);
  insert into private.mail_notices (user_id, kind, data)
  select user_id, split_part(event, '.', 1), emit_event.data
  from public.mail_preferences
  where case event when 'message.received' then messages when 'submission.received' then submissions when 'comment.received' then comments and (
        select count(*) from public.draft_comments
        where project_id = (data ->> 'id')::uuid and not by_team and (version is not null) = (data ->> 'approved')::boolean
          and created_at > now() - interval '1 hour') = 1
    when 'schedule.done' then schedules when 'schedule.refused' then schedules else false end;
end $$;

-- Restored reviews and comments are not new ones.
create function private.emit_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.emit_event(tg_argv[0], jsonb_build_object('id', id, 'title', title) || case
    when tg_table_name = 'draft_comments' then jsonb_build_object('approved', to_jsonb(new) ->> 'version' is not null,
      'submission', exists (select from public.reviews where project_id = id))
    else '{}'
  end) from public.projects where id = new.project_id and current_setting('private.restoring', true) is distinct from 'yes';
  return null;
end $$;
create trigger emit_received after insert on public.reviews
  for each row when (new.state = 'waiting') execute function private.emit_arrival('submission.received');
create trigger emit_finished after update of state on public.reviews
  for each row when (old.state = 'unfinished' and new.state = 'waiting') execute function private.emit_arrival('submission.received');
create trigger emit_changed after update of state on public.reviews
  for each row when (old.state <> 'changed' and new.state = 'changed') execute function private.emit_arrival('submission.changed');

create trigger emit_comment after insert on public.draft_comments for each row when (not new.by_team) execute function private.emit_arrival('comment.received');

-- A project that is deleted or restored while it is public also leaves or joins the site.
create function private.emit_publication() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  project public.projects := coalesce(new, old);
begin
  perform private.emit_event(
    case when tg_op = 'DELETE' or project.status = 'draft' then 'project.unpublished' else 'project.published' end,
    jsonb_build_object('id', project.id, 'title', project.title));
  return null;
end $$;
create trigger emit_inserted after insert on public.projects for each row when (new.status <> 'draft') execute function private.emit_publication();
create trigger emit_updated after update of status on public.projects
  for each row when ((old.status = 'draft') <> (new.status = 'draft')) execute function private.emit_publication();
create trigger emit_deleted after delete on public.projects for each row when (old.status <> 'draft') execute function private.emit_publication();

grant execute on function public.renew_webhook_secret, public.test_webhook, public.redeliver_webhook to authenticated;
