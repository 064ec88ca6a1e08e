-- Whoever is sent a link to read a draft cannot take it away: of a draft's links only the submitter's own ones, the first
-- and those of mails to the submitter, put it into an account, make and take back links, and say where to write to.

alter table private.draft_secrets add column for_reading boolean;
update private.draft_secrets set for_reading = not (
  made_by = 'mail' or made_by = 'submitter' and (
    name = 'First link' or created_at = (select created_at from public.projects where id = project_id)
  )
);
alter table private.draft_secrets alter column for_reading set not null, alter column for_reading set default false;
comment on column private.draft_secrets.for_reading is 'Reads, and changes when changes are asked for. The submitter''s own links do everything.';

-- What was deleted before comes back as what it was made as.
create or replace function private.complete_draft_link() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.id := coalesce(new.id, gen_random_uuid());
  new.name := coalesce(new.name, 'First link');
  new.made_by := coalesce(new.made_by, 'submitter');
  new.for_reading := coalesce(new.for_reading, new.made_by = 'admin' or new.made_by = 'submitter' and new.name <> 'First link');
  return new;
end $$;

create function private.holds_own_link(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.draft_secrets
    where hash = private.draft_secret_hash() and project_id = project and project = private.held_draft() and not for_reading
  )
$$;
comment on function private.holds_own_link(uuid) is 'Whether the caller brought one of the submitter''s own links to this draft.';

create function private.keeps_draft(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.holds_own_link(project) or exists (
    select from public.projects
    where id = project and status = 'draft' and created_by = auth.uid() and created_by <> public.get_guest_user_id()
  )
$$;
comment on function private.keeps_draft(uuid) is 'Whether the caller is who sent this draft in: by their own link, or under their account.';

create or replace function private.keeps_links(project uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.keeps_draft(project)
    or (public.is_admin() and exists (select from public.projects where id = project and status = 'draft'))
$$;

create or replace function public.make_draft_link(p_project uuid, p_name text, p_until timestamptz) returns jsonb
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
  insert into private.draft_secrets (hash, project_id, expires_at, name, made_by, for_reading)
  values (sha256(convert_to(made, 'UTF8')), p_project, p_until, btrim(p_name), case when private.holds_draft(p_project) then 'submitter' else 'admin' end, true)
  returning * into link;
  perform private.record('draft_links.make', p_project::text, 'done', link.id::text);
  return jsonb_build_object('id', link.id, 'secret', made, 'expires_at', link.expires_at);
end $$;

create or replace function public.claim_draft(p_project uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_project is null or p_project is distinct from private.held_draft() or not private.holds_own_link(p_project) then
    raise exception using errcode = '42501', message = 'This is not your draft, or its link has ended, or it is a link to read with.';
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

create or replace function public.leave_contact(p_project uuid, p_email text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_draft(p_project);
  if not private.keeps_draft(p_project) then
    raise exception using errcode = '42501', message = 'This link is to read with. Whoever sent the draft in says where they can be reached.';
  end if;
  insert into public.review_contacts (project_id, email) values (p_project, btrim(p_email))
  on conflict (project_id) do update set email = excluded.email;
end $$;

create or replace function public.draft_states(p_projects uuid[])
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
      projects.created_by = public.get_guest_user_id() and private.holds_own_link(projects.id)
    from public.reviews join public.projects on projects.id = reviews.project_id
      left join lateral (
        select steps.words from public.review_steps steps
        where steps.project_id = reviews.project_id and steps.kind = reviews.state
        order by steps.given_at desc limit 1
      ) said on true
    where reviews.project_id = any (p_projects) and private.holds_draft(reviews.project_id);
end $$;

comment on function public.draft_links(uuid) is 'For who sent a draft in, and for admins: its links, oldest first. in_use is the one this request brought.';
comment on function public.make_draft_link(uuid, text, timestamptz) is 'For who sent a draft in, and for admins: one more link, to read with. The answer is the only place where its secret stands.';

revoke all on function private.holds_own_link(uuid), private.keeps_draft(uuid) from public;
