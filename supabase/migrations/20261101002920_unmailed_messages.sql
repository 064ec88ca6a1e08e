-- Messages that the mail server refuses stay unmailed and are the oldest, so there is a way past them.

drop function private.unmailed_messages();
create function private.unmailed_messages(refused uuid[] default '{}')
returns table (id uuid, created_at timestamptz, name text, email text, message text)
language sql stable set search_path = '' as $$
  select id, created_at, name, email, message from public.contact_messages
  where mailed_at is null and id <> all (refused)
  order by created_at limit 500
$$;
comment on function private.unmailed_messages(uuid[]) is 'What waits to be mailed, oldest first, but for what the mail server has just refused.';
revoke all on function private.unmailed_messages(uuid[]) from public;
