-- expand: the release before shows no comments.
-- Client room: the holders of draft links comment on a draft, or on the revision of a published project, and approve it.
--
-- Who may do what:
-- - Each link has its own threads. Its holder, who needs no account, starts threads about the whole, a section or a
--   picture, answers in them, resolves and reopens them. They see nothing of other links, and of the team only names.
-- - A link for reading also approves the version that its holder has seen, and withdraws that. The submitter's own links
--   do not: nobody approves their own work. An account that created the draft uses its link.
-- - Editors read all threads, answer, resolve, reopen, delete and restore them. They start none and approve nothing.
-- - Everyone else, also with a link that is wrong, expired, revoked or of another draft, gets the same refusal.
--
-- When a link is revoked, by hand or because its draft or revision was published or discarded, its threads and approvals go
-- to the trash. There editors can restore the comments for the team; the holder has no access any more, unless that
-- is undone within ten minutes. An expired link only loses access, because its end date can be changed.

create table public.draft_comments (
  id          uuid primary key default gen_random_uuid(),
  project_id  uuid not null references public.projects on delete cascade,
  link_id     uuid not null, -- no foreign key: archives without credentials have no links
  client      text not null, -- name of the link then
  place       text not null default 'whole' constraint "a comment is about the whole, a section or a picture" check (
    place in ('whole', 'brief', 'understanding', 'actions', 'impact') or private.uuid_in(place) is not null
  ),
  parent      uuid references public.draft_comments on delete cascade,
  body        text constraint "a comment is 1 to 5000 characters" check (char_length(btrim(body)) between 1 and 5000),
  version     text,
  by_team     boolean not null default false,
  author      uuid references public.profiles (user_id) on delete set null,
  created_at  timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  resolved_by uuid references public.profiles (user_id) on delete set null, -- null: the holder of the link
  constraint "a row is a comment or an approval" check (num_nonnulls(body, version) = 1)
);
comment on table public.draft_comments is 'Comments and approvals of the holders of draft links, with the team''s answers. Editors read them; written through functions.';
comment on column public.draft_comments.parent is 'The comment that this one answers. Answers have no answers.';
comment on column public.draft_comments.version is 'What was approved, as private.room_version() named it; resolved_at is when that was withdrawn. Null for a comment.';
create index draft_comments_of_project on public.draft_comments (project_id, created_at);
create index draft_comments_of_link on public.draft_comments (link_id);
create index draft_comments_by_parent on public.draft_comments (parent);
create index draft_comments_by_author on public.draft_comments (author);
create index draft_comments_by_resolver on public.draft_comments (resolved_by);
create index draft_comments_open on public.draft_comments (project_id) where body is not null and parent is null and resolved_at is null;

select private.enable_row_security('public.draft_comments');
create policy "editors read the client room" on public.draft_comments for select to authenticated using ((select public.can_edit_content()));
grant select on public.draft_comments to authenticated;

create function private.trash_comments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.draft_comments where link_id = new.id;
  return null;
end $$;
create trigger trash_comments after update of revoked_at on private.draft_secrets
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function private.trash_comments();

create function private.room_version(project uuid) returns text
language sql stable set search_path = '' as $$
  select md5((private.live_fields(project) - 'status')::text
    || coalesce((select fields::text from public.planned_changes where project_id = project and kind = 'publish' and fields <> '{}'), ''))
$$;

create function private.client_link(project uuid) returns private.draft_secrets
language sql stable set search_path = '' as $$
  select * from private.draft_secrets
  where hash = private.draft_secret_hash() and project_id = project and project in (private.readable_draft(), private.readable_revision())
$$;

-- Locks the project against deletion and then the link, so that nothing is written with a link that is being revoked, and
-- each act is counted. The audit log has a line of each with the link's id.
create function private.lock_client_link(project uuid) returns private.draft_secrets
language plpgsql set search_path = '' as $$
declare
  link private.draft_secrets;
begin
  perform from public.projects where id = project for key share;
  perform from private.draft_secrets where hash = private.draft_secret_hash() for update;
  link := private.client_link(project);
  perform private.raise_if(link.id is null and not public.can_edit_content(), '42501', 'Your link has ended, or it is not for this draft. Nothing was sent.');
  perform private.raise_too_many('That is a lot in ten minutes. Nothing was sent: please try again a little later.')
  from public.audit_log
  where action = any ('{draft_comments.add, draft_comments.resolve, draft_comments.reopen, draft_comments.approve, draft_comments.withdraw}')
    and reason = link.id::text and at > now() - interval '10 minutes' having count(*) >= 20;
  return link;
end $$;

create function public.comment_on_draft(
  p_project uuid, p_body text, p_place text default 'whole', p_parent uuid default null, p_id uuid default gen_random_uuid()
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  link private.draft_secrets := private.lock_client_link(p_project);
  thread public.draft_comments;
begin
  if p_parent is not null then
    select * into thread from public.draft_comments
    where id = p_parent and project_id = p_project and parent is null and body is not null and (link.id is null or link_id = link.id) for no key update;
    perform private.raise_if(not found, 'PT404', 'The comment that you answer was deleted meanwhile. Nothing was sent.');
  else
    perform private.raise_if(link.id is null, '42501', 'Only the holder of a link starts a comment. Answer one.');
    perform private.raise_if(p_place <> all ('{whole, brief, understanding, actions, impact}')
      and not exists (select from public.project_media where project_id = p_project and id = private.uuid_in(p_place))
      and not exists (select from public.planned_changes plan, jsonb_array_elements(plan.fields -> 'media') as item
        where plan.project_id = p_project and plan.kind = 'publish' and item ->> 'id' = p_place),
      'PT422', 'This part was removed meanwhile. Nothing was sent: comment on another one.');
  end if;
  perform private.raise_if((select count(*) from public.draft_comments where link_id = coalesce(thread.link_id, link.id) and id <> p_id) >= 500, 'PT422', 'A link has at most 500 comments.');
  insert into public.draft_comments (id, project_id, link_id, client, place, parent, body, by_team, author)
  values (p_id, p_project, coalesce(thread.link_id, link.id), coalesce(thread.client, link.name), coalesce(thread.place, p_place), p_parent,
    btrim(replace(p_body, E'\r\n', E'\n'), E' \n\t'), link.id is null, case when link.id is null then auth.uid() end)
  on conflict (id) do nothing;
  if found then
    update public.draft_comments set resolved_at = null, resolved_by = null where id = p_parent and link.id is not null and resolved_at is not null;
    perform private.record('draft_comments.add', p_project::text, 'done', link.id::text);
  end if;
end $$;
comment on function public.comment_on_draft is
  'For holders of draft links: comments on the whole, a section (brief, understanding, actions, impact) or a picture (its id), or answers p_parent, which reopens it. For editors: answers. Repeating a call with the same p_id changes nothing.';

create function public.resolve_draft_comment(p_comment uuid, p_resolved boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  project uuid := coalesce((select project_id from public.draft_comments where id = p_comment), private.readable_draft(), private.readable_revision());
  link private.draft_secrets := private.lock_client_link(project);
begin
  update public.draft_comments set resolved_at = case when p_resolved then now() end,
    resolved_by = case when p_resolved and link.id is null then auth.uid() end
  where id = p_comment and parent is null and body is not null and (link.id is null or link_id = link.id);
  perform private.raise_if(not found, 'PT404', 'This comment was deleted meanwhile.');
  perform private.record(case when p_resolved then 'draft_comments.resolve' else 'draft_comments.reopen' end, project::text, 'done', link.id::text);
end $$;
comment on function public.resolve_draft_comment is 'For editors and the holder of its link: resolves a comment, or reopens it.';

create function public.approve_draft(p_project uuid, p_version text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  link private.draft_secrets := private.lock_client_link(p_project);
begin
  perform private.raise_if(link.for_reading is distinct from true, '42501', 'Only the people you show it to can approve it.');
  perform private.raise_if(p_version <> private.room_version(p_project), 'PT409',
    'It was changed since you opened this page. Nothing was approved: reload the page and read it again.');
  update public.draft_comments set resolved_at = now()
  where link_id = link.id and version is distinct from p_version and version is not null and resolved_at is null;
  perform private.record('draft_comments.withdraw', p_project::text, 'done', link.id::text) where found and p_version is null;
  insert into public.draft_comments (project_id, link_id, client, version)
  select p_project, link.id, link.name, p_version
  where p_version is not null and not exists (select from public.draft_comments where link_id = link.id and version = p_version and resolved_at is null);
  perform private.record('draft_comments.approve', p_project::text, 'done', link.id::text) where found;
end $$;
comment on function public.approve_draft is
  'For holders of links for reading: approves the version that draft_room() returned (409 when it has changed), or withdraws the approval without one.';

create function public.delete_draft_comment(p_comment uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  project uuid;
begin
  perform private.require_editor('Only an editor can delete a comment.');
  delete from public.draft_comments where id = p_comment and body is not null returning project_id into project;
  perform private.raise_if(project is null, 'PT404', 'This comment was deleted meanwhile.');
  perform private.record('draft_comments.delete', project::text);
end $$;
comment on function public.delete_draft_comment is 'For editors: moves a comment with its answers to the trash.';

create function public.restore_draft_comments(p_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  roots bigint[];
begin
  perform private.require_editor('Only an editor can look into the trash.');
  roots := array(
    select id from private.trash
    where table_name = 'draft_comments' and object_id = any (p_ids) and deleted_at > now() - private.trash_retention() and private.is_restorable_comment(trash)
      and not exists (select from public.draft_comments where draft_comments.id = object_id)
      and private.is_newest_deletion(trash)
    order by id for update
  );
  perform private.record('draft_comments.restore', project_id::text) from private.trash where id = any (roots) group by project_id;
  perform private.restore_trash(array(
    select part.id from private.trash part join private.trash root on root.id = any (roots)
    where part.table_name = 'draft_comments' and part.deleted_at = root.deleted_at
      and (part.id = root.id or part.entry ->> 'parent' = root.object_id::text)
  ));
  return cardinality(roots);
end $$;
comment on function public.restore_draft_comments is 'For editors: restores comments from the trash with the answers that were deleted together with them; returns how many.';

create function public.draft_room(p_project uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  link private.draft_secrets := private.client_link(p_project);
  is_team constant boolean := link.id is null;
begin
  if is_team and not public.can_edit_content() then
    return null;
  end if;
  return jsonb_build_object(
    'version', private.room_version(p_project),
    'approves', coalesce(link.for_reading, false),
    'comments', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', shown.id, 'place', place, 'parent', parent, 'body', body, 'client', client, 'by_team', by_team,
        'author', coalesce(nullif(profiles.name, ''), case when is_team then profiles.email end),
        'created_at', shown.created_at, 'resolved_at', resolved_at) order by shown.created_at, shown.id), '[]')
      from (
        select * from public.draft_comments one
        where project_id = p_project and body is not null and (is_team or link_id = link.id)
        order by (select resolved_at from public.draft_comments root where root.id = coalesce(one.parent, one.id)) desc nulls first, created_at desc limit 1000
      ) as shown left join public.profiles on profiles.user_id = shown.author
    ),
    'approvals', (
      select coalesce(jsonb_agg(jsonb_build_object('client', client, 'created_at', created_at, 'current', version = private.room_version(p_project))
        order by created_at), '[]')
      from public.draft_comments
      where project_id = p_project and version is not null and resolved_at is null and (is_team or link_id = link.id)
    ));
end $$;
comment on function public.draft_room is
  'For editors: comments and approvals of a project, at most 1,000, those of open threads first; for the holder of a link those of that link, with the version that approve_draft() expects. Null for everyone else.';

create function public.open_comments(p_project public.projects) returns integer
language sql stable set search_path = '' as $$
  select count(*)::integer from public.draft_comments where project_id = p_project.id and body is not null and parent is null and resolved_at is null
$$;
comment on function public.open_comments is 'For editors, as a column of projects: how many comments of clients are not resolved.';

grant execute on function public.comment_on_draft, public.resolve_draft_comment, public.approve_draft, public.draft_room to anon, authenticated;
grant execute on function public.delete_draft_comment, public.restore_draft_comments, public.open_comments to authenticated;
