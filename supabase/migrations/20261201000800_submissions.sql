-- Anyone may submit a draft. A guest has no account, so a secret made by the submitter's browser proves ownership: it is
-- sent as the header x-draft-secret, stored as a hash, opens one draft, and stops working when that draft is published.
-- A draft may have several links, each with its own secret, name and end date (draft_links).

create table private.draft_secrets (
  hash           bytea primary key,
  id             uuid not null default gen_random_uuid() constraint "links have ids of their own" unique,
  project_id     uuid not null references public.projects on delete cascade,
  name           text not null default 'First link'
    constraint "a link's name is 1 to 60 characters in one line" check (btrim(name) <> '' and char_length(name) <= 60 and name !~ '[[:cntrl:]]'),
  made_by        text not null default 'submitter'
    constraint "a link is made by the submitter, an admin or a mail" check (made_by in ('submitter', 'admin', 'mail')),
  for_reading    boolean not null default false,
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null default now() + interval '30 days',
  revoked_at     timestamptz,
  last_opened_at timestamptz
);
comment on table private.draft_secrets is 'SHA-256 of the secret in each of a draft''s links. The first one is also the submission''s idempotency key.';
comment on column private.draft_secrets.for_reading is 'A link for reading: it changes the draft only while an admin has requested changes. The submitter''s own links are not limited.';
create index draft_secrets_by_project on private.draft_secrets (project_id);

create function private.draft_secret_hash() returns bytea
language sql stable set search_path = '' as $$
  select sha256(convert_to(secret, 'UTF8'))
  from private.request_header('x-draft-secret') as secret
  where secret ~ '^([A-Za-z0-9_-]{43}|[0-9a-f]{64})$'
$$;
comment on function private.draft_secret_hash is
  'Hash of the secret sent with this request. Null without one, and for a malformed one: a policy must not reveal where a hidden row is.';

create function private.new_draft_secret_hash() returns bytea
language sql stable set search_path = '' as $$
  select private.raise_if(
    private.draft_secret_hash() is null and private.request_header('x-draft-secret') is not null, 'PT400', 'The draft secret is malformed.');
  select private.draft_secret_hash()
$$;
comment on function private.new_draft_secret_hash is 'The same for a new draft, where a malformed secret is an error (PT400).';

-- readable_draft and editable_draft take no argument, so that a policy calls them once per statement, not once per row. A
-- declined draft stays readable for thirty days.
create function private.readable_draft() returns uuid
language sql stable security definer set search_path = '' as $$
  select held.project_id
  from private.draft_secrets held join public.projects on projects.id = held.project_id
    left join public.reviews on reviews.project_id = projects.id
  where held.hash = private.draft_secret_hash()
    and held.revoked_at is null and held.expires_at > now() and projects.status = 'draft'
    and (reviews.state is distinct from 'declined' or reviews.answered_at > now() - interval '30 days')
$$;
comment on function private.readable_draft is 'The draft that the caller''s secret opens for reading; null without one.';

create function private.has_own_link(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.draft_secrets
    where hash = private.draft_secret_hash() and project_id = project and project = private.readable_draft() and not for_reading
  )
$$;
comment on function private.has_own_link is 'Whether the request carries the secret of one of the submitter''s own links to this draft.';

-- The form completes a submission within two hours; an admin's answer ends this period. A link for reading changes nothing
-- until an admin has requested changes.
create function private.editable_draft() returns uuid
language sql stable security definer set search_path = '' as $$
  select id from public.projects left join public.reviews on reviews.project_id = projects.id
  where id = private.readable_draft() and created_at > now() - interval '2 hours'
    and (reviews.state = 'changes_requested' or coalesce(reviews.state, 'unfinished') in ('unfinished', 'waiting') and private.has_own_link(id))
$$;
comment on function private.editable_draft is 'The draft that the caller''s secret may change; null without one.';

create policy "the holder of a draft's secret reads it" on public.projects for select to anon, authenticated using (id = (select private.readable_draft()));

create function private.created_draft(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.projects where id = project and status = 'draft' and created_by = auth.uid() and created_by <> public.get_guest_user_id())
$$;

-- Only the submitter's own links (the first one and those in emails to the submitter) move a draft into an account, create
-- and revoke links, and set the contact address. A link for reading does none of that.
create function private.owns_draft(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$ select private.has_own_link(project) or private.created_draft(project) $$;
comment on function private.owns_draft is 'Whether the caller submitted this draft: proved by their own link, or by their account.';

create function private.can_read_draft(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$ select coalesce(project = private.readable_draft(), false) or private.owns_draft(project) $$;
comment on function private.can_read_draft is 'Whether the caller sent a secret of this draft, or created it with their account.';

-- Also after a plain insert, which the form falls back to when create_case_study fails.
create function private.save_draft_secret() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  given bytea := private.new_draft_secret_hash();
begin
  insert into private.draft_secrets (hash, project_id, revoked_at) select given, new.id, case when new.status <> 'draft' then now() end where given is not null;
  return null;
exception when unique_violation then
  raise exception using errcode = 'PT409', message = 'This submission was already received.';
end $$;

-- The first step of a submission. A guest cannot read back the row of a plain insert; this returns its id. The draft secret
-- makes it idempotent: the same secret creates one project and returns the same id. A submission that was interrupted is
-- sent again, possibly hours later and with other texts: the newest ones are stored.
create function public.create_case_study(
  title text, description public.rich_text default null, client text default null, status text default 'draft', submitter_id uuid default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  secret_hash bytea := private.new_draft_secret_hash();
  trusted boolean := not private.is_client() or public.can_edit_content();
  project uuid;
  reads_only boolean;
begin
  if secret_hash is not null then
    perform pg_advisory_xact_lock(('x' || left(encode(secret_hash, 'hex'), 16))::bit(64)::bigint);
    select project_id, for_reading into project, reads_only from private.draft_secrets where hash = secret_hash;
    if found then
      if project = private.editable_draft() or private.created_draft(project) then
        -- Lock order: the project, then what belongs to it, then the first change.
        perform from public.projects where id = project for no key update;
        perform from public.case_study_metadata where project_id = project for update;
        update public.projects set
          title = create_case_study.title, description = create_case_study.description,
          client = nullif(btrim(create_case_study.client), '')
        where id = project and (title, description, client) is distinct from
          (create_case_study.title, create_case_study.description, nullif(btrim(create_case_study.client), ''));
      else
        perform private.raise_if(reads_only, '42501', 'This link is for reading. The draft can be changed with it once an admin has asked for changes.');
      end if;
      return project;
    end if;
  end if;
  insert into public.projects (title, description, client, status, created_by)
  values (
    create_case_study.title, create_case_study.description, nullif(btrim(create_case_study.client), ''),
    case when trusted then coalesce(create_case_study.status, 'draft') else 'draft' end,
    coalesce((select id from auth.users where trusted and id = create_case_study.submitter_id), auth.uid(), public.get_guest_user_id())
  )
  returning id into project;
  return project;
end $$;
comment on function public.create_case_study is
  'Creates a draft and returns its id; with the secret of a draft that is still being sent, or of the account''s own, it updates that one. Status and submitter count only when an admin or the service sends them.';

-- At most twenty submissions in ten minutes, per address and per account. The audit log already records each one, so rows
-- are counted there, not requests. Without address and account (a guest of a hosted project) nothing is limited here.
create function private.limit_submissions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 20;
  visitor text := nullif(current_setting('request.address', true), '');
  account uuid := auth.uid();
  fresh_rows integer := 1;
  earlier bigint;
begin
  if not private.is_client() or public.can_edit_content() or (visitor is null and account is null) then
    return null;
  end if;
  if tg_when = 'BEFORE' then
    -- Serialised, so that two concurrent submissions cannot both be the twentieth. Always the address first.
    perform pg_advisory_xact_lock(hashtextextended('submissions from ' || visitor, 0));
    perform pg_advisory_xact_lock(hashtextextended('submissions of ' || account, 0));
  else
    select count(*) into fresh_rows from fresh;
  end if;
  select greatest(sum(rows) filter (where address = visitor), sum(rows) filter (where actor = account), 0) into earlier
  from public.audit_log, coalesce(substring(reason from '^(\d{1,6}) rows$')::integer, 1) as rows
  where action = 'projects.insert' and outcome = 'done' and actor_kind in ('guest', 'user') and at > now() - interval '10 minutes'
    and (address = visitor or actor = account);
  perform private.raise_too_many('That is a lot of experiments in ten minutes. Please send the next one a little later.')
  where earlier + fresh_rows > most and fresh_rows > 0;
  return null;
end $$;
comment on function private.limit_submissions is
  'Runs before the insert (cheap refusal) and after it (counts the new rows). Repeating a submission with its own secret is not counted: it inserts nothing.';

grant execute on function private.readable_draft, private.editable_draft, private.created_draft to anon, authenticated;
grant execute on function public.create_case_study to anon, authenticated, service_role;
