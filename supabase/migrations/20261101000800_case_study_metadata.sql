-- The longer texts of an experiment, its category and its tags. Texts stand on the project too, for clients that look
-- there; whichever is written, the other follows.

create function private.are_tags(tags text[]) returns boolean
language sql immutable set search_path = '' as $$
  select cardinality(tags) <= 500
    and not exists (select from unnest(tags) as tag where tag is null or btrim(tag) = '' or char_length(tag) > 60)
$$;
revoke all on function private.are_tags(text[]) from public;
grant execute on function private.are_tags(text[]) to anon, authenticated, service_role;

create table public.case_study_metadata (
  id            uuid primary key default gen_random_uuid(),
  project_id    uuid not null unique references public.projects on delete cascade,
  brief         public.rich_text,
  understanding public.rich_text,
  actions       public.rich_text,
  impact        public.rich_text,
  category      text constraint "a category is one of the six, or none" check (category in ('branding', 'video', 'ai', 'social', 'strategy', 'other')),
  tags          text[] not null default '{}' constraint "tags are at most 500, of 1 to 60 characters" check (private.are_tags(tags)),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
comment on table public.case_study_metadata is 'One row per project. Writing it completes a submission.';
create index case_study_metadata_by_category on public.case_study_metadata (category, project_id);

alter table public.case_study_metadata enable row level security;
alter table public.case_study_metadata force row level security;

create policy "texts are for whoever sees the project" on public.case_study_metadata for select to anon, authenticated
  using (exists (select from public.projects where projects.id = project_id));
create policy "the holder of a draft's secret writes its texts" on public.case_study_metadata for insert to anon, authenticated
  with check (project_id = (select private.editable_draft()));
create policy "the holder of a draft's secret changes its texts" on public.case_study_metadata for update to anon, authenticated
  using (project_id = (select private.editable_draft())) with check (project_id = (select private.editable_draft()));
create policy "creators write the texts of their drafts" on public.case_study_metadata for insert to authenticated
  with check (exists (
    select from public.projects
    where projects.id = project_id and projects.status = 'draft' and projects.created_by = (select auth.uid())
  ));
create policy "creators change the texts of their drafts" on public.case_study_metadata for update to authenticated
  using (exists (
    select from public.projects
    where projects.id = project_id and projects.status = 'draft' and projects.created_by = (select auth.uid())
  ));
create policy "admins write texts" on public.case_study_metadata for insert to authenticated
  with check ((select public.is_admin()));
create policy "admins change texts" on public.case_study_metadata for update to authenticated
  using ((select public.is_admin())) with check ((select public.is_admin()));
create policy "admins remove texts" on public.case_study_metadata for delete to authenticated
  using ((select public.is_admin()));

revoke all on public.case_study_metadata from public, anon, authenticated, service_role;
grant select,
  insert (project_id, brief, understanding, actions, impact, category, tags),
  update (project_id, brief, understanding, actions, impact, category, tags)
  on public.case_study_metadata to anon, authenticated;
grant delete on public.case_study_metadata to authenticated;
grant select, insert, update, delete on public.case_study_metadata to service_role;

create function private.receive_texts() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.project_id <> old.project_id then
    raise exception using errcode = 'PT400', message = 'Texts stay with their project.';
  end if;
  new.category := nullif(btrim(new.category), '');
  new.tags := coalesce(new.tags, '{}');
  return new;
end $$;
create trigger receive_texts before insert or update on public.case_study_metadata
  for each row execute function private.receive_texts();
create trigger touch before update on public.case_study_metadata for each row execute function private.touch();

create function private.texts_to_project() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  filled public.case_study_metadata;
begin
  if tg_op = 'INSERT' then
    -- What the project already says is not lost when only some texts arrive.
    update public.case_study_metadata stored set
      brief = coalesce(stored.brief, project.description),
      understanding = coalesce(stored.understanding, project.understanding),
      actions = coalesce(stored.actions, project.actions),
      impact = coalesce(stored.impact, project.impact)
    from public.projects project
    where stored.id = new.id and project.id = new.project_id
      and num_nulls(stored.brief, stored.understanding, stored.actions, stored.impact)
        > num_nulls(
          coalesce(stored.brief, project.description), coalesce(stored.understanding, project.understanding),
          coalesce(stored.actions, project.actions), coalesce(stored.impact, project.impact)
        )
    returning stored.* into filled;
    if found then
      new := filled;
    end if;
  end if;
  update public.projects set
    description = new.brief, understanding = new.understanding, actions = new.actions, impact = new.impact,
    submitted_at = coalesce(submitted_at, now())
  where id = new.project_id
    and (description, understanding, actions, impact, submitted_at is null)
      is distinct from (new.brief, new.understanding, new.actions, new.impact, false);
  return null;
end $$;
create trigger texts_to_project after insert or update on public.case_study_metadata
  for each row execute function private.texts_to_project();

create function private.texts_from_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.case_study_metadata set
    brief = new.description, understanding = new.understanding, actions = new.actions, impact = new.impact
  where project_id = new.id
    and (brief, understanding, actions, impact) is distinct from (new.description, new.understanding, new.actions, new.impact);
  return null;
end $$;
create trigger texts_from_project after update of description, understanding, actions, impact on public.projects
  for each row execute function private.texts_from_project();

revoke all on function private.receive_texts(), private.texts_to_project(), private.texts_from_project() from public;
select private.watch('public.case_study_metadata');

-- Both run with the caller's rights: the policies above are their only rule.
create function public.get_case_study_metadata(p_id uuid) returns setof public.case_study_metadata
language sql stable rows 1 set search_path = '' as $$
  select * from public.case_study_metadata where project_id = p_id
$$;
comment on function public.get_case_study_metadata(uuid) is 'The texts of a project the caller may see; no row otherwise.';

create function public.save_case_study_metadata(
  p_id uuid, p_understanding public.rich_text, p_actions public.rich_text, p_impact public.rich_text
) returns void
language sql set search_path = '' as $$
  insert into public.case_study_metadata (project_id, understanding, actions, impact)
  values (p_id, p_understanding, p_actions, p_impact)
  on conflict (project_id) do update set
    understanding = excluded.understanding, actions = excluded.actions, impact = excluded.impact
$$;
comment on function public.save_case_study_metadata(uuid, public.rich_text, public.rich_text, public.rich_text) is
  'Stores three texts of the caller''s own draft, or of any project for an admin.';

revoke all on function public.get_case_study_metadata(uuid),
  public.save_case_study_metadata(uuid, public.rich_text, public.rich_text, public.rich_text)
  from public, anon, authenticated, service_role;
grant execute on function public.get_case_study_metadata(uuid),
  public.save_case_study_metadata(uuid, public.rich_text, public.rich_text, public.rich_text)
  to anon, authenticated, service_role;
