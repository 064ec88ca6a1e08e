-- Messages from the contact form. Stored even if the email fails; editors read them, and they are deleted after a
-- retention period. A message can become a project.

create table public.contact_messages (
  id         uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default clock_timestamp(),
  name       text not null
    constraint "a name is 1 to 200 characters in one line" check (char_length(name) between 1 and 200 and name !~ '[[:cntrl:]]'),
  email      text not null
    constraint "an email address looks like name@example.com" check (
      char_length(email) <= 254 and email ~ '^[^[:space:][:cntrl:]@<>()\[\]\\,;:"]+@[^[:space:][:cntrl:]@<>()\[\]\\,;:"]+\.[^[:space:][:cntrl:]@<>()\[\]\\,;:".]+$'
    ),
  message    text not null
    constraint "a message is 1 to 5000 characters" check (char_length(message) between 1 and 5000),
  handled    boolean not null default false,
  mailed_at  timestamptz, -- when the mail server or the outbox accepted it
  project_id uuid
);
comment on table public.contact_messages is 'Messages from the contact form. For editors; written through send_message().';
comment on column public.contact_messages.project_id is 'The project that was started from it. No foreign key: that project can be in the trash.';
create unique index contact_messages_by_project on public.contact_messages (project_id) where project_id is not null;
create index contact_messages_newest on public.contact_messages (created_at desc, id);

select private.enable_row_security('public.contact_messages');

create policy "editors handle messages" on public.contact_messages to authenticated using ((select public.can_edit_content()));

grant select, update (handled), delete on public.contact_messages to authenticated;
select private.record_writes_of('public.contact_messages', stored => '{handled}');

-- Recent senders, for the rate limit. Addresses are stored separately from messages, for an hour and until the next
-- message or the hourly sweep.
create table private.contact_senders (
  address text not null,
  at      timestamptz not null default clock_timestamp()
);
create index contact_senders_recent on private.contact_senders (address, at);

create function private.sweep_contact_messages() returns void
language sql set search_path = '' as $$
  delete from private.contact_senders where at < now() - interval '1 hour';
  delete from public.contact_messages where created_at < now() - private.days_of('contact_message_days', 730)
$$;
comment on function private.sweep_contact_messages is 'Deletes messages after two years, or after contact_message_days, and expired addresses.';

create function private.network_of(address text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return case when family(address::inet) = 6 then network(set_masklen(address::inet, 56))::text else address end;
exception when invalid_text_representation then
  return address;
end $$;
comment on function private.network_of is 'IPv6 is counted by the /56 of one customer, as in packages/backend/http/network.ts.';

-- Each address has its own limit, so that an attacker with a few addresses cannot close the form for all: above a
-- hundred messages an hour, addresses without a message in that hour are still accepted.
create function public.send_message(p_name text, p_email text, p_message text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  visitor text := private.network_of(nullif(current_setting('request.address', true), ''));
  total bigint;
  lately bigint := 0;
  this_hour bigint := 1;
  added uuid;
begin
  -- The lock serializes concurrent messages, so that all are counted.
  perform pg_advisory_xact_lock(hashtext('contact_messages'));
  delete from private.contact_senders where at < now() - interval '1 hour';
  select count(*) into total from public.contact_messages where created_at > now() - interval '1 hour';
  if visitor is not null then
    select count(*) filter (where at > now() - interval '10 minutes'), count(*) into lately, this_hour from private.contact_senders where address = visitor;
  end if;
  -- Same message for every limit, so that it does not reveal how many others wrote.
  perform private.raise_too_many('That is a lot of messages at once. Please try again in ten minutes.')
  where lately >= 5 or this_hour >= 10 or total >= (case when this_hour = 0 then 1000 else 100 end);
  insert into private.contact_senders (address) select visitor where visitor is not null;
  insert into public.contact_messages (name, email, message)
  values (btrim(p_name), btrim(p_email), btrim(replace(p_message, E'\r\n', E'\n'), E' \n\t')) returning id into added;
  perform private.emit_event('message.received', jsonb_build_object('id', added));
end $$;
comment on function public.send_message is
  'Stores a message for the agency: at most five in ten minutes and ten in an hour per address (IPv6: /56); above a hundred in an hour in all, only from addresses without a message in it, up to a thousand.';

create trigger queue_mail after insert on public.contact_messages for each row
  when (new.mailed_at is null) execute function private.queue_mail('contact_message');

-- Called by the backend when an email is due, which has no other access to the table: no row when it is no longer wanted.
create function private.unmailed_message(message uuid) returns table (id uuid, created_at timestamptz, name text, email text, message text)
language sql stable set search_path = '' as $$ select id, created_at, name, email, message from public.contact_messages where id = $1 and mailed_at is null $$;

create function private.message_mailed(message_id uuid) returns void
language sql set search_path = '' as $$ update public.contact_messages set mailed_at = clock_timestamp() where id = message_id $$;

create function private.agency_mailbox() returns text
language sql stable set search_path = '' as $$ select value #>> '{}' from public.site_settings where name = 'email' and jsonb_typeof(value) = 'string' $$;
comment on function private.agency_mailbox is 'Contact address from the settings; null when no admin has set one.';

-- The draft gets the name and the text, never the address, which stays with the message. The lock serializes concurrent
-- calls, so that a message has one project; when that is deleted, another can be started.
create function public.start_project(p_message uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  message public.contact_messages;
  started uuid := gen_random_uuid();
  html text;
begin
  perform private.require_editor('Only an editor can start a project.');
  select * into message from public.contact_messages where id = p_message for update;
  perform private.raise_if(not found, 'PT404', 'The message is not there any more.');
  perform private.raise_if(exists (select from public.projects where id = message.project_id), 'PT409', 'A project has been started from this message already.');
  -- No equals sign is left that the checks of rich_text could take for an attribute.
  html := replace(replace(replace(replace(message.message, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '=', '&#61;');
  html := '<p>' || replace(regexp_replace(html, '\n\s*\n', '</p><p>', 'g'), E'\n', '<br>') || '</p>';
  perform set_config('private.assigning', 'yes', true); -- no lines for the writes: record() below says what they were
  perform public.upload_project(started, jsonb_build_object('title', left('Enquiry from ' || message.name, 200), 'client', message.name), html);
  update public.contact_messages set handled = true, project_id = started where id = p_message;
  perform set_config('private.assigning', '', true);
  perform private.record('projects.insert', started::text);
  perform private.record('contact_messages.start_project', p_message::text);
  return started;
end $$;
comment on function public.start_project is
  'For editors: creates a draft from a message, marks the message as handled and returns the id of the project, unless one exists already (409).';

create function public.started_project(p_message public.contact_messages) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.require_editor('Only an editor can read messages.');
  select coalesce(
    (select jsonb_build_object('id', id, 'title', title, 'deleted', false) from public.projects where id = p_message.project_id),
    (
      select jsonb_build_object('id', object_id, 'title', title, 'deleted', true) from private.trash
      where table_name = 'projects' and object_id = p_message.project_id and deleted_at > now() - private.trash_retention() order by id desc limit 1
    )
  )
$$;
comment on function public.started_project is 'For editors: the project that was started from a message, {id, title, deleted}; null without one, or when it is deleted for good.';

create function public.project_enquiry(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.require_editor('Only an editor can read messages.');
  select jsonb_build_object(
    'id', id, 'name', name, 'email', email, 'message', message, 'created_at', created_at,
    'history', (
      select coalesce(jsonb_agg(jsonb_build_object('at', at, 'action', action, 'changes', changes, 'actor_kind', actor_kind, 'actor', (
        select jsonb_build_object('name', name, 'email', email) from public.profiles where user_id = actor
      )) order by at, line), '[]')
      from (
        select at, id as line, action, changes, actor_kind, actor from public.audit_log
        where object = enquiry.id::text and action like 'contact_messages.%' and action <> 'contact_messages.insert' and outcome = 'done' order by at desc, id desc limit 20
      ) as lines
    )
  )
  from public.contact_messages enquiry where project_id = p_id
$$;
comment on function public.project_enquiry is
  'For editors: the message from which a project was started, with its history from the audit log; null without one.';

grant execute on function public.send_message to anon, authenticated;
grant execute on function public.start_project, public.started_project, public.project_enquiry to authenticated;
