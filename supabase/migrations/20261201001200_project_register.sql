-- Index tables for the admin lists, maintained by triggers: sorting, searching and counting cost the same with fifty
-- projects as with fifty thousand.

create table private.project_register (
  project_id uuid primary key,
  status     text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  title      text not null -- lower case, first hundred characters
);
comment on table private.project_register is 'One row per project with the sort keys of the admin lists.';
create index project_register_newest on private.project_register (created_at desc, project_id desc);
create index project_register_newest_of on private.project_register (status, created_at desc, project_id desc);
create index project_register_changed on private.project_register (changed_at desc, project_id desc);
create index project_register_changed_of on private.project_register (status, changed_at desc, project_id desc);
create index project_register_title on private.project_register (title, project_id);
create index project_register_title_of on private.project_register (status, title, project_id);

-- Serializes changes of one project's parts, as the last lock of a transaction: a deletion locks the project and then
-- waits for its parts, so a transaction that holds a part must never wait for the project's own row.
create function private.lock_registers(ids uuid[]) returns void
language sql set search_path = '' as $$ select from private.project_register where project_id = any (ids) order by project_id for no key update $$;

-- Separate from project_register, so that the search index is updated only when the words change.
create table private.project_words (
  project_id uuid primary key,
  words      text not null
);
comment on table private.project_words is 'Title, client, facts and plain description of every project in lower case, for substring search.';
-- Compressed inline, not in TOAST: a search reads many of them.
alter table private.project_words alter column words set storage main;
-- Statistics on long texts do not help the planner, and comparing with the sample costs as much as a lookup.
alter table private.project_words alter column words set statistics 1;

-- Trigram index. Without the extension, searches return the same rows by a sequential scan.
do $$
declare
  lies_in name;
begin
  create extension if not exists pg_trgm with schema extensions;
  select nspname into strict lies_in from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
  execute format('create index project_words_found on private.project_words using gin (words %I.gin_trgm_ops) with (gin_pending_list_limit = 1024)', lies_in);
exception
  when undefined_file or insufficient_privilege or feature_not_supported then
    raise notice 'The extension pg_trgm is not there: searching in the admin area reads all projects.';
end $$;

create table private.tallies (
  id       bigint generated always as identity primary key,
  kind     text not null check (kind in ('status', 'category', 'day')),
  name     text not null, -- of a submission's last step: the day (UTC)
  projects integer not null
);
create index tallies_by_name on private.tallies (kind, name) include (projects);
comment on table private.tallies is 'Changes in the number of projects by status and category, and of submissions by day. The sum is the count; inserts never wait for each other.';

-- Whitespace of any kind and length becomes one space, so that a line break does not hide a match.
create function private.one_line(input text) returns text
language sql immutable set search_path = '' as $$ select btrim(regexp_replace(input, '[\u0001-\u0020\u007f-\u00a0\u2028\u2029]+', ' ', 'g')) $$;

-- The visible text of HTML. Inline tags can be inside a word; every other tag ends one.
create function private.plain_text(html text) returns text
language sql immutable set search_path = '' as $$
  select replace(replace(replace(replace(replace(replace(
    regexp_replace(regexp_replace(html, '</?(a|b|code|em|i|mark|s|span|strong|sub|sup|u)(\s[^>]*)?>', '', 'gi'), '<[^>]*>', ' ', 'g'),
    '&nbsp;', ' '), '&quot;', '"'), '&#39;', ''''), '&lt;', '<'), '&gt;', '>'), '&amp;', '&')
$$;

-- The separator prevents matches across the end of one part and the start of the next.
create function private.search_text(title text, lines text[], description text) returns text
language sql immutable set search_path = '' as $$
  select lower(string_agg(private.one_line(part), chr(31) order by place))
  from unnest(title || lines || private.plain_text(description)) with ordinality as parts (part, place)
$$;

-- A single counter row would serialize all writers; rows that are only inserted do not.
create function private.tally(kind text, names text[], projects integer) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.tallies (kind, name, projects)
  select tally.kind, name, tally.projects * count(*) from unnest(names) as name where name is not null group by name;
  -- Sums the rows up from time to time, except those that another transaction is summing.
  if (select max(id) from private.tallies) % 32 = 0 then
    with folded as (
      delete from private.tallies
      where id in (select id from private.tallies order by id desc limit 1000 for update skip locked) returning tallies.*
    )
    insert into private.tallies (kind, name, projects)
    select folded.kind, folded.name, sum(folded.projects) from folded group by 1, 2 having sum(folded.projects) <> 0;
  end if;
end $$;

create function private.tally_total(of_kind text, of_name text default null) returns integer
language sql stable set search_path = '' as $$
  select coalesce(sum(projects), 0)::integer from private.tallies where kind = of_kind and (of_name is null or name = of_name)
$$;

create function private.tally_changes(kind text, before text[], after text[]) returns void
language plpgsql set search_path = '' as $$
begin
  if before is distinct from after then
    perform private.tally(kind, before, -1);
    perform private.tally(kind, after, 1);
  end if;
end $$;

-- Days are UTC, so that a chart does not depend on the reader's time zone.
create function private.day_of(moment timestamptz) returns text
language sql immutable set search_path = '' as $$ select to_char(moment at time zone 'utc', 'YYYY-MM-DD') $$;

-- A submission counts on the day of its last step; an incomplete one is not counted.
create function private.register_projects() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into private.project_register (project_id, status, created_at, changed_at, title)
    select id, status, created_at, updated_at, left(lower(title), 100) from fresh;
    insert into private.project_words (project_id, words)
    select id, private.search_text(title, private.searched_lines(fresh) || private.fact_words(facts, true), description) from fresh;
    perform private.tally('status', array(select status from fresh), 1);
    perform private.tally('day', array(select private.day_of(submitted_at) from fresh), 1);
  elsif tg_op = 'UPDATE' then
    update private.project_register register
    set status = fresh.status, created_at = fresh.created_at, changed_at = fresh.updated_at, title = left(lower(fresh.title), 100)
    from fresh where register.project_id = fresh.id;
    update private.project_words found
    set words = private.search_text(fresh.title, private.searched_lines(fresh) || private.fact_words(fresh.facts, true), fresh.description)
    from fresh join stale on stale.id = fresh.id
    where found.project_id = fresh.id
      and (stale.title, private.searched_lines(stale), stale.facts, stale.description::text)
        is distinct from (fresh.title, private.searched_lines(fresh), fresh.facts, fresh.description::text);
    perform private.tally_changes('status', array(select status from stale order by id), array(select status from fresh order by id));
    perform private.tally_changes('day', array(select private.day_of(submitted_at) from stale order by id), array(select private.day_of(submitted_at) from fresh order by id));
  elsif tg_op = 'DELETE' then
    delete from private.project_register using stale where project_id = stale.id;
    delete from private.project_words using stale where project_id = stale.id;
    perform private.tally('status', array(select status from stale), -1);
    perform private.tally('day', array(select private.day_of(submitted_at) from stale), -1);
  else
    truncate private.project_register, private.project_words;
    delete from private.tallies where kind in ('status', 'day');
  end if;
  return null;
end $$;

-- At most `most` projects that contain a text: the newest, in order; or any, when only their number matters. A frequent
-- text is found soon by scanning from the newest, a rare one through the index. The newest two hundred rows decide,
-- because the planner has no statistics on long texts. The scan uses strpos, which is much faster than LIKE; only LIKE
-- can use the index.
create function private.projects_with(part text, of_status text, most integer, in_order boolean) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  pattern constant text := '%' || regexp_replace(part, '([\\%_])', '\\\1', 'g') || '%';
  far integer;
  met uuid[];
begin
  foreach far in array array[200, 3000] loop
    met := array(
      select project_id from (
        select project_id, created_at from private.project_register register where of_status is null or register.status = of_status
        order by created_at desc, project_id desc limit far
      ) as newest
      where (select strpos(found.words, part) > 0 from private.project_words found where found.project_id = newest.project_id)
      order by created_at desc, project_id desc limit most
    );
    if cardinality(met) = most or private.tally_total('status', of_status) <= far then
      return met;
    end if;
    exit when cardinality(met) < 2 or cardinality(met) < most / 15;
  end loop;

  if in_order then
    return array(
      with found as materialized (select project_id from private.project_words where words like pattern)
      select project_id from found join private.project_register register using (project_id)
      where of_status is null or register.status = of_status order by created_at desc, project_id desc limit most
    );
  end if;
  return array(
    select project_id from private.project_words found
    where words like pattern
      and (of_status is null or (select register.status = of_status from private.project_register register where register.project_id = found.project_id))
    limit most
  );
end $$;

-- Published submissions are too many for this search.
create function private.projects_in_review(p_turn smallint, part text) returns setof uuid
language sql stable set search_path = '' as $$
  select private.raise_if(p_turn not between 0 and 3, 'PT400', 'p_turn is 0 (waiting), 1 (changes requested), 2 (not finished) or 3 (declined).');
  select reviews.project_id from public.reviews
  where turn = p_turn and arrived_at <= now() and (
    part = '' or exists (select from private.project_words found where found.project_id = reviews.project_id and strpos(found.words, part) > 0)
  )
$$;

create function public.find_projects(
  p_words text default '', p_status text default null, p_sort text default 'newest', p_skip integer default 0, p_take integer default 10,
  p_turn smallint default null
) returns setof public.projects
language plpgsql stable security definer rows 10 set search_path = '' as $$
declare
  part constant text := coalesce(lower(private.one_line(left(p_words, 100))), '');
  of_status constant text := nullif(p_status, '');
  wanted text;
  total integer;
  first integer := least(greatest(coalesce(p_skip, 0), 0), 10000000);
  most integer := least(greatest(coalesce(p_take, 10), 0), 100);
  backwards boolean := false;
  page uuid[];
begin
  perform private.require_editor('Only an editor sees every project.');
  if p_turn is not null then
    wanted := 'project_id in (select private.projects_in_review($1, $2))';
  elsif part = '' then
    -- Pages in the second half are read from the end.
    total := private.tally_total('status', of_status);
    most := greatest(least(most, total - first), 0);
    backwards := first > total / 2;
    first := case when backwards then greatest(total - first - most, 0) else first end;
    wanted := coalesce('status = ' || quote_literal(of_status), 'true');
  else
    page := private.projects_with(part, of_status, case p_sort when 'newest' then least(first + most, 500) else 500 end, true);
    wanted := 'project_id = any ($3)';
  end if;
  -- Sorted by an indexed column and then by id, so that no project appears on two pages.
  execute format('select array(select project_id from private.project_register where %s order by %s %s, project_id %3$s offset $4 limit $5)',
    wanted, case p_sort when 'title' then 'title' when 'changed' then 'changed_at' else 'created_at' end,
    case when coalesce(p_sort in ('title', 'oldest'), false) = backwards then 'desc' else 'asc' end)
    into page using p_turn, part, page, first, most;
  return query
    select project.* from unnest(page) with ordinality as place (id, number) join public.projects project using (id)
    order by case when backwards then -place.number else place.number end;
end $$;
comment on function public.find_projects is
  'For editors: projects of every status, or of one, that contain `p_words` in title, client, facts or description, ignoring case. `p_sort` is newest, oldest, changed or title. At most 100 per call; with words, of the newest 500 that match. With `p_turn`, instead of a status, the arrived submissions with this `reviews.turn`.';

create function public.count_projects(p_words text default '', p_status text default null, p_turn smallint default null)
returns table (projects integer, exact boolean)
language plpgsql stable security definer rows 1 set search_path = '' as $$
declare
  part constant text := lower(private.one_line(left(p_words, 100)));
  found integer;
begin
  perform private.require_editor('Only an editor sees every project.');
  if p_turn is not null then
    return query
      select least(count(*), 1000)::integer, count(*) <= 1000
      from (select private.projects_in_review(p_turn, coalesce(part, '')) limit 1001) as counted;
  elsif coalesce(part, '') = '' then
    return query select private.tally_total('status', nullif(p_status, '')), true;
  else
    found := cardinality(private.projects_with(part, nullif(p_status, ''), 501, false));
    return query select least(found, 500), found <= 500;
  end if;
end $$;
comment on function public.count_projects is
  'For editors: how many projects `find_projects` finds. More than 500 matches, or 1,000 submissions, are not counted further; then the result is not exact.';

grant execute on function public.find_projects, public.count_projects to authenticated, service_role;
