-- Facts of projects: fields that admins define in the setting `project_facts`, a list in the order of the form. The
-- setting is public like all settings, only admins write it, and its history puts earlier fields back. Their values are
-- in projects.facts by the field's id, which never changes, as its kind never does.

create function private.fact_fields() returns jsonb
language sql stable security definer set search_path = '' as $$ select coalesce((select value from public.site_settings where name = 'project_facts'), '[]') $$;

create function private.fact_ids(fields jsonb) returns text[]
language sql immutable set search_path = '' as $$ select array(select field ->> 'id' from jsonb_array_elements(fields) as field) $$;

-- What searches match: readers find only what they can see.
create function private.fact_words(facts jsonb, hidden_too boolean) returns text[]
language sql stable set search_path = '' as $$
  select case when facts = '{}' then '{}' else array(
    select facts ->> (field ->> 'id') from jsonb_array_elements(private.fact_fields()) as field
    where facts ? (field ->> 'id') and (hidden_too or field ->> 'shown' <> 'none')
  ) end
$$;

-- Stores each field with all of its keys, and gives a new one an id after its name: that of a removed field with the same
-- name and kind, which brings its values back.
create function private.check_project_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  known jsonb;
  checked jsonb := '[]';
  field jsonb;
  label text;
  kind text;
  shown text;
  options jsonb;
  id text;
  problem text;
begin
  if new.name <> 'project_facts' then
    return new;
  end if;
  perform private.raise_if(jsonb_typeof(new.value) <> 'array', 'PT422', 'Project facts are a list of fields.');
  perform private.raise_if(jsonb_array_length(new.value) > 20, 'PT422', 'A project has up to 20 facts. Remove some, then save again.');
  known := private.fact_fields() || private.removed_fact_fields();
  for field in select jsonb_array_elements(new.value) loop
    label := private.one_line(field ->> 'name');
    kind := field ->> 'kind';
    shown := coalesce(field ->> 'shown', 'page');
    options := field -> 'options';
    id := coalesce(field ->> 'id', '');
    problem := case
      when jsonb_typeof(field) <> 'object' or jsonb_typeof(field -> 'name') is distinct from 'string' or char_length(label) not between 1 and 60
        then 'A project fact has a name of 1 to 60 characters.'
      when coalesce(kind not in ('text', 'number', 'link', 'choice', 'date'), true) then '“%s” is of the kind text, number, link, choice or date.'
      when char_length(field ->> 'help') > 200 then 'The help text of “%s” is longer than 200 characters.'
      when shown not in ('page', 'card', 'filter', 'everywhere', 'none') or kind <> 'choice' and shown in ('filter', 'everywhere')
        then '“%s” is shown on page, card or none; a choice also as filter or everywhere.'
      when kind = 'choice' and (not coalesce(private.are_names(options), false) or options = '[]'
        or exists (select from jsonb_array_elements_text(options) as choice where char_length(btrim(choice)) > 60)
      ) then '“%s” needs 1 to 20 choices of 1 to 60 characters.'
      when kind = 'choice' and jsonb_array_length(options) > (select count(distinct lower(btrim(choice))) from jsonb_array_elements_text(options) as choice)
        then '“%s” has the same choice twice.'
      when id !~ '^[a-z0-9_]{0,50}$' then 'The id of “%s” is up to 50 small letters, digits and underscores.'
      when exists (select from jsonb_array_elements(known) as former where former ->> 'id' = id and former ->> 'kind' <> kind)
        then 'The kind of “%s” cannot change, because its values would no longer fit. Remove it, and add another.'
    end;
    perform private.raise_if(problem is not null, 'PT422', format(problem, label) || ' Nothing was saved.');
    checked := checked || jsonb_build_array(jsonb_build_object(
      'id', id, 'kind', kind, 'name', label, 'help', coalesce(private.one_line(field ->> 'help'), ''), 'shown', shown,
      'required', coalesce(field -> 'required' = 'true', false)
    ) || case when kind = 'choice' then jsonb_build_object('options', (
      select jsonb_agg(btrim(choice) order by place) from jsonb_array_elements_text(options) with ordinality as listed (choice, place)
    )) else '{}' end);
  end loop;

  select min(one ->> 'name') into label from jsonb_array_elements(checked) as one group by lower(one ->> 'name') having count(*) > 1;
  perform private.raise_if(label is not null, 'PT422', format('Two project facts are called “%s”. Nothing was saved.', label));
  for place in 0 .. jsonb_array_length(checked) - 1 loop
    field := checked -> place;
    continue when field ->> 'id' <> '';
    select former ->> 'id' into id from jsonb_array_elements(known) as former
    where lower(former ->> 'name') = lower(field ->> 'name') and former ->> 'kind' = field ->> 'kind' and former ->> 'id' <> all (private.fact_ids(checked));
    label := coalesce(nullif(left(replace(btrim(regexp_replace(private.normalize_words(field ->> 'name'), '[^a-z0-9 ]', '', 'g')), ' ', '_'), 40), ''), 'fact');
    id := coalesce(id, (
      select candidate from generate_series(1, 99) as number cross join lateral concat(label, '_' || nullif(number, 1)) as candidate
      where candidate <> all (private.fact_ids(known || checked)) order by number limit 1
    ));
    checked := jsonb_set(checked, array[place::text, 'id'], to_jsonb(id));
  end loop;
  perform private.raise_if(
    jsonb_array_length(checked) > (select count(distinct one) from unnest(private.fact_ids(checked)) as one), 'PT422', 'Two project facts have the same id. Nothing was saved.');
  new.value := checked;
  return new;
end $$;
create trigger check_project_facts before insert or update on public.site_settings for each row execute function private.check_project_facts();

-- Removed fields wait in the trash; until they are purged their values stay, hidden. What searches find and what the list
-- is filtered by follows where a field is shown.
create function private.follow_project_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  former jsonb := '[]';
  fields constant jsonb := private.fact_fields();
  changed text[];
begin
  if tg_op <> 'INSERT' and old.name = 'project_facts' then
    former := old.value;
  elsif tg_op = 'DELETE' or new.name <> 'project_facts' then
    return null;
  end if;
  insert into private.trash (table_name, entry)
  select 'project_facts', field from jsonb_array_elements(former) as field where field ->> 'id' <> all (private.fact_ids(fields));
  delete from private.trash where table_name = 'project_facts' and entry ->> 'id' = any (private.fact_ids(fields));
  changed := array(
    select coalesce(one.field, other.field) ->> 'id'
    from jsonb_array_elements(former) as one (field)
      full join jsonb_array_elements(fields) as other (field) on one.field ->> 'id' = other.field ->> 'id'
    where one.field ->> 'shown' is distinct from other.field ->> 'shown'
  );
  update private.project_words found
  set words = private.search_text(project.title, private.searched_lines(project) || private.fact_words(project.facts, true), project.description)
  from public.projects project where project.id = found.project_id and project.facts ?| changed;
  perform private.update_listings(array(select id from public.projects where facts ?| changed and private.is_listed(status)));
  return null;
end $$;
create trigger follow_project_facts after insert or update or delete on public.site_settings for each row execute function private.follow_project_facts();

create function private.fact_problem(field jsonb, given text, restoring boolean) returns text
language sql immutable set search_path = '' as $$
  select case field ->> 'kind'
    when 'number' then case when given !~ '^-?\d{1,15}(\.\d{1,6})?$' then 'is a number, such as 1200 or 12.5' end
    when 'link' then case when char_length(given) > 2048 or given !~* '^https?://[^[:space:][:cntrl:]/?#@\\]+([/?#][^[:space:][:cntrl:]]*)?$'
      then 'is an address that begins with https://, of up to 2048 characters' end
    when 'date' then case when given !~ '^(19|20|21)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' then 'is a day such as 2026-05-31'
      when right(given, 2)::integer > extract(day from (left(given, 8) || '01')::date + interval '1 month -1 day') then 'is a day such as 2026-05-31' end
    when 'choice' then case when not restoring and not field -> 'options' ? given
      then 'is one of ' || (select string_agg(choice, ', ') from jsonb_array_elements_text(field -> 'options') as choice) end
    else case when char_length(given) > 200 then 'is a text of up to 200 characters' end
  end
$$;

-- Checks values that change; older ones stay as they are. A published project has all required facts, except one that was
-- published before they were required, until its facts change. A restored project or version is not refused: what does
-- not fit any more is left out.
create function private.validate_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  restoring constant boolean := current_setting('private.restoring', true) = 'yes' or coalesce(current_setting('private.restored_from', true), '') <> '';
  fields constant jsonb := private.fact_fields();
  known constant jsonb := case when tg_op = 'UPDATE' then old.facts else '{}' end;
  removed text[];
  checked jsonb;
  field jsonb;
  id text;
  given text;
  problem text;
begin
  new.facts := coalesce(new.facts, '{}');
  if new.facts <> known then
    perform private.raise_if(private.is_client() and restoring is not true and not public.can_edit_content(), '42501', 'Only an editor can fill in facts. Nothing was saved.');
    perform private.raise_if(jsonb_typeof(new.facts) <> 'object', 'PT422', 'facts is an object of values by the ids of the facts. Nothing was saved.');
    removed := private.fact_ids(private.removed_fact_fields());
    select min(key) into id from jsonb_object_keys(new.facts) as key where key <> all (removed || private.fact_ids(fields));
    perform private.raise_if(id is not null and restoring is not true, 'PT422', format('There is no fact “%s”: it was removed, or never added. Nothing was saved.', left(id, 60)));
    select coalesce(jsonb_object_agg(key, value), '{}') into checked
    from jsonb_each(case when restoring then new.facts else '{}' end || known) where key = any (removed);
    for field in select jsonb_array_elements(fields) loop
      id := field ->> 'id';
      given := private.one_line(new.facts ->> id);
      continue when coalesce(given, '') = '';
      if new.facts -> id is distinct from known -> id then
        problem := case when jsonb_typeof(new.facts -> id) not in ('string', 'number') then 'is a text or a number'
          else private.fact_problem(field, given, coalesce(restoring, false)) end;
        continue when restoring and problem is not null;
        perform private.raise_if(problem is not null, 'PT422', format('“%s” %s. Nothing was saved.', field ->> 'name', problem));
      end if;
      checked := checked || jsonb_build_object(id, case field ->> 'kind' when 'number' then to_jsonb(trim_scale(given::numeric)) else to_jsonb(given) end);
    end loop;
    new.facts := checked;
  end if;
  if new.status <> 'draft' and restoring is not true and (tg_op = 'INSERT' or new.facts <> known or old.status = 'draft') then
    select string_agg(required ->> 'name', ', ') into problem
    from jsonb_array_elements(fields) as required where required -> 'required' = 'true' and not new.facts ? (required ->> 'id');
    perform private.raise_if(problem is not null, 'PT422', format('A published project needs: %s. Fill in what is missing, or keep it as a draft.', problem));
  end if;
  return new;
end $$;

-- The values of removed fields end with their retention, also in versions, so that none is written for it. Projects are
-- locked first, as everywhere.
create function private.delete_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  ended text[] := array(select entry ->> 'id' from gone where table_name = 'project_facts');
  was constant text := coalesce(current_setting('private.restoring', true), '');
begin
  ended := array(select unnest(ended) except select unnest(private.fact_ids(private.fact_fields() || private.removed_fact_fields())));
  if cardinality(ended) = 0 then
    return null;
  end if;
  perform set_config('private.restoring', 'yes', true);
  perform from public.projects where facts ?| ended order by id for no key update;
  update public.project_versions set content = jsonb_set(content, '{facts}', (content -> 'facts') - ended) where content -> 'facts' ?| ended;
  update public.planned_changes
  set fields = jsonb_set(fields, '{facts}', (fields -> 'facts') - ended), base = jsonb_set(base, '{facts}', (base -> 'facts') - ended)
  where fields -> 'facts' ?| ended or base -> 'facts' ?| ended;
  update public.projects set facts = facts - ended where facts ?| ended;
  perform set_config('private.restoring', was, true);
  return null;
end $$;
