-- Functions of a review: drafts arrive, admins answer, and answers are emailed. Each locks the project's row and then
-- the review's, so that concurrent calls run one after the other.

-- A new draft opens a review. Restoring a project from the trash also restores its review (restore_trash).
create function private.open_reviews() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A draft that an admin creates in the admin area is not a submission; one sent with the public form is.
  insert into public.reviews (project_id, state, arrived_at)
  select id, case when submitted_at is null then 'unfinished' else 'waiting' end,
    case when submitted_at is null then created_at + interval '2 hours' else created_at end
  from fresh
  where status = 'draft' and coalesce(current_setting('private.restoring', true), '') <> 'yes'
    and (not private.is_client() or private.draft_secret_hash() is not null or not public.can_edit_content())
  on conflict do nothing;
  return null;
end $$;

create function private.begin_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.reviews set state = 'waiting', arrived_at = now() where project_id = new.id and state = 'unfinished';
  return null;
end $$;

-- Publishing and unpublishing also happen elsewhere; the review follows, and the labels of pictures.
create function private.follow_publication() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  answerer uuid := (select user_id from public.profiles where user_id = auth.uid());
begin
  update public.reviews set
    state = case when new.status = 'draft' then 'waiting' else 'published' end,
    arrived_at = case when new.status = 'draft' then now() else arrived_at end,
    answered_at = now(), answered_by = answerer
  where project_id = new.id and (state = 'published') = (new.status = 'draft');
  insert into public.review_steps (project_id, kind, given_by)
  select new.id, case when new.status = 'draft' then 'reopened' else 'published' end, answerer where found;
  perform pg_notify('stored_file_changed', 'case-studies/' || private.file_of(url))
  from public.project_media where project_id = new.id and private.file_of(url) is not null;
  return null;
end $$;

create function private.draft_content(project uuid) returns jsonb
language sql stable set search_path = '' as $$
  select content - '{status, budget, show_budget, start_date, end_date, description, facts, team}'::text[]
    || jsonb_build_object('brief', content -> 'description')
  from private.version_contents(array[project])
$$;

create function private.review_version(project uuid) returns text
language sql stable set search_path = '' as $$
  select (select count(*) from public.review_steps where project_id = project and kind <> 'link')
    || '.' || md5(coalesce(private.draft_content(project)::text, ''))
$$;

create function public.review_version(p_project uuid) returns text
language sql stable security definer set search_path = '' as $$ select private.review_version(p_project) where public.can_edit_content() $$;
comment on function public.review_version is 'For editors: the value that answer_review() expects, so that an answer refers to the content that was read.';

create function private.review_address(project uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce(
    (select email from public.review_contacts where project_id = project),
    (select profiles.email from public.projects join public.profiles on profiles.user_id = projects.created_by
     where projects.id = project and projects.created_by <> public.get_guest_user_id())
  ) where to_regclass('internal.mails') is not null
$$;

create function private.delete_review_addresses() returns void
language sql set search_path = '' as $$
  delete from public.review_contacts using public.reviews
  where reviews.project_id = review_contacts.project_id and (
    reviews.state in ('changes_requested', 'declined', 'published') and reviews.answered_at < now() - private.days_of('submitter_address_days', 30)
    or reviews.project_id in (select projects.id from public.projects join auth.users on users.id = created_by where users.deleted_at is not null)
  );
  update public.review_steps set mail_to = null
  where mail_to is not null and given_at < now() - private.days_of('submitter_address_days', 30)
$$;
comment on function private.delete_review_addresses is
  'Deletes submitters'' addresses thirty days after the answer, or after submitter_address_days, and those of accounts deleted softly. Runs hourly, and with every answer.';

create function public.answer_review(p_project uuid, p_answer text, p_words text, p_mail boolean, p_seen text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  review public.reviews;
  latest public.review_steps;
  message text := nullif(btrim(p_words, E' \r\n\t'), '');
  answered constant text := case p_answer when 'publish' then 'published' when 'ask' then 'changes_requested' when 'decline' then 'declined' end;
  address text;
begin
  if private.is_client() and not public.can_edit_content() then
    return private.reject_caller('review', 'reviews.answer', 'Only an editor can answer a submission.');
  end if;
  perform private.raise_if(p_answer is null or p_answer not in ('publish', 'ask', 'decline', 'reopen'), 'PT400', 'An answer is publish, ask, decline or reopen.');
  perform private.raise_if(p_answer in ('ask', 'decline') and message is null, 'PT422', case p_answer when 'ask' then 'Say what should change.' else 'Say why it is declined.' end);
  perform from public.projects where id = p_project for no key update;
  select * into review from public.reviews where project_id = p_project for update;
  perform private.raise_if(not found, 'PT404', 'This submission is not there any more.');
  if split_part(coalesce(p_seen, ''), '.', 1) <> split_part(private.review_version(p_project), '.', 1) then
    select * into latest from public.review_steps where project_id = p_project and kind <> 'link' order by given_at desc limit 1;
    raise exception using errcode = 'PT409', message = format('%s %s meanwhile. Your answer was not sent.',
      case when latest.kind = 'sent_back' then 'The submitter'
        else coalesce((select coalesce(nullif(name, ''), email) from public.profiles where user_id = latest.given_by), 'Someone') end,
      case latest.kind when 'changes_requested' then 'asked for changes' when 'declined' then 'declined it' when 'published' then 'published it'
        when 'sent_back' then 'sent it back' else 'took it up again' end);
  end if;
  perform private.raise_if(p_seen <> private.review_version(p_project), 'PT409',
    'It was changed since you opened it. Your answer was not sent: read it again first.');
  perform private.raise_if(review.state <> all (case p_answer
    when 'reopen' then '{declined}'::text[]
    when 'ask' then '{unfinished, waiting, changed}'
    else '{unfinished, waiting, changed, changes_requested}' end), 'PT409', 'This action is not possible: the submission is ' || review.state || '.');

  perform private.delete_review_addresses();
  address := case when p_mail and p_answer <> 'reopen' then private.review_address(p_project) end;
  update public.reviews set
    state = coalesce(answered, (select case when submitted_at is null then 'unfinished' else 'waiting' end from public.projects where id = p_project)),
    answered_at = now(), answered_by = (select user_id from public.profiles where user_id = auth.uid()),
    arrived_at = case when p_answer = 'reopen' then now() else arrived_at end,
    before = case when p_answer = 'ask' then private.draft_content(p_project) else before end
  where project_id = p_project returning * into review;
  insert into public.review_steps (project_id, kind, words, given_by, mail_to)
  values (p_project, coalesce(answered, 'reopened'), message, review.answered_by, address);
  if p_answer = 'publish' then
    update public.projects set status = 'active' where id = p_project and status = 'draft';
  elsif p_answer in ('ask', 'decline') then
    delete from public.planned_changes where project_id = p_project and fields = '{}';
    update public.planned_changes set due_at = null where project_id = p_project;
    -- Without an email address, the first link is the submitter's only access: it stays valid as long as the answer is
    -- relevant.
    update private.draft_secrets set expires_at = greatest(expires_at, now() + interval '30 days')
    where hash = (select hash from private.draft_secrets where project_id = p_project order by created_at, hash limit 1)
      and revoked_at is null and expires_at > now();
  end if;
  perform private.record('reviews.' || p_answer, p_project::text);
  return jsonb_build_object('state', review.state, 'mail_to', address);
end $$;
comment on function public.answer_review is
  'For editors: publish, ask, decline or reopen a submission, with a message and an email to its submitter if there is an address. p_seen is the result of review_version(); PT409 names the editor who answered first.';

-- Called by the backend when an email is due: no row when it is no longer wanted.
create function private.unmailed_review_step(step uuid)
returns table (id uuid, project_id uuid, kind text, words text, given_at timestamptz, mail_to text, title text)
language sql stable set search_path = '' as $$
  select steps.id, steps.project_id, steps.kind, steps.words, steps.given_at, steps.mail_to, projects.title
  from public.review_steps steps join public.projects on projects.id = steps.project_id
  where steps.id = $1 and steps.mail_to is not null and steps.mailed_at is null
$$;

create trigger queue_mail after insert on public.review_steps for each row
  when (new.mail_to is not null and new.mailed_at is null) execute function private.queue_mail('review_step');

create function private.review_step_mailed(step uuid) returns void
language sql set search_path = '' as $$ update public.review_steps set mailed_at = clock_timestamp() where id = step $$;

-- Every published submission keeps its review, so counting stops at 1,000 and the result says that there are more.
create function public.count_reviews(p_turn smallint default null, p_assignee uuid default null) returns table (reviews integer, exact boolean)
language plpgsql stable security definer rows 1 set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.require_editor('Only an editor sees every project.');
  return query
    select least(count(*), 1000)::integer, count(*) <= 1000
    from (
      select from public.reviews
      where turn between coalesce(p_turn, 0) and coalesce(p_turn, 3) and arrived_at <= now()
        and (p_assignee is null or assignee = p_assignee)
      limit 1001
    ) as counted;
end $$;
comment on function public.count_reviews is
  'For editors: how many arrived submissions have this `reviews.turn` (null: all but the published), optionally only those assigned to one editor. Counts to 1,000; beyond that the result is not exact.';

-- Functions for submitters of drafts: read the state of the review, set a contact address, send changes, claim the
-- draft for an account, and share links. A link has a name and an end date, can be revoked, and records when it was
-- last opened. Only hashes are stored, so a secret is returned only once.

-- Same message for a missing draft and for one of another submitter.
create function private.require_draft(is_open boolean) returns void
language sql stable set search_path = '' as $$ select private.raise_if(not is_open, '42501', 'This is not your draft, or its link has ended.') $$;

create function public.draft_states(p_projects uuid[])
returns table (project_id uuid, state text, words text, answered_at timestamptz, readable_until timestamptz, claimable boolean)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  perform private.raise_if(cardinality(p_projects) > 100, 'PT400', 'At most 100 drafts at once.');
  return query
    select reviews.project_id, reviews.state, latest.words, reviews.answered_at,
      case when reviews.state = 'declined' then reviews.answered_at + interval '30 days' end,
      projects.created_by = public.get_guest_user_id() and private.has_own_link(projects.id)
    from public.reviews join public.projects on projects.id = reviews.project_id
      left join lateral (
        select steps.words from public.review_steps steps
        where steps.project_id = reviews.project_id and steps.kind = reviews.state order by steps.given_at desc limit 1
      ) latest on true
    where reviews.project_id = any (p_projects) and private.can_read_draft(reviews.project_id);
end $$;
comment on function public.draft_states is 'For submitters: the state of each draft''s review and the messages. No row for anything else.';

create function public.leave_contact(p_project uuid, p_email text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_draft(private.can_read_draft(p_project));
  perform private.raise_if(not private.owns_draft(p_project), '42501', 'This link is for reading. Only the submitter can set the contact address.');
  delete from public.review_contacts where project_id = p_project and btrim(p_email) = '';
  insert into public.review_contacts (project_id, email) select p_project, btrim(p_email) where btrim(p_email) <> ''
  on conflict (project_id) do update set email = excluded.email;
end $$;
comment on function public.leave_contact is 'Contact address of a draft''s submitter; an empty one withdraws it. Admins and the server read it.';

create function private.write_draft_media(p_project uuid, p_media jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.raise_if(p_media is null or jsonb_typeof(p_media) <> 'array' or jsonb_array_length(p_media) not between 1 and 50, 'PT422', 'An experiment holds 1 to 50 media items.');
  perform set_config('private.sending_back', 'yes', true);
  delete from public.project_media
  where project_id = p_project and id not in (select (item ->> 'id')::uuid from jsonb_array_elements(p_media) as listed (item) where item ->> 'id' is not null);
  perform set_config('private.sending_back', '', true);
  -- Missing fields of an item keep their value: older clients send fewer fields.
  update public.project_media stored set title = nullif(btrim(item ->> 'title'), ''), "order" = place - 1,
    description = case when item ? 'description' then nullif(btrim(item ->> 'description'), '') else stored.description end,
    alt = case when item ? 'alt' then btrim(item ->> 'alt') else stored.alt end,
    made = case when item ? 'made' then item ->> 'made' else stored.made end,
    poster = case when item ? 'poster' then nullif(btrim(item ->> 'poster'), '') else stored.poster end,
    is_cover = case when item ? 'is_cover' then coalesce((item ->> 'is_cover')::boolean, false) else stored.is_cover end
  from jsonb_array_elements(p_media) with ordinality as listed (item, place)
  where stored.project_id = p_project and stored.id = (item ->> 'id')::uuid;
  insert into public.project_media (id, project_id, type, url, title, description, alt, made, poster, is_cover, "order")
  select (item ->> 'id')::uuid, p_project, coalesce(item ->> 'type', 'image'), item ->> 'url', nullif(btrim(item ->> 'title'), ''),
    nullif(btrim(item ->> 'description'), ''), btrim(item ->> 'alt'), item ->> 'made', nullif(btrim(item ->> 'poster'), ''),
    (item ->> 'is_cover')::boolean, place - 1
  from jsonb_array_elements(p_media) with ordinality as listed (item, place)
  where not exists (select from public.project_media where project_id = p_project and id = (item ->> 'id')::uuid);
end $$;

create function public.replace_draft_media(p_project uuid, p_media jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.raise_if((p_project = private.editable_draft() or private.created_draft(p_project)) is not true, '42501', 'This draft takes no more changes.');
  perform from public.projects where id = p_project for no key update;
  perform from public.project_media where project_id = p_project order by id for update;
  perform private.write_draft_media(p_project, p_media);
  delete from private.trash where table_name = 'project_media' and project_id = p_project and deleted_at = now() and not private.created_draft(p_project);
end $$;
comment on function public.replace_draft_media is
  'For the submitter of a draft that is still being sent, and its account: these are its media, with these words and in this order. Guests leave no trash.';

create function public.send_draft_back(
  p_project uuid, p_title text, p_client text, p_category text, p_tags text[],
  p_brief public.rich_text, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text,
  p_media jsonb, p_words text default null, p_credits jsonb default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  review public.reviews;
begin
  perform private.require_draft(private.can_read_draft(p_project));
  perform from public.projects where id = p_project for no key update;
  select * into review from public.reviews where project_id = p_project for update;
  perform private.raise_if(review.state is distinct from 'changes_requested', 'PT409', 'No changes are requested any more: the draft was sent back or answered meanwhile.');
  -- Lock order: the project's parts before its first change, which locks the register.
  perform private.lock_parts(p_project);
  update public.projects set title = p_title, client = nullif(btrim(p_client), '') where id = p_project;
  insert into public.case_study_metadata (project_id, brief, understanding, actions, impact, category, tags, credits)
  values (p_project, p_brief, p_understanding, p_actions, p_impact, p_category, p_tags, p_credits)
  on conflict (project_id) do update set brief = excluded.brief, understanding = excluded.understanding,
    actions = excluded.actions, impact = excluded.impact, category = excluded.category, tags = excluded.tags,
    credits = case when p_credits is null then case_study_metadata.credits else excluded.credits end;
  perform private.write_draft_media(p_project, p_media);

  update public.reviews set state = 'changed', arrived_at = now(), rights_cleared = false, client_agreed = false where project_id = p_project;
  insert into public.review_steps (project_id, kind, words) values (p_project, 'sent_back', nullif(btrim(p_words, E' \r\n\t'), ''));
  perform private.record('reviews.send_back', p_project::text);
end $$;
comment on function public.send_draft_back is
  'For the holder of any link to a draft, while an admin has requested changes: replaces its texts, credits and media, all or nothing, and returns it to the inbox.';

-- The secret proves ownership; the first claim wins, and links stay valid.
create function public.claim_draft(p_project uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.raise_if(auth.uid() is null or p_project is null or p_project is distinct from private.readable_draft() or not private.has_own_link(p_project), '42501',
    'This is not your draft, or its link has ended, or it is a link for reading.');
  perform private.raise_if(coalesce((auth.jwt() ->> 'is_anonymous')::boolean, false), 'PT403', 'Sign up first: what is kept in a passing visit would be lost with it.');
  update public.projects set created_by = auth.uid() where id = p_project and created_by = public.get_guest_user_id();
  perform private.record('drafts.claim', p_project::text) where found;
  perform private.raise_if(not exists (select from public.projects where id = p_project and created_by = auth.uid()), 'PT409',
    'This draft already belongs to an account.');
end $$;
comment on function public.claim_draft is 'Moves a guest''s draft, whose secret was sent, into the caller''s account. Repeating the call is harmless.';

-- Links are created by the submitter and, if the submitter lost theirs or for the revision of a published project, by
-- admins.
create function private.manages_draft_links(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.owns_draft(project)
    or (public.can_edit_content() and (
      exists (select from public.projects where id = project and status = 'draft')
      or exists (select from public.planned_changes where project_id = project and kind = 'publish' and fields <> '{}')
    ))
$$;

create function public.draft_links(p_project uuid)
returns table (id uuid, name text, made_by text, created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, last_opened_at timestamptz, in_use boolean)
language sql stable security definer rows 5 set search_path = '' as $$
  select links.id, links.name, links.made_by, links.created_at, links.expires_at, links.revoked_at, links.last_opened_at,
    links.hash is not distinct from private.draft_secret_hash()
  from private.draft_secrets links
  where links.project_id = p_project and (select private.manages_draft_links(p_project))
  order by links.revoked_at is null and links.expires_at > now() desc, links.created_at, links.id limit 100
$$;
comment on function public.draft_links is 'For submitters and editors: up to a hundred links of a draft, first those in force. in_use is the one that this request used.';

-- Every link has an end date, so that an old link cannot open the draft years later.
create function private.require_link(project uuid, until timestamptz, besides uuid default null) returns void
language sql stable set search_path = '' as $$
  select private.raise_if(until is null or until <= now() or until > now() + interval '366 days', 'PT422', 'A link ends on a day to come, within a year.');
  select private.raise_if(count(*) >= 20, 'PT422', 'A draft has at most 20 links at a time.') from private.draft_secrets
  where project_id = project and id is distinct from besides and revoked_at is null and expires_at > now()
$$;

create function public.make_draft_link(p_project uuid, p_name text, p_until timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  -- Three UUIDs contain more than 360 random bits; 256 are used.
  made text := translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_');
  link private.draft_secrets;
begin
  perform from public.projects where id = p_project for no key update;
  perform private.require_draft(private.manages_draft_links(p_project));
  perform private.require_link(p_project, p_until);
  perform private.raise_too_many('That is a lot of links in one day. Please make the next one tomorrow.')
  where (select count(*) from private.draft_secrets where project_id = p_project and created_at > now() - interval '1 day') >= 100;
  insert into private.draft_secrets (hash, project_id, expires_at, name, made_by, for_reading)
  values (sha256(convert_to(made, 'UTF8')), p_project, p_until, btrim(p_name), case when private.owns_draft(p_project) then 'submitter' else 'admin' end, true)
  returning * into link;
  perform private.record('draft_links.make', p_project::text, 'done', link.id::text);
  return jsonb_build_object('id', link.id, 'secret', made, 'expires_at', link.expires_at);
end $$;
comment on function public.make_draft_link is 'For submitters and editors: creates a link for reading. The secret is only in this response.';

create function public.change_draft_link(p_link uuid, p_name text, p_until timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  project uuid := (select project_id from private.draft_secrets where id = p_link);
begin
  perform private.require_draft(private.manages_draft_links(project));
  perform from public.projects where id = project for no key update;
  perform private.require_link(project, p_until, p_link);
  update private.draft_secrets set name = btrim(p_name), expires_at = p_until where id = p_link and revoked_at is null;
  perform private.raise_if(not found, 'PT409', 'This link was already revoked.');
  perform private.record('draft_links.change', project::text, 'done', p_link::text);
end $$;
comment on function public.change_draft_link is 'Changes a link''s name and end date.';

create function public.revoke_draft_link(p_link uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  project uuid := (select project_id from private.draft_secrets where id = p_link);
begin
  perform private.require_draft(private.manages_draft_links(project));
  update private.draft_secrets set revoked_at = now() where id = p_link and revoked_at is null;
  perform private.record('draft_links.revoke', project::text, 'done', p_link::text) where found;
end $$;
comment on function public.revoke_draft_link is 'Revokes a link permanently. Repeating the call changes nothing.';

create function public.draft_opened() returns void
language sql security definer set search_path = '' as $$
  update private.draft_secrets set last_opened_at = now()
  where hash = private.draft_secret_hash() and project_id = coalesce(private.readable_draft(), private.readable_revision())
    and (last_opened_at is null or last_opened_at <= now() - interval '1 hour')
$$;
comment on function public.draft_opened is 'Records that the link whose secret was sent was opened: at most once an hour.';

create function public.mail_draft_link(p_project uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  address text;
begin
  if private.is_client() and not public.can_edit_content() then
    return private.reject_caller('review', 'draft_links.mail', 'Only an editor can answer a submission.');
  end if;
  perform from public.projects where id = p_project and status = 'draft' for no key update;
  perform private.raise_if(not found, 'PT409', 'It is not a draft any more, so it has no links.');
  address := private.review_address(p_project);
  perform private.raise_if(address is null, 'PT422', 'No address is known. Make a link and pass it on yourself.');
  perform private.raise_if((select count(*) from public.review_steps where project_id = p_project and kind = 'link' and given_at > now() - interval '1 day') >= 5, 'PT422',
    'Five links a day are enough for one mailbox.');
  insert into public.review_steps (project_id, kind, given_by, mail_to)
  values (p_project, 'link', (select user_id from public.profiles where user_id = auth.uid()), address);
  perform private.record('draft_links.mail', p_project::text);
  return jsonb_build_object('mail_to', address);
end $$;
comment on function public.mail_draft_link is 'For editors: sends the submitter an email with a new link.';

-- The server derives the secret from the step's id, so a resent email contains the same link.
create function private.create_review_step_link(step uuid, secret_hash bytea) returns timestamptz
language sql set search_path = '' as $$
  insert into private.draft_secrets (hash, project_id, name, made_by)
  select secret_hash, projects.id, 'Mail of ' || to_char(steps.given_at at time zone 'utc', 'FMDD Mon YYYY'), 'mail'
  from public.review_steps steps join public.projects on projects.id = steps.project_id
  where steps.id = step and projects.status = 'draft' on conflict do nothing;
  select expires_at from private.draft_secrets where hash = secret_hash and revoked_at is null and expires_at > now()
$$;
comment on function private.create_review_step_link is 'End date of the link in this step''s email; null when the draft is no longer available.';

grant execute on function public.draft_states, public.leave_contact, public.replace_draft_media, public.send_draft_back, public.draft_links,
  public.make_draft_link, public.change_draft_link, public.revoke_draft_link, public.draft_opened to anon, authenticated;
grant execute on function public.review_version, public.answer_review, public.claim_draft, public.mail_draft_link to authenticated;
grant execute on function public.count_reviews to authenticated, service_role;
