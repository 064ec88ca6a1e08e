-- Who sent a draft in waits for one answer: published, changes asked for, or declined. The state lies here, moves only
-- through the procedures below, and every step is a row that is also the queue of its mail.

create table public.reviews (
  project_id     uuid primary key references public.projects on delete cascade,
  state          text not null default 'waiting'
    constraint "a review is waiting, asked, changed, declined or published" check (state in ('waiting', 'asked', 'changed', 'declined', 'published')),
  -- The inbox's order: ours to answer, theirs to answer, declined, over.
  turn           smallint generated always as (case state when 'waiting' then 0 when 'changed' then 0 when 'asked' then 1 when 'declined' then 2 else 3 end) stored,
  arrived_at     timestamptz not null default now(), -- a draft whose last step is missing arrives after two hours
  answered_at    timestamptz,
  answered_by    uuid references public.profiles (user_id) on delete set null,
  rights_cleared boolean not null default false,
  client_agreed  boolean not null default false,
  before         jsonb -- what the draft said when changes were asked for
);
comment on table public.reviews is 'One row per submission. Admins tick its checklist; its state is moved by answer_review() and send_draft_back().';
create index reviews_inbox on public.reviews (turn, arrived_at, project_id);
create index reviews_by_answerer on public.reviews (answered_by);

create table public.review_steps (
  id         uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects on delete cascade,
  kind       text not null
    constraint "a step is asked, sent_back, declined, published, reopened or link" check (kind in ('asked', 'sent_back', 'declined', 'published', 'reopened', 'link')),
  words      text constraint "an answer is 1 to 5000 characters" check (char_length(btrim(words)) between 1 and 5000),
  given_by   uuid references public.profiles (user_id) on delete set null, -- nobody: the submitter
  given_at   timestamptz not null default clock_timestamp(),
  mail_to    text, -- null: no mail is wanted, or the address is forgotten
  mailed_at  timestamptz
);
comment on table public.review_steps is 'What happened to a submission, oldest first. A step with an address and no mailed_at waits for the mail server.';
create index review_steps_of_project on public.review_steps (project_id, given_at);
create index review_steps_by_giver on public.review_steps (given_by);
create index review_steps_unmailed on public.review_steps (given_at) where mail_to is not null and mailed_at is null;

create table public.review_notes (
  id         uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects on delete cascade,
  author     uuid default auth.uid() references public.profiles (user_id) on delete set null,
  body       text not null constraint "a note is 1 to 5000 characters" check (char_length(btrim(body)) between 1 and 5000),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.review_notes is 'What admins tell each other about a submission. Its submitter never sees them.';
create index review_notes_of_project on public.review_notes (project_id, created_at);
create index review_notes_by_author on public.review_notes (author);

create table public.review_contacts (
  project_id uuid primary key references public.projects on delete cascade,
  email      text not null
    constraint "an e-mail address looks like name@example.com" check (
      char_length(email) <= 254 and email ~ '^[^[:space:][:cntrl:]@<>()\[\]\\,;:"]+@[^[:space:][:cntrl:]@<>()\[\]\\,;:"]+\.[^[:space:][:cntrl:]@<>()\[\]\\,;:".]+$'
    ),
  created_at timestamptz not null default now()
);
comment on table public.review_contacts is 'Where a submitter can be reached. Forgotten some days after the answer.';

do $$
declare
  made text;
begin
  foreach made in array array['reviews', 'review_steps', 'review_notes', 'review_contacts'] loop
    execute format('alter table public.%I enable row level security', made);
    execute format('alter table public.%I force row level security', made);
    execute format('create policy "admins read the review desk" on public.%I for select to authenticated using ((select public.is_admin()))', made);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', made);
    execute format('grant select on public.%I to authenticated', made);
  end loop;
end $$;
create policy "admins tick the checklist" on public.reviews for update to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "admins leave notes" on public.review_notes for insert to authenticated
  with check ((select public.is_admin()) and author = (select auth.uid()));
create policy "admins remove their own notes" on public.review_notes for delete to authenticated
  using ((select public.is_admin()) and author = (select auth.uid()));
grant update (rights_cleared, client_agreed) on public.reviews to authenticated;
grant insert (project_id, body), delete on public.review_notes to authenticated;
select private.watch('public.review_notes');

create function private.record_check() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record('reviews.check', new.project_id::text, 'done',
    'rights ' || case when new.rights_cleared then 'cleared' else 'open' end || ', client ' || case when new.client_agreed then 'agreed' else 'open' end);
  return null;
end $$;
create trigger record_check after update of rights_cleared, client_agreed on public.reviews
  for each row when (old.state = new.state and (old.rights_cleared, old.client_agreed) is distinct from (new.rights_cleared, new.client_agreed))
  execute function private.record_check();

-- What goes with its project comes back with it. An address that is forgotten for good is not kept.
create trigger keep_deleted after delete on public.reviews
  referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.keep_deleted();
create trigger keep_deleted after delete on public.review_steps
  referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.keep_deleted();
create trigger keep_deleted after delete on public.review_notes
  referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.keep_deleted();
create trigger keep_deleted after delete on public.review_contacts
  referencing old table as gone for each statement when (pg_trigger_depth() > 0) execute function private.keep_deleted();

create function private.open_reviews() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  restoring boolean := coalesce(current_setting('private.restoring', true), '') = 'yes';
begin
  if restoring then
    insert into public.reviews (project_id, state, arrived_at, answered_at, answered_by, rights_cleared, client_agreed, before)
    select distinct on (kept.project_id)
      kept.project_id, kept.state, kept.arrived_at, kept.answered_at, profiles.user_id, kept.rights_cleared, kept.client_agreed, kept.before
    from fresh join private.trash on trash.table_name = 'reviews' and (entry ->> 'project_id')::uuid = fresh.id
      cross join lateral jsonb_populate_record(null::public.reviews, entry) kept
      left join public.profiles on profiles.user_id = kept.answered_by
    order by kept.project_id, trash.id desc;
    insert into public.review_steps
    select kept.id, kept.project_id, kept.kind, kept.words, profiles.user_id, kept.given_at, kept.mail_to, kept.mailed_at
    from fresh join private.trash on trash.table_name = 'review_steps' and (entry ->> 'project_id')::uuid = fresh.id
      cross join lateral jsonb_populate_record(null::public.review_steps, entry) kept
      left join public.profiles on profiles.user_id = kept.given_by
    on conflict do nothing;
    insert into public.review_notes
    select kept.id, kept.project_id, profiles.user_id, kept.body, kept.created_at
    from fresh join private.trash on trash.table_name = 'review_notes' and (entry ->> 'project_id')::uuid = fresh.id
      cross join lateral jsonb_populate_record(null::public.review_notes, entry) kept
      left join public.profiles on profiles.user_id = kept.author
    on conflict do nothing;
    insert into public.review_contacts
    select (jsonb_populate_record(null::public.review_contacts, entry)).*
    from fresh join private.trash on trash.table_name = 'review_contacts' and (entry ->> 'project_id')::uuid = fresh.id
    order by trash.id desc
    on conflict do nothing;
  end if;
  -- What an admin begins at the desk is nobody's submission; what an admin sends with the form for everybody is.
  insert into public.reviews (project_id, arrived_at)
  select id, case when submitted_at is null then created_at + interval '2 hours' else created_at end
  from fresh
  where status = 'draft'
    and (restoring or not private.is_client() or private.draft_secret_hash() is not null or not public.is_admin())
  on conflict do nothing;
  return null;
end $$;
create trigger open_reviews after insert on public.projects
  referencing new table as fresh for each statement execute function private.open_reviews();

insert into public.reviews (project_id, arrived_at)
select id, case when submitted_at is null then created_at + interval '2 hours' else submitted_at end
from public.projects where status = 'draft';

create function private.review_arrives() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.reviews set arrived_at = now() where project_id = new.id and state = 'waiting' and arrived_at > now();
  return null;
end $$;
create trigger review_arrives after update of submitted_at on public.projects
  for each row when (old.submitted_at is null and new.submitted_at is not null and new.status = 'draft')
  execute function private.review_arrives();

-- Publishing and taking back happen elsewhere too; the desk follows.
create function private.review_follows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  answerer uuid := (select user_id from public.profiles where user_id = auth.uid());
begin
  update public.reviews set
    state = case when new.status = 'draft' then 'waiting' else 'published' end,
    arrived_at = case when new.status = 'draft' then now() else arrived_at end,
    answered_at = now(), answered_by = answerer
  where project_id = new.id and (state = 'published') = (new.status = 'draft');
  if found then
    insert into public.review_steps (project_id, kind, given_by)
    values (new.id, case when new.status = 'draft' then 'reopened' else 'published' end, answerer);
  end if;
  return null;
end $$;
create trigger review_follows after update of status on public.projects
  for each row when ((old.status = 'draft') <> (new.status = 'draft')) execute function private.review_follows();

-- A declined draft can be read by whoever holds its link for thirty days.
create or replace function private.held_draft() returns uuid
language sql stable security definer set search_path = '' as $$
  select held.project_id
  from private.draft_secrets held join public.projects on projects.id = held.project_id
    left join public.reviews on reviews.project_id = projects.id
  where held.hash = private.draft_secret_hash()
    and held.revoked_at is null and held.expires_at > now() and projects.status = 'draft'
    and (reviews.state is distinct from 'declined' or reviews.answered_at > now() - interval '30 days')
$$;

-- The two hours in which the form finishes what it began; an answer ends them.
create or replace function private.editable_draft() returns uuid
language sql stable security definer set search_path = '' as $$
  select id from public.projects left join public.reviews on reviews.project_id = projects.id
  where id = private.held_draft() and created_at > now() - interval '2 hours'
    and coalesce(reviews.state, 'waiting') in ('waiting', 'asked')
$$;

create function private.holds_draft(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(project = private.held_draft(), false) or exists (
    select from public.projects
    where id = project and status = 'draft' and created_by = auth.uid() and created_by <> public.get_guest_user_id()
  )
$$;
comment on function private.holds_draft(uuid) is 'Whether the caller brought the secret of this draft, or made it under their account.';

create function private.require_draft(project uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if project is null or not private.holds_draft(project) then
    raise exception using errcode = '42501', message = 'This is not your draft, or its link has ended.';
  end if;
end $$;

create function private.draft_as_told(project uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'title', projects.title, 'client', projects.client, 'category', texts.category, 'tags', coalesce(to_jsonb(texts.tags), '[]'),
    'brief', projects.description, 'understanding', projects.understanding, 'actions', projects.actions, 'impact', projects.impact,
    'media', (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'url', url, 'title', title, 'description', description) order by "order", id), '[]')
      from public.project_media where project_id = projects.id
    )
  )
  from public.projects left join public.case_study_metadata texts on texts.project_id = projects.id
  where projects.id = project
$$;

create function private.review_version(project uuid) returns text
language sql stable set search_path = '' as $$
  select (select count(*) from public.review_steps where project_id = project and kind <> 'link')
    || '.' || md5(coalesce(private.draft_as_told(project)::text, ''))
$$;
comment on function private.review_version(uuid) is 'How often a submission was answered, and a mark of what it says now.';

create function public.review_version(p_project uuid) returns text
language sql stable security definer set search_path = '' as $$
  select private.review_version(p_project) where public.is_admin()
$$;
comment on function public.review_version(uuid) is 'For admins: what answer_review() wants to hear, so that nobody answers what they have not read.';

create function private.review_address(project uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce(
    (select email from public.review_contacts where project_id = project),
    (select profiles.email from public.projects join public.profiles on profiles.user_id = projects.created_by
     where projects.id = project and projects.created_by <> public.get_guest_user_id())
  )
$$;

create function private.addresses_kept_for() returns interval
language plpgsql stable set search_path = '' as $$
declare
  days numeric;
begin
  select case when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric end into days
  from public.site_settings where name = 'submitter_address_days';
  return make_interval(days => least(greatest(coalesce(days, 30), 1), 3650)::integer);
end $$;

create function private.forget_review_addresses() returns void
language plpgsql set search_path = '' as $$
declare
  kept interval := private.addresses_kept_for();
begin
  delete from public.review_contacts using public.reviews
  where reviews.project_id = review_contacts.project_id
    and reviews.state in ('asked', 'declined', 'published') and reviews.answered_at < now() - kept;
  update public.review_steps set mail_to = null where mail_to is not null and given_at < now() - kept;
end $$;
comment on function private.forget_review_addresses() is
  'Removes submitters'' addresses thirty days after the answer, or the setting submitter_address_days. Hourly, and with every answer.';

revoke all on function private.record_check(), private.open_reviews(), private.review_arrives(), private.review_follows(),
  private.holds_draft(uuid), private.require_draft(uuid), private.draft_as_told(uuid), private.review_version(uuid),
  private.review_address(uuid), private.addresses_kept_for(), private.forget_review_addresses() from public;
revoke all on function public.review_version(uuid) from public, anon, authenticated, service_role;
grant execute on function public.review_version(uuid) to authenticated;
