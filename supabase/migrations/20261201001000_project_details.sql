-- Long texts of a project, its category, tags, and credits. The texts are also stored in projects, for clients that
-- read them there; triggers keep both in step.

-- A function, because a check constraint cannot contain a query.
create function private.are_tags(tags text[]) returns boolean
language sql immutable set search_path = '' as $$
  select cardinality(tags) <= 500
    and not exists (select from unnest(tags) as tag where tag is null or btrim(tag) = '' or char_length(tag) > 60)
$$;

-- A credit: {"part": "Pictures", "made": "together", "people": ["Asha Rao"], "tools": ["Figma"]}.
create function private.are_names(listed jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(listed) = 'array' and jsonb_array_length(listed) <= 20 and not exists (
    select from jsonb_array_elements(listed) as name
    where jsonb_typeof(name) <> 'string' or char_length(btrim(name #>> '{}')) not between 1 and 120
  )
$$;

-- Procedural, not one expression: a nested value is only read after its container was checked.
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

create table public.case_study_metadata (
  id             uuid primary key default gen_random_uuid(),
  project_id     uuid not null unique references public.projects on delete cascade,
  brief          public.rich_text,
  understanding  public.rich_text,
  actions        public.rich_text,
  impact         public.rich_text,
  category       text constraint "a category is one of the six, or none" check (category in ('branding', 'video', 'ai', 'social', 'strategy', 'other')),
  tags           text[] not null default '{}' constraint "tags are at most 500, of 1 to 60 characters" check (private.are_tags(tags)),
  credits        jsonb not null default '[]' constraint "credits are at most 20 parts with who made them" check (private.are_credits(credits)),
  hand_share     smallint,
  together_share smallint,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);
comment on table public.case_study_metadata is 'One row per project. Writing it completes a submission.';
comment on column public.case_study_metadata.credits is
  'Who made which part of the work: a list of {part, made: hand | machine | together, people: [name], tools: [name]}.';
comment on column public.case_study_metadata.hand_share is 'Percent made by hand, computed from the credits; null without credits.';
comment on column public.case_study_metadata.together_share is
  'Percent of the parts that were made together, computed from the credits; half of it is included in hand_share. Null without credits.';
create index case_study_metadata_by_category on public.case_study_metadata (category, project_id);
create index case_study_metadata_by_tag on public.case_study_metadata using gin (tags);

select private.enable_row_security('public.case_study_metadata');
create policy "texts are readable with the project" on public.case_study_metadata for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
create policy "submitters write the texts of their drafts" on public.case_study_metadata for insert to anon, authenticated
  with check (project_id = (select private.editable_draft()) or private.created_draft(project_id));
-- The holder of a secret sees the row, so a change that is not allowed is refused (42501) instead of matching no row.
create policy "submitters change the texts of their drafts" on public.case_study_metadata for update to anon, authenticated
  using (project_id = (select private.readable_draft()) or private.created_draft(project_id))
  with check (project_id = (select private.editable_draft()) or private.created_draft(project_id));
create policy "editors write texts" on public.case_study_metadata to authenticated using ((select public.can_edit_content()));

grant select, insert (project_id, brief, understanding, actions, impact, category, tags, credits),
  update (project_id, brief, understanding, actions, impact, category, tags, credits) on public.case_study_metadata to anon, authenticated;
grant delete on public.case_study_metadata to authenticated;
grant select, insert, update, delete on public.case_study_metadata to service_role;

-- Invalid tags and credits get a 422 with a clear message before anything is written. Rows restored from the trash may
-- lack these columns.
create function private.normalize_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.raise_if(tg_op = 'UPDATE' and new.project_id <> old.project_id, 'PT400', 'Texts stay with their project.');
  new.category := nullif(btrim(new.category), '');
  new.tags := coalesce(new.tags, '{}');
  new.credits := coalesce(new.credits, '[]');
  perform private.raise_if(not private.are_tags(new.tags), 'PT422', 'tags are at most 500, of 1 to 60 characters. Nothing was saved: remove or shorten some, then save again.');
  perform private.raise_if(not private.are_credits(new.credits), 'PT422',
    'credits are at most 20 parts of 1 to 60 characters, each made by hand, machine or together, with at most 20 people and tools of 1 to 120 characters. Nothing was saved.');
  -- Every part has the same weight; work made together counts half for each side, which the strip draws as the overlap.
  select round(avg(case credit ->> 'made' when 'hand' then 100 when 'together' then 50 else 0 end)),
    round(avg(case credit ->> 'made' when 'together' then 100 else 0 end))
  into new.hand_share, new.together_share from jsonb_array_elements(new.credits) as credit;
  return new;
end $$;
create trigger normalize_texts before insert or update on public.case_study_metadata for each row execute function private.normalize_texts();
create trigger touch before update on public.case_study_metadata for each row execute function private.touch();

-- The trigger below also updates the project, so its row is locked first, as everywhere. Only for projects whose texts
-- the caller may write, so that callers cannot wait for or block hidden ones.
create function private.lock_project_of_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.projects
  where id = new.project_id and (not private.is_client() or public.can_edit_content() or id = private.editable_draft() or private.created_draft(id))
  for no key update;
  return new;
end $$;
create trigger lock_project before insert on public.case_study_metadata for each row execute function private.lock_project_of_texts();

-- Copies texts to their projects; at an insert, texts that the project already has are kept when only some are sent.
create function private.copy_texts(ids uuid[], inserted boolean) returns void
language plpgsql set search_path = '' as $$
begin
  update public.case_study_metadata stored set
    brief = coalesce(stored.brief, project.description), understanding = coalesce(stored.understanding, project.understanding),
    actions = coalesce(stored.actions, project.actions), impact = coalesce(stored.impact, project.impact)
  from public.projects project
  where inserted and stored.id = any (ids) and project.id = stored.project_id
    and (coalesce(stored.brief, project.description), coalesce(stored.understanding, project.understanding),
      coalesce(stored.actions, project.actions), coalesce(stored.impact, project.impact))
      is distinct from (stored.brief, stored.understanding, stored.actions, stored.impact);
  update public.projects project set
    description = texts.brief, understanding = texts.understanding, actions = texts.actions, impact = texts.impact,
    submitted_at = coalesce(project.submitted_at, now())
  from public.case_study_metadata texts
  where texts.id = any (ids) and project.id = texts.project_id
    and (project.description, project.understanding, project.actions, project.impact, project.submitted_at is null)
      is distinct from (texts.brief, texts.understanding, texts.actions, texts.impact, false);
end $$;

create function private.texts_to_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.copy_texts(array[new.id], tg_op = 'INSERT');
  -- Touches updated_at, so that an open form of the project meets a conflict. Who has locked it touches or deletes it.
  update public.projects set title = title where id in (
    select id from public.projects where id = new.project_id and updated_at <> now()
      and (old.category, old.tags, old.credits) is distinct from (new.category, new.tags, new.credits) for no key update skip locked
  );
  return null;
end $$;
-- Restored rows are copied in bulk (restore_trash): row by row this took three of the four milliseconds of restoring a project.
create trigger texts_to_project after insert on public.case_study_metadata
  for each row when (current_setting('private.restoring', true) is distinct from 'yes') execute function private.texts_to_project();
create trigger texts_to_project_updated after update on public.case_study_metadata for each row execute function private.texts_to_project();

-- The other direction. No endless loop: neither trigger writes unchanged values.
create function private.texts_from_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.case_study_metadata set
    brief = new.description, understanding = new.understanding, actions = new.actions, impact = new.impact
  where project_id = new.id
    and (brief, understanding, actions, impact) is distinct from (new.description, new.understanding, new.actions, new.impact);
  return null;
end $$;

-- Both run with the caller's rights; the policies above apply.
create function public.get_case_study_metadata(p_id uuid) returns setof public.case_study_metadata
language sql stable rows 1 set search_path = '' as $$ select * from public.case_study_metadata where project_id = p_id $$;
comment on function public.get_case_study_metadata is 'The texts of a project the caller may see; no row otherwise.';

create function public.save_case_study_metadata(p_id uuid, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text) returns void
language sql set search_path = '' as $$
  insert into public.case_study_metadata (project_id, understanding, actions, impact)
  values (p_id, p_understanding, p_actions, p_impact)
  on conflict (project_id) do update set
    understanding = excluded.understanding, actions = excluded.actions, impact = excluded.impact
$$;
comment on function public.save_case_study_metadata is 'Stores three texts of the caller''s own draft, or of any project for an editor.';

grant execute on function private.are_tags, private.are_names, private.are_credits to anon, authenticated, service_role;
grant execute on function public.get_case_study_metadata, public.save_case_study_metadata to anon, authenticated, service_role;

-- Team of a project and its profit shares. Names and shares are public with the project; accounts and addresses are
-- not.

create table public.project_members (
  id                      uuid primary key default gen_random_uuid(),
  project_id              uuid not null references public.projects on delete cascade,
  -- The constraint's name is the relationship's: project_members?select=*,user(email).
  user_id                 uuid constraint "user" references public.profiles on delete set null,
  name                    text constraint "a member's name is at most 200 characters" check (char_length(name) <= 200),
  role                    text constraint "a member's role is at most 200 characters" check (char_length(role) <= 200),
  contribution_percentage numeric(5, 2) constraint "a share is 0 to 100 percent" check (contribution_percentage between 0 and 100),
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now()
);
comment on table public.project_members is 'The team of a project.';
comment on column public.project_members.user_id is 'A profile id, which does not reveal the account id.';
create index project_members_by_project on public.project_members (project_id);
create index project_members_by_user on public.project_members (user_id);

select private.enable_row_security('public.project_members');
create policy "a team is readable with the project" on public.project_members for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
-- Not every account, only those that editors work with.
create policy "editors see colleagues and contributors" on public.profiles for select to authenticated using (
  (select public.can_edit_content()) and (
    exists (select from public.user_roles where user_roles.user_id = profiles.user_id)
    or exists (select from public.projects where created_by = profiles.user_id)
    or exists (select from public.project_members where project_members.user_id = profiles.id)
  )
);
create policy "editors write teams" on public.project_members to authenticated using ((select public.can_edit_content())) with check ((select public.can_edit_content()));

grant select on public.project_members to anon;
grant select, delete, insert (project_id, user_id, name, role, contribution_percentage, created_at),
  update (user_id, name, role, contribution_percentage) on public.project_members to authenticated;
grant select, insert, update, delete on public.project_members to service_role;

-- Accepts an account id and stores the profile id. The name defaults to the profile's.
create function private.normalize_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person public.profiles;
begin
  if private.is_client() and not public.can_edit_content() then
    return new; -- the policies refuse the row; no lookup for these callers
  end if;
  select * into person from public.profiles where id = new.user_id or user_id = new.user_id;
  new.user_id := coalesce(person.id, new.user_id);
  new.name := coalesce(new.name, person.name);
  return new;
end $$;
create trigger normalize_member before insert or update of user_id on public.project_members for each row execute function private.normalize_member();
create trigger touch before update on public.project_members for each row execute function private.touch();

-- The shares of a team add up to at most 100 %. Runs after the policies; the lock serializes concurrent changes, so
-- each sees the other's share. Lowering a share is allowed even when the sum is still too high.
create function private.limit_shares() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  growing uuid[];
  total numeric;
begin
  if current_setting('private.restoring', true) = 'yes' then
    return null; -- fit_share_of_restored has checked each row
  elsif tg_op = 'INSERT' then
    growing := array(select project_id from fresh group by project_id having sum(contribution_percentage) > 0);
  else
    growing := array(select project_id from (
      select project_id, contribution_percentage as share from fresh
      union all select project_id, -contribution_percentage from former
    ) as both_sides group by project_id having sum(share) > 0);
  end if;
  perform private.lock_registers(growing);
  select sum(contribution_percentage) into total from public.project_members
  where project_id = any (growing) group by project_id having sum(contribution_percentage) > 100 order by project_id limit 1;
  perform private.raise_if(total > 100, 'PT422', format(
    'The shares together would make %s%%; %s%% too much. Nothing was saved.', trim_scale(total), trim_scale(total - 100)
  ));
  return null;
end $$;
create trigger limit_added_shares after insert on public.project_members
  referencing new table as fresh for each statement execute function private.limit_shares();
create trigger limit_changed_shares after update on public.project_members
  referencing old table as former new table as fresh for each statement execute function private.limit_shares();

-- A restored member loses the share when the sum would exceed 100 %.
create function private.fit_share_of_restored() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.projects where id = new.project_id for no key update;
  if new.contribution_percentage + (
    select coalesce(sum(contribution_percentage), 0) from public.project_members where project_id = new.project_id and id <> new.id
  ) > 100 then
    new.contribution_percentage := null;
  end if;
  return new;
end $$;
create trigger fit_share_of_restored before insert on public.project_members
  for each row when (current_setting('private.restoring', true) = 'yes') execute function private.fit_share_of_restored();
