-- The contact form has a share for each address first, so that a stranger with a handful of them cannot shut it for
-- everybody: past a hundred an hour, those still get through who have not written in that hour.

create function private.network_of(address text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return case when family(address::inet) = 6 then network(set_masklen(address::inet, 56))::text else address end;
exception when invalid_text_representation then
  return address;
end $$;
comment on function private.network_of(text) is 'Of IPv6 the /56 of one customer, as backend/http/network.ts has it.';

create or replace function private.sweep_contact_messages() returns void
language plpgsql set search_path = '' as $$
declare
  days numeric;
begin
  delete from private.contact_senders where at < now() - interval '1 hour';
  select case when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric end into days
  from public.site_settings where name = 'contact_message_days';
  delete from public.contact_messages
  where created_at < now() - make_interval(days => least(greatest(coalesce(days, 730), 1), 3650)::integer);
end $$;

create or replace function public.send_message(p_name text, p_email text, p_message text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  visitor text := private.network_of(nullif(current_setting('request.address', true), ''));
  total bigint;
  lately bigint := 0;
  this_hour bigint := 1;
begin
  -- One after the other, so that many at once are counted like many in a row.
  perform pg_advisory_xact_lock(hashtext('contact_messages'));
  perform private.sweep_contact_messages();
  select count(*) into total from public.contact_messages where created_at > now() - interval '1 hour';
  if visitor is not null then
    select count(*) filter (where at > now() - interval '10 minutes'), count(*) into lately, this_hour
    from private.contact_senders where address = visitor;
  end if;
  if lately >= 5 or this_hour >= 10 or total >= (case when this_hour = 0 then 1000 else 100 end) then
    perform private.too_many_messages();
  end if;
  if visitor is not null then
    insert into private.contact_senders (address) values (visitor);
  end if;
  insert into public.contact_messages (name, email, message)
  values (btrim(p_name), btrim(p_email), btrim(replace(p_message, E'\r\n', E'\n'), E' \n\t'));
  perform pg_notify('contact_message', '');
end $$;
comment on function public.send_message(text, text, text) is
  'Leaves a message for the agency: five in ten minutes and ten in an hour from one address (IPv6: /56); past a hundred in an hour from everybody, those who have not written in it, up to a thousand.';

revoke all on function private.network_of(text) from public;
