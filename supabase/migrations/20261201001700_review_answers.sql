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
    and (not private.is_client() or private.draft_secret_hash() is not null or not public.is_admin())
  on conflict do nothing;
  return null;
end $$;

create function private.begin_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.reviews set state = 'waiting', arrived_at = now() where project_id = new.id and state = 'unfinished';
  return null;
end $$;

-- Publishing and unpublishing also happen elsewhere; the review follows.
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
  if found then
    insert into public.review_steps (project_id, kind, given_by)
    values (new.id, case when new.status = 'draft' then 'reopened' else 'published' end, answerer);
  end if;
  return null;
end $$;

create function private.draft_content(project uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'title', projects.title, 'client', projects.client, 'category', texts.category, 'tags', coalesce(to_jsonb(texts.tags), '[]'),
    'credits', coalesce(texts.credits, '[]'),
    'brief', projects.description, 'understanding', projects.understanding, 'actions', projects.actions, 'impact', projects.impact,
    'media', (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'url', url, 'title', title, 'description', description,
        'alt', alt, 'made', made, 'poster', poster, 'is_cover', is_cover) order by "order", id), '[]')
      from public.project_media where project_id = projects.id
    )
  )
  from public.projects left join public.case_study_metadata texts on texts.project_id = projects.id
  where projects.id = project
$$;

create function private.review_version(project uuid) returns text
language sql stable set search_path = '' as $$
  select (select count(*) from public.review_steps where project_id = project and kind <> 'link')
    || '.' || md5(coalesce(private.draft_content(project)::text, ''))
$$;

create function public.review_version(p_project uuid) returns text
language sql stable security definer set search_path = '' as $$ select private.review_version(p_project) where public.is_admin() $$;
comment on function public.review_version is 'For admins: the value that answer_review() expects, so that an answer refers to the content that was read.';

-- The contact address of the submission, else the address of the account that created it. Null for a guest without
-- either.
create function private.review_address(project uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce(
    (select email from public.review_contacts where project_id = project),
    (select profiles.email from public.projects join public.profiles on profiles.user_id = projects.created_by
     where projects.id = project and projects.created_by <> public.get_guest_user_id())
  )
$$;

create function private.delete_review_addresses() returns void
language plpgsql set search_path = '' as $$
declare
  kept interval := private.days_of('submitter_address_days', 30);
begin
  delete from public.review_contacts using public.reviews
  where reviews.project_id = review_contacts.project_id
    and reviews.state in ('changes_requested', 'declined', 'published') and reviews.answered_at < now() - kept;
  update public.review_steps set mail_to = null where mail_to is not null and given_at < now() - kept;
end $$;
comment on function private.delete_review_addresses is
  'Deletes submitters'' addresses thirty days after the answer, or after submitter_address_days. Runs hourly, and with every answer.';

create function public.answer_review(p_project uuid, p_answer text, p_words text, p_mail boolean, p_seen text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  review public.reviews;
  latest public.review_steps;
  message text := nullif(btrim(p_words, E' \r\n\t'), '');
  address text;
begin
  if private.is_client() and not public.is_admin() then
    return private.reject_caller('review', 'reviews.answer', 'Only an admin can answer a submission.');
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
  elsif p_seen <> private.review_version(p_project) then
    raise exception using errcode = 'PT409', message = 'It was changed since you opened it. Your answer was not sent: read it again first.';
  elsif not (case p_answer
    when 'publish' then review.state in ('unfinished', 'waiting', 'changed', 'changes_requested')
    when 'decline' then review.state in ('unfinished', 'waiting', 'changed', 'changes_requested')
    when 'ask' then review.state in ('unfinished', 'waiting', 'changed')
    else review.state = 'declined' end)
  then
    raise exception using errcode = 'PT409', message = 'This answer does not fit: the submission is ' || review.state || '.';
  end if;

  perform private.delete_review_addresses();
  if p_mail and p_answer <> 'reopen' then
    address := private.review_address(p_project);
  end if;
  update public.reviews set
    state = case p_answer
      when 'publish' then 'published' when 'ask' then 'changes_requested' when 'decline' then 'declined'
      else (select case when submitted_at is null then 'unfinished' else 'waiting' end from public.projects where id = p_project)
    end,
    answered_at = now(), answered_by = (select user_id from public.profiles where user_id = auth.uid()),
    arrived_at = case when p_answer = 'reopen' then now() else arrived_at end,
    before = case when p_answer = 'ask' then private.draft_content(p_project) else before end
  where project_id = p_project returning * into review;
  insert into public.review_steps (project_id, kind, words, given_by, mail_to)
  values (p_project, case p_answer when 'publish' then 'published' when 'ask' then 'changes_requested' when 'decline' then 'declined' else 'reopened' end,
    message, review.answered_by, address);
  if p_answer = 'publish' then
    update public.projects set status = 'active' where id = p_project and status = 'draft';
  elsif p_answer in ('ask', 'decline') then
    -- Without an email address, the first link is the submitter's only access: it stays valid as long as the answer is
    -- relevant.
    update private.draft_secrets set expires_at = greatest(expires_at, now() + interval '30 days')
    where hash = (select hash from private.draft_secrets where project_id = p_project order by created_at, hash limit 1)
      and revoked_at is null and expires_at > now();
  end if;
  perform private.record('reviews.' || p_answer, p_project::text);
  perform pg_notify('review_step', '');
  return jsonb_build_object('state', review.state, 'mail_to', address);
end $$;
comment on function public.answer_review is
  'For admins: publish, ask, decline or reopen a submission, with a message and an email to its submitter if there is an address. p_seen is the result of review_version(); PT409 names the admin who answered first.';

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
create function public.count_reviews(p_turn smallint default null, p_assignee uuid default null)
returns table (reviews integer, exact boolean)
language plpgsql stable security definer rows 1 set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.require_admin('Only an admin sees every project.');
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
  'For admins: how many arrived submissions have this `reviews.turn` (null: all but the published), optionally only those assigned to one admin. Counts to 1,000; beyond that the result is not exact.';

grant execute on function public.review_version, public.answer_review to authenticated;
grant execute on function public.count_reviews to authenticated, service_role;
