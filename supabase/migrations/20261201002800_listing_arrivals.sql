-- A new project has no listings yet: they are written from the row itself, without a lookup of earlier ones, which took
-- a fifth of an insert.

-- Writers of listings lock the count of all first, in the same order, to avoid deadlocks.
create or replace function private.take_turns() returns void
language sql set search_path = '' as $$
  select from private.listing_counts where category = 'all' for update
$$;

create function private.headings_of(title text, filed text) returns setof text
language sql immutable rows 2 set search_path = '' as $$
  select 'all' union select filed where filed is not null
  union select 'branding' where title ilike '%brand%' union select 'video' where title ilike '%video%'
$$;
comment on function private.headings_of is 'Categories under which a project is listed: all, its own, and those that a setting names for its title.';

-- Updates listings and search vectors of the given projects. With a generic plan, as keep_versions.
create or replace function private.list_again(ids uuid[]) returns void
language plpgsql set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  -- The lock serializes concurrent publishing and categorising of one project.
  perform private.take_turns();

  with shown as materialized (
    select project.id, project.created_at, heading.category, texts.hand_share
    from public.projects project left join public.case_study_metadata texts on texts.project_id = project.id
    cross join lateral private.headings_of(project.title, texts.category) as heading (category)
    where project.id = any (ids) and private.is_listed(project.status)
  ), removed as (
    delete from private.listings listing where listing.project_id = any (ids)
      and (listing.category, listing.created_at, listing.project_id) not in (select category, created_at, id from shown)
  )
  insert into private.listings (category, created_at, project_id, hand_share) select category, created_at, id, hand_share from shown
  on conflict (category, created_at, project_id) do update set hand_share = excluded.hand_share
  where listings.hand_share is distinct from excluded.hand_share;

  delete from private.listing_words listed
  where listed.project_id = any (ids)
    and not exists (select from public.projects where projects.id = listed.project_id and private.is_listed(projects.status));
  -- Projects and case_study_metadata contain the same texts.
  insert into private.listing_words (project_id, created_at, words)
  select project.id, project.created_at, private.words_of(
    project.title, project.client, texts.tags || private.credited(texts.credits),
    concat_ws(' ', project.description, project.understanding, project.actions, project.impact)
  )
  from public.projects project left join public.case_study_metadata texts on texts.project_id = project.id
  where project.id = any (ids) and private.is_listed(project.status)
  on conflict (project_id) do update set created_at = excluded.created_at, words = excluded.words
  where (listing_words.created_at, listing_words.words) is distinct from (excluded.created_at, excluded.words);
end $$;

-- Only changes of listed fields count: a budget or a date needs no lock.
create or replace function private.project_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from fresh where private.is_listed(status)) then
      return null;
    end if;
    perform private.take_turns();
    -- Category, tags and credits arrive in their own row, which updates the listing (texts_changed).
    insert into private.listings (category, created_at, project_id)
    select heading.category, fresh.created_at, fresh.id
    from fresh cross join lateral private.headings_of(fresh.title, null) as heading (category)
    where private.is_listed(fresh.status);
    insert into private.listing_words (project_id, created_at, words)
    select id, created_at, private.words_of(title, client, null, concat_ws(' ', description, understanding, actions, impact))
    from fresh where private.is_listed(status);
  elsif tg_op = 'UPDATE' then
    perform private.list_again(array(
      select stale.id from stale join fresh on fresh.id = stale.id
      where (private.is_listed(stale.status) or private.is_listed(fresh.status))
        and (stale.status, stale.title, stale.client, stale.created_at, stale.description::text, stale.understanding::text, stale.actions::text, stale.impact::text)
          is distinct from (fresh.status, fresh.title, fresh.client, fresh.created_at, fresh.description::text, fresh.understanding::text, fresh.actions::text, fresh.impact::text)
    ));
  elsif tg_op = 'DELETE' then
    delete from private.listings using stale where listings.project_id = stale.id;
    delete from private.listing_words using stale where listing_words.project_id = stale.id;
  else
    delete from private.listings;
    delete from private.listing_words;
  end if;
  return null;
end $$;

revoke all on function private.headings_of from public;
