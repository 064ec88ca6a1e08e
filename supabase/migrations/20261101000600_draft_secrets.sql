-- A guest has no account, so a secret made by the submitter's browser proves "this draft is mine". It travels as the
-- header x-draft-secret, is kept as a hash, opens one draft, and dies when that draft is published.

create table private.draft_secrets (
  hash       bytea primary key,
  project_id uuid not null references public.projects on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days',
  revoked_at timestamptz
);
comment on table private.draft_secrets is 'SHA-256 of each draft''s secret. The secret is also the submission''s idempotency key.';
create index draft_secrets_by_project on private.draft_secrets (project_id);

create function private.draft_secret_hash() returns bytea
language sql stable set search_path = '' as $$
  select sha256(convert_to(secret, 'UTF8'))
  from private.header('x-draft-secret') as secret
  where secret ~ '^([A-Za-z0-9_-]{43}|[0-9a-f]{64})$'
$$;
comment on function private.draft_secret_hash() is
  'Hash of the secret that came with this request. Null without one, and for a malformed one: a policy must not answer differently where a hidden row is.';

create function private.draft_secret_hash_to_keep() returns bytea
language plpgsql stable set search_path = '' as $$
declare
  given bytea := private.draft_secret_hash();
begin
  if given is null and private.header('x-draft-secret') is not null then
    raise exception using errcode = 'PT400', message = 'The draft secret is malformed.';
  end if;
  return given;
end $$;
comment on function private.draft_secret_hash_to_keep() is 'The same for a new draft, where a malformed secret is an error (PT400).';

-- The two below take no argument: a policy asks once per statement, never once per row.
create function private.held_draft() returns uuid
language sql stable security definer set search_path = '' as $$
  select held.project_id
  from private.draft_secrets held join public.projects on projects.id = held.project_id
  where held.hash = private.draft_secret_hash()
    and held.revoked_at is null and held.expires_at > now() and projects.status = 'draft'
$$;
comment on function private.held_draft() is 'The draft that the caller''s secret opens for reading; null without one.';

create function private.editable_draft() returns uuid
language sql stable security definer set search_path = '' as $$
  select id from public.projects where id = private.held_draft() and created_at > now() - interval '2 hours'
$$;
comment on function private.editable_draft() is 'The same, while it may still be completed: for two hours.';

revoke all on function private.draft_secret_hash(), private.draft_secret_hash_to_keep(), private.held_draft(), private.editable_draft() from public;
grant execute on function private.held_draft(), private.editable_draft() to anon, authenticated;

create policy "the holder of a draft's secret reads it" on public.projects for select to anon, authenticated
  using (id = (select private.held_draft()));

-- Every way in leaves the secret behind, so a submission that fell back to a plain insert is opened by it too.
create function private.remember_draft_secret() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  given bytea := private.draft_secret_hash_to_keep();
begin
  if given is not null then
    insert into private.draft_secrets (hash, project_id, revoked_at)
    values (given, new.id, case when new.status <> 'draft' then now() end);
  end if;
  return null;
exception when unique_violation then
  raise exception using errcode = 'PT409', message = 'This submission was already received.';
end $$;
create trigger remember_draft_secret after insert on public.projects
  for each row execute function private.remember_draft_secret();

create function private.revoke_draft_secret() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.draft_secrets set revoked_at = now() where project_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger revoke_draft_secret after update of status on public.projects
  for each row when (old.status = 'draft' and new.status <> 'draft') execute function private.revoke_draft_secret();

revoke all on function private.remember_draft_secret(), private.revoke_draft_secret() from public;
