-- A submission gets one answer: published, changes requested, or declined. Its state is stored here and changed only
-- through procedures (review_desk). Every step is a row that is also the queue entry of its email.

create table public.reviews (
  project_id     uuid primary key references public.projects on delete cascade,
  state          text not null default 'waiting'
    constraint "a review has a known state" check (state in ('unfinished', 'waiting', 'changes_requested', 'changed', 'declined', 'published')),
  turn           smallint generated always as (
    case state when 'waiting' then 0 when 'changed' then 0 when 'changes_requested' then 1 when 'unfinished' then 2 when 'declined' then 3 else 4 end
  ) stored,
  arrived_at     timestamptz not null default now(), -- an unfinished submission arrives after two hours
  answered_at    timestamptz,
  answered_by    uuid references public.profiles (user_id) on delete set null,
  assignee       uuid references public.profiles (user_id) on delete set null,
  rights_cleared boolean not null default false,
  client_agreed  boolean not null default false,
  before         jsonb -- the draft's content when changes were requested
);
comment on table public.reviews is 'One row per submission. Admins tick its checklist; its state is moved by answer_review() and send_draft_back().';
comment on column public.reviews.turn is
  'The order of the inbox, and the only definition of what is waiting for review: 0 waiting for an admin, 1 changes requested, 2 not finished by its submitter, 3 declined, 4 published. Every list and count uses it, for submissions that have arrived.';
comment on column public.reviews.assignee is 'The editor who is responsible for it; null when unassigned.';
create index reviews_inbox on public.reviews (turn, arrived_at, project_id);
create index reviews_by_answerer on public.reviews (answered_by);
create index reviews_by_assignee on public.reviews (assignee, turn, arrived_at);

create table public.review_steps (
  id         uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects on delete cascade,
  kind       text not null
    constraint "a step has a known kind" check (kind in ('changes_requested', 'sent_back', 'declined', 'published', 'reopened', 'link')),
  words      text constraint "an answer is 1 to 5000 characters" check (char_length(btrim(words)) between 1 and 5000),
  given_by   uuid references public.profiles (user_id) on delete set null, -- null: the submitter
  given_at   timestamptz not null default clock_timestamp(),
  mail_to    text, -- null: no email is wanted, or the address was deleted
  mailed_at  timestamptz
);
comment on table public.review_steps is 'What happened to a submission, oldest first. A step with an address and no mailed_at waits for the mail server.';
create index review_steps_of_project on public.review_steps (project_id, given_at);
create index review_steps_by_giver on public.review_steps (given_by);

create table public.review_notes (
  id         uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects on delete cascade,
  author     uuid default auth.uid() references public.profiles (user_id) on delete set null,
  body       text not null constraint "a note is 1 to 5000 characters" check (char_length(btrim(body)) between 1 and 5000),
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.review_notes is 'Notes that editors share about a submission. Its submitter never sees them.';
create index review_notes_of_project on public.review_notes (project_id, created_at);
create index review_notes_by_author on public.review_notes (author);

create table public.review_contacts (
  project_id uuid primary key references public.projects on delete cascade,
  email      text not null
    constraint "an email address looks like name@example.com" check (
      char_length(email) <= 254 and email ~ '^[^[:space:][:cntrl:]@<>()\[\]\\,;:"]+@[^[:space:][:cntrl:]@<>()\[\]\\,;:"]+\.[^[:space:][:cntrl:]@<>()\[\]\\,;:".]+$'
    ),
  created_at timestamptz not null default now()
);
comment on table public.review_contacts is 'Contact address of the submitter. Deleted some days after the answer.';

-- Reply templates for frequent answers, shared by admins. Submitters only see what was sent.
create table public.reply_templates (
  id         uuid primary key default gen_random_uuid(),
  answer     text not null constraint "a reply is for publish, ask or decline" check (answer in ('publish', 'ask', 'decline')),
  name       text not null constraint "a reply's name is 1 to 80 characters" check (char_length(btrim(name)) between 1 and 80),
  body       text not null constraint "a reply is 1 to 5000 characters" check (char_length(btrim(body)) between 1 and 5000),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now()
);
comment on table public.reply_templates is 'Templates that editors insert into a review answer. {title}, {client}, {site} and {me} are replaced there.';
insert into public.reply_templates (answer, name, body) values
  ('ask', 'Say what the pictures show',
   E'Thank you for “{title}”. We like it, and would like to publish it.\n\nPlease say for each picture what it shows, in a sentence, so that people who cannot see it know it too. Then send it back: nothing else has to change.'),
  ('decline', 'Not for our portfolio',
   E'Thank you for sending us “{title}”. We read it with interest and will not publish it: our portfolio shows work in which people and machines made something together, and here we could not find both.\n\nYou are welcome to send us something else at any time.'),
  ('publish', 'Thank you',
   E'“{title}” is on {site} now. Thank you for letting us show it.\n\nIf something in it ever has to change, answer this mail.');
create trigger touch before update on public.reply_templates for each row execute function private.touch();

select private.enable_row_security('public.reviews', 'public.review_steps', 'public.review_notes', 'public.review_contacts', 'public.reply_templates');

create policy "editors read the review desk" on public.reviews for select to authenticated using ((select public.can_edit_content()));
create policy "editors read the review desk" on public.review_steps for select to authenticated using ((select public.can_edit_content()));
create policy "editors read the review desk" on public.review_notes for select to authenticated using ((select public.can_edit_content()));
create policy "editors read the review desk" on public.review_contacts for select to authenticated using ((select public.can_edit_content()));
create policy "editors tick the checklist" on public.reviews for update to authenticated using ((select public.can_edit_content()));
create policy "editors leave notes" on public.review_notes for insert to authenticated with check ((select public.can_edit_content()) and author = (select auth.uid()));
create policy "editors remove their own notes" on public.review_notes for delete to authenticated
  using ((select public.can_edit_content()) and author = (select auth.uid()));
create policy "editors read replies" on public.reply_templates for select to authenticated using ((select public.can_edit_content()));
create policy "admins share replies" on public.reply_templates to authenticated using ((select public.is_admin()));

grant select on public.reviews, public.review_steps, public.review_notes, public.review_contacts to authenticated;
grant update (rights_cleared, client_agreed, assignee) on public.reviews to authenticated;
grant insert (project_id, body), delete on public.review_notes to authenticated;
grant select, delete, insert (answer, name, body), update (answer, name, body) on public.reply_templates to authenticated;
select private.record_writes_of('public.review_notes');
select private.record_writes_of('public.reply_templates', stored => '{name}');

-- A tick states that an admin checked something. The audit line records both values.
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

-- One editor is responsible for a submission, so that no submission is reviewed twice or forgotten.
create function private.assign_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.user_roles where user_id = new.assignee for key share; -- the role is not withdrawn meanwhile
  perform private.raise_if(new.assignee is not null and not private.has_role(new.assignee, 'editor'), 'PT422',
    'Only an editor can look after a submission. Nothing was changed.');
  -- When the role is withdrawn, that action has its own audit line.
  perform private.record(case when new.assignee is null then 'reviews.unassign' else 'reviews.assign' end,
    concat_ws(' ', new.project_id, new.assignee)) where private.is_client() and pg_trigger_depth() = 1;
  return new;
end $$;
create trigger assign_review before update of assignee on public.reviews
  for each row when (old.assignee is distinct from new.assignee) execute function private.assign_review();

-- What an editor prepared belongs to the agency, so a former one keeps only their own submissions, also in the trash.
create function private.clear_assignee() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.has_role(old.user_id, 'editor') or not exists (select from public.roles where id = old.role_id and name in ('admin', 'editor')) then
    return null;
  end if;
  update public.reviews set assignee = null where assignee = old.user_id;
  update public.projects set created_by = default where created_by = old.user_id and not exists (select from public.reviews where project_id = projects.id);
  update private.trash set entry = entry || jsonb_build_object('created_by', public.get_guest_user_id())
  where table_name = 'projects' and entry ->> 'created_by' = old.user_id::text
    and not exists (select from private.trash review where review.table_name = 'reviews' and review.project_id = trash.project_id);
  return null;
end $$;
create trigger clear_assignee after delete on public.user_roles for each row execute function private.clear_assignee();
