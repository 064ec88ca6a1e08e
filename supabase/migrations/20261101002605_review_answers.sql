-- The acts of a review: admins answer, submitters say where they can be reached and send back what they changed. Each
-- takes the project's row and then the review's, so that of two at once one waits and then sees what the other did.

create function private.refuse_review() returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if not private.may_try('review') then
    return private.too_many_attempts();
  end if;
  perform private.count_failure('review', 100);
  perform private.record('reviews.answer', null, 'refused', 'not an admin');
  return private.refuse(403, '42501', 'Only an admin can answer a submission.');
end $$;

create function public.answer_review(p_project uuid, p_answer text, p_words text, p_mail boolean, p_seen text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  review public.reviews;
  latest public.review_steps;
  said text := nullif(btrim(p_words, E' \r\n\t'), '');
  address text;
begin
  if private.is_client() and not public.is_admin() then
    return private.refuse_review();
  end if;
  if p_answer is null or p_answer not in ('publish', 'ask', 'decline', 'reopen') then
    raise exception using errcode = 'PT400', message = 'An answer is publish, ask, decline or reopen.';
  elsif p_answer in ('ask', 'decline') and said is null then
    raise exception using errcode = 'PT422', message = case p_answer when 'ask' then 'Say what should change.' else 'Say why it is declined.' end;
  end if;
  -- The project first, as everybody who writes both does.
  perform from public.projects where id = p_project for no key update;
  select * into review from public.reviews where project_id = p_project for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'This submission is not there any more.';
  end if;
  if split_part(coalesce(p_seen, ''), '.', 1) <> split_part(private.review_version(p_project), '.', 1) then
    select * into latest from public.review_steps where project_id = p_project and kind <> 'link' order by given_at desc limit 1;
    raise exception using errcode = 'PT409', message = format('%s %s meanwhile. Your answer was not sent.',
      case when latest.kind = 'sent_back' then 'The submitter'
        else coalesce((select coalesce(nullif(name, ''), email) from public.profiles where user_id = latest.given_by), 'Somebody') end,
      case latest.kind when 'asked' then 'asked for changes' when 'declined' then 'declined it' when 'published' then 'published it'
        when 'sent_back' then 'sent it back' else 'took it up again' end);
  elsif p_seen <> private.review_version(p_project) then
    raise exception using errcode = 'PT409', message = 'It was changed since you opened it. Your answer was not sent: read it again first.';
  elsif not (case p_answer
    when 'publish' then review.state in ('waiting', 'changed', 'asked')
    when 'decline' then review.state in ('waiting', 'changed', 'asked')
    when 'ask' then review.state in ('waiting', 'changed')
    else review.state = 'declined' end)
  then
    raise exception using errcode = 'PT409', message = 'This answer does not fit: the submission is ' || review.state || '.';
  end if;

  perform private.forget_review_addresses();
  if p_mail and p_answer <> 'reopen' then
    address := private.review_address(p_project);
  end if;
  update public.reviews set
    state = case p_answer when 'publish' then 'published' when 'ask' then 'asked' when 'decline' then 'declined' else 'waiting' end,
    answered_at = now(), answered_by = (select user_id from public.profiles where user_id = auth.uid()),
    arrived_at = case when p_answer = 'reopen' then now() else arrived_at end,
    before = case when p_answer = 'ask' then private.draft_as_told(p_project) else before end
  where project_id = p_project returning * into review;
  insert into public.review_steps (project_id, kind, words, given_by, mail_to)
  values (p_project, case p_answer when 'publish' then 'published' when 'ask' then 'asked' when 'decline' then 'declined' else 'reopened' end,
    said, review.answered_by, address);
  if p_answer = 'publish' then
    update public.projects set status = 'active' where id = p_project and status = 'draft';
  elsif p_answer in ('ask', 'decline') then
    -- Whoever left no address has only the link of the first day: it lives as long as the answer is of use.
    update private.draft_secrets set expires_at = greatest(expires_at, now() + interval '30 days')
    where hash = (select hash from private.draft_secrets where project_id = p_project order by created_at, hash limit 1)
      and revoked_at is null and expires_at > now();
  end if;
  perform private.record('reviews.' || p_answer, p_project::text);
  perform pg_notify('review_step', '');
  return jsonb_build_object('state', review.state, 'mail_to', address);
end $$;
comment on function public.answer_review(uuid, text, text, boolean, text) is
  'For admins: publish, ask, decline or reopen (take up again) a submission, with words and a mail to its submitter if there is an address. p_seen is what review_version() said; PT409 tells who was faster.';

create function public.leave_contact(p_project uuid, p_email text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_draft(p_project);
  insert into public.review_contacts (project_id, email) values (p_project, btrim(p_email))
  on conflict (project_id) do update set email = excluded.email;
end $$;
comment on function public.leave_contact(uuid, text) is 'Where the holder of a draft can be reached. Admins and the server read it.';

create function public.draft_states(p_projects uuid[])
returns table (project_id uuid, state text, words text, answered_at timestamptz, readable_until timestamptz, claimable boolean)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if cardinality(p_projects) > 100 then
    raise exception using errcode = 'PT400', message = 'At most 100 drafts at once.';
  end if;
  return query
    select reviews.project_id, reviews.state, said.words, reviews.answered_at,
      case when reviews.state = 'declined' then reviews.answered_at + interval '30 days' end,
      projects.created_by = public.get_guest_user_id()
    from public.reviews join public.projects on projects.id = reviews.project_id
      left join lateral (
        select steps.words from public.review_steps steps
        where steps.project_id = reviews.project_id and steps.kind = reviews.state
        order by steps.given_at desc limit 1
      ) said on true
    where reviews.project_id = any (p_projects) and private.holds_draft(reviews.project_id);
end $$;
comment on function public.draft_states(uuid[]) is 'For who holds drafts: how the review of each stands and what was said. No row for anything else.';

-- A submitter's own act takes pictures out of their own draft; see send_draft_back().
create or replace function private.only_admins_delete() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if pg_trigger_depth() = 1 and private.is_client() and not public.is_admin()
    and coalesce(current_setting('private.sending_back', true), '') <> 'yes'
  then
    raise exception using errcode = '42501', message = 'Only an admin can delete this. Nothing was deleted.';
  end if;
  return null;
end $$;

create function public.send_draft_back(
  p_project uuid, p_title text, p_client text, p_category text, p_tags text[],
  p_brief public.rich_text, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text,
  p_media jsonb, p_words text default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  review public.reviews;
begin
  perform private.require_draft(p_project);
  perform from public.projects where id = p_project for no key update;
  select * into review from public.reviews where project_id = p_project for update;
  if review.state is distinct from 'asked' then
    raise exception using errcode = 'PT409', message = 'Nobody is waiting for changes: it was sent back or answered meanwhile.';
  end if;
  if p_media is null or jsonb_typeof(p_media) <> 'array' or jsonb_array_length(p_media) not between 1 and 50 then
    raise exception using errcode = 'PT422', message = 'An experiment holds 1 to 50 media items.';
  end if;
  -- What belongs to the project before the first change of it, which takes the turn.
  perform from public.project_media where project_id = p_project order by id for update;
  perform from public.case_study_metadata where project_id = p_project for update;
  update public.projects set title = p_title, client = nullif(btrim(p_client), '') where id = p_project;
  insert into public.case_study_metadata (project_id, brief, understanding, actions, impact, category, tags)
  values (p_project, p_brief, p_understanding, p_actions, p_impact, p_category, p_tags)
  on conflict (project_id) do update set brief = excluded.brief, understanding = excluded.understanding,
    actions = excluded.actions, impact = excluded.impact, category = excluded.category, tags = excluded.tags;

  perform set_config('private.sending_back', 'yes', true);
  delete from public.project_media
  where project_id = p_project and id not in (
    select (item ->> 'id')::uuid from jsonb_array_elements(p_media) as listed (item) where item ->> 'id' is not null
  );
  perform set_config('private.sending_back', '', true);
  update public.project_media stored set title = nullif(btrim(item ->> 'title'), ''), "order" = place - 1
  from jsonb_array_elements(p_media) with ordinality as listed (item, place)
  where stored.project_id = p_project and stored.id = (item ->> 'id')::uuid;
  insert into public.project_media (id, project_id, type, url, title, "order")
  select (item ->> 'id')::uuid, p_project, coalesce(item ->> 'type', 'image'), item ->> 'url', nullif(btrim(item ->> 'title'), ''), place - 1
  from jsonb_array_elements(p_media) with ordinality as listed (item, place)
  where not exists (select from public.project_media where project_id = p_project and id = (item ->> 'id')::uuid);

  update public.reviews set state = 'changed', arrived_at = now(), rights_cleared = false, client_agreed = false
  where project_id = p_project;
  insert into public.review_steps (project_id, kind, words)
  values (p_project, 'sent_back', nullif(btrim(p_words, E' \r\n\t'), ''));
  perform private.record('reviews.send_back', p_project::text);
end $$;
comment on function public.send_draft_back(uuid, text, text, text, text[], public.rich_text, public.rich_text, public.rich_text, public.rich_text, jsonb, text) is
  'For who holds a draft and was asked for changes: replaces its texts and media, all or nothing, and puts it back into the inbox.';

-- What the backend that sends the mails asks.
create function private.unmailed_review_steps(refused uuid[] default '{}')
returns table (id uuid, project_id uuid, kind text, words text, given_at timestamptz, mail_to text, title text)
language sql stable set search_path = '' as $$
  select steps.id, steps.project_id, steps.kind, steps.words, steps.given_at, steps.mail_to, projects.title
  from public.review_steps steps join public.projects on projects.id = steps.project_id
  where steps.mail_to is not null and steps.mailed_at is null and steps.id <> all (refused)
  order by steps.given_at limit 500
$$;
comment on function private.unmailed_review_steps(uuid[]) is 'What waits to be mailed, oldest first, but for what the mail server has just refused.';
create function private.review_step_mailed(step uuid) returns void
language sql set search_path = '' as $$
  update public.review_steps set mailed_at = clock_timestamp() where id = step
$$;

revoke all on function private.refuse_review(), private.unmailed_review_steps(uuid[]), private.review_step_mailed(uuid) from public;
revoke all on function public.answer_review(uuid, text, text, boolean, text),
  public.leave_contact(uuid, text), public.draft_states(uuid[]),
  public.send_draft_back(uuid, text, text, text, text[], public.rich_text, public.rich_text, public.rich_text, public.rich_text, jsonb, text)
  from public, anon, authenticated, service_role;
grant execute on function public.answer_review(uuid, text, text, boolean, text) to authenticated;
grant execute on function public.leave_contact(uuid, text), public.draft_states(uuid[]),
  public.send_draft_back(uuid, text, text, text, text[], public.rich_text, public.rich_text, public.rich_text, public.rich_text, jsonb, text)
  to anon, authenticated;
