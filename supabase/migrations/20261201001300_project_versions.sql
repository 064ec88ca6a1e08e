-- Versions of a project: fields, texts, media and team at the end of each transaction. Triggers write them in that same
-- transaction, so no way of saving bypasses them. Versions contain drafts and hidden budgets, so only editors read them.

create table public.project_versions (
  project_id    uuid not null,
  number        integer not null,
  at            timestamptz not null default now(),
  actor         uuid references public.profiles (user_id) on delete set null,
  actor_kind    text not null check (actor_kind in ('guest', 'user', 'editor', 'admin', 'service', 'server')),
  changed       text[] not null default '{}', -- keys of the content that differ from the version before; none in the first
  restored_from integer,
  content       jsonb not null,
  transaction   xid8 not null default pg_current_xact_id(),
  primary key (project_id, number)
);
comment on table public.project_versions is
  'State of a project after each save. No foreign key to projects: versions are kept as long as the trash keeps a deleted project.';
create index project_versions_by_time on public.project_versions (at); -- for lines of the audit log
create index project_versions_by_actor on public.project_versions (actor);

select private.enable_row_security('public.project_versions');
create policy "editors read versions" on public.project_versions for select to authenticated using ((select public.can_edit_content()));
grant select (project_id, number, at, actor, actor_kind, changed, restored_from, content) on public.project_versions to authenticated, service_role;

create function private.most_versions() returns integer
language sql immutable set search_path = '' as $$ select 200 $$;

create function private.version_contents(ids uuid[]) returns table (project_id uuid, content jsonb)
language sql stable set search_path = '' as $$
  select project.id, private.pick_fields(to_jsonb(project)) || jsonb_build_object(
    'budget', coalesce(project.budget, hidden.amount),
    'category', texts.category, 'tags', coalesce(texts.tags, '{}'), 'credits', coalesce(texts.credits, '[]'),
    'media', (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'url', url, 'title', title, 'description', description,
        'alt', alt, 'made', made, 'poster', poster, 'is_cover', is_cover) order by "order", created_at, id), '[]')
      from public.project_media where project_media.project_id = project.id
    ),
    'team', (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'user_id', user_id, 'name', name, 'role', role,
        'contribution_percentage', contribution_percentage) order by created_at, id), '[]')
      from public.project_members where project_members.project_id = project.id
    )
  )
  from public.projects project
    left join public.project_budgets hidden on hidden.project_id = project.id
    left join public.case_study_metadata texts on texts.project_id = project.id
  where project.id = any (ids)
$$;

-- Stored, so that the list of versions need not compare two contents for every line.
create function private.changed_fields(before jsonb, after jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(key order by key) filter (where before is not null and value is distinct from before -> key), '{}')
  from jsonb_each(after)
$$;

-- Older history becomes sparser instead of ending: every second version of the older half is deleted and merged into
-- the next one. The first version is never deleted.
create function private.thin_versions(thinned uuid) returns void
language sql set search_path = '' as $$
  with placed as (select number, changed, row_number() over (order by number) as place from public.project_versions where project_id = thinned),
  going as (select number, changed, place from placed where place % 2 = 0 and place <= private.most_versions() / 2),
  merged as (
    update public.project_versions stays
    set changed = array(select distinct unnest(stays.changed || going.changed) order by 1)
    from going join placed next on next.place = going.place + 1
    where stays.project_id = thinned and stays.number = next.number
  )
  delete from public.project_versions gone using going where gone.project_id = thinned and gone.number = going.number
$$;

-- One transaction makes one version, however many statements it has. Submitters send a draft in many small requests:
-- saves of one caller within an hour update the same version, so that clients cannot fill the table.
-- A generic plan: planning for an array of ids takes as long as the rest of an insert.
create function private.insert_versions(ids uuid[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  hand uuid := (select user_id from public.profiles where user_id = auth.uid());
  kind text := private.caller_kind();
  undone uuid[];
  full_up uuid[];
begin
  -- Serializes concurrent saves, so that each sees the previous one.
  perform private.lock_registers(ids);

  with now_and_before as materialized (
    select fresh.project_id, fresh.content, latest.number, latest.content as before,
      -- Also the time: transaction ids start over in a database restored from a dump.
      (latest.transaction = pg_current_xact_id() and latest.at = now())
        or (kind in ('guest', 'user') and latest.actor_kind = kind and latest.actor is not distinct from hand
          and latest.at > now() - interval '1 hour') as goes_on
    from private.version_contents(ids) fresh
      left join lateral (
        select * from public.project_versions known
        where known.project_id = fresh.project_id order by known.number desc limit 1
      ) latest on true
    where latest.content is distinct from fresh.content
  ),
  continued as (
    update public.project_versions version set
      content = fresh.content, at = now(),
      changed = private.changed_fields(
        (select content from public.project_versions before where before.project_id = fresh.project_id and before.number = fresh.number - 1),
        fresh.content
      )
    from now_and_before fresh
    where fresh.goes_on and version.project_id = fresh.project_id and version.number = fresh.number
    returning version.project_id, version.number, version.changed
  ),
  added as (
    insert into public.project_versions (project_id, number, actor, actor_kind, changed, restored_from, content)
    select project_id, coalesce(number, 0) + 1, hand, kind, private.changed_fields(before, content),
      nullif(current_setting('private.restored_from', true), '')::integer, content
    from now_and_before where goes_on is not true returning project_id, number
  )
  select
    (select array_agg(project_id) from continued where number > 1 and changed = '{}'),
    (select array_agg(project_id) from added where number > private.most_versions())
  into undone, full_up;

  -- A submitter's write may have waited for the publication, after it was allowed.
  perform private.raise_if(kind in ('guest', 'user') and exists (
    select from public.project_versions where project_id = any (ids) and at = now()
      and content ->> 'status' <> 'draft' and changed <> '{team}'
  ), '42501', 'This draft takes no more changes.');
  -- No version when the transaction reverted its own change.
  delete from public.project_versions where project_id = any (undone) and transaction = pg_current_xact_id() and changed = '{}';
  perform private.thin_versions(project_id)
  from public.project_versions where project_id = any (full_up) group by project_id having count(*) > private.most_versions();
end $$;

create function private.insert_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'projects' then
    perform private.insert_versions(array(select id from touched));
  else
    perform private.insert_versions(array(select distinct project_id from touched));
  end if;
  return null;
end $$;

-- Lock order of every save: the project, its parts, then the register.
create function private.lock_parts(p_id uuid) returns void
language sql set search_path = '' as $$
  select from public.project_media where project_id = p_id order by id for update;
  select from public.project_members where project_id = p_id order by id for update;
  select from public.case_study_metadata where project_id = p_id for update
$$;

create function private.write_team(p_id uuid, team jsonb) returns void
language sql set search_path = '' as $$
  delete from public.project_members where project_id = p_id and id not in (select (member ->> 'id')::uuid from jsonb_array_elements(team) member);
  -- All shares are cleared first, so that the sum never exceeds 100 % in between.
  update public.project_members set contribution_percentage = null where project_id = p_id and contribution_percentage is not null;
  -- Ids that another project uses by now are replaced by new ones. created_at is the order of a team.
  insert into public.project_members (id, project_id, user_id, name, role, contribution_percentage, created_at)
  select
    case when exists (select from public.project_members taken where taken.id = (member ->> 'id')::uuid and taken.project_id <> p_id)
      then gen_random_uuid() else (member ->> 'id')::uuid end,
    p_id, profiles.id, member ->> 'name', member ->> 'role',
    (member ->> 'contribution_percentage')::numeric, now() + place * interval '1 microsecond'
  from jsonb_array_elements(team) with ordinality as listed (member, place)
    left join public.profiles on profiles.id = (member ->> 'user_id')::uuid
  order by place
  on conflict (id) do update set
    user_id = excluded.user_id, name = excluded.name, role = excluded.role,
    contribution_percentage = excluded.contribution_percentage, created_at = excluded.created_at
  where project_members.project_id = p_id
$$;

create function private.write_media(p_id uuid, media jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  delete from public.project_media where project_id = p_id and id not in (select (item ->> 'id')::uuid from jsonb_array_elements(media) item);
  insert into public.project_media (id, project_id, type, url, title, description, alt, made, poster, is_cover, "order")
  select
    case when exists (select from public.project_media taken where taken.id = (item ->> 'id')::uuid and taken.project_id <> p_id)
      then gen_random_uuid() else (item ->> 'id')::uuid end,
    p_id, item ->> 'type', item ->> 'url', item ->> 'title', item ->> 'description',
    item ->> 'alt', item ->> 'made', item ->> 'poster', (item ->> 'is_cover')::boolean, place - 1
  from jsonb_array_elements(media) with ordinality as listed (item, place) order by place
  on conflict (id) do update set
    type = excluded.type, url = excluded.url, title = excluded.title, description = excluded.description,
    alt = excluded.alt, made = excluded.made, poster = excluded.poster, is_cover = excluded.is_cover, "order" = excluded."order"
  where project_media.project_id = p_id;
  delete from private.trash using public.project_media back
  where table_name = 'project_media' and object_id = back.id and trash.project_id = back.project_id and back.project_id = p_id;
end $$;

-- Restores a version. This is an ordinary save, which makes a new version. The status stays as it is: visibility is
-- decided by publishing. Media whose file no longer exists are skipped.
create function public.restore_project_version(p_id uuid, p_number integer, p_latest integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wanted jsonb;
  kept jsonb;
begin
  perform private.require_editor('Only an editor can restore a version.');
  perform from public.projects where id = p_id for no key update;
  perform private.raise_if(not found, 'PT404', 'The project is not there any more.');
  perform private.lock_parts(p_id);
  perform private.lock_registers(array[p_id]);
  perform private.raise_if(p_latest is distinct from (select max(number) from public.project_versions where project_id = p_id), 'PT409',
    'The project was saved meanwhile, so nothing was restored. Look at the newest version first.');
  -- A field that did not exist then becomes empty.
  select (select jsonb_object_agg(field, null::jsonb) from unnest(private.project_fields() || '{category, tags, credits}'::text[]) as field) || content
  into wanted from public.project_versions where project_id = p_id and number = p_number;
  perform private.raise_if(not found, 'PT404', 'This version is not kept any more.');
  perform set_config('private.restored_from', p_number::text, true);

  perform private.write_fields(p_id, wanted - 'status');
  perform private.categorize_project(p_id, wanted);

  perform private.write_team(p_id, wanted -> 'team');
  select coalesce(jsonb_agg(item order by place), '[]') into kept
  from jsonb_array_elements(wanted -> 'media') with ordinality as listed (item, place)
    cross join lateral (values (private.file_of(item ->> 'url'), private.film_of(item ->> 'url'))) as stored (file, film)
  where coalesce(file, film) is null
    or exists (select from storage.objects where (bucket_id, name) in (('case-studies', file), ('films', film)))
    or exists (select from public.project_media known where known.id = (item ->> 'id')::uuid and known.project_id = p_id);
  perform private.write_media(p_id, kept);

  perform set_config('private.restored_from', '', true);
  perform private.record('projects.restore_version', p_id::text, 'done', 'version ' || p_number);
  return jsonb_build_object('number', (select max(number) from public.project_versions where project_id = p_id),
    'left_out', jsonb_array_length(wanted -> 'media') - jsonb_array_length(kept));
end $$;
comment on function public.restore_project_version is
  'For editors: restores a version, unless the project was saved after p_latest. Returns the new version''s number and how many media could not be restored.';

-- How admins save. A project, its category and its tags are in two tables and are saved together: everything is stored as
-- one version, or nothing is.

-- Creates a whole project in one call, for New Project and Simple Project Upload. Only for editors; guests submit
-- drafts. Texts are parameters of their own, because the data service sanitizes HTML by its type. An image's alternative
-- text is '' for a decorative one and null when missing.
create function public.upload_project(
  project_id uuid, fields jsonb, description public.rich_text default null, understanding public.rich_text default null,
  actions public.rich_text default null, impact public.rich_text default null, media jsonb default '[]', team jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  given jsonb;
begin
  if private.is_client() and not public.can_edit_content() then
    return private.reject_caller('upload project', 'projects.upload', 'Could not authenticate to create project');
  end if;

  -- The client chose the id, so repeating the call after a lost response creates nothing twice.
  perform pg_advisory_xact_lock(hashtextextended(upload_project.project_id::text, 0));
  if exists (select from public.projects where id = upload_project.project_id) then
    return to_jsonb(upload_project.project_id);
  end if;
  -- A field that is missing or empty has the default of its column.
  select coalesce(jsonb_object_agg(key, value), '{}') || jsonb_build_object(
    'description', upload_project.description, 'understanding', upload_project.understanding,
    'actions', upload_project.actions, 'impact', upload_project.impact
  ) into given from jsonb_each(private.pick_fields(fields)) where btrim(value #>> '{}') <> '';
  execute format('insert into public.projects (id, created_by, %1$s) select $1, $2, %1$s from jsonb_populate_record(null::public.projects, $3)',
    (select string_agg(key, ', ') from jsonb_object_keys(given) as key)
  ) using upload_project.project_id, coalesce(auth.uid(), public.get_guest_user_id()), given;
  insert into public.case_study_metadata (project_id, brief, understanding, actions, impact, category, tags, credits)
  select
    upload_project.project_id, upload_project.description, upload_project.understanding,
    upload_project.actions, upload_project.impact, category, tags, credits
  from jsonb_populate_record(null::public.case_study_metadata, upload_project.fields);
  insert into public.project_media (project_id, type, url, title, alt, "order")
  select upload_project.project_id, coalesce(item ->> 'type', 'image'), item ->> 'url', item ->> 'title', btrim(item ->> 'alt'), place - 1
  from jsonb_array_elements(coalesce(upload_project.media, '[]')) with ordinality as listed (item, place) order by place;
  insert into public.project_members (project_id, user_id, name, role, contribution_percentage, created_at)
  select upload_project.project_id, (item ->> 'user_id')::uuid, nullif(btrim(item ->> 'name'), ''), nullif(btrim(item ->> 'role'), ''),
    (item ->> 'contribution_percentage')::numeric, now() + place * interval '1 microsecond'
  from jsonb_array_elements(coalesce(upload_project.team, '[]')) with ordinality as listed (item, place);
  return to_jsonb(upload_project.project_id);
end $$;
comment on function public.upload_project is
  'For editors: creates a project of `fields` (title, client, status, ..., category, tags, credits) with its texts, media and team, and returns its id. Others get a committed refusal (403, 429).';

-- Changes the given ones of category, tags and credits. The caller holds the lock of the project's row.
create function private.categorize_project(p_id uuid, given jsonb) returns void
language sql set search_path = '' as $$
  insert into public.case_study_metadata as stored (project_id, category, tags, credits)
  select p_id, filed.category, filed.tags, filed.credits
  from jsonb_populate_record((select known from public.case_study_metadata known where project_id = p_id), given) as filed
  where filed.project_id is not null or btrim(filed.category) <> '' or cardinality(filed.tags) > 0 or filed.credits <> '[]'
  on conflict (project_id) do update set category = excluded.category, tags = excluded.tags, credits = excluded.credits
  where (stored.category, stored.tags, stored.credits) is distinct from (excluded.category, excluded.tags, excluded.credits)
$$;

create function public.save_project(
  p_id uuid, p_seen timestamptz, p_fields jsonb,
  p_description public.rich_text, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text
) returns uuid
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_editor('Only an editor can save a project.');
  -- Lock order of every save: the project, its texts, then the first change.
  perform from public.projects where id = p_id and updated_at = p_seen for no key update;
  if not found then
    return null;
  end if;
  perform from public.case_study_metadata where project_id = p_id for update;
  perform private.write_fields(p_id, jsonb_build_object('budget', private.live_fields(p_id) -> 'budget') || p_fields || jsonb_build_object(
    'description', p_description, 'understanding', p_understanding, 'actions', p_actions, 'impact', p_impact
  ));
  perform private.categorize_project(p_id, p_fields);
  return p_id;
end $$;
comment on function public.save_project is
  'For editors: changes a project that is still as of p_seen: its texts, and those of its other fields that p_fields contains. Returns its id; null when nothing was changed.';

create function public.file_project(p_id uuid, p_category text, p_tags text[], p_seen timestamptz default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_editor('Only an editor can save a project.');
  perform from public.projects where id = p_id for no key update;
  perform private.raise_if(not found, 'PT404', 'The project is not there any more.');
  perform private.raise_if(p_seen <> (select updated_at from public.projects where id = p_id), 'PT409',
    'The project was saved meanwhile, so nothing was changed. Look at it again, then save.');
  perform from public.case_study_metadata where project_id = p_id for update;
  perform private.categorize_project(p_id, jsonb_build_object('category', p_category, 'tags', p_tags));
end $$;
comment on function public.file_project is 'For editors: corrects category and tags of a project, and nothing else, unless it was saved after p_seen (409).';

-- The order of a project's media is saved as a whole: of two concurrent orders one wins, never a mixture of both.
create function public.reorder_project_media(p_id uuid, p_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_editor('Only an editor can change the order of media.');
  perform from public.projects where id = p_id for no key update;
  perform from public.project_media where project_id = p_id order by id for update;
  perform private.lock_registers(array[p_id]);
  perform private.raise_if(cardinality(p_ids) > 1000
    or array(select unnest(p_ids) order by 1) is distinct from array(select id from public.project_media where project_id = p_id order by 1), 'PT409', 'Media were added or removed meanwhile, so nothing was moved. Look at the list again, then move.');
  update public.project_media set "order" = place - 1 from unnest(p_ids) with ordinality as wanted (media, place) where id = media and "order" <> place - 1;
end $$;
comment on function public.reorder_project_media is
  'For editors: puts the media of a project in the order of all their ids. Refuses a list that does not match (409).';

create function public.choose_cover(p_id uuid, p_media uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_editor('Only an editor can choose the cover.');
  perform from public.projects where id = p_id for no key update;
  perform from public.project_media where project_id = p_id order by id for update;
  perform private.lock_registers(array[p_id]);
  perform private.raise_if(p_media is not null
    and not exists (select from public.project_media where id = p_media and project_id = p_id and type = 'image'), 'PT404', 'This picture is not there any more. Look at the list again.');
  update public.project_media set is_cover = not is_cover where project_id = p_id and is_cover <> coalesce(id = p_media, false);
end $$;
comment on function public.choose_cover is 'For editors: sets the cover of a project; null for its first image.';

grant execute on function public.upload_project to anon, authenticated, service_role;
grant execute on function public.restore_project_version, public.save_project, public.file_project, public.reorder_project_media, public.choose_cover
  to authenticated, service_role;
