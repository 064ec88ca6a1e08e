-- Every save of a project is kept as a version: fields, texts, media and team as they were when the transaction ended.
-- Triggers write it in that same transaction, so no way of saving forgets it. Versions hold drafts and hidden budgets, so
-- only admins read them.

create table public.project_versions (
  project_id    uuid not null,
  number        integer not null,
  at            timestamptz not null default now(),
  actor         uuid references public.profiles (user_id) on delete set null,
  actor_kind    text not null check (actor_kind in ('guest', 'user', 'admin', 'service', 'server')),
  changed       text[] not null default '{}', -- keys of the content that differ from the version before; none in the first
  restored_from integer,
  content       jsonb not null,
  transaction   xid8 not null default pg_current_xact_id(),
  primary key (project_id, number)
);
comment on table public.project_versions is
  'What a project was after each save. Rows point to no project: they last as long as the trash keeps a deleted one.';
create index project_versions_by_actor on public.project_versions (actor);

alter table public.project_versions enable row level security;
alter table public.project_versions force row level security;

create policy "admins read versions" on public.project_versions for select to authenticated
  using ((select public.is_admin()));

revoke all on public.project_versions from public, anon, authenticated, service_role;
grant select (project_id, number, at, actor, actor_kind, changed, restored_from, content) on public.project_versions
  to authenticated, service_role;

create function private.most_versions() returns integer
language sql immutable set search_path = '' as $$ select 200 $$;
comment on function private.most_versions() is 'How many versions of one project are kept.';

create function private.contents_of(ids uuid[]) returns table (project_id uuid, content jsonb)
language sql stable set search_path = '' as $$
  select project.id, jsonb_build_object(
    'title', project.title, 'client', project.client, 'status', project.status,
    'budget', coalesce(project.budget, hidden.amount), 'show_budget', project.show_budget,
    'start_date', project.start_date, 'end_date', project.end_date,
    'description', project.description, 'understanding', project.understanding,
    'actions', project.actions, 'impact', project.impact,
    'category', texts.category, 'tags', coalesce(texts.tags, '{}'),
    'media', (
      select coalesce(jsonb_agg(
        jsonb_build_object('id', id, 'type', type, 'url', url, 'title', title, 'description', description)
        order by "order", created_at, id
      ), '[]')
      from public.project_media where project_media.project_id = project.id
    ),
    'team', (
      select coalesce(jsonb_agg(
        jsonb_build_object('id', id, 'user_id', user_id, 'name', name, 'role', role, 'contribution_percentage', contribution_percentage)
        order by created_at, id
      ), '[]')
      from public.project_members where project_members.project_id = project.id
    )
  )
  from public.projects project
    left join public.project_budgets hidden on hidden.project_id = project.id
    left join public.case_study_metadata texts on texts.project_id = project.id
  where project.id = any (ids)
$$;

create function private.changed_between(before jsonb, after jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(key order by key) filter (where before is not null and value is distinct from before -> key), '{}')
  from jsonb_each(after)
$$;

-- One transaction makes one version, however many statements it has. A submitter sends a draft in many small requests:
-- what the same hand saves within an hour stays one version, so that nobody outside fills the table.
create function private.keep_versions(ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  role_name text := current_setting('role', true);
  hand uuid := (select user_id from public.profiles where user_id = auth.uid());
  kind text := case
    when role_name = 'anon' then 'guest'
    when role_name = 'service_role' then 'service'
    when role_name = 'authenticated' then case when public.is_admin() then 'admin' else 'user' end
    else 'server'
  end;
  undone uuid[];
  full_up uuid[];
begin
  -- Whoever comes second sees what the first one saved.
  perform private.take_turns_at(ids);

  with now_and_before as materialized (
    select fresh.project_id, fresh.content, latest.number, latest.content as before,
      -- The time as well: numbers of transactions begin anew in a database that was restored from a dump.
      (latest.transaction = pg_current_xact_id() and latest.at = now())
        or (kind in ('guest', 'user') and latest.actor_kind = kind and latest.actor is not distinct from hand
          and latest.at > now() - interval '1 hour') as goes_on
    from private.contents_of(ids) fresh
      left join lateral (
        select * from public.project_versions known
        where known.project_id = fresh.project_id order by known.number desc limit 1
      ) latest on true
    where latest.content is distinct from fresh.content
  ),
  continued as (
    update public.project_versions version set
      content = fresh.content, at = now(), transaction = pg_current_xact_id(),
      changed = private.changed_between(
        (select content from public.project_versions before where before.project_id = fresh.project_id and before.number = fresh.number - 1),
        fresh.content
      )
    from now_and_before fresh
    where fresh.goes_on and version.project_id = fresh.project_id and version.number = fresh.number
    returning version.project_id, version.number, version.changed
  ),
  added as (
    insert into public.project_versions (project_id, number, actor, actor_kind, changed, restored_from, content)
    select project_id, coalesce(number, 0) + 1, hand, kind, private.changed_between(before, content),
      nullif(current_setting('private.restored_from', true), '')::integer, content
    from now_and_before where goes_on is not true
    returning project_id, number
  )
  select
    (select array_agg(project_id) from continued where number > 1 and changed = '{}'),
    (select array_agg(project_id) from added where number > private.most_versions())
  into undone, full_up;

  -- What was changed and changed back within the transaction is no version.
  delete from public.project_versions where project_id = any (undone) and transaction = pg_current_xact_id() and changed = '{}';
  perform private.thin_versions(project_id)
  from public.project_versions where project_id = any (full_up)
  group by project_id having count(*) > private.most_versions();
end $$;

-- Old history gets sparser instead of ending: of the older half every second version goes, and what it changed is told
-- by the next one. The first always stays.
create function private.thin_versions(thinned uuid) returns void
language sql set search_path = '' as $$
  with placed as (
    select number, changed, row_number() over (order by number) as place
    from public.project_versions where project_id = thinned
  ),
  going as (
    select number, changed, place from placed where place % 2 = 0 and place <= private.most_versions() / 2
  ),
  told as (
    update public.project_versions stays
    set changed = array(select distinct unnest(stays.changed || going.changed) order by 1)
    from going join placed next on next.place = going.place + 1
    where stays.project_id = thinned and stays.number = next.number
  )
  delete from public.project_versions gone using going where gone.project_id = thinned and gone.number = going.number
$$;

create function private.keep_version_of_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_versions(array(select id from touched));
  return null;
end $$;

create function private.keep_version_of_belonging() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_versions(array(select distinct project_id from touched));
  return null;
end $$;

create trigger keep_version_inserted after insert on public.projects
  referencing new table as touched for each statement execute function private.keep_version_of_project();
create trigger keep_version_updated after update on public.projects
  referencing new table as touched for each statement execute function private.keep_version_of_project();

-- A hidden budget moves while its project is being saved, before the texts have followed: the save itself takes the turn.
do $$
declare
  belonging regclass;
  told text;
begin
  foreach belonging in array array['public.project_budgets', 'public.case_study_metadata', 'public.project_media', 'public.project_members']::regclass[] loop
    told := case when belonging = 'public.project_budgets'::regclass then 'when (pg_trigger_depth() = 0) ' else '' end
      || 'execute function private.keep_version_of_belonging()';
    execute format('create trigger keep_version_inserted after insert on %s referencing new table as touched for each statement %s', belonging, told);
    execute format('create trigger keep_version_updated after update on %s referencing new table as touched for each statement %s', belonging, told);
    execute format('create trigger keep_version_deleted after delete on %s referencing old table as touched for each statement %s', belonging, told);
  end loop;
end $$;

-- Texts are written on their project too. Whoever sends them takes the project first, as everybody does; only a project
-- whose texts the sender may write, so that nobody waits for, or holds up, one they must not know of.
create function private.hold_project_of_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.projects
  where id = new.project_id and (
    not private.is_client() or public.is_admin() or id = private.editable_draft()
    or (status = 'draft' and created_by = auth.uid())
  )
  for no key update;
  return new;
end $$;
create trigger hold_project before insert on public.case_study_metadata
  for each row execute function private.hold_project_of_texts();

-- What was there before versions were kept.
insert into public.project_versions (project_id, number, actor_kind, content)
select contents.project_id, 1, 'server', contents.content
from private.contents_of(array(select id from public.projects)) contents;

-- A project that leaves the trash for good takes its history along.
create function private.forget_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.project_versions
  where project_id in (select (entry ->> 'id')::uuid from gone where table_name = 'projects')
    and not exists (select from public.projects where projects.id = project_versions.project_id);
  return null;
end $$;
create trigger forget_versions after delete on private.trash
  referencing old table as gone for each statement execute function private.forget_versions();

revoke all on function private.most_versions(), private.contents_of(uuid[]), private.changed_between(jsonb, jsonb),
  private.keep_versions(uuid[]), private.thin_versions(uuid), private.keep_version_of_project(),
  private.keep_version_of_belonging(), private.forget_versions(), private.hold_project_of_texts() from public;
