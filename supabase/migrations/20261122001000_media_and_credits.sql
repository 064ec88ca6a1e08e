-- What a picture shows, what is said about it and who made it are three things; so is what a film shows before it plays,
-- and which picture stands for the whole. Who made which part of the work is said beside its texts.

alter table public.project_media
  add column alt text constraint "an alternative text is at most 500 characters" check (char_length(alt) <= 500),
  add column made text constraint "a picture is made by hand, machine or together" check (made in ('hand', 'machine', 'together')),
  add column poster text
    constraint "a poster is at most 2048 characters" check (char_length(poster) <= 2048)
    constraint "a poster is an http or https address" check (poster ~* '^https?://[^\s/?#@\\]+([/?#]\S*)?$'),
  add column is_cover boolean not null default false;
comment on column public.project_media.alt is 'What a picture shows, for who does not see it; empty for a decorative one, null while nobody has said.';
comment on column public.project_media.made is 'Who made it: by hand, by machine, or both together; null while nobody has said.';
comment on column public.project_media.poster is 'Address of the picture that a film shows before it plays.';
comment on column public.project_media.is_cover is 'The picture that stands for the whole; the first of several, and the first picture where none is marked.';

-- One part of the work each: {"part": "Pictures", "made": "together", "people": ["Asha Rao"], "tools": ["Figma"]}.
create function private.are_names(listed jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(listed) = 'array' and jsonb_array_length(listed) <= 20 and not exists (
    select from jsonb_array_elements(listed) as name
    where jsonb_typeof(name) <> 'string' or char_length(btrim(name #>> '{}')) not between 1 and 120
  )
$$;
create function private.are_credits(listed jsonb) returns boolean
language plpgsql immutable set search_path = '' as $$
declare
  credit jsonb;
begin
  if jsonb_typeof(listed) <> 'array' or jsonb_array_length(listed) > 20 then
    return false;
  end if;
  for credit in select jsonb_array_elements(listed) loop
    if jsonb_typeof(credit) <> 'object' or credit - array['part', 'made', 'people', 'tools'] <> '{}'
      or jsonb_typeof(credit -> 'part') is distinct from 'string' or char_length(btrim(credit ->> 'part')) not between 1 and 60
      or coalesce(credit ->> 'made' in ('hand', 'machine', 'together'), false) is false
      or not coalesce(private.are_names(credit -> 'people'), true) or not coalesce(private.are_names(credit -> 'tools'), true)
    then
      return false;
    end if;
  end loop;
  return true;
end $$;
-- Every part counts the same, and what was made together counts half for each.
create function private.hand_share_of(credits jsonb) returns smallint
language sql immutable set search_path = '' as $$
  select round(avg(case credit ->> 'made' when 'hand' then 100 when 'together' then 50 else 0 end))::smallint
  from jsonb_array_elements(credits) as credit
$$;
revoke all on function private.are_names(jsonb), private.are_credits(jsonb), private.hand_share_of(jsonb) from public;
grant execute on function private.are_names(jsonb), private.are_credits(jsonb), private.hand_share_of(jsonb) to anon, authenticated, service_role;

alter table public.case_study_metadata
  add column credits jsonb not null default '[]'
    constraint "credits are at most 20 parts with who made them" check (private.are_credits(credits)),
  add column hand_share smallint;
comment on column public.case_study_metadata.credits is
  'Who made which part of the work: a list of {part, made: hand | machine | together, people: [name], tools: [name]}.';
comment on column public.case_study_metadata.hand_share is 'Percent that was made by hand, worked out of the credits; null while there are none.';

grant insert (alt, made, poster, is_cover) on public.project_media to anon, authenticated;
grant update (alt, made, poster) on public.project_media to authenticated;
grant insert (credits), update (credits) on public.case_study_metadata to anon, authenticated;

-- Rows that come back out of the trash may know less than these columns want.
create or replace function private.receive_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.project_id <> old.project_id then
    raise exception using errcode = 'PT400', message = 'Texts stay with their project.';
  end if;
  new.category := nullif(btrim(new.category), '');
  new.tags := coalesce(new.tags, '{}');
  new.credits := coalesce(new.credits, '[]');
  if not private.are_tags(new.tags) then
    raise exception using errcode = 'PT422',
      message = 'tags are at most 500, of 1 to 60 characters. Nothing was saved: remove or shorten some, then save again.';
  end if;
  if not private.are_credits(new.credits) then
    raise exception using errcode = 'PT422',
      message = 'credits are at most 20 parts of 1 to 60 characters, each made by hand, machine or together, with at most 20 people and tools of 1 to 120 characters. Nothing was saved.';
  end if;
  new.hand_share := private.hand_share_of(new.credits);
  return new;
end $$;
create or replace function private.receive_media() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  known public.project_media;
begin
  new.is_cover := coalesce(new.is_cover, false);
  select * into known from public.project_media where id = new.id;
  if not private.is_client() or public.is_admin() then
    if known.id is not null then
      new.project_id := coalesce(new.project_id, known.project_id);
      new.url := coalesce(new.url, known.url);
    end if;
  elsif known.project_id <> new.project_id or known.id is null and exists (
    select from private.trash
    where object_id = new.id and table_name = 'project_media' and trash.project_id is distinct from new.project_id
  ) then
    new.id := gen_random_uuid();
  end if;
  return new;
end $$;

create function public.choose_cover(p_id uuid, p_media uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can choose the cover.';
  end if;
  perform from public.projects where id = p_id for no key update;
  perform from public.project_media where project_id = p_id order by id for update;
  perform private.take_turns_at(array[p_id]);
  if p_media is not null and not exists (
    select from public.project_media where id = p_media and project_id = p_id and type = 'image'
  ) then
    raise exception using errcode = 'PT404', message = 'This picture is not there any more. Look at the list again.';
  end if;
  update public.project_media set is_cover = not is_cover
  where project_id = p_id and is_cover <> coalesce(id = p_media, false);
end $$;
comment on function public.choose_cover(uuid, uuid) is
  'For admins: the picture that stands for a project; null for its first one.';
revoke all on function public.choose_cover(uuid, uuid) from public, anon, authenticated, service_role;
grant execute on function public.choose_cover(uuid, uuid) to authenticated, service_role;

-- A poster is used like any other picture.
create or replace function private.orphaned_objects(older_than interval) returns table (bucket_id text, name text)
language sql stable set search_path = '' as $$
  with unattached as (
    select stored.name from storage.objects stored
    where stored.bucket_id = 'case-studies' and stored.created_at <= now() - older_than
      and not exists (select from public.project_media where private.file_of(url) = stored.name)
  ),
  texts (body) as (
    select concat(description, understanding, actions, impact) from public.projects
    union all select concat(brief, understanding, actions, impact) from public.case_study_metadata
    union all select body from public.site_pages
    union all select value::text from public.site_settings
    union all select poster from public.project_media where poster is not null
    union all select entry::text from private.trash
  ),
  mentioned as (
    select found[1] as name
    from texts, regexp_matches(body, '/case-studies/(images/[0-9a-f-]{36}\.[a-z]{3,4})', 'g') as found
    where body like '%/case-studies/images/%' and exists (select from unattached)
  )
  select 'case-studies', unattached.name from unattached
  where not exists (select from mentioned where mentioned.name = unattached.name)
$$;

-- What a version holds and what a submission says.
create or replace function private.contents_of(ids uuid[]) returns table (project_id uuid, content jsonb)
language sql stable set search_path = '' as $$
  select project.id, jsonb_build_object(
    'title', project.title, 'client', project.client, 'status', project.status,
    'budget', coalesce(project.budget, hidden.amount), 'show_budget', project.show_budget,
    'start_date', project.start_date, 'end_date', project.end_date,
    'description', project.description, 'understanding', project.understanding,
    'actions', project.actions, 'impact', project.impact,
    'category', texts.category, 'tags', coalesce(texts.tags, '{}'), 'credits', coalesce(texts.credits, '[]'),
    'media', (
      select coalesce(jsonb_agg(
        jsonb_build_object('id', id, 'type', type, 'url', url, 'title', title, 'description', description,
          'alt', alt, 'made', made, 'poster', poster, 'is_cover', is_cover)
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
create or replace function public.restore_project_version(p_id uuid, p_number integer, p_latest integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wanted jsonb;
  latest integer;
  left_out integer;
begin
  if private.is_client() and not public.is_admin() then
    raise exception using errcode = '42501', message = 'Only an admin can restore a version.';
  end if;
  -- The project, then what belongs to it, then the turn: the order in which every other save takes them.
  perform from public.projects where id = p_id for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'The project is not there any more.';
  end if;
  perform from public.project_media where project_id = p_id order by id for update;
  perform from public.project_members where project_id = p_id order by id for update;
  perform from public.case_study_metadata where project_id = p_id for update;
  perform private.take_turns_at(array[p_id]);
  select max(number) into latest from public.project_versions where project_id = p_id;
  if latest is distinct from p_latest then
    raise exception using errcode = 'PT409',
      message = 'Somebody saved this project meanwhile, so nothing was restored. Look at the newest version first.';
  end if;
  select content into wanted from public.project_versions where project_id = p_id and number = p_number;
  if not found then
    raise exception using errcode = 'PT404', message = 'This version is not kept any more.';
  end if;
  perform set_config('private.restored_from', p_number::text, true);

  update public.projects set
    title = wanted ->> 'title', client = wanted ->> 'client',
    budget = (wanted ->> 'budget')::numeric, show_budget = (wanted ->> 'show_budget')::boolean,
    start_date = (wanted ->> 'start_date')::date, end_date = (wanted ->> 'end_date')::date,
    description = wanted ->> 'description', understanding = wanted ->> 'understanding',
    actions = wanted ->> 'actions', impact = wanted ->> 'impact'
  where id = p_id;
  update public.case_study_metadata set
    category = wanted ->> 'category', tags = array(select jsonb_array_elements_text(wanted -> 'tags')),
    credits = wanted -> 'credits'
  where project_id = p_id;
  if not found and (wanted ->> 'category' is not null or wanted -> 'tags' <> '[]' or wanted -> 'credits' <> '[]') then
    insert into public.case_study_metadata (project_id, category, tags, credits)
    values (p_id, wanted ->> 'category', array(select jsonb_array_elements_text(wanted -> 'tags')), wanted -> 'credits');
  end if;

  delete from public.project_members
  where project_id = p_id and id not in (select (member ->> 'id')::uuid from jsonb_array_elements(wanted -> 'team') member);
  -- First everybody's share goes, so that on the way there are never too many.
  update public.project_members set contribution_percentage = null
  where project_id = p_id and contribution_percentage is not null;
  -- What another project holds by now under the same id stays as it is; ours comes back under a new one.
  insert into public.project_members (id, project_id, user_id, name, role, contribution_percentage)
  select
    case when exists (select from public.project_members taken where taken.id = (member ->> 'id')::uuid and taken.project_id <> p_id)
      then gen_random_uuid() else (member ->> 'id')::uuid end,
    p_id, profiles.id, member ->> 'name', member ->> 'role',
    (member ->> 'contribution_percentage')::numeric
  from jsonb_array_elements(wanted -> 'team') with ordinality as listed (member, place)
    left join public.profiles on profiles.id = (member ->> 'user_id')::uuid
  order by place
  on conflict (id) do update set
    user_id = excluded.user_id, name = excluded.name, role = excluded.role,
    contribution_percentage = excluded.contribution_percentage
  where project_members.project_id = p_id;

  delete from public.project_media
  where project_id = p_id and id not in (select (item ->> 'id')::uuid from jsonb_array_elements(wanted -> 'media') item);
  insert into public.project_media (id, project_id, type, url, title, description, alt, made, poster, is_cover, "order")
  select
    case when exists (select from public.project_media taken where taken.id = (item ->> 'id')::uuid and taken.project_id <> p_id)
      then gen_random_uuid() else (item ->> 'id')::uuid end,
    p_id, item ->> 'type', item ->> 'url', item ->> 'title', item ->> 'description',
    item ->> 'alt', item ->> 'made', item ->> 'poster', (item ->> 'is_cover')::boolean, place - 1
  from jsonb_array_elements(wanted -> 'media') with ordinality as listed (item, place)
  where private.file_of(item ->> 'url') is null
    or exists (select from public.project_media known where known.id = (item ->> 'id')::uuid and known.project_id = p_id)
    or exists (
      select from storage.objects where bucket_id = 'case-studies' and name = private.file_of(item ->> 'url')
    )
  order by place
  on conflict (id) do update set
    type = excluded.type, url = excluded.url, title = excluded.title, description = excluded.description,
    alt = excluded.alt, made = excluded.made, poster = excluded.poster, is_cover = excluded.is_cover, "order" = excluded."order"
  where project_media.project_id = p_id;
  select jsonb_array_length(wanted -> 'media') - count(*) into left_out
  from public.project_media where project_id = p_id;

  perform set_config('private.restored_from', '', true);
  perform private.record('projects.restore_version', p_id::text, 'done', 'version ' || p_number);
  select max(number) into latest from public.project_versions where project_id = p_id;
  return jsonb_build_object('number', latest, 'left_out', left_out);
end $$;
create or replace function private.draft_as_told(project uuid) returns jsonb
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

drop function public.send_draft_back(uuid, text, text, text, text[], public.rich_text, public.rich_text, public.rich_text, public.rich_text, jsonb, text);
create function public.send_draft_back(
  p_project uuid, p_title text, p_client text, p_category text, p_tags text[],
  p_brief public.rich_text, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text,
  p_media jsonb, p_words text default null, p_credits jsonb default null
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
  insert into public.case_study_metadata (project_id, brief, understanding, actions, impact, category, tags, credits)
  values (p_project, p_brief, p_understanding, p_actions, p_impact, p_category, p_tags, p_credits)
  on conflict (project_id) do update set brief = excluded.brief, understanding = excluded.understanding,
    actions = excluded.actions, impact = excluded.impact, category = excluded.category, tags = excluded.tags,
    credits = case when p_credits is null then case_study_metadata.credits else excluded.credits end;

  perform set_config('private.sending_back', 'yes', true);
  delete from public.project_media
  where project_id = p_project and id not in (
    select (item ->> 'id')::uuid from jsonb_array_elements(p_media) as listed (item) where item ->> 'id' is not null
  );
  perform set_config('private.sending_back', '', true);
  -- What an item does not name stays as it is: a page that was opened before this was known sends fewer words.
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

  update public.reviews set state = 'changed', arrived_at = now(), rights_cleared = false, client_agreed = false
  where project_id = p_project;
  insert into public.review_steps (project_id, kind, words)
  values (p_project, 'sent_back', nullif(btrim(p_words, E' \r\n\t'), ''));
  perform private.record('reviews.send_back', p_project::text);
end $$;
comment on function public.send_draft_back(uuid, text, text, text, text[], public.rich_text, public.rich_text, public.rich_text, public.rich_text, jsonb, text, jsonb) is
  'For who holds a draft and was asked for changes: replaces its texts, credits and media, all or nothing, and puts it back into the inbox.';
revoke all on function public.send_draft_back(uuid, text, text, text, text[], public.rich_text, public.rich_text, public.rich_text, public.rich_text, jsonb, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.send_draft_back(uuid, text, text, text, text[], public.rich_text, public.rich_text, public.rich_text, public.rich_text, jsonb, text, jsonb)
  to anon, authenticated;

-- Until now a picture's title was its alternative text. What was kept before says the same as what would be kept now;
-- otherwise the next save would seem to change it.
create function pg_temp.as_told_now(content jsonb) returns jsonb
language sql immutable as $$
  select content || jsonb_build_object('credits', '[]'::jsonb, 'media', (
    select coalesce(jsonb_agg(
      jsonb_build_object('alt', case item ->> 'type' when 'image' then item ->> 'title' end, 'made', null, 'poster', null, 'is_cover', false)
      || item order by place
   ), '[]')
    from jsonb_array_elements(content -> 'media') with ordinality as listed (item, place)
  ))
$$;
update public.project_versions set content = pg_temp.as_told_now(content);
update public.reviews set before = pg_temp.as_told_now(before) where before is not null;
drop function pg_temp.as_told_now(jsonb);
update public.project_media set alt = title where type = 'image' and title is not null;
