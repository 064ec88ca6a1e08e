-- A draft may have several links: each has a name and an end, can be taken back, and tells when it was last opened.
-- Only hashes are kept, so a secret is told once, to whoever made it.

alter table private.draft_secrets
  add column id             uuid default gen_random_uuid() constraint "links have ids of their own" unique,
  add column name           text default 'First link' constraint "a link's name is 1 to 60 characters in one line" check (btrim(name) <> '' and char_length(name) <= 60 and name !~ '[[:cntrl:]]'),
  add column made_by        text default 'submitter' constraint "a link is made by the submitter, an admin or a mail" check (made_by in ('submitter', 'admin', 'mail')),
  add column last_opened_at timestamptz;
comment on table private.draft_secrets is 'SHA-256 of the secret in each of a draft''s links. The first one is also the submission''s idempotency key.';

-- What was deleted before links had names comes back without one.
create function private.complete_draft_link() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.id := coalesce(new.id, gen_random_uuid());
  new.name := coalesce(new.name, 'First link');
  new.made_by := coalesce(new.made_by, 'submitter');
  return new;
end $$;
create trigger complete_draft_link before insert on private.draft_secrets
  for each row execute function private.complete_draft_link();
alter table private.draft_secrets alter column id set not null, alter column name set not null, alter column made_by set not null;

create function private.keeps_links(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.holds_draft(project)
    or (public.is_admin() and exists (select from public.projects where id = project and status = 'draft'))
$$;

create function private.require_links(project uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if project is null or not private.keeps_links(project) then
    raise exception using errcode = '42501', message = 'This is not your draft, or its link has ended.';
  end if;
end $$;

create function private.require_end(until timestamptz) returns void
language plpgsql stable set search_path = '' as $$
begin
  if until is null or until <= now() or until > now() + interval '366 days' then
    raise exception using errcode = 'PT422', message = 'A link ends on a day to come, within a year.';
  end if;
end $$;

create function public.draft_links(p_project uuid)
returns table (id uuid, name text, made_by text, created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, last_opened_at timestamptz, in_use boolean)
language sql stable security definer rows 5 set search_path = '' as $$
  select links.id, links.name, links.made_by, links.created_at, links.expires_at, links.revoked_at, links.last_opened_at,
    links.hash is not distinct from private.draft_secret_hash()
  from private.draft_secrets links
  where links.project_id = p_project and (select private.keeps_links(p_project))
  order by links.created_at, links.id
  limit 100
$$;
comment on function public.draft_links(uuid) is 'For who holds a draft, and for admins: its links, oldest first. in_use is the one this request brought.';

create function public.make_draft_link(p_project uuid, p_name text, p_until timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  -- Three ids hold more than 360 random bits; what is left of them is 256.
  made text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  link private.draft_secrets;
begin
  perform private.require_links(p_project);
  perform private.require_end(p_until);
  perform from public.projects where id = p_project for no key update;
  if (select count(*) from private.draft_secrets where project_id = p_project and revoked_at is null and expires_at > now()) >= 20
    or (select count(*) from private.draft_secrets where project_id = p_project) >= 100
  then
    raise exception using errcode = 'PT422', message = 'A draft has at most 20 links at a time.';
  end if;
  insert into private.draft_secrets (hash, project_id, expires_at, name, made_by)
  values (sha256(convert_to(made, 'UTF8')), p_project, p_until, btrim(p_name), case when private.holds_draft(p_project) then 'submitter' else 'admin' end)
  returning * into link;
  perform private.record('draft_links.make', p_project::text, 'done', link.id::text);
  return jsonb_build_object('id', link.id, 'secret', made, 'expires_at', link.expires_at);
end $$;
comment on function public.make_draft_link(uuid, text, timestamptz) is 'For who holds a draft, and for admins: one more link. The answer is the only place where its secret stands.';

create function public.change_draft_link(p_link uuid, p_name text, p_until timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  project uuid := (select project_id from private.draft_secrets where id = p_link);
begin
  perform private.require_links(project);
  perform private.require_end(p_until);
  update private.draft_secrets set name = btrim(p_name), expires_at = p_until
  where id = p_link and revoked_at is null;
  if not found then
    raise exception using errcode = 'PT409', message = 'This link was taken back already.';
  end if;
  perform private.record('draft_links.change', project::text, 'done', p_link::text);
end $$;
comment on function public.change_draft_link(uuid, text, timestamptz) is 'Gives a link another name and end.';

create function public.revoke_draft_link(p_link uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  project uuid := (select project_id from private.draft_secrets where id = p_link);
begin
  perform private.require_links(project);
  update private.draft_secrets set revoked_at = now() where id = p_link and revoked_at is null;
  if found then
    perform private.record('draft_links.revoke', project::text, 'done', p_link::text);
  end if;
end $$;
comment on function public.revoke_draft_link(uuid) is 'Takes a link back, for good. Doing so twice does nothing more.';

create function public.draft_opened() returns void
language sql security definer set search_path = '' as $$
  update private.draft_secrets set last_opened_at = now()
  where hash = private.draft_secret_hash() and project_id = private.held_draft()
    and (last_opened_at is null or last_opened_at <= now() - interval '1 hour')
$$;
comment on function public.draft_opened() is 'Notes that the link whose secret came along was opened: once an hour, and nothing for any other.';

-- The secret proves it, the first one wins, and links go on working.
create function public.claim_draft(p_project uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_project is null or p_project is distinct from private.held_draft() then
    raise exception using errcode = '42501', message = 'This is not your draft, or its link has ended.';
  elsif coalesce((auth.jwt() ->> 'is_anonymous')::boolean, false) then
    raise exception using errcode = 'PT403', message = 'Sign up first: what is kept in a passing visit would be lost with it.';
  end if;
  update public.projects set created_by = auth.uid() where id = p_project and created_by = public.get_guest_user_id();
  if found then
    perform private.record('drafts.claim', p_project::text);
  elsif not exists (select from public.projects where id = p_project and created_by = auth.uid()) then
    raise exception using errcode = 'PT409', message = 'This draft is in somebody''s account already.';
  end if;
end $$;
comment on function public.claim_draft(uuid) is 'Puts a guest''s draft, whose secret came along, into the caller''s account. Once; asking again is harmless.';

create function public.mail_draft_link(p_project uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  address text;
begin
  if private.is_client() and not public.is_admin() then
    return private.refuse_review();
  end if;
  perform from public.projects where id = p_project and status = 'draft' for no key update;
  if not found then
    raise exception using errcode = 'PT409', message = 'It is not a draft any more, so it has no links.';
  end if;
  address := private.review_address(p_project);
  if address is null then
    raise exception using errcode = 'PT422', message = 'No address is known. Make a link and pass it on yourself.';
  elsif (select count(*) from public.review_steps where project_id = p_project and kind = 'link' and given_at > now() - interval '1 day') >= 5 then
    raise exception using errcode = 'PT422', message = 'Five links a day are enough for one mailbox.';
  end if;
  insert into public.review_steps (project_id, kind, given_by, mail_to)
  values (p_project, 'link', (select user_id from public.profiles where user_id = auth.uid()), address);
  perform private.record('draft_links.mail', p_project::text);
  perform pg_notify('review_step', '');
  return jsonb_build_object('mail_to', address);
end $$;
comment on function public.mail_draft_link(uuid) is 'For admins: sends the submitter a mail with a new link.';

-- The server makes the secret from the step's id, so a mail that is sent again says the same.
create function private.link_of_step(step uuid, secret_hash bytea) returns timestamptz
language plpgsql set search_path = '' as $$
declare
  until timestamptz;
begin
  insert into private.draft_secrets (hash, project_id, name, made_by)
  select secret_hash, projects.id, 'Mail of ' || to_char(steps.given_at at time zone 'utc', 'FMDD Mon YYYY'), 'mail'
  from public.review_steps steps join public.projects on projects.id = steps.project_id
  where steps.id = step and projects.status = 'draft'
  on conflict do nothing;
  select expires_at into until from private.draft_secrets
  where hash = secret_hash and revoked_at is null and expires_at > now();
  return until;
end $$;
comment on function private.link_of_step(uuid, bytea) is 'Until when the link in this step''s mail is good; null when there is no draft to open any more.';

revoke all on function private.complete_draft_link(), private.keeps_links(uuid), private.require_links(uuid),
  private.require_end(timestamptz), private.link_of_step(uuid, bytea) from public;
revoke all on function public.draft_links(uuid), public.make_draft_link(uuid, text, timestamptz),
  public.change_draft_link(uuid, text, timestamptz), public.revoke_draft_link(uuid), public.draft_opened(),
  public.claim_draft(uuid), public.mail_draft_link(uuid) from public, anon, authenticated, service_role;
grant execute on function public.draft_links(uuid), public.make_draft_link(uuid, text, timestamptz),
  public.change_draft_link(uuid, text, timestamptz), public.revoke_draft_link(uuid), public.draft_opened() to anon, authenticated;
grant execute on function public.claim_draft(uuid), public.mail_draft_link(uuid) to authenticated;
